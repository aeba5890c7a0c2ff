"""Time series outside of runs: a folder of benchmark logs is drawn on the timeline and counted nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.test_build import opened
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.answers.timeline.page import shown_keys, timeline
from workbench.charts.figure import Line
from workbench.measures.phase_table import run_figures
from workbench.session.bundle import load_bundle, save_bundle
from workbench.session.document import SessionDocument
from workbench.session.state import State
from workbench.study.series.catalogue import catalogue
from workbench.study.store.column_store import Store

LOGS = {
    "j_bw.1.log": "1000, 2048, 0, 0\n2000, 4096, 0, 0\n",
    "j_clat.1.log": "1000, 1500000, 0, 0\n2000, 2500000, 0, 0\n",
    "j_iops.1.log": "1000, 700, 0, 0\n1000, 300, 1, 0\n2000, 720, 0, 0\n2000, 310, 1, 0\n",
    "j_slat.1.log": "1000, 3000, 0, 0\n2000, 5000, 0, 0\n",
}


def logs(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, text in LOGS.items():
        (folder / name).write_text(text)
    return folder


def library(*paths: Path) -> Library:
    studies = opened(*paths)
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def drawn(found: Library, state: State) -> dict[str, tuple[str, list[float], list[float]]]:
    """For each line, by its name: unit, times and values."""
    figure = timeline(found, state).figure
    assert figure is not None
    return {
        mark.name: (panel.y.unit, mark.x.tolist(), mark.y.tolist())
        for panel in figure.panels
        for mark in panel.marks
        if isinstance(mark, Line)
    }


def test_that_a_folder_of_logs_alone_is_not_a_run_and_can_be_drawn(tmp_path: Path) -> None:
    found = library(logs(tmp_path / "lab" / "fio-tests"))
    (study,) = found.studies
    assert study.runs == ()
    assert [run.name for run in study.loose] == ["fio-tests (time series)"]
    assert drawn(found, State()) == {
        "iops read (j_iops.1)": ("IOPS", [1.0, 2.0], [700.0, 720.0]),
        "iops write (j_iops.1)": ("IOPS", [1.0, 2.0], [300.0, 310.0]),
    }
    assert "date" in timeline(found, State()).caption


def test_that_every_log_is_in_the_tree_by_folder_and_tool_and_log(tmp_path: Path) -> None:
    folder = logs(tmp_path / "lab" / "fio-tests")
    found = catalogue(library(folder).loose)
    assert [found.names(row)[:4] for row in found.rows().tolist()] == [
        ("fio-tests (time series)", "fio-tests", "fio", log)
        for log in ("j_bw.1", "j_clat.1", "j_iops.1", "j_iops.1", "j_slat.1")
    ]


def test_that_every_kind_of_log_has_its_unit(tmp_path: Path) -> None:
    found = library(logs(tmp_path / "lab"))
    state = State(timeline=catalogue(found.loose).keys)
    shown = {name.split(" ")[0]: (unit, y) for name, (unit, _, y) in drawn(found, state).items()}
    assert shown["bw"] == ("MB/s", [2048 * 1024 / 1e6, 4096 * 1024 / 1e6])
    assert shown["clat"] == ("ms", [1.5, 2.5])
    unit, values = shown["slat"]
    assert unit == "ms"
    assert values == pytest.approx([0.003, 0.005])


def test_that_logs_next_to_runs_are_offered_and_runs_are_unchanged(tmp_path: Path) -> None:
    rates = [1.0] * 20
    disk_csv(tmp_path / "labs" / "s1" / "mcs" / "a.csv", "A", rates, rates)
    logs(tmp_path / "labs" / "s1" / "baseline-storage")
    found = library(tmp_path / "labs")
    (study,) = found.studies
    assert [(run.name, run.vms) for run in study.runs] == [("mcs", 1)]
    assert [run.name for run in study.loose] == ["s1/baseline-storage (time series)"]
    assert [group.label for group in found.groups(State())] == ["MCS"]
    assert {key.run for key in shown_keys(found, State())} == {study.runs[0].folder}
    mixed = State(timeline=(*shown_keys(found, State()), *catalogue(found.loose).keys[:1]))
    assert "at run start" in timeline(found, mixed).caption


def test_that_other_pages_do_not_show_time_series_as_a_vm(tmp_path: Path) -> None:
    found = library(logs(tmp_path / "lab"))
    pages = {page.key: page.answer(found, State()) for page in PAGES}
    assert "Timeline" in pages["overview"].empty
    assert "Timeline" in pages["per-vm-iops"].empty
    assert found.groups(State()) == ()
    assert found.metrics(State()) == frozenset()


def test_that_a_file_opened_alone_is_drawn(tmp_path: Path) -> None:
    file = logs(tmp_path / "lab") / "j_iops.1.log"
    assert [run.name for run in library(file).loose] == ["j_iops.1.log (time series)"]
    assert len(drawn(library(file), State())) == 2


def test_that_a_bundle_keeps_time_series_without_their_folder(tmp_path: Path) -> None:
    before = library(logs(tmp_path / "lab"))
    save_bundle(tmp_path / "x.vdibundle", SessionDocument(), before.studies, ())
    kept = load_bundle(tmp_path / "x.vdibundle", Store(tmp_path / "elsewhere"))
    assert drawn(Library(kept.studies, {}), State()) == drawn(before, State())
