"""A new question is one folder: after one registration, it is in the window, on the console and in every export."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pptx import Presentation

from tests.builders import disk_csv
from tests.processes import ROOT
from workbench.measures.significance.method import METHOD

QUESTION = "How many runs has each configuration?"
ROWS = [["MCS", "2"], ["PVS", "1"]]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of one configuration, and one of another."""
    folder = tmp_path_factory.mktemp("toy")
    for reads, (run, configuration) in enumerate((("a", "MCS"), ("b", "MCS"), ("c", "PVS")), start=1):
        disk_csv(folder / "lab" / run / "V1.csv", "V1", [float(reads)] * 20, [2.0] * 20)
        text = f'configuration = "{configuration}"\nprovisioning = "{configuration}"\n'
        (folder / "lab" / run / "run.toml").write_text(text)
    return folder / "lab"


# The commands of the tests below, which one process runs: most of a short command is the start of its process.
COMMANDS = {
    "json": "toy-runs LAB --format json",
    "csv": "toy-runs LAB --format csv",
    "table": "toy-runs LAB --least 2",
    "help": "--help",
    "toy.xlsx": "export LAB -o OUT",
    "toy.pptx": "export LAB -o OUT --only toy-runs",
    "toy.html": "export LAB -o OUT --length full",
    "toy.pdf": "export LAB -o OUT --only toy-runs",
    "toy.csv": "export LAB -o OUT --only toy-runs",
}


@pytest.fixture(scope="module")
def toy(lab: Path) -> dict[str, Any]:
    """The content of the window and the output of the commands of the program with the toy question; it must end
    normally."""
    places = {name: {"LAB": str(lab), "OUT": str(lab.parent / name)} for name in COMMANDS}
    commands = [[places[name].get(word, word) for word in line.split()] for name, line in COMMANDS.items()]
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "VDI_WORKBENCH_STORE": str(lab.parent / "store"),
        "VDI_WORKBENCH_SETTINGS": str(lab.parent / "settings.json"),
        "VDI_WORKBENCH_JOURNALS": str(lab.parent / "journals"),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.toy_answer", str(lab)],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def told(toy: dict[str, Any]) -> dict[str, str]:
    """The output of each command. All commands end normally."""
    done = dict(zip(COMMANDS, toy["console"], strict=True))
    assert {name: status for name, (status, _) in done.items() if status} == {}
    return {name: said for name, (_, said) in done.items()}


@pytest.fixture(scope="module")
def files(lab: Path, told: dict[str, str]) -> Path:
    """The folder of the written files."""
    return lab.parent


def test_that_a_new_answer_is_in_the_navigation_and_palette_and_is_shown(toy: dict[str, Any]) -> None:
    seen = toy["window"]
    assert seen["rail"][-1] == "Toy runs"
    assert seen["icon"]
    assert "Toy runs" in seen["palette"]
    assert (seen["page"], seen["question"]) == ("toy-runs", QUESTION)
    assert seen["rows"] == ROWS
    assert seen["drawn"]


def test_that_the_console_has_the_command_of_a_new_answer_in_every_format(told: dict[str, str]) -> None:
    expected = [{"configuration": "MCS", "runs": 2}, {"configuration": "PVS", "runs": 1}]
    assert json.loads(told["json"]) == {"configurations": expected, "method": METHOD}
    rows = csv.reader(io.StringIO(told["csv"]))
    assert list(rows) == [["configuration", "runs", "method"], *([*row, str(METHOD)] for row in ROWS)]
    assert told["table"].startswith("Runs of each\n")
    assert "MCS" in told["table"]
    assert "PVS" not in told["table"]
    assert "how many runs each configuration has" in told["help"]


def test_that_the_workbook_has_the_sheet_of_a_new_answer(files: Path) -> None:
    book = openpyxl.load_workbook(files / "toy.xlsx")
    sheets = [sheet for sheet in book.worksheets if any(QUESTION in map(str, row) for row in sheet.values)]
    assert [sheet.title for sheet in sheets] == ["Toy runs", "Toy runs data"]
    assert ("MCS", 2) in {(row[0], row[1]) for row in sheets[0].values}


def test_that_the_slides_show_a_new_answer(files: Path) -> None:
    deck = Presentation(str(files / "toy.pptx"))
    titles = [slide.shapes.title.text for slide in deck.slides if slide.shapes.title is not None]
    assert QUESTION in titles
    assert any(shape.has_chart for slide in deck.slides for shape in slide.shapes)


def test_that_the_report_page_shows_a_new_answer(files: Path) -> None:
    assert QUESTION in (files / "toy.html").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_that_the_printed_report_shows_a_new_answer(files: Path) -> None:
    text = subprocess.run(["pdftotext", files / "toy.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert QUESTION in text


def test_that_the_table_of_a_new_answer_is_written_as_csv(files: Path) -> None:
    file = files / "toy.csv"
    text = (
        "".join(zipfile.ZipFile(file).read(name).decode() for name in zipfile.ZipFile(file).namelist())
        if zipfile.is_zipfile(file)
        else file.read_text(encoding="utf-8-sig")
    )
    assert "MCS,2" in text
