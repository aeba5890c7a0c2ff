"""Runs of the sample study with one defect in a file, and the console output about them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data"
FIVE = SAMPLE / "windows-7-mcs-and-pvs" / "mcs-5vm"
CODES = {"impossible-sample", "counter-wrap", "spike", "frozen-counter", "long-latency"}
Rows = list[list[str]]


def damaged(folder: Path, change: Callable[[Rows], None], run: Path = FIVE, file: str = "DataCollector01.csv") -> Path:
    """A copy of a run of the sample study; `change` has changed its rows (the header is row 0)."""
    copy = folder / run.name
    shutil.copytree(run, copy)
    path = copy / "guest" / file
    with path.open(encoding="ascii", newline="") as stream:
        rows = list(csv.reader(stream))
    change(rows)
    with path.open("w", encoding="ascii", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    return copy


def column(rows: Rows, name: str) -> int:
    """The column index of the counter with this end of its name."""
    (found,) = [place for place, cell in enumerate(rows[0]) if cell.endswith(name)]
    return found


def summary(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The output of `vdiwb summary --format json` on a folder."""
    assert main(["summary", str(path), "--format", "json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def told(answer: dict[str, Any], *codes: str) -> list[dict[str, Any]]:
    """The problems with these codes; without codes, those of all rules."""
    return [problem for problem in answer["problems"] if problem["code"] in (codes or CODES)]


def phase(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """The figures of a phase of the first run."""
    (found,) = [phase for phase in answer["runs"][0]["phases"] if phase["phase"] == name]
    return dict(found)


def read(path: Path, store: Path) -> list[str]:
    """The problems of a file as `code: message`."""
    reading = read_source(path, path.name, Store(store))
    return [f"{problem.code}: {problem.message}" for problem in reading.problems]
