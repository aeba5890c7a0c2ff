"""The runner of the slow suites, with toy suites: finished work is not repeated, and every result is reported."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest

from tests.processes import running
from tests.tools.slow.__main__ import main
from tests.tools.slow.runner import Runner, lanes_of
from tests.tools.slow.suite import Command, Count, Suite, Work
from tests.tools.slow.suites import BY_TEST, PROGRAM, ROOT, SUITES, files_of_slow_tests

Toy = Callable[..., Suite]
# Writes a line into the folder each time it runs.
DO = "import pathlib, sys; pathlib.Path(sys.argv[1], 'done.txt').open('a').write(sys.argv[2] + '\\n')"
# Continues from the existing lines: this many more, up to five.
GO_ON = """
import pathlib, sys
file = pathlib.Path(sys.argv[1], "done.txt")
done = len(file.read_text().splitlines()) if file.exists() else 0
file.open("a").write("line\\n" * min(3, 5 - done))
"""
# A command of one suite that reports that it runs, for a minute.
INTERRUPTED = """
import signal, sys
from tests.tools.slow.__main__ import main
from tests.tools.slow.suite import Suite
say = "pathlib.Path(sys.argv[1], 'alive').write_text(str(n)), time.sleep(0.01)"
code = "import pathlib, sys, time\\nfor n in range(6000): " + say
steps = {{"one": (sys.executable, "-c", code, "{{folder}}")}}
signal.signal(signal.SIGTERM, signal.default_int_handler)
sys.exit(main(["--folder", {folder!r}], [Suite("toy", "steps", 1.0, lambda _: steps, (), alone={alone})]))
"""


def python(code: str, *words: str) -> Command:
    return (sys.executable, "-c", code.replace("{", "{{").replace("}", "}}"), *words)


def lines(folder: Path, suite: str) -> list[str]:
    """The lines that the commands of a suite have written."""
    file = folder / "kept" / suite / "kept" / "done.txt"
    return file.read_text("utf-8").splitlines() if file.exists() else []


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """Makes a suite of these steps; their results depend on `code.py`."""
    (tmp_path / "code.py").write_text("x = 1\n", encoding="utf-8")

    def make(
        name: str = "toy", minutes: float = 1.0, count: Callable[[Path], Count] | None = None, **codes: str
    ) -> Suite:
        steps = {step: python(code, "{folder}", step) for step, code in codes.items()}
        return Suite(name, "steps", minutes, lambda _: steps, (str(tmp_path / "code.py"),), count)

    return make


def run(folder: Path, *suites: Suite, minutes: float = 1.0, names: tuple[str, ...] = ()) -> int:
    """The exit status of the command."""
    return main([*names, "--folder", str(folder / "kept"), "--minutes", str(minutes)], suites)


def test_that_a_finished_suite_says_so_and_is_not_run_again(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = toy(one=DO, two=DO)
    assert run(tmp_path, suite) == 0
    assert lines(tmp_path, "toy") == ["one", "two"]
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last[:8] == ["toy", "2", "2", "of", "2", "steps,", "0", "wrong"]
    assert last[9:] == ["finished"]
    assert run(tmp_path, suite) == 0
    assert lines(tmp_path, "toy") == ["one", "two"]
    assert capsys.readouterr().out.endswith("finished earlier\n")


def test_that_changed_code_makes_a_suite_run_again(tmp_path: Path, toy: Toy) -> None:
    suite = toy(one=DO)
    run(tmp_path, suite)
    (tmp_path / "code.py").write_text("x = 2\n", encoding="utf-8")
    assert Work(suite, tmp_path / "kept").count == Count(0, None)
    assert lines(tmp_path, "toy") == ["one"], "to look at it forgets nothing"
    (tmp_path / "kept" / "toy" / "kept" / "old.txt").touch()
    assert run(tmp_path, suite) == 0
    assert lines(tmp_path, "toy") == ["one"]
    assert not (tmp_path / "kept" / "toy" / "kept" / "old.txt").exists()


def test_that_a_suite_without_time_runs_one_step_and_resumes_next_time(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = toy(one=DO, two=DO, three=DO)
    for done in (1, 2, 3):
        assert run(tmp_path, suite, minutes=0) == 0
        assert lines(tmp_path, "toy") == ["one", "two", "three"][:done]
        last = capsys.readouterr().out.splitlines()[-1]
        assert f" {done} of 3 steps, 0 wrong " in last
        assert last.endswith("goes on next time" if done < 3 else "finished")


def test_that_a_step_longer_than_the_remaining_time_waits(tmp_path: Path, toy: Toy) -> None:
    suite = toy(one=DO, two=DO, three=DO)
    work = Work(suite, tmp_path / "kept")
    work.begin()
    work.record.seconds = {"one": 1.0, "two": 500.0, "three": 1.0}
    work.write()
    run(tmp_path, suite)
    assert lines(tmp_path, "toy") == ["one", "three"]
    run(tmp_path, suite)
    assert lines(tmp_path, "toy") == ["one", "three", "two"], "as the first it is begun, or it would never be"


def test_that_a_command_with_a_count_continues_until_all_is_done(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    def count(kept: Path) -> Count:
        file = kept / "done.txt"
        return Count(len(file.read_text("utf-8").splitlines()) if file.exists() else 0, 5)

    suite = toy(count=count, one=GO_ON)
    assert run(tmp_path, suite) == 0
    assert "3 of 5 steps, 0 wrong" in (first := capsys.readouterr().out)
    assert first.endswith("goes on next time\n")
    assert run(tmp_path, suite) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:5] == ["toy", "2", "5", "of", "5"]
    assert Work(suite, tmp_path / "kept").finished


def test_that_a_failed_step_is_reported_with_its_output_and_run_again_after_the_others(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    suite, good = toy(one=f"{DO}; sys.exit('torn')", two=DO), toy("good", one=DO)
    assert run(tmp_path, suite, good) == 1
    said = capsys.readouterr().out
    assert "torn" in said
    assert "FAILED: one" in said
    assert said.splitlines()[-1].endswith("finished")
    assert run(tmp_path, suite, good) == 1
    assert lines(tmp_path, "toy") == ["one", "two", "one"]
    assert lines(tmp_path, "good") == ["one"]


def test_that_a_wrong_result_fails_even_if_the_command_succeeds(tmp_path: Path, toy: Toy) -> None:
    suite = toy(count=lambda _: Count(5, 5, 1), one=DO)
    assert run(tmp_path, suite) == 1
    assert run(tmp_path, suite) == 1


def test_that_a_suite_without_step_names_fails(tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    def none(_: Path) -> dict[str, Command]:
        raise RuntimeError("no tests can be collected")

    broken = Suite("broken", "files", 1.0, none, (str(tmp_path / "code.py"),))
    assert run(tmp_path, broken) == 1
    assert "no tests can be collected" in capsys.readouterr().out
    mended = Suite("broken", "files", 1.0, lambda _: {"one": python("")}, (str(tmp_path / "code.py"),))
    assert run(tmp_path, mended) == 0


def test_that_only_named_suites_run_and_a_list_runs_none(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    suites = (toy("a", one=DO), toy("b", one=DO))
    assert run(tmp_path, *suites, names=("--list",)) == 0
    assert [line.split()[-2:] for line in capsys.readouterr().out.splitlines()[2:]] == [["not", "begun"]] * 2
    assert run(tmp_path, *suites, names=("b",)) == 0
    assert (lines(tmp_path, "a"), lines(tmp_path, "b")) == ([], ["one"])
    with pytest.raises(SystemExit):
        run(tmp_path, *suites, names=("c",))
    assert "no suite is called c; there are a, b" in capsys.readouterr().err


def test_that_two_suites_run_in_parallel_and_exclusive_ones_before_them(tmp_path: Path, toy: Toy) -> None:
    # Each waits for the other, so they end only if both run.
    meet = """
