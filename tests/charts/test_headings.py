"""The head of a table column on one line."""

from __future__ import annotations

import pytest

from workbench.charts.tables import Cell, Column, TableData, heading, without_columns


@pytest.mark.parametrize(
    ("title", "unit", "words"),
    [
        ("IOPS", "per VM", "IOPS per VM"),
        ("Share", "of reads, %", "Share of reads (%)"),
        ("Anteil", "der Lesezugriffe, %", "Anteil der Lesezugriffe (%)"),
        ("RAM used", "MB, peak", "RAM used, peak (MB)"),
        ("Writes", "change %", "Writes, change (%)"),
        ("Cache disk", "highest VM, MB, at least", "Cache disk, highest VM, at least (MB)"),
        ("Disks", "needed for IOPS", "Disks needed for IOPS"),
        ("IOPS", "per ms", "IOPS per ms"),
        ("EUX", "of 10", "EUX (of 10)"),
        ("RAM used", "% of size", "RAM used (% of size)"),
        ("Mean", "IOPS", "Mean (IOPS)"),
        ("Run", "", "Run"),
    ],
)
def test_that_words_of_the_unit_continue_the_title(title: str, unit: str, words: str) -> None:
    assert heading(Column(title, unit)) == words


def test_that_only_columns_of_the_table_can_be_left_out() -> None:
    table = TableData((Column("Run"), Column("IOPS")), ((Cell("a"), Cell("5")),), "Runs")
    assert [cell.text for cell in without_columns(table, ["IOPS"]).rows[0]] == ["a"]
    with pytest.raises(ValueError, match="Latency"):
        without_columns(table, ["Latency"])
