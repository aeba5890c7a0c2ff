"""The logon page in every view: the sample study, the storm, and runs without logons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.answers.logons.login_storms import storm_run, timer
from tests.builders import run
from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.answers.common.library import Library
from workbench.answers.logons.page import logons
from workbench.answers.logons.spec import PAGE
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.gui.shell.main_window import MainWindow
from workbench.measures.phase_table import RunFigures
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study
from workbench.session.state import State


def _answer(view: str, *runs: Run, state: State | None = None) -> Content:
    study = Study("study", "study", runs, (FileReport("a.csv", "login-vsi", True),))
    library = Library((study,), {one.folder: RunFigures(one, (), ()) for one in runs})
    return logons(library, (state or State()).with_page_view("logons", view))


@pytest.mark.parametrize("view", [key for key, _ in PAGE.views])
def test_that_every_view_without_logons_says_what_to_do_and_offers_no_empty_chart(view: str) -> None:
    content = _answer(view, run())
    assert "folder" in content.empty
    assert content.to_add
    assert content.tables == ()
    assert content.cards == ()


@pytest.mark.parametrize("view", ["times", "active", "apps"])
def test_that_a_storm_fills_the_view(view: str) -> None:
    content = _answer(view, storm_run(np.linspace(3, 4, 50)))
    assert not content.empty
    assert content.figure is not None
    assert content.figure.panels
    assert content.tables[0].rows
    assert len(content.cards) == 1


def test_that_an_excluded_run_is_named_and_not_counted() -> None:
    good = storm_run(np.full(30, 3.0))
    bad = replace(storm_run(np.full(30, 90.0)), name="run-2", folder="study/run-2", excluded="host failed")
    content = _answer("times", good, bad)
    assert content.cards[0].value == "3.00"
    assert "Excluded: run-2 (host failed)" in content.tables[0].method


def test_that_another_model_or_a_number_of_the_user_changes_the_answer() -> None:
    samples = tuple(
        timer(10.0 * n, name, 100.0 if n < 20 else 1_000.0, str(n), n)
        for n in range(1, 31)
        for name in ("NSLD", "NFO", "ZHC", "ZLC", "CPU")
    )
    one = run(measurements=samples)
    plain = _answer("vsimax", one)
    strict = _answer("vsimax", one, state=State().with_input("logons.model.VSImax 4.1.threshold.add_ms", 100.0))
    assert int(strict.cards[0].value) < int(plain.cards[0].value)
    other = _answer("vsimax", one, state=State().with_input("logons.model", "VSImax dynamic (v3)"))
    assert "VSImax dynamic (v3)" in (other.figure.caption if other.figure else "")
    assert {one.origin for one in plain.inputs} == {"documented", "assumed"}
    assert "yours" in {one.origin for one in strict.inputs}


def test_that_a_file_of_models_that_cannot_be_read_is_reported_and_the_shipped_models_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "models.toml"
    file.write_text("nonsense")
    monkeypatch.setenv("VDI_WORKBENCH_VSIMAX", str(file))
    samples = tuple(timer(float(n), "NSLD", 5.0, str(n), n) for n in range(1, 9))
    content = _answer("vsimax", run(measurements=samples))
    assert "models.toml was not used" in content.caption


def test_that_the_page_is_in_the_navigation() -> None:
    assert "logons" in [page.key for page in PAGES]


def test_that_a_study_without_logons_names_the_open_study_that_has_some(snapshot: SnapshotAssertion) -> None:
    bare, full = run(), replace(storm_run(np.full(30, 3.0)), folder="storm/run-1")
    file = FileReport("a.csv", "perfmon", True)
    studies = (Study("bare", "bare", (bare,), (file,)), Study("storm", "storm", (full,)))
    library = Library(studies, {one.folder: RunFigures(one, (), ()) for one in (bare, full)})
    state = State(study="bare").with_page_view("logons", "times")
    assert logons(library, state).caption == snapshot
    assert logons(library, state.with_page_view("logons", "vsimax")).caption == ""
    assert not logons(library, replace(state, study="storm")).empty


def test_that_the_strip_shows_every_logon(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    after(window, qtbot, lambda: window.show_page("logons"))
    figure = window.page.figure
    assert figure is not None
    strip, panel = figure.zoom_bar.strip, figure.seen[0]
    image, card = strip.grab().toImage(), figure._ink.token("card").rgb()
    x, y = panel.samples(panel.points[0])
    pixels = zip(
        strip.x_of(x).round().astype(int).tolist(), strip.rows_of(panel, y).round().astype(int).tolist(), strict=True
    )
    seen = [image.pixel(*pixel) != card for pixel in pixels]
    assert len(seen) == 98
    assert all(seen)
