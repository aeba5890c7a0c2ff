"""A new reader is one module: its data is in the phase table, and unreadable lines are problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.benchmark_files import read_with, refusal
from tests.toy_reader.reader import READER
from workbench.measures.phase_table import run_figures
from workbench.readers import registry
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

PHASE = '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:03:00+01:00\n'
TIMES = [f"2016-05-10T09:0{minute}:{second:02}+01:00" for minute in range(4) for second in (0, 15, 30, 45)]
IOPS = {"W10-001": 10.0, "W10-002": 30.0}
TEXT = "time;vm;iops\n" + "".join(f"{time};{vm};{iops}\n" for time in TIMES for vm, iops in IOPS.items())


def test_that_the_phase_table_has_the_data_of_a_new_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tuple(registry.readers())
    monkeypatch.setattr(registry, "readers", lambda: iter((*known, READER)))
    run = tmp_path / "lab" / "mcs"
    run.mkdir(parents=True)
    (run / "iops.txt").write_text(TEXT, encoding="utf-8")
    (run / "run.toml").write_text(PHASE, encoding="utf-8")
    store = Store(tmp_path / "store")
    store.prepare()
    found = find_sources([tmp_path / "lab"], store)
    (study,) = build_studies(found, zip(found.sources, read_each(found.sources, store, read_source, {}), strict=True))
    row = run_figures(study.runs[0]).phase("steady")
    assert row is not None
    assert (row.vms, row.iops_per_vm) == (2, pytest.approx(sum(IOPS.values()) / 2, rel=1e-12))


def test_that_each_line_of_a_new_format_is_kept_or_rejected_with_its_number(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, TEXT + "noon;W10-001;1\n\n2016-05-10T09:09:00+01:00;W10-001;much\n")
    assert (reading.report.rows, reading.report.rejected_rows) == (2 * len(TIMES), 2)
    last = 1 + 2 * len(TIMES)
    assert [problem.line for problem in reading.problems] == [last + 1, last + 3]


def test_that_a_file_without_a_line_is_rejected_by_a_new_reader(tmp_path: Path) -> None:
    assert refusal(read_with(READER, tmp_path, "time;vm;iops\n"))[0] == "no-rows"


def test_that_a_new_reader_leaves_other_files_to_other_readers() -> None:
    assert READER.identify(TEXT.encode(), "x") == 1.0
    assert READER.identify(b"time;event\n", "x") == 0.0