import pathlib, sys, time
here, there = (pathlib.Path(sys.argv[1]).parents[1] / f"{name}.txt" for name in (sys.argv[2], sys.argv[2][::-1]))
here.touch()
end = time.monotonic() + 60
while not there.exists():
    assert time.monotonic() < end
    time.sleep(0.01)
"""
    last = "import pathlib, sys; sys.exit(any(pathlib.Path(sys.argv[1]).parents[1].glob('*.txt')))"
    alone = Suite("alone", "steps", 1.0, lambda _: {"one": python(last, "{folder}")}, (), alone=True)
    assert run(tmp_path, toy("a", ab=meet), toy("b", ba=meet), alone) == 0


def test_that_a_suite_without_its_minimum_time_is_not_started(
    tmp_path: Path, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    needy = Suite("needy", "steps", 1.0, lambda _: {"one": python(DO, "{folder}", "one")}, (), least=3)
    assert run(tmp_path, needy) == 0
    assert lines(tmp_path, "needy") == []
    assert capsys.readouterr().out.endswith("not begun: needs 3 minutes\n")
    assert run(tmp_path, needy, minutes=3.5) == 0
    assert lines(tmp_path, "needy") == ["one"]


def test_that_a_hanging_step_is_ended_and_fails(tmp_path: Path, toy: Toy) -> None:
    work = Work(toy(one="import time; time.sleep(600)"), tmp_path / "kept")
    (row,) = Runner(patience_s=0.2).run([work], minutes=0.0)
    assert row.work.failed
    assert "it hung" in work.log.read_text("utf-8")


def test_that_a_stopped_command_ends_its_children_and_does_not_fail(tmp_path: Path, toy: Toy) -> None:
    work, runner = Work(toy(one="import time; time.sleep(600)", two=DO), tmp_path / "kept"), Runner()
    begin = time.monotonic()
    Timer(0.3, runner.stop.set).start()
    runner.run([work], minutes=5)
    assert time.monotonic() - begin < 300
    assert not work.failed
    assert not work.finished
    assert lines(tmp_path, "toy") == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such signals")
@pytest.mark.parametrize(
    ("alone", "number"),
    [
        (True, signal.SIGINT),
        (False, signal.SIGTERM),
        pytest.param(True, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(False, signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_that_a_signal_ends_running_steps(tmp_path: Path, alone: bool, number: int) -> None:
    kept = tmp_path / "kept" / "toy" / "kept"
    with running("-c", INTERRUPTED.format(folder=str(tmp_path / "kept"), alone=alone)) as program:
        end = time.monotonic() + 60
        while not (kept / "alive").exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        program.send_signal(number)
        _, said = program.communicate(timeout=60)
    assert (program.returncode, said) == (130, "Stopped; the same command goes on.\n")
    alive = (kept / "alive").read_text("utf-8")
    time.sleep(0.1)
    assert (kept / "alive").read_text("utf-8") == alive


def test_that_lanes_have_equal_length_and_keep_the_order(tmp_path: Path, toy: Toy) -> None:
    works = [Work(toy(name, minutes), tmp_path) for name, minutes in (("a", 3), ("b", 10), ("c", 6), ("d", 1))]
    assert [[work.suite.name for work in lane] for lane in lanes_of(works)] == [["b"], ["a", "c", "d"]]


def test_that_the_suites_fit_into_45_minutes_on_two_cores_and_depend_on_the_code_they_run(tmp_path: Path) -> None:
    alone = sum(suite.minutes for suite in SUITES if suite.alone)
    lanes = lanes_of([Work(suite, tmp_path) for suite in SUITES if not suite.alone])
    assert alone + max(sum(work.suite.minutes for work in lane) for lane in lanes) <= 45
    assert len({suite.name for suite in SUITES}) == len(SUITES)
    for suite in SUITES:
        # Only uv writes its lock.
        assert all((ROOT / code).exists() or code == "uv.lock" for code in suite.code)
        assert suite.name == "simulations" or set(PROGRAM) < set(suite.code)


def test_that_each_file_of_slow_tests_is_a_step(tmp_path: Path) -> None:
    tests = (
        "test_cancellation.py::test_that_b[a/b.py::c]",
        f"{BY_TEST[0][6:]}::test_c[1]",
        f"{BY_TEST[0][6:]}::test_c[2]",
    )
    names = ("study/test_cancel.py::test_that_a", "study/test_cancel.py::test_that_b[1]", *tests)
    collected = "".join(f"tests/{name}\n" for name in names) + "\n5/900 tests collected\n"
    (tmp_path / "collected.txt").write_text(collected, encoding="utf-8")
    steps = files_of_slow_tests(tmp_path)
    assert list(steps) == ["tests/study/test_cancel.py", "tests/test_cancellation.py", f"{BY_TEST[0]}::test_c"]
    assert all(command[-3:] == ("-m", "slow", name) for name, command in steps.items())
