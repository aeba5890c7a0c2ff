"""Names that imitate markup, scripts or formulas, and a content with them in every place."""

from __future__ import annotations

import numpy as np

from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, Heatmap, Line, Look, Panel, Points, Region
from workbench.charts.tables import Cell, Column, TableData

# The twelve beginnings of a text that a spreadsheet, a browser or a terminal reads as a command.
PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "'", '"', "\x1b")
NAMES = (
    *(f"{prefix}cmd()" for prefix in PREFIXES),
    "<script>window.evil=1</script>",
    "</script><script>window.evil=1</script>",
    '"><img src=x onerror=evil()>',
    "<a href='https://example.org/'>click</a>",
    "javascript:evil()",
    "]]></script>--><!--",
    "a\u2028b\u2029c\x00d\u202ee",
    "&lt;b&gt;&amp;",
)


def evil_content(name: str) -> Content:
    """A content with the name in every place that can have one."""
    x = np.arange(4.0)
    look = Look("MCS", 0, "dash", "square")
    time = Axis("Time since " + name, "s")
    marks = (
        Line(name, x, np.array([-1.0, np.nan, 0.5, 2.0]), look, vm=name),
        Line(name, x, x, look),
        Points(name, x, x, look, (name,) * 4),
    )
    panels = (
        Panel(name, time, Axis(name, name), marks, 0, look, name, (Region(name, 1.0, 3.0),)),
        Panel("", Axis("", categories=(name, "b")), Axis(name), (Bars(name, np.array([-1.0, np.nan]), look),), 1),
        Panel(
            name,
            time,
            Axis("VM"),
            (Heatmap(name, np.arange(3.0), (name,), np.array([[1.0, np.nan]]), (0, 2), name),),
            2,
        ),
    )
    figure = Figure("evil", name, name, panels, summary=name)
    table = TableData(
        (Column(name, name, False, name), Column("n")),
        ((Cell(name, name, name, look), Cell("\u22121.5", -1.5)), (Cell("b", "b"), Cell("—"))),
        name,
        name,
    )
    return Content(name, name, (Card(name, look, name, name, name, name),), figure, (table,))
