"""A folder gives an equal report for any order of reading, because several processes read its files at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.builders import disk_csv, steady_runs
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

NAMES = ("zebra.txt", "apple.txt", "mango.txt", "kiwi.txt")


@pytest.mark.parametrize("seed", range(4))
def test_that_the_order_of_reading_changes_no_figure(tmp_path: Path, seed: int) -> None:
    lab = tmp_path / "lab"
    steady_runs(lab)
    disk_csv(lab / "mcs" / "guest" / "W10-002.csv", "W10-002", [1.0] * 24, [2.0] * 24)
    for name in NAMES:
        (lab / name).write_text(f"what {name} says")
    store = Store(tmp_path / "store")
    found = find_sources([lab], store)
    readings = [(source, read_source(source.path, source.name, store)) for source in found.sources]
    (study,) = build_studies(found, random.Random(seed).sample(readings, len(readings)))
    assert [Path(report.path).name for report in study.files if report.path.endswith(".txt")] == sorted(NAMES)
    unknown = [Path(problem.file).name for problem in study.problems if problem.file.endswith(".txt")]
    assert unknown == sorted(NAMES)
    recorded = [[recording.file for recording in run.recordings] for run in study.runs]
    assert [[Path(file).name for file in files] for files in recorded] == [
        ["W10-001.csv", "W10-002.csv"],
        ["W10-001.csv"],
    ]
