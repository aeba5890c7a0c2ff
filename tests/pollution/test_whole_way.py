"""Bad input through the whole import: folder, workers, column store, study; also with a worker killed on it."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.pollution.drafts import Draft
from tests.pollution.judge import Outcome, Truth, judge
from tests.pollution.killed import VICTIM, stop_within_the_victim
from tests.pollution.sheets import ESXTOP, MAPPING, PERFMON, SHEETS, grid_of
from tests.pollution.suite import DEFECTS, known_of, table_cases
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.run import Study
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource, ReadSource, read_source
from workbench.study.store.column_store import Store

# One of this many cases goes through the whole import.
ONE_IN = 4

pytestmark = pytest.mark.usefixtures("own_workers")


def imported(
    folder: Path, store: Store, read: ReadSource = read_source, kill: bool = False
) -> tuple[dict[str, Reading], tuple[Study, ...]]:
    found = find_sources([folder])
    job = ImportJob(found.sources, store, 2, read, mappings={} if kill else {MAPPING.header: MAPPING})
    job.start()
    readings: list[tuple[ImportSource, Reading]] = []
    end = time.monotonic() + 120
    worker = store.root / "worker"
    while not job.finished:
        assert time.monotonic() < end, "the import did not end"
        readings += job.poll()
        if kill and worker.exists():
            os.kill(int(worker.read_text()), signal.SIGKILL)
            worker.unlink()
        time.sleep(0.01)
    job.join()
    return {source.name: reading for source, reading in readings}, build_studies(found, readings)


def polluted_folder(folder: Path) -> dict[str, Truth]:
    truths: dict[str, Truth] = {}
    for number, case in enumerate(one for one in table_cases() if one.name not in DEFECTS):
        if number % ONE_IN:
            continue
        draft = next(Draft(sheet) for sheet in SHEETS if sheet is case.format)
        for kind in case.kinds:
            kind.pollute(draft)  # type: ignore[union-attr]
        name = f"{case.name}/{draft.sheet.file}"
        (folder / case.name).mkdir(parents=True)
        (folder / name).write_bytes(draft.content())
        truths[name] = replace(draft.truth(known_of(draft.sheet)), file=name)
    return truths


def test_that_a_whole_import_is_as_accurate_as_the_readers(tmp_path: Path) -> None:
    folder, store = tmp_path / "lab", Store(tmp_path / "store")
    truths = polluted_folder(folder)
    assert len(truths) > 100
    for _ in range(2):  # read from the file, and then from the store
        readings, studies = imported(folder, store)
        assert readings.keys() == truths.keys()
        wrong = {}
        for name, reading in readings.items():
            recording = reading.recording
            stored = Path(recording.store_file) if recording and recording.store_file else Path("none")
            verdict = judge(truths[name], reading, grid_of(reading, stored))
            if verdict.outcome is Outcome.WRONG:
                wrong[name] = verdict.reason
        assert wrong == {}
        told = {(one.file, one.code, one.line) for study in studies for one in study.problems}
        missing = [
            one
            for reading in readings.values()
            for one in reading.problems
            if not any(
                file.endswith(one.file) or one.file.endswith(file)
                for file, code, line in told
                if (code, line) == (one.code, one.line)
            )
        ]
        assert missing == []
        assert sum(len(study.files) for study in studies) == len(truths)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_that_a_worker_killed_by_one_file_keeps_the_others_and_names_the_file(tmp_path: Path) -> None:
    folder, store = tmp_path / "run", Store(tmp_path / "store")
    folder.mkdir()
    kinds = {case.name: case for case in table_cases()}
    for sheet in (PERFMON, ESXTOP):
        (folder / f"clean-{sheet.name}.csv").write_bytes(Draft(sheet).content())
        for name in ("extra-cell", "cut-in-quote", "nul-tail", "windows-infinity"):
            draft = Draft(sheet)
            for kind in kinds[f"{sheet.name}-{name}"].kinds:
                kind.pollute(draft)  # type: ignore[union-attr]
            (folder / f"{sheet.name}-{name}.csv").write_bytes(draft.content())
    (folder / VICTIM).write_bytes(Draft(PERFMON).content() * 50)
    readings, studies = imported(folder, store, stop_within_the_victim, kill=True)
    assert len(readings) == 11
    lost = readings.pop(VICTIM)
    assert (lost.recording, lost.report.recognised) == (None, False)
    assert [(one.severity, one.code, one.file) for one in lost.problems] == [(Severity.REFUSED, "reader-died", VICTIM)]
    assert all(reading.recording is not None for reading in readings.values())
    (study,) = studies
    assert len(study.runs[0].recordings) == 10
    assert [one.file for one in study.problems if one.code == "reader-died"] == [VICTIM]
    again, _ = imported(folder, store)
    assert again[VICTIM].recording is not None
    assert {name: reading.problems for name, reading in again.items() if name != VICTIM} == {
        name: reading.problems for name, reading in readings.items()
    }
