"""Judging mutants: each runs in a copy of the project, in processes of its own, until a test fails or time is up."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.mutation.mutants import Mutant

_NOT_COPIED = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", "dist", "build")
_PASSED, _NO_TESTS = 0, 5
_FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
# A mutant's tests may take so many times what they take without it, and so many seconds more.
_SLOWER, _MORE_S = 3.0, 20.0
# No test file takes longer than this without a mutant.
_LONGEST_S = 300.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant. `how`: the tests that failed, "time" where none ended, else the tests that passed."""

    mutant: Mutant
    killed: bool
    how: str
    seconds: float


@dataclass
class Tree:
    """A copy of the project in a folder, which mutants may change; `seed` makes drawn examples repeatable."""

    root: Path
    seed: int
    _seconds: dict[str, float | None] = field(default_factory=dict)
    _stamp: int = 0

    @staticmethod
    def copied(project: Path, folder: Path, seed: int) -> Tree:
        """A fresh copy below `folder`. Raises RuntimeError where its tests would run the code of another folder."""
        root = Path(os.path.realpath(folder)) / "project"
        shutil.copytree(project, root, ignore=_NOT_COPIED)
        tree = Tree(root, seed)
        code = "import workbench; print(workbench.__file__)"
        said = subprocess.run(
            [sys.executable, "-c", code], cwd=root, env=tree._environment(), capture_output=True, text=True, check=True
        )
        if Path(said.stdout.strip()).parent.parent != root:
            raise RuntimeError(f"The tests would run {said.stdout.strip()}, which is not in the copy {root}.")
        return tree

    @property
    def _output(self) -> Path:
        """What pytest said last."""
        return self.root.parent / "output.txt"

    def seconds(self, test: str) -> float | None:
        """How long a test file takes without a mutant, None for one that does not pass then."""
        if test not in self._seconds:
            status, seconds = self._run([test], _LONGEST_S)
            self._seconds[test] = seconds if status == _PASSED else None
        return self._seconds[test]

    def asked(self, tests: list[str], most: int, last: tuple[str, ...]) -> list[str]:
        """The first `most` of these tests, and those of `last` among them; none that fails without a mutant."""
        nearest = [test for test in tests if test not in last][:most]
        chosen = [*nearest, *(test for test in last if test in tests)]
        return [test for test in chosen if self.seconds(test) is not None]

    def judge(self, mutant: Mutant, tests: list[str]) -> Verdict:
        """Runs these tests together over the mutant until the first that fails; the file is then as it was."""
        file = self.root / mutant.file
        source = file.read_text(encoding="utf-8")
        started = time.monotonic()
        try:
            self._write(file, mutant.of(source))
            failed = self._noticed(tests) if tests else ""
        finally:
            self._write(file, source)
        return Verdict(mutant, bool(failed), failed or ", ".join(tests), time.monotonic() - started)

    def judge_by_all(self, mutant: Mutant, tests: list[str], most: int, last: tuple[str, ...]) -> Verdict:
        """By the nearest of these tests, where most mutants end, then by the others that `asked` chooses."""
        nearest = self.asked(tests[:1], 1, ())
        verdict = self.judge(mutant, nearest)
        if verdict.killed:
            return verdict
        others = [test for test in self.asked(tests, most, last) if test not in nearest]
        further = self.judge(mutant, others)
        how = further.how if further.killed else ", ".join([*nearest, *others])
        return replace(further, how=how, seconds=verdict.seconds + further.seconds)

    def _noticed(self, tests: list[str]) -> str:
        """The first of these tests that fails, "time" where they do not end, empty where they pass."""
        usual = sum(self.seconds(test) or 0.0 for test in tests)
        status, _ = self._run(tests, _MORE_S + _SLOWER * usual)
        if status == _PASSED:
            return ""
        failed = _FAILED_TEST.search(self._output.read_text(encoding="utf-8", errors="replace"))
        return "time" if status is None else failed[1] if failed else f"pytest's exit status {status}"

    def _write(self, file: Path, source: str) -> None:
        """The text with a time of its own: Python takes compiled code of equal time and size for that of the text."""
        file.write_text(source, encoding="utf-8")
        self._stamp += 2
        stamp = time.time() + self._stamp
        os.utime(file, (stamp, stamp))

    def _run(self, tests: list[str], limit_s: float) -> tuple[int | None, float]:
        """The exit status of pytest over these files (None: time was up) and the seconds that it took."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "0",
            "-x",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            f"--hypothesis-seed={self.seed}",
            f"--basetemp={self.root.parent / 'tests'}",
            *tests,
        ]
        started = time.monotonic()
        # Into a file: a pipe would stay open as long as any process that a test has started.
        with (
            self._output.open("wb") as output,
            subprocess.Popen(
                command,
                cwd=self.root,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as program,
        ):
            try:
                status: int | None = program.wait(limit_s)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                # Processes that its tests have started must not outlive it.
                with suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
        return (_PASSED if status == _NO_TESTS else status), time.monotonic() - started

    def _environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(self.root), "QT_QPA_PLATFORM": "offscreen"}
