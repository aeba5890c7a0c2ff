"""Forty configurations with names of more than 100 characters: tree, rows, legends and cards show the differences."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.charts.test_short_names import FORTY
from tests.gui.conftest import after, settle, window_with
from workbench.charts.short_names import short_names
from workbench.gui.plot.geometry import title_lines
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of the forty, which no test changes."""
    study = tmp_path_factory.mktemp("forty") / "study"
    for place, name in enumerate(FORTY):
        folder = study / f"c{place:02}"
        disk_csv(folder / "guest" / "A.csv", "A", [float(place + 1)] * 24, [0.0] * 24)
        (folder / "run.toml").write_text(
            f'configuration = "{name}"\nprovisioning = "MCS"\n[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:05:00+01:00\n"
        )
    return study


@pytest.fixture
def forty(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, study: Path) -> MainWindow:
    """The window with this study."""
    window = window_with(request, qtbot, study)
    window.resize(1366, 768)
    return window


def test_that_tree_rows_legends_and_titles_show_the_parts_that_differ(forty: MainWindow, qtbot: QtBot) -> None:
    short = short_names(FORTY)
    tree = forty.rail.tree
    study = tree.model().index(0, 0)
    rows = [tree.model().index(row, 0, study) for row in range(tree.model().rowCount(study))]
    assert {row.data() for row in rows} == set(short.values())
    full = {row.data(): row.data(Qt.ItemDataRole.ToolTipRole) for row in rows}
    assert all(label in full[name] for label, name in short.items())
    for page in ("per-vm-iops", "compare"):
        forty.workspace.apply(page=page, page_views=(("compare", "distribution"),))
        settle(forty, qtbot)
        parts = forty.pages[page]
        assert parts.content is not None
        assert parts.content.listing is not None
        cells = [row[0] for row in parts.content.listing.table.rows]
        assert {cell.text for cell in cells} == set(short.values())
        assert all(short[cell.tip] == cell.text for cell in cells)
        for panel in parts.figure.seen:
            # Without the pixels that lines share.
            areas = [area.adjusted(1, 4, -1, -4) for area, _ in panel.place.legend]
            assert all(panel.place.card.contains(area) for area in areas)
            assert not [(one, other) for one, other in combinations(areas, 2) if one.intersects(other)]
            assert panel.scales.panel.heading in {*short.values(), panel.scales.panel.title} - {*FORTY}


def test_that_titles_of_panels_and_sentences_of_cards_name_the_configuration_in_full(
    forty: MainWindow, qtbot: QtBot
) -> None:
    after(forty, qtbot, lambda: forty.show_page("overview"))
    sentences = [frame.sentence for frame in forty.page.make_whole().lead.frames if frame.isVisible()]
    assert len(sentences) == 3
    assert [sentence.text for sentence in sentences if sentence.cut] == []
    after(forty, qtbot, lambda: forty.show_page("per-vm-iops"))
    figure = forty.page.figure
    assert figure is not None
    ink = Ink("light")
    titled = 0
    for place in (panel.place for panel in figure.seen if panel.place.head.height() and panel.place.scales.panel.title):
        lines = title_lines(place.scales.panel, ink, place.head.width())
        room = place.head.width() - ink.px(32)
        assert " ".join(lines) == place.scales.panel.heading
        assert max(text_width(ink.title, line) for line in lines) <= room
        assert place.head.height() >= len(lines) * line_height(ink.title)
        titled += len(lines) > 1
    assert titled >= 3


@pytest.mark.parametrize("labels", [40, 1])
def test_that_a_long_name_in_a_tab_leaves_the_other_tabs_in_view(forty: MainWindow, qtbot: QtBot, labels: int) -> None:
    names = [group.label for group in forty.workspace.library.groups(forty.workspace.state)]
    hidden = frozenset(names[labels:])
    after(forty, qtbot, lambda: forty.workspace.apply(page="sizing", hidden=hidden))
    card = forty.page.tables[0]
    qtbot.waitUntil(lambda: card.tabs.isVisible() and card.column_note.button.isVisible())
    assert card.tabs.count() >= 3
    assert card.tabs.width() >= card.tabs.sizeHint().width()
    assert card.column_note.button.width() >= card.column_note.button.sizeHint().width()
    assert any(name in card.tabs.tabToolTip(0) for name in names)
    # The name that other commands use stays.
    assert any(name in card.tabs.tabData(0) for name in names)
