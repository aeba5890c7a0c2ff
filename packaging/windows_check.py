"""Tries the program on Windows' Python, under Wine: `uv run python packaging/windows_check.py`.

Runs commands, a screenshot of the window and some of the tests, one process at a time. Answers are compared with those
of this machine. Failures caused by Wine are listed in windows_known.txt. The exit status is 0 if nothing else failed, 1
if something else failed, and 2 if the check could not be prepared.

`… windows_check.py tests/readers tests/session/test_state.py` runs only these tests;
`… "vdiwb summary"` only this command. `… --bundle` starts the programs
of the bundle that `build.py windows` made, and runs no tests.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from windows_compare import different_files, different_lines, different_values, wrong_picture
from windows_report import Failure, Outcome, read_known, read_results, report, unexpected

from windows_python import BUNDLE, Ended, PreparationError, Windows, alone, kept, missing_tools, prepare
from workbench.exporters.export import ENDINGS

ROOT = Path(__file__).parents[1]
KNOWN = Path(__file__).with_name("windows_known.txt")
TESTS = ("tests/readers", "tests/session", "tests/study", "tests/console", "tests/gui/test_number_field.py")
# Nearly every test in these folders starts workers, which takes many seconds under Wine. The commands above start some
# too. If you change the tested code, name these tests on the command line.
LEFT_OUT = (
    "tests/study/test_archive.py",
    "tests/study/test_cluster.py",
    "tests/study/test_date_order.py",
    "tests/study/test_hostile_folder.py",
    "tests/study/test_import_pool.py",
    "tests/study/test_manifest.py",
    "tests/study/test_mappings.py",
    "tests/study/test_names.py",
    "tests/study/test_same_names.py",
    "tests/study/test_spool.py",
    "tests/study/test_standby.py",
    "tests/console/test_cache.py",
    "tests/console/test_cache_names.py",
    "tests/console/test_cache_problems.py",
    "tests/console/test_findings.py",
    "tests/console/test_sizing.py",
    "tests/console/test_logons.py",
    "tests/console/test_sessions.py",
    "tests/console/test_explain.py",
    "tests/console/test_explain_cache.py",
    "tests/console/test_explain_findings.py",
    "tests/console/test_explain_logons.py",
)
PICTURE = (1400, 900)
_SHOWN_DIFFERENCES = 20
# All tests run in one process, with Hypothesis' profile for slow machines. Programs start slowly under Wine, which is
# not a fault of the program.
_PYTEST = (
    *("-n", "0", "-q", "-p", "no:cacheprovider", "--tb=short"),
    *("--hypothesis-profile=ci", "-o", "junit_family=xunit1"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepares, runs every step, prints the table; returns the exit status."""
    options = _parser().parse_args(arguments)
    os.nice(5)
    if missing := missing_tools():
        sys.stderr.write(f"Not installed: {', '.join(missing)}.\n")
        return 2
    known = read_known(KNOWN.read_text(encoding="utf-8"))
    cache = options.cache or kept("windows-bundle" if options.bundle else "windows-check")
    try:
        with alone(cache.resolve()) as windows:
            there = There(windows, options.bundle)
            if not options.bundle:
                prepare(windows, ROOT / "pyproject.toml")
            elif not (windows.drive / "dist").is_dir():
                raise PreparationError("There is no bundle yet. Build it with: python packaging/build.py windows")
            _copy_checkout(windows)
            outcomes = list(_outcomes(there, options.tests))
    except PreparationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(report(outcomes, known))
    return 1 if any(unexpected(outcome, known) for outcome in outcomes) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Tries the program on Windows' Python, under Wine.")
    parser.add_argument("tests", nargs="*", help="only these folders or files of tests, or commands (default: all)")
    parser.add_argument("--bundle", action="store_true", help="start the programs of the bundle; run no tests")
    parser.add_argument("--cache", type=Path, help="where Python for Windows is kept (default: in your cache folder)")
    return parser


