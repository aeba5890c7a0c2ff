"""Images and exports leave no file in the system's temporary folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gui.conftest import SAMPLE

WINDOW, CONSOLE = "workbench.gui.shell.start", "workbench"


@pytest.mark.parametrize(
    "command",
    [
        # In the light theme: test_start.py.
        pytest.param((WINDOW, "--dark", "--screenshot", "page.png"), marks=pytest.mark.slow),
        (CONSOLE, "export", "-o", "findings.png", "-o", "findings.xlsx"),
        pytest.param((CONSOLE, "export", "-o", "findings.pdf", "-o", "findings.pptx"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_that_a_picture_and_an_export_leave_no_temporary_file(tmp_path: Path, command: tuple[str, ...]) -> None:
    temporary, work = tmp_path / "temporary", tmp_path / "work"
    temporary.mkdir()
    work.mkdir()
    variables = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    variables |= {"VDI_WORKBENCH_STORE": str(tmp_path / "store"), "QT_QPA_PLATFORM": "offscreen"}
    # The program is started elsewhere, and need not be installed.
    variables["PYTHONPATH"] = str(SAMPLE.parent)
    study = str(SAMPLE / "xenapp-pvs-ram-cache")
    done = subprocess.run(
        [sys.executable, "-m", *command, study], cwd=work, env=variables, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    asked = {Path(file).suffix for file in command if file.startswith(("page.", "findings."))}
    assert {file.suffix for file in work.iterdir()} == asked
    assert [file.name for file in temporary.rglob("*")] == []
