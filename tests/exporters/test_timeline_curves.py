"""The computed curves of the timeline in workbook, slides and page: the ones that the window shows."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import replicate_study
from workbench.answers.common.choices import Derived
from workbench.answers.timeline.page import timeline
from workbench.charts.figure import Line
from workbench.model.recording import SeriesKey, series_key
from workbench.session.state import State


@pytest.mark.parametrize("ending", ["xlsx", "pptx", "html"])
def test_that_an_export_has_the_computed_curves_of_the_window(tmp_path: Path, ending: str) -> None:
    library = library_of(replicate_study(tmp_path))
    run = library.studies[0].runs[0]
    (recording, *_) = run.recordings
    parts = tuple(series_key(run.folder, recording.file, series.path) for series in recording.series[:2])
    total = SeriesKey(run.folder, "=sum 1")
    state = State(timeline=(*parts, total), derived=(Derived(total, "sum", parts),), placed=((parts[0], 1),))
    figure = timeline(library, state).figure
    assert figure is not None
    names = [mark.name for panel in figure.panels for mark in panel.marks if isinstance(mark, Line)]
    assert len(names) == 3
    path = tmp_path / f"timeline.{ending}"
    exported(library, path, state, only=("timeline",))
    assert all(name.replace(" ", "") in text_of(path).replace(" ", "") for name in names)


def text_of(path: Path) -> str:
    """The text of all parts of a document."""
    if path.suffix == ".html":
        return path.read_text(encoding="utf-8")
    with zipfile.ZipFile(path) as parts:
        return "\n".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist() if "xml" in name)