def _copy_checkout(windows: Windows) -> None:
    """Copies the tracked files, and new files that git does not ignore, to C:\\checkout. Removes older results."""
    checkout = windows.drive / "checkout"
    for folder in (checkout, windows.drive / "results", windows.drive / "store"):
        shutil.rmtree(folder, ignore_errors=True)
    (windows.drive / "results").mkdir()
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    _link_real_results(windows.drive / "shared")


def _link_real_results(link: Path) -> None:
    """Gives the tests access to the real result files in the folder next to the checkout, if there are any."""
    link.unlink(missing_ok=True)
    if (ROOT.parent / "shared").is_dir():
        link.symlink_to((ROOT.parent / "shared").resolve())


def _outcomes(there: There, tests: Sequence[str]) -> Iterator[Outcome]:
    """The outcome of each step, one after the other."""
    steps = [name for name in CHECKS if not tests or name in tests]
    if steps:
        with tempfile.TemporaryDirectory() as scratch:
            here = Here(Path(scratch))
            for step in steps:
                yield _timed(step, partial(_checked, step, there, here))
    for target in () if there.bundle else [name for name in tests or TESTS if name not in CHECKS]:
        yield _timed(target, partial(run_tests, there.windows, target))


def _timed(step: str, work: Callable[[], Outcome]) -> Outcome:
    sys.stderr.write(f"{step} … ")
    sys.stderr.flush()
    start = time.monotonic()
    outcome = work()
    seconds = time.monotonic() - start
    sys.stderr.write(f"{len(outcome.passed)} passed, {len(outcome.failed)} failed, {seconds:.0f} s\n")
    return replace(outcome, seconds=seconds)


# Commands, compared with this machine


@cache
def module_of(program: str) -> str:
    """The module that an installed program starts, from pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    programs = settings["project"]["scripts"] | settings["project"]["gui-scripts"]
    start: str = programs[program]
    return start.partition(":")[0]


@dataclass(frozen=True)
class There:
    """The programs on Windows: from the bundle, or from the checkout with Windows' Python."""

    windows: Windows
    bundle: bool = False

    @property
    def results(self) -> Path:
        """The folder C:\\results."""
        return self.windows.drive / "results"

    def run(self, *arguments: str, program: str = "vdiwb") -> Ended:
        """Runs one command in C:\\checkout."""
        if self.bundle:
            return self.windows.run(rf"{BUNDLE}\{program}.exe", *arguments)
        return self.windows.python("-m", module_of(program), *arguments)


@dataclass(frozen=True)
class Here:
    """The same program on this machine, with a separate column store."""

    scratch: Path

    def run(self, *arguments: str) -> Ended:
        """Runs one command in this checkout."""
        start = time.monotonic()
        command = [sys.executable, "-m", module_of("vdiwb"), *arguments]
        own_store = os.environ | {"VDI_WORKBENCH_STORE": str(self.scratch / "store")}
        ended = subprocess.run(command, cwd=ROOT, env=own_store, capture_output=True, text=True, check=False)
        return Ended(ended.returncode, ended.stdout, ended.stderr, time.monotonic() - start)


def _checked(step: str, there: There, here: Here) -> Outcome:
    differences = CHECKS[step](there, here)
    if not differences:
        return Outcome(step, passed=(step,))
    more = len(differences) - _SHOWN_DIFFERENCES
    shown = [*differences[:_SHOWN_DIFFERENCES], *([f"and {more} more"] if more > 0 else [])]
    return Outcome(step, failed=(Failure(step, "\n".join(shown)),))


def _same_text(there: There, here: Here, *arguments: str) -> list[str]:
    theirs, ours = there.run(*arguments), here.run(*arguments)
    return [*_ended_otherwise(theirs, ours), *different_lines(theirs.output, ours.output)]


def _version(there: There, here: Here) -> list[str]:
    return _same_text(there, here, "--version")


def _inspect(there: There, here: Here) -> list[str]:
    return _same_text(there, here, "inspect", "sample_data")


def _import(there: There, here: Here) -> list[str]:
    """Both fill the column stores that later commands read."""
    outputs, ended = [], []
    for side, store in ((there, r"C:\store"), (here, str(here.scratch / "store"))):
        ended.append(side.run("import", "sample_data", "--store", store))
        outputs.append(ended[-1].output.replace(store, "STORE"))
    return [*_ended_otherwise(*ended), *different_lines(*outputs)]


