"""The command of the benchmarks, and its tables; the measurements are not tested."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tools.benchmarks import bench_history
from tests.tools.benchmarks.__main__ import ALL, run
from tests.tools.benchmarks.table import FIRST, PAGE, load, marks, tables, write

ROW = {"what": "a thing (limit)", "ours_mb": 3.0, "baseline_mb": 2.0, "ratio": 1.5, "target": 1.0}


def test_that_an_unknown_benchmark_is_an_error_that_lists_the_known_ones(
    capfd: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert run(["nix"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == snapshot


def test_that_the_command_lists_every_benchmark() -> None:
    files = {file.stem.removeprefix("bench_") for file in Path(bench_history.__file__).parent.glob("bench_*.py")}
    assert files == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_that_every_benchmark_can_be_loaded(name: str) -> None:
    """Otherwise benchmarks that run only by name would break unnoticed when a function is renamed."""
    importlib.import_module(f"{bench_history.__package__}.bench_{name}")


def test_that_the_page_has_a_row_for_every_benchmark_and_no_other() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in ALL if text.count("\n".join((marks(name)[0], "", FIRST))) != 1] == []
    outside = re.sub(r"<!-- (?:benchmark|flat) (\w+): .*?<!-- end of (?:flat )?\1 -->", "", text, flags=re.DOTALL)
    assert FIRST not in outside


def test_that_a_table_states_its_day_and_load_and_versions(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("\n".join(("before", *marks("toy"), "after\n")), encoding="utf-8")
    write("toy", [ROW], (2.5, 0.25), page)
    before, row, taken, after = (page.read_text("utf-8").splitlines()[place] for place in (0, 5, 7, -1))
    assert (before, row, after) == ("before", "| A thing | 3 **missed** |", "after")
    versions = r"Python [\d.]+, polars [\d.]+, PySide6-Essentials [\d.]+\."
    assert re.fullmatch(rf"Measured on [1-3]?\d \w+ \d{{4}}, load 0\.2 to 2\.5 on \d+ cores, {versions}", taken)


def test_that_a_table_has_a_column_for_each_measured_value_with_its_limit() -> None:
    rows = (
        {"what": "Median: moving (limit)", "ours_ms": 5.0, "baseline_ms": 16.7, "ratio": 0.3, "target": 1.0},
        {"what": "Longest: moving (limit)", "ours_ms": 40.0, "baseline_ms": 33.0, "ratio": 1.2, "target": None},
        {"what": "Median: zooming (limit)", "ours_ms": 20.0, "baseline_ms": 16.7, "ratio": 1.2, "target": 1.0},
    )
    assert list(tables(rows)) == [
        "| operation | median (ms, limit 16.7) | longest (ms) |",
        "|---|---:|---:|",
        "| Moving | 5.0 | 40.0 |",
        "| Zooming | 20.0 **missed** | — |",
        "",
    ]


def test_that_a_table_states_a_shared_comparison_and_target_once() -> None:
    rows = [
        {"what": f"{what} (comparison: {base})", "ours_s": 3.0, "baseline_s": 2.0, "ratio": 1.5, "target": target}
        for what, base, target in (("reading", "a loop", 2.0), ("storing", "a loop", 2.0), ("drawing", "no", None))
    ]
    assert list(tables(rows[:2])) == [
        "| operation | VDI Workbench (s) | a loop (s) | ratio (target ≤ 2) |",
        "|---|---:|---:|---:|",
        "| Reading | 3.000 | 2.000 | 1.50 |",
        "| Storing | 3.000 | 2.000 | 1.50 |",
        "",
    ]
    assert list(tables(rows[1:]))[2:4] == [
        "| Storing | 3.000 | a loop | 2.000 | 1.50 | ≤ 2 |",
        "| Drawing | 3.000 | no | 2.000 | 1.50 | none |",
    ]


def test_that_the_command_writes_only_its_measurements_and_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    empty = "\n".join((*marks("history"), *marks("gap"), ""))
    page.write_text(empty, encoding="utf-8")
    monkeypatch.setattr("tests.tools.benchmarks.__main__.PAGE", page)
    monkeypatch.setattr(bench_history, "run", lambda: [ROW])
    assert run(["history"]) == 1
    assert page.read_text("utf-8") == empty
    assert run(["history", "--write-docs"]) == 1
    written = page.read_text("utf-8")
    assert written.count("| A thing |") == 1
    assert written.endswith("\n".join((*marks("gap"), "")))
    assert capsys.readouterr().out.count("| a thing (limit 2 MB) | 3 MB | 2 MB |") == 2


def test_that_a_system_without_a_load_average_reports_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.getloadavg", raising=False)
    page = tmp_path / "page.md"
    page.write_text("\n".join((*marks("toy"), "")), encoding="utf-8")
    write("toy", [ROW], (load(), load()), page)
    assert re.search(r"Measured on [^,]+, \d+ cores, Python", page.read_text("utf-8"))
