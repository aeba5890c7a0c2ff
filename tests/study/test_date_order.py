"""Ambiguous dates are read as the run's run.toml states; other dates are not affected."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.perfmon_files import WRITES, line, pdh
from tests.study.test_import_pool import drained
from workbench.model.reading import Reading
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

LOGON = "DateTime,User,LogonTime\n05/06/2016 08:00:00,VDI-001,21.5\n05/06/2016 08:00:30,VDI-002,19\n"
COPY = pdh(*(line(f"5/6/2016 8:00:{second:02}", 1) for second in range(3)), names=(WRITES,))
OWN = pdh(*(line(f"05/06/2016 08:00:{second:02}.000", 1) for second in range(3)), names=(WRITES,))
DECIDED = LOGON.replace("05/06", "05/24")
ISO_MAY, ISO_JUNE = "2016-05-06T08:00:00", "2016-06-05T08:00:00"


def imported(folder: Path, store: Path, statement: str | None) -> dict[str, Reading]:
    run = folder / "run"
    (run / "guest").mkdir(parents=True, exist_ok=True)
    for name, text in (("logon", LOGON), ("guest/copy", COPY), ("guest/own", OWN), ("decided", DECIDED)):
        (run / f"{name}.csv").write_text(text)
    if statement is not None:
        (run / "run.toml").write_text(statement)
    job = ImportJob(find_sources([folder]).sources, Store(store), 1)
    job.start()
    return {Path(name).stem: reading for name, reading in drained(job).items()}


@pytest.mark.parametrize(("order", "first"), [("mdy", ISO_MAY), ("dmy", ISO_JUNE)])
def test_that_the_stated_order_decides_ambiguous_dates(tmp_path: Path, order: str, first: str) -> None:
    found = imported(tmp_path / "lab", tmp_path / "store", f'date_order = "{order}"\n')
    assert found["logon"].report.first == first
    assert found["copy"].report.first == f"{first[:11]}07:00:00Z"
    for name in ("logon", "copy"):
        assert "date-order-stated" in [one.code for one in found[name].problems]
    # perfmon's own format and a day above 12 need no statement, and a statement does not change them.
    assert found["own"].report.first == "2016-05-06T07:00:00Z"
    assert found["decided"].report.first == "2016-05-24T08:00:00"


@pytest.mark.parametrize("statement", [None, 'date_order = "ymd"\n', 'date_order = "ddmm"\n'])
def test_that_without_a_valid_statement_the_error_asks_for_one(
    tmp_path: Path, statement: str | None, snapshot: SnapshotAssertion
) -> None:
    found = imported(tmp_path / "lab", tmp_path / "store", statement)
    refused = [one for one in found["logon"].problems if one.code == "ambiguous-date"]
    assert refused[0].action == snapshot
    assert found["logon"].report.rows == 0
    recording = found["copy"].recording
    assert recording is not None
    assert recording.date_guessed


def test_that_a_changed_statement_reads_again_and_an_unchanged_one_does_not(tmp_path: Path) -> None:
    lab, store = tmp_path / "lab", tmp_path / "store"
    for order, first in (("mdy", ISO_MAY), ("dmy", ISO_JUNE), ("mdy", ISO_MAY)):
        assert imported(lab, store, f'date_order = "{order}"\n')["logon"].report.first == first
    job = ImportJob(find_sources([lab]).sources, Store(store), 1)
    job.start()
    assert job.progress == 1.0
    assert len(job.poll()) == len(job.sources)
