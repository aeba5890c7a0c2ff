"""The process that runs tests for many mutants: it answers the messages of its parent through a pipe."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.tools.mutation.mutants import Mutant
from tests.tools.mutation.statements import Marks, Statement, load_with
from tests.tools.mutation.swap import changed_code, module_of, swapped

# Limit of a test: this multiple of its time without a mutant, plus this many processor seconds.
SLOWER, MORE_S = 4.0, 4.0
# A test that takes longer without a mutant is not used.
MOST_S = 20.0
_MOST_BYTES = 10 * 2**30


@dataclass(frozen=True, slots=True)
class Ran:
    """A test alone without a mutant: its seconds, whether it passed, the statements that it ran."""

    test: str
    seconds: float
    passed: bool
    statements: frozenset[Statement]


@dataclass(frozen=True, slots=True)
class Start:
    """The input of a process at its start: the marked files if it records, the mutant if it is judged alone."""

    project: Path
    seed: int
    recorded: frozenset[str] = frozenset()
    mutant: Mutant | None = None


class TimeUp(BaseException):
    """Raised if a test takes too long; no test or program catches it."""


def serve(connection: Connection, start: Start) -> None:
    """Runs tests until the parent sends None. In a new session, so all programs that tests start can be ended."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    os.chdir(start.project)
    sys.path.insert(0, str(start.project))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ |= _environment(Path(folder))
        marks = Marks(start.project, start.recorded)
        load_with(marks.code_of)
        if start.mutant:
            load_with(partial(changed_code, start.project, start.mutant))
        pytest.main(_arguments(start.seed, folder), plugins=[_Session(connection, start, marks, Path(folder))])


def _environment(folder: Path) -> dict[str, str]:
    return {
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }


def _arguments(seed: int, folder: str) -> list[str]:
    # Without explanations of failures: comparing two long texts can take minutes.
    words = ["-n", "0", "--tb=no", "--assert=plain", "--show-capture=no", "-p", "no:cacheprovider"]
    return [*words, "-o", "tmp_path_retention_policy=none", f"--hypothesis-seed={seed}", f"--basetemp={folder}/t"]


class _Session:
    """Replaces pytest's loop over all tests: a file is collected when one of its tests is requested."""

    def __init__(self, connection: Connection, start: Start, marks: Marks, folder: Path) -> None:
        self._connection, self._start, self._marks, self._folder = connection, start, marks, folder
        self._items: dict[str, dict[str, pytest.Item]] = {}
        self._failed = False
        self._began, self._outer = 0.0, list[tuple[frozenset[Statement], float]]()
        self._shared: dict[object, tuple[frozenset[Statement], float]] = {}

    def pytest_configure(self) -> None:
        """Hypothesis does not shrink examples, and other load on the machine fails no test."""
        phases, checks = (Phase.explicit, Phase.generate), (HealthCheck.too_slow,)
        settings.register_profile("mutation", phases=phases, suppress_health_check=checks, database=None, deadline=None)
        settings.load_profile("mutation")

    def pytest_collection(self) -> bool:
        return True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._session = session
        for file in sorted(self._start.recorded):
            module_of(file)
        signal.signal(signal.SIGPROF, _time_up)
        for order in iter(self._connection.recv, None):
            self._connection.send(self._recorded(order) if isinstance(order, str) else self._judged(*order))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Separates the set-up of shared fixtures: it counts for each test that uses them."""
        if fixturedef.scope != "function":
            self._outer.append(self._cost())
        yield
        if fixturedef.scope != "function":
            self._shared[fixturedef] = self._cost()

    def _recorded(self, file: str) -> tuple[frozenset[Statement], list[Ran]]:
        """The statements that run during the import of a file, and those of each of its tests."""
        items = [*self._collected(file).values()]
        early, _ = self._cost()
        for item in items[:1]:
            self._passes(item, None, MOST_S)  # It would include the time of code that loads only once.
        return early, [self._alone(item, following) for item, following in zip(items, [*items[1:], None], strict=False)]

    def _alone(self, item: pytest.Item, following: pytest.Item | None) -> Ran:
        """Runs a test as if it ran alone."""
        self._cost()
        self._outer = []
        passed = self._passes(item, following, MOST_S)
        named = item._fixtureinfo.name2fixturedefs.values()  # type: ignore[attr-defined]
        shared = [self._shared[each] for definitions in named for each in definitions if each in self._shared]
        costs = [self._cost(), *self._outer, *shared]
        statements = frozenset[Statement]().union(*(ran for ran, _ in costs))
        return Ran(item.nodeid, sum(seconds for _, seconds in costs), passed, statements)

    def _cost(self) -> tuple[frozenset[Statement], float]:
        """The statements that ran and the processor seconds since the last call."""
        began, self._began = self._began, _cpu_s()
        return self._marks.ran(), self._began - began

    def _judged(self, mutant: Mutant | None, tests: Sequence[tuple[str, float]]) -> str | None:
        """The first test that fails with the mutant, empty if all pass. None if that test also fails without it,
        because then the process is disturbed. Without a mutant, judges the code that this process has loaded."""
        items = [(self._collected(test.partition("::")[0])[test], seconds) for test, seconds in tests]
        shutil.rmtree(self._folder / "cache", ignore_errors=True)
        if mutant is None:
            return self._first_failing(items)
        with swapped(self._start.project, mutant):
            failing = self._first_failing(items)
        again = [(item, seconds) for item, seconds in items if item.nodeid == failing]
        shutil.rmtree(self._folder / "cache", ignore_errors=True)
        return None if self._first_failing(again) else failing

    def _first_failing(self, items: Sequence[tuple[pytest.Item, float]]) -> str:
        followings = (item for item, _ in items[1:])
        for item, seconds in items:
            following = next(followings, None)
            if not self._passes(item, following, MORE_S + SLOWER * seconds):
                self._session._setupstate.teardown_exact(None)
                return item.nodeid
        return ""

    def _passes(self, item: pytest.Item, following: pytest.Item | None, limit_s: float) -> bool:
        """Fixtures that the following test shares stay set up."""
        self._failed = False
        signal.setitimer(signal.ITIMER_PROF, limit_s)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except TimeUp:
            self._failed = True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return not self._failed

    def _collected(self, file: str) -> dict[str, pytest.Item]:
        if file not in self._items:
            self._session.perform_collect([file])
            self._items[file] = {item.nodeid: item for item in self._session.items}
        return self._items[file]


def _cpu_s() -> float:
    """Processor seconds of this process and the programs that it has started: other load does not count."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def _time_up(*_: object) -> None:
    raise TimeUp
