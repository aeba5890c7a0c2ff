"""A program that reads the console's output may end before the output does, like `head`."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import disk_csv
from workbench.console.streams import closed_early

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("own_store")


def read_only_the_first(count: int, *arguments: str) -> tuple[int, str]:
    """The exit status and standard error if only the first bytes of the output are read."""
    with subprocess.Popen(
        [sys.executable, "-m", "workbench.vdiwb", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": ""},
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.read(count)
        program.stdout.close()
        said = program.stderr.read().decode()
        return program.wait(120), said


@pytest.mark.parametrize("arguments", [("--help",), ("inspect", "--help"), ("--version",)])
def test_that_a_pipe_closed_before_the_help_is_not_an_error(arguments: tuple[str, ...]) -> None:
    assert read_only_the_first(0, *arguments) == (0, "")


@pytest.mark.parametrize("count", [0, 1])
def test_that_a_pipe_closed_before_the_answer_is_not_an_error(tmp_path: Path, count: int) -> None:
    for number in range(300):
        (tmp_path / f"notes-{number}-{'x' * 150}.txt").write_text("nothing of ours")
    disk_csv(tmp_path / "run" / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    assert read_only_the_first(count, "inspect", str(tmp_path), "--format", "json") == (0, "")


def test_that_windows_calls_a_closed_pipe_an_invalid_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = OSError(errno.EINVAL, "Invalid argument")
    monkeypatch.setattr(sys, "platform", "win32")
    assert closed_early(closed)
    assert not closed_early(OSError(errno.EINVAL, "Invalid argument", "C:\\results\\a.csv"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert not closed_early(closed)
    assert closed_early(BrokenPipeError(errno.EPIPE, "Broken pipe"))
