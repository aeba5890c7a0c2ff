"""An export of empty results is an error with a sentence and leaves no file; benchmarks and logons are exported."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.readers.fio_results import job, result, text_of
from workbench.answers.common.spec import SOME_REFUSED
from workbench.cli import main
from workbench.exporters.export import ENDINGS

EMPTY = {
    "only a run.toml": {"run.toml": 'configuration = "x"\n'},
    "a failed benchmark": {"out.txt": "error: maximum number of jobs (8) reached.\n"},
    "events without a line": {"events.csv": "time,event,vm,user\n"},
}


@pytest.mark.parametrize("what", EMPTY)
@pytest.mark.parametrize("ending", ENDINGS)
def test_that_an_empty_export_is_an_error_and_leaves_no_file(
    tmp_path: Path, ending: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lab, out = tmp_path / "lab", tmp_path / "out"
    lab.mkdir()
    out.mkdir()
    for name, text in EMPTY[what].items():
        (lab / name).write_text(text)
    status = main(["export", str(lab), "-o", str(out / f"x{ending}")])
    assert status == SOME_REFUSED
    assert list(out.iterdir()) == []
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"x{ending} was not written" in printed.err


def _rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))


def test_that_benchmarks_without_runs_have_rows(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    (lab / "a.json").write_text(text_of(result(job("one"), job("two"))))
    assert main(["export", str(lab), "-o", str(tmp_path / "x.csv")]) == 0
    assert [(row["job"], float(row["iops"])) for row in _rows(tmp_path / "x.csv")] == [("one", 1000.0), ("two", 1000.0)]


def test_that_logons_without_phases_have_rows(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    lines = ["time,event,vm,user"]
    lines += [f"2016-05-10T09:00:0{n}Z,logon_start,VM-{n},user{n}" for n in range(3)]
    lines += [f"2016-05-10T09:00:2{n}Z,logon_end,VM-{n},user{n}" for n in range(3)]
    (lab / "events.csv").write_text("\n".join([*lines, ""]))
    assert main(["export", str(lab), "-o", str(tmp_path / "x.csv")]) == 0
    assert _rows(tmp_path / "x.csv")


@pytest.mark.parametrize("command", ["summary", "compare", "cache", "logons", "findings", "trend", "sizing"])
def test_that_an_empty_table_says_why(tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    (lab / "a.json").write_text(text_of(result(job("one"))))
    arguments = [command, str(lab), *(("--desktops", "10") if command == "sizing" else ())]
    assert main([*arguments, "--format", "csv"]) == main(arguments)
    printed = capsys.readouterr()
    assert printed.err.strip()
    assert printed.err.strip() in printed.out
