"""Tree, charts and exports use the same colour and marker of a configuration after any change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after
from workbench.answers.common.looks import looks
from workbench.charts.figure import Figure, Look
from workbench.exporters.assemble import job_of
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.columns import by_study
from workbench.gui.shell.main_window import MainWindow


def in_tree(window: MainWindow) -> dict[str, Look]:
    return dict(window.rail.tree.configurations())


def in_figure(figure: Figure | None) -> dict[str, tuple[str, float]]:
    """Hue and tint by the name of the series."""
    assert figure is not None
    return {mark.name: (mark.look.hue, mark.look.tint) for panel in figure.panels for mark in panel.marks if mark.name}


def agree(window: MainWindow, page: str) -> None:
    """Drawn configurations have the colours of the tree, on the page and in its exports."""
    content = window.page.content
    assert content is not None
    wanted = {label: (look.hue, look.tint) for label, look in in_tree(window).items()}
    library, state = window.workspace.library, window.workspace.state
    job = job_of(library, state, Wanted(Path("x.xlsx"), only=(page,)))
    charts = [part.content.figure for part in job.parts if part.content.figure is not None]
    assert charts
    drawn = [in_figure(content.figure), *map(in_figure, charts)]
    for figure in drawn:
        shared = wanted.keys() & figure.keys()
        assert len(shared) > 1
        assert {label: figure[label] for label in shared} == {label: wanted[label] for label in shared}
    # The charts that only the workbook has.
    (study,) = by_study(job.studies, job.figures, job.looks)
    assert {label: (look.hue, look.tint) for label, look in looks(study.groups).items()} == wanted


def hide(window: MainWindow) -> None:
    window.workspace.apply(hidden=frozenset({list(in_tree(window))[1]}))


def exclude(window: MainWindow) -> None:
    runs = window.workspace.library.groups(window.workspace.state)[1].runs
    window.runs.exclude_with([figures.run.folder for figures in runs], "fan broke")


def rename(window: MainWindow) -> None:
    runs = window.workspace.library.groups(window.workspace.state)[1].runs
    window.runs.rename_to([figures.run.folder for figures in runs], "A pilot")


@pytest.mark.parametrize("act", [hide, exclude, rename])
def test_that_colours_stay_and_are_the_same_everywhere(
    opened: MainWindow, qtbot: QtBot, act: Callable[[MainWindow], None]
) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    before = in_tree(opened)
    agree(opened, "compare")
    after(opened, qtbot, lambda: act(opened))
    now = in_tree(opened)
    assert list(now.values()) == list(before.values()) or act is rename
    kept = before.keys() & now.keys()
    assert {label: now[label] for label in kept} == {label: before[label] for label in kept}
    if act is rename:
        (gone,) = before.keys() - now.keys()
        assert now["A pilot"] == before[gone]
    agree(opened, "compare")
    after(opened, qtbot, opened.history.undo)
    assert in_tree(opened) == before
    agree(opened, "compare")


def test_that_colours_and_markers_are_neither_an_undo_step_nor_unsaved_work(opened: MainWindow) -> None:
    assert opened.workspace.state.looks
    assert not opened.workspace.past
    assert not opened.work.dirty
