"""The message of a page if the open runs have no data for the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.chosen import BENCHMARKS_ALONE, HIDDEN, NO_PHASE, without_answer
from workbench.answers.common.library import Library
from workbench.measures.phase_table import run_figures
from workbench.model.benchmark import Benchmark, Op
from workbench.model.metric import Quantity
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study

TIMES = T0 + np.arange(0.0, 600.0)


def said(*runs: Run) -> str:
    study = Study("lab", "lab", runs, files=(FileReport("a.csv"),))
    library = Library((study,), {each.folder: run_figures(each) for each in runs})
    return without_answer("?", library).empty


def measured(folder: Path) -> Run:
    samples = recording(folder, "a.csv", TIMES, [(counter("A", Quantity.IOPS), np.full(TIMES.size, 5.0))])
    return run(samples, stated_phases=(phase("steady", 100, 500),))


def test_that_a_page_without_visible_runs_says_why(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    shown = measured(tmp_path)
    out = replace(shown, folder="out", excluded="4 recordings in this folder never overlap in time")
    assert said(shown, out) == HIDDEN
    assert said(out) == snapshot
    other = replace(out, folder="other", excluded="another reason")
    assert said(out, other) == snapshot
    offers = without_answer("?", Library((Study("lab", "lab", (out,), files=(FileReport("a.csv"),)),), {})).offers
    assert offers is not None
    assert offers[1] == "import-report"
    assert said(replace(shown, recordings=(), stated_phases=())) == NO_PHASE


def test_that_benchmarks_next_to_time_series_are_named_first(tmp_path: Path) -> None:
    bench = Benchmark(path="a.json", tool="fio", op=Op.READ, test="a", iops=1.0)
    study = Study("lab", "lab", (), files=(FileReport("a.json"),), benchmarks=(bench,), loose=(measured(tmp_path),))
    assert without_answer("?", Library((study,), {})).empty == BENCHMARKS_ALONE
