"""Two opened folders contain studies with one name: both are read, and each gets its folder in its name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"


@pytest.mark.parametrize(("command", "options"), [("compare", []), ("findings", ["--all"]), ("cache", [])])
def test_that_two_studies_with_the_same_name_are_both_shown(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    options: list[str],
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    for client in ("a", "b"):
        for run in ("mcs-r1", "mcsio-256-r1"):
            shutil.copytree(SAMPLE / run, tmp_path / client / "lab" / run)
    paths = [str(tmp_path / client / "lab") for client in ("a", "b")]
    assert main([command, *paths, "--format", "json", *options]) == 0
    text = capsys.readouterr().out
    assert json.loads(text)
    assert '"a/lab"' in text
    assert '"b/lab"' in text
