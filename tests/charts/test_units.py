"""MB or MiB: the word for 2^20 bytes changes everywhere on a page, numbers, names and MB/s never do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, Column, TableData
from workbench.charts.units import unit_words, with_unit
from workbench.words.numbers import THIN

LINE = Line("MCSIO 512 MB", np.array([0.0, 1.0]), np.array([1.0, 2.0]), Look("MCSIO"))
CONTENT = Content(
    "How much cache is used?",
    "1 MB = 2²⁰ bytes per VM · MCSIO 512 MB",
    (Card("MCSIO 512 MB", Look("MCSIO"), "512", "MB RAM", f"of 512{THIN}MB", f"{THIN}MB/s and 4{THIN}GB"),),
    Figure("cache", "?", "1 MB = 2²⁰ bytes", (Panel("MCSIO 512 MB", Axis("time", "s"), Axis("RAM", "MB"), (LINE,)),)),
    (TableData((Column("RAM", "MB, peak"), Column("Speed", "MB/s")), ((Cell(f"4{THIN}GB", 4096.0), Cell("1", 1.0)),)),),
)


def test_that_unit_conversion_keeps_names_and_numbers(snapshot: SnapshotAssertion) -> None:
    seen = with_unit(CONTENT, "MiB")
    assert seen.caption == snapshot
    card = seen.cards[0]
    assert (card.title, card.value, card.unit) == ("MCSIO 512 MB", "512", "MiB RAM")
    assert (card.note, card.detail) == (f"of 512{THIN}MiB", f"{THIN}MB/s and 4{THIN}GiB")
    assert seen.figure is not None
    panel = seen.figure.panels[0]
    assert (panel.title, panel.y.unit, panel.marks[0]) == ("MCSIO 512 MB", "MiB", LINE)
    table = seen.tables[0]
    assert [column.unit for column in table.columns] == ["MiB, peak", "MB/s"]
    assert (table.rows[0][0].text, table.rows[0][0].value) == (f"4{THIN}GiB", 4096.0)


def test_that_disk_space_stays_in_decimal_gb() -> None:
    fields = tuple(Input(f"sizing.{key}", "size", 1.0, unit="GB") for key in ("disk_gb", "host_ram_gib"))
    assert [field.unit for field in with_unit(replace(CONTENT, inputs=fields), "MiB").inputs] == ["GB", "GiB"]


def test_that_mb_figures_are_not_copied() -> None:
    assert with_unit(CONTENT, "MB") is CONTENT


@pytest.mark.parametrize(
    ("unit", "shown"), [("MB", "MiB"), ("MB/VM", "MiB/VM"), ("MB/min", "MiB/min"), ("MB/s", "MB/s"), ("IOPS", "IOPS")]
)
def test_that_rates_in_decimal_bytes_are_not_converted(unit: str, shown: str) -> None:
    assert unit_words(unit) == shown
