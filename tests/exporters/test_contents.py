"""Views without anything to show are omitted from exports, and named."""

from __future__ import annotations

import pytest

from tests.samples import sample
from workbench.answers.registry import PAGES
from workbench.charts.content import Card, Content
from workbench.charts.figure import Figure, Look
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters import contents as module
from workbench.exporters.contents import contents
from workbench.session.state import State

STUDY = "xenapp-pvs-ram-cache"
EMPTY = Figure("logons", "?", "", (), empty="No session was measured.")
ROWS = TableData((Column("Runs"),), ((Cell("1", 1),),))


def test_that_a_view_with_an_empty_chart_and_nothing_else_is_omitted_and_named() -> None:
    made = contents(sample(STUDY), State(), ("sizing",))
    (spec,) = (spec for spec in PAGES if spec.key == "sizing")
    assert {part.view for part in made.parts} == {view for view, _ in spec.views} - {"what-if"}
    (said,) = made.left_out
    assert said.startswith(f"“{spec.name}, boot and logon what-if” is omitted. No I/O was measured")


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (Content("?", figure=EMPTY), False),
        (Content("?", figure=EMPTY, tables=(TableData(ROWS.columns, ()),)), False),
        (Content("?", figure=EMPTY, tables=(ROWS,)), True),
        (Content("?", figure=EMPTY, cards=(Card("Runs", Look("MCS"), "1", "", ""),)), True),
    ],
)
def test_that_a_view_with_an_empty_chart_stays_only_with_cards_or_rows(
    monkeypatch: pytest.MonkeyPatch, content: Content, kept: bool
) -> None:
    monkeypatch.setattr(module, "answered", lambda *_: content)
    made = contents(sample(STUDY), State(), ("limits",))
    assert [part.page for part in made.parts] == ["limits"] * kept
    assert made.left_out == (() if kept else (f"“Limits” is omitted. {EMPTY.empty}",))
