"""Files given as options are regular files below a size: devices and pipes are refused at once, with a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import disk_csv

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of Unix")
ROOT = Path(__file__).parents[2]
COMMANDS = {
    "constants": ("sizing", "--desktops", "10", "--constants"),
    "models": ("logons", "--models"),
    "limits": ("check", "--limits"),
    "template": ("export", "-o", "x.xlsx", "--template"),
    "logo": ("export", "-o", "x.xlsx", "--logo"),
}
# Runs all command lines in one process, because starting it takes longer than running them.
EACH = """
import contextlib, io, json, sys
from workbench.cli import main
for arguments in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = main(arguments)
    print(json.dumps([status, said.getvalue()]), flush=True)
"""


def _vdiwb(folder: Path, *arguments: str, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return _python(folder, "-m", "workbench.cli", *arguments, variables=variables)


def _python(folder: Path, *arguments: str, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "VDI_WORKBENCH_STORE": str(folder / "store")} | (variables or {})
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    disk_csv(tmp_path / "lab" / "mcs" / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    return tmp_path


def test_that_an_option_file_that_is_not_a_small_file_is_rejected(lab: Path) -> None:
    files, lines = [], []
    for what in ("pipe", "device", "folder", "large"):
        for option, (command, *more) in COMMANDS.items():
            path = lab / f"{what}-{option}.{'xlsx' if option == 'template' else 'toml'}"
            if what == "pipe":
                os.mkfifo(path)
            elif what == "folder":
                path.mkdir()
            elif what == "device":
                path.symlink_to("/dev/zero")
            else:
                with path.open("wb") as stream:
                    stream.truncate(1 << 30)
            files.append(path)
            lines.append((command, "lab", *more, str(path)))
    done = _python(lab, "-c", EACH, json.dumps(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [status for status, _ in answers] == [2] * len(files), done.stderr
    for path, (_, said) in zip(files, answers, strict=True):
        assert "Traceback" not in said
        assert path.name in said
    assert not (lab / "x.xlsx").exists()


def test_that_a_pipe_in_place_of_the_mappings_file_is_named_without_waiting(lab: Path) -> None:
    path = lab / "mappings.json"
    os.mkfifo(path)
    done = _vdiwb(lab, "inspect", "lab", variables={"VDI_WORKBENCH_MAPPINGS": str(path)})
    assert done.returncode == 0, done.stderr
    assert path.name in done.stderr
    assert path.exists()


def test_that_pipes_among_the_results_are_skipped(lab: Path) -> None:
    for name in ("run.toml", "limits.toml"):
        os.mkfifo(lab / "lab" / "mcs" / name)
    done = _vdiwb(lab, "summary", "lab", "--format", "csv")
    assert "Traceback" not in done.stderr
    assert "W10" in done.stdout or "mcs" in done.stdout
