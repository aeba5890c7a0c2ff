"""Writing the deck of the sample studies, compared with drawing the same figures as pictures of 1600 x 900.

The deck contains the first findings of every sample study, with the figures of their evidence. Computing them is not
measured. Writing includes reopening and checking the file. Measured in turns.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.exporters.document.document import Document
from workbench.exporters.document.making import document_of
from workbench.exporters.slides.write import write_deck
from workbench.exporters.wanted import Wanted
from workbench.gui.pictures.files import image_of
from workbench.measures.phase_table import run_figures
from workbench.model.resources import sample_study
from workbench.session.state import State
from workbench.study.store.column_store import Store

SIZE = (1600, 900)
ROUNDS = 5
TARGET = 5.0


def run() -> list[dict[str, Any]]:
    """One row: the deck compared with drawing its figures."""
    application = QApplication.instance() or QApplication([])
    assert application is not None
    with tempfile.TemporaryDirectory() as folder:
        deck = _deck(Store(Path(folder, "store")))
        place = Path(folder, "a.pptx")
        drawn, written = _turns(lambda: _draw(deck), lambda: write_deck(place, deck))
        size = place.stat().st_size / 1e6
    figures = sum(slide.figure is not None for slide in deck.all_slides)
    return [
        {
            "what": f"Writing the sample slides with {figures} charts ({size:.1f} MB) (comparison: drawing the charts)",
            "ours_s": written,
            "baseline_s": drawn,
            "ratio": written / drawn,
            "target": TARGET,
        }
    ]


def _deck(store: Store) -> Document:
    studies = load_studies([sample_study()], store)
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    return document_of(library, State(), Wanted(Path("a.pptx")))


def _draw(deck: Document) -> None:
    for slide in deck.all_slides:
        if slide.figure is not None:
            image_of(slide.figure, SIZE, 1.0, "light")


def _turns(*work: Callable[[], object]) -> list[float]:
    taken: list[list[float]] = [[] for _ in work]
    for _ in range(ROUNDS):
        for times, one in zip(taken, work, strict=True):
            start = time.perf_counter()
            one()
            times.append(time.perf_counter() - start)
    return [statistics.median(times) for times in taken]
