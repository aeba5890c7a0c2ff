"""No internal key of the program (`boot_window_min`, `cache_ram_used_mb_peak`) is visible to users: in the window, in
the tables and charts of its pages, and in exports. JSON, CSV, `--explain` and `--set` keep the keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest
from pptx import Presentation
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.exporters.documents import sample_document
from tests.gui.conftest import settle
from tests.gui.shown_texts import rich, texts_of, widgets_now
from tests.gui.test_everyone import check_for_everyone
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.charts.content import Live
from workbench.charts.figure import FigureSource, Look, Region
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.wanted import Wanted
from workbench.gui.pictures.painter import QtPainter
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.session.state import State

KEY = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")
# The phase `steady` has the name "steady state". "Not steady" describes a phase.
PHASE = re.compile(r"(?i)(?<!not )(?<!storage/fio-)(?<!storage/diskspd-)\bsteady\b(?! state)")
# Words of file formats that a user has to write exactly.
FORMATS = {
    "power_on": "an event of events.csv",
    "logon_start": "an event of events.csv",
    "logon_end": "an event of events.csv",
    "apps_started": "an event of events.csv",
    "active_sessions": "a column of the analyzer's answers",
    "value_ms": "a column of the analyzer's answers",
    "guest_counters": "a key of run.toml",
    "session_type": "a key of run.toml",
    "ram_cache_mb": "a key of run.toml",
    "san_fio": "the sample's raw-san_randwrite-4k_qd16x4_fio-2.16.json where its name is shortened",
}
# Parts of the content of a page that are not text: its identifiers, its appearance, the slides that a separate widget
# draws (the search through the window covers those), and the files of a kit.
UNSEEN = {"key", "choices", "keys", "value", "stack", "icon", "story", "kit"}


def keys_in(given: Iterable[str], names: set[str]) -> set[str]:
    """The texts with a key in them, without these names of the user's files, tests and counters."""
    texts = list(given)
    named = names.union(FORMATS)
    return {
        f"{sorted(set(found) - named)}: {text[:200]}"
        for text in texts
        if (found := KEY.findall(text))
        if set(found) - named
    } | {f"key of a phase: {text[:200]}" for text in texts if PHASE.search(text)}


def names_of(library: Library) -> set[str]:
    """Words in names from the user's files that look like keys."""
    names = [
        *(report.path for report in library.files),
        *(
            str(text)
            for row in library.benchmarks
            for text in (row.path, row.test, row.job, row.host, row.tool_version)
        ),
        *(name for study in library.studies for name in (study.folder, *(run.folder for run in study.runs))),
        *(str(path) for path in (library.places or {}).values()),
    ]
    return {word for name in names for word in KEY.findall(name)}


def texts_in(value: object) -> Iterator[str]:
    """Every displayed text of the content of a page: in cards, tables, inputs and charts."""
    match value:
        case str():
            yield value
        case FigureSource() | Look() | Live():
            return
        case Region():
            yield value.words
        case Mapping():
            yield from (text for pair in value.items() for part in pair for text in texts_in(part))
        case tuple() | frozenset():
            yield from (text for part in value for text in texts_in(part))
        case _ if is_dataclass(value):
            for field in fields(value):
                if field.name not in UNSEEN:
                    yield from texts_in(getattr(value, field.name))


def texts_now(aside: Sequence[QWidget] = ()) -> Iterator[str]:
    """The visible texts, except in detached widgets."""
    for widget in widgets_now(aside):
        yield from (text for _, text in texts_of(widget))


def states(library: Library) -> Iterator[State]:
    """Every view of every page, for every study."""
    for study in library.with_runs:
        for spec in PAGES:
            for view, _ in spec.views or (("", ""),):
                yield State(study=study.folder, page=spec.key).with_page_view(spec.key, view)


def test_that_the_search_finds_a_key_and_ignores_file_names(sample: MainWindow) -> None:
    names = names_of(sample.workspace.library)
    assert keys_in(("assumed: boot_window_min",), names) == {"['boot_window_min']: assumed: boot_window_min"}
    assert not keys_in(("set ram_cache_mb in run.toml", "sqlio_raw.txt", "assumed: boot window"), names)


def test_that_no_key_is_in_the_content_of_a_page(sample: MainWindow) -> None:
    library, met = sample.workspace.library, set[str]()
    specs, names = {spec.key: spec for spec in PAGES}, names_of(library)
    for state in states(library):
        found = keys_in(texts_in(specs[state.page].answer(library, state)), names)
        met |= {f"{state.page}: {text}" for text in found}
    assert not met, "\n".join(sorted(met))


def test_that_no_key_is_in_the_window_and_every_page_is_accessible(sample: MainWindow, qtbot: QtBot) -> None:
    names, met = names_of(sample.workspace.library), set[str]()
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            state = sample.workspace.state.with_page_view(spec.key, view)
            sample.workspace.apply(page=spec.key, page_views=state.page_views)
            settle(sample, qtbot)
            check_for_everyone(sample)
            # Pages seen before keep their content.
            met |= keys_in(texts_now([page for page in sample.pages.made if page is not sample.page]), names)
    for table in (table for page in sample.pages.made for table in page.tables):
        for column in range(len(table.table.source.table.columns)):
            menu = QMenu(sample)
            table_card.fill(menu, table.table, table.table.model().index(0, column))
            met |= keys_in((action.text() for action in menu.actions()), names)
    met |= keys_in(texts_now(), names)
    assert not met, "\n".join(sorted(met))


@pytest.mark.parametrize("ending", ["pptx", "html"])
def test_that_no_key_is_in_an_export(sample: MainWindow, tmp_path: Path, ending: str) -> None:
    library, file = sample.workspace.library, tmp_path / f"sample.{ending}"
    export(job_of(library, sample.workspace.state, Wanted(file)), QtPainter())
    texts = {"pptx": slides_of, "html": page_of}[ending](file)
    met = keys_in(texts, names_of(library))
    assert not met, "\n".join(sorted(met))


def test_that_no_key_is_in_a_workbook(sample: MainWindow) -> None:
    library = sample.workspace.library
    books = [sample_document(Path(study.folder).name, "xlsx", "review") for study in library.studies]
    met = {text for book in books for text in keys_in(cells_of(book), names_of(library))}
    assert not met, "\n".join(sorted(met))


def cells_of(file: Path) -> Iterator[str]:
    """The texts of cells and comments, without formulas."""
    with ZipFile(file) as parts:
        for name in parts.namelist():
            if name.endswith(".xml"):
                found = re.findall(r"<t(?: [^>]*)?>([^<]*)</t>", parts.read(name).decode("utf-8"))
                yield from (f"{name}: {unescape(text)}" for text in found)


def slides_of(file: Path) -> Iterator[str]:
    for slide in Presentation(str(file)).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            if shape.has_table:
                yield from (cell.text for row in shape.table.rows for cell in row.cells)
        yield slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""


def page_of(file: Path) -> Iterator[str]:
    text = re.sub(r"<(style|script)\b.*?</\1>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield from rich(text).splitlines()
