"""The overview's first findings in the real window: cards, keys, and the way to the evidence."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle
from workbench.charts.claim import BarClaim, ClaimBar, FindingCard, Lead, TimeClaim
from workbench.charts.figure import Bars, Look
from workbench.gui.pages.finding_cards import ClaimView, FindingCards, FindingFrame, SentenceLabel
from workbench.gui.shell.main_window import MainWindow
from workbench.words.numbers import THIN


def shown(window: MainWindow) -> list[FindingFrame]:
    return [frame for frame in window.page.make_whole().lead.frames if frame.isVisible()]


def test_that_three_equal_cards_lead_the_overview(opened: MainWindow) -> None:
    frames = shown(opened)
    assert len(frames) == 3
    assert not opened.page.make_whole().cards.isVisible()
    assert max(frame.width() for frame in frames) - min(frame.width() for frame in frames) <= 1
    assert all(isinstance(frame.chart.claim, BarClaim) for frame in frames[:2])
    assert not any(frame.sentence.cut for frame in frames)


def test_that_tab_visits_the_cards_before_the_chart(opened: MainWindow) -> None:
    opened.activateWindow()
    frames, order = shown(opened), []
    frames[0].setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2 * len(frames) + 1):
        order.append(QApplication.focusWidget())
        QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Tab)
    stops = [stop for frame in frames for stop in (frame, frame.evidence)]
    assert order == [*stops, opened.page.make_whole().figure]


def test_that_a_card_shows_the_times_to_overflow_once_the_limits_are_dropped(opened: MainWindow, qtbot: QtBot) -> None:
    limits = next(one for one in opened.findings.kept if one.kind == "limits")
    opened.findings._select(limits.key)
    after(opened, qtbot, lambda: opened.act("findings.drop"))
    third = shown(opened)[2]
    assert isinstance(third.chart.claim, TimeClaim)
    assert not third.sentence.cut
    after(opened, qtbot, lambda: qtbot.keyClick(third, Qt.Key.Key_Return))
    assert opened.workspace.state.page == "cache"


@pytest.mark.parametrize(("key", "page"), [("1", "compare"), ("2", "limits"), ("3", "sizing")])
def test_that_a_digit_key_opens_the_evidence(opened: MainWindow, qtbot: QtBot, key: str, page: str) -> None:
    opened.activateWindow()
    after(opened, qtbot, lambda: qtbot.keyClick(opened.page, getattr(Qt.Key, f"Key_{key}")))
    assert opened.workspace.state.page == page


def test_that_the_evidence_opens_its_page_with_its_phase(opened: MainWindow, qtbot: QtBot) -> None:
    frame = shown(opened)[0]
    after(opened, qtbot, lambda: qtbot.mouseClick(frame.evidence, Qt.MouseButton.LeftButton))
    assert (opened.workspace.state.page, opened.workspace.state.phase) == ("compare", "steady")


def test_that_return_on_a_card_opens_the_evidence(opened: MainWindow, qtbot: QtBot) -> None:
    frame = shown(opened)[2]
    after(opened, qtbot, lambda: qtbot.keyClick(frame, Qt.Key.Key_Return))
    assert opened.workspace.state.page == "sizing"


def test_that_narrow_windows_show_two_cards(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1100, 768)
    settle(opened, qtbot)
    assert len(shown(opened)) == 2
    opened.resize(1366, 768)
    settle(opened, qtbot)
    assert len(shown(opened)) == 3


@pytest.mark.parametrize("width", range(120, 420, 20))
def test_that_no_line_of_a_sentence_ends_within_a_number(qtbot: QtBot, width: int) -> None:
    label = SentenceLabel()
    qtbot.addWidget(label)
    label.tell(f"PVS has 1{THIN}076{THIN}% higher IOPS than 2{THIN}048", f"1{THIN}076{THIN}%", 1, 1.0)
    label.resize(width, 90)
    layout = label._layout(label.text)
    ends = [layout.lineAt(at).textStart() for at in range(1, layout.lineCount())]
    assert all(label.text[at - 1] == " " for at in ends)


def test_that_names_are_bold_instead_of_quoted(qtbot: QtBot) -> None:
    label = SentenceLabel()
    qtbot.addWidget(label)
    label.tell("'MCSIO 4 GB' needs 5 disks and the host's 'MCS, 5 VMs' 9", "5 disks", 1, 1.0)
    layout = label._layout(label.text)
    bold = [layout.text()[span.start : span.start + span.length] for span in layout.formats()]
    assert (layout.text(), bold) == (
        "MCSIO 4 GB needs 5 disks and the host's MCS, 5 VMs 9",
        ["MCSIO 4 GB", "MCS, 5 VMs", "5 disks"],
    )


def test_that_the_banner_mentions_single_runs_once(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    assert window.page.make_whole().banner.isVisible()
    assert "One run per configuration" in window.page.make_whole().banner.text()
    assert not any("single" in frame.foot.full + frame.sentence.text for frame in shown(window))


def column(image: QImage, x: int) -> list[str]:
    return [image.pixelColor(x, y).name() for y in range(image.height())]


def test_that_the_claimed_bar_keeps_its_colour_and_others_are_dimmed(qtbot: QtBot) -> None:
    look = Look("MCS")
    bars = tuple(ClaimBar(name, look, value, name) for name, value in (("base", 100.0), ("b", 80.0), ("c", 10.0)))
    view = ClaimView()
    qtbot.addWidget(view)
    view.show_claim(BarClaim(bars, 2, 0, "−90.0 %"), "light", 1.0)
    view.resize(360, 160)
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    image.fill("#ffffff")
    view.render(image, QPoint(), QRect(QPoint(), view.size()))
    full = {x for x in range(image.width()) if sum(name == "#0072b2" for name in column(image, x)) > 4}
    assert full
    # Only the top edge of the baseline has full colour: three rows of pixels.
    assert min(full) > image.width() / 3


def emphases(window: MainWindow, phase: str) -> dict[str, str]:
    figure = window.page.figure
    assert figure is not None
    panel = next(panel for panel in figure.figure.panels if panel.title == phase)
    return {mark.name: mark.emphasis for mark in panel.marks if isinstance(mark, Bars)}


def test_that_the_evidence_highlights_its_bar_on_compare_until_esc(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: qtbot.keyClick(shown(opened)[0], Qt.Key.Key_Return))
    steady = emphases(opened, "Steady state")
    assert [name for name, emphasis in steady.items() if emphasis == "all"] == ["MCSIO 4 GB"]
    assert set(emphases(opened, "Boot").values()) == {"others"}
    figure = opened.page.figure
    assert figure is not None
    qtbot.keyClick(figure, Qt.Key.Key_Escape)
    assert set(emphases(opened, "Steady state").values()) == {"all"}


def test_that_a_chosen_finding_highlights_its_bar_on_the_overview(opened: MainWindow, qtbot: QtBot) -> None:
    table = opened.page.tables[0].table
    table.setFocus()
    table.selectRow(0)
    assert emphases(opened, "Steady state")["MCSIO 4 GB"] == "all"
    assert emphases(opened, "Steady state")["MCS"] == "baseline"
    assert emphases(opened, "Logon") == dict.fromkeys(emphases(opened, "Logon"), "others")
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert set(emphases(opened, "Logon").values()) == {"all"}


def test_that_a_link_at_the_foot_opens_its_table(opened: MainWindow, qtbot: QtBot) -> None:
    links = {button.text(): button for button in opened.page.make_whole().links.buttons}
    assert next(iter(links)).endswith("more findings")
    qtbot.mouseClick(links["Worst VMs"], Qt.MouseButton.LeftButton)
    assert opened.page.tables[0].table.name == "Worst VMs"
    assert not opened.page.tables[0].visibleRegion().isEmpty()


def test_that_a_finding_without_a_chart_has_caveats_in_its_place_and_its_sentence_once(qtbot: QtBot) -> None:
    whole = "2 of 100 sessions got stuck with MCS in a single run, within 2 % of a clean test\nCaveat: <b>no end</b>"
    cards = FindingCards()
    qtbot.addWidget(cards)
    look = Look("MCS")
    bars = tuple(ClaimBar(name, look, value, name) for name, value in (("base", 100.0), ("b", 80.0)))
    without = FindingCard("a", "2 of 100 sessions got stuck with MCS", "2", "strong", whole)
    charted = FindingCard("b", "MCSIO cuts IOPS by 20 %", "20 %", "strong", "", BarClaim(bars, 1, 0, "−20 %"))
    cards.resize(1300, 300)
    cards.show_lead(Lead((without, charted), "", ""), "light")
    cards.show()
    first, second = cards.frames
    assert first.whole.isVisible()
    assert not first.chart.isVisible()
    assert first.whole.text() == "Caveat: <b>no end</b>"
    assert first.toolTip(), "the whole sentence is in the tip"
    assert first.whole.height() >= first.whole.heightForWidth(first.whole.width())
    assert second.chart.isVisible()
    assert not second.whole.isVisible()
    tall = cards.sizeHint().height()
    # If no finding has a chart, no card reserves space for one; and a chart returns.
    cards.show_lead(Lead((without,), "", ""), "light")
    assert cards.sizeHint().height() < tall
    cards.show_lead(Lead((charted,), "", ""), "light")
    assert first.chart.isVisible()
    assert not first.whole.isVisible()


def test_that_cards_grow_with_findings_that_come_later(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    after(opened, qtbot, lambda: opened.show_page("overview"))
    QApplication.processEvents()
    cards = opened.page.make_whole().lead
    lead = cards.lead
    assert lead is not None
    charted = next(card for card in lead.findings if card.claim is not None)
    long = "words of a finding that needs three lines on a card of this width and no less than that, in the end"
    # Each is a line of the usual width of a label, and wider than the card.
    caveats = "\n".join((long, *["Caveat: words that are a little wider than a card of this window is"] * 4))
    written = FindingCard("x", long, "three", "strong", caveats)
    cards.show_lead(Lead((replace(charted, sentence=long), replace(charted, sentence=long), written), "", ""), "light")
    QApplication.processEvents()
    *drawn, told = cards.frames
    assert [frame.chart.height() < frame.chart.minimumHeight() for frame in drawn] == [False, False]
    assert told.whole.height() >= told.whole.heightForWidth(told.whole.width())
    for frame in cards.frames:
        parts = [frame.sentence, frame.whole if frame is told else frame.chart, frame.foot]
        assert all(upper.geometry().bottom() < lower.geometry().top() for upper, lower in pairwise(parts))
        assert frame.foot.geometry().bottom() < frame.height()