def _summary(there: There, here: Here) -> list[str]:
    arguments = ("summary", "sample_data", "--format", "json")
    theirs, ours = there.run(*arguments), here.run(*arguments)
    if wrong := _ended_otherwise(theirs, ours):
        return wrong
    try:
        return different_values(json.loads(theirs.output), json.loads(ours.output))
    except json.JSONDecodeError as error:
        return [f"no JSON: {error}"]


def _export(ending: str, there: There, here: Here) -> list[str]:
    """Both write files with the same names; workbooks and texts have the same contents."""
    folder, expected = there.results / ending[1:], here.scratch / ending[1:]
    for made in (folder, expected):
        made.mkdir()
    name = f"findings{ending}"
    theirs = there.run("export", "sample_data", "-o", rf"C:\results\{folder.name}\{name}")
    ours = here.run("export", "sample_data", "-o", str(expected / name))
    if wrong := _ended_otherwise(theirs, ours):
        return wrong
    return different_files(folder, expected)


def _window(there: There, _: Here) -> list[str]:
    """The window draws its first page offscreen; this step is not compared with this machine."""
    size = "x".join(map(str, PICTURE))
    picture = ("--screenshot", r"C:\results\window.png", "--size", size)
    theirs = there.run("sample_data", *picture, program="vdi-workbench")
    if theirs.status != 0:
        return [f"exit status {theirs.status}", *_last_lines(theirs)]
    return wrong_picture(there.results / "window.png", PICTURE)


CHECKS: Mapping[str, Callable[[There, Here], list[str]]] = {
    "vdiwb --version": _version,
    "vdiwb inspect": _inspect,
    "vdiwb import": _import,
    "vdiwb summary": _summary,
    **{f"vdiwb export {ending}": partial(_export, ending) for ending in ENDINGS},
    "vdi-workbench --screenshot": _window,
}


def _ended_otherwise(there: Ended, ours: Ended) -> list[str]:
    if there.status == ours.status:
        return []
    return [f"exit status {there.status} instead of {ours.status}", *_last_lines(there)]


def _last_lines(ended: Ended) -> list[str]:
    return (ended.errors.strip() or ended.output.strip()).splitlines()[-8:]


# Tests


def run_tests(windows: Windows, target: str) -> Outcome:
    """The outcome of the tests in a folder or file. If a folder crashes Python, its files are tried one by one."""
    results = windows.drive / "results" / (re.sub(r"\W", "-", target) + ".xml")
    junit = rf"--junitxml=C:\results\{results.name}"
    ignored = [f"--ignore={file}" for file in LEFT_OUT if file != target]
    ended = windows.python("-m", "pytest", *_PYTEST, *ignored, junit, target)
    if results.is_file():
        return judged(read_results(target, results.read_text(encoding="utf-8")), ended)
    parts = [run_tests(windows, file) for file in _files(target)]
    if not parts:
        return judged(Outcome(target), ended)
    return Outcome(
        target,
        tuple(name for part in parts for name in part.passed),
        tuple(failure for part in parts for failure in part.failed),
        tuple(name for part in parts for name in part.skipped),
    )


def judged(outcome: Outcome, ended: Ended) -> Outcome:
    """The outcome, with one more failure if pytest ran nothing or its exit status does not match its results."""
    # 5 is pytest's status for a module that skips itself.
    expected = (1,) if outcome.failed else (0,) if outcome.passed else (0, 5) if outcome.skipped else ()
    if ended.status in expected:
        return outcome
    how = "took too long" if ended.status is None else f"ended with status {ended.status}"
    failure = Failure(outcome.step, "\n".join([f"Python {how}", *_last_lines(ended)]))
    return replace(outcome, failed=(*outcome.failed, failure))


def _files(target: str) -> list[str]:
    """The test files in a folder that are not excluded; none if the target is a file."""
    files = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / target).rglob("test_*.py"))
    return [file for file in files if file not in LEFT_OUT]


if __name__ == "__main__":
    sys.exit(main())
