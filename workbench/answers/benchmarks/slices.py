"""Slices of a run: its parts by host, storage and workload. They repeat its figures and are never added to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.answers.benchmarks.sources import led, row_source
from workbench.answers.benchmarks.tables import figures
from workbench.charts.tables import Cell, Column, TableData, table_by_columns
from workbench.model.benchmark import Benchmark
from workbench.words.numbers import MISSING


def telling_slices(row: Benchmark) -> tuple[Benchmark, ...]:
    """The slices that say more than the run: of kinds with several slices, and no slaves if each host has one."""
    kinds = Counter(slice_kind(part) for part in row.slices)
    return tuple(
        part
        for part in row.slices
        if kinds[slice_kind(part)] > 1 and not (slice_kind(part) == "slave" and kinds["slave"] == kinds["host"])
    )


def slice_kind(row: Benchmark) -> str:
    """`host` of `host n1`."""
    return (row.part or "").rpartition(" ")[0]


def slices_table(rows: Sequence[Benchmark]) -> TableData:
    """A row for each slice that says more than its run, with its share of the run's IOPS; no rows if there are none."""
    pairs = [(row, part) for row in rows for part in telling_slices(row)]
    parts = [part for _, part in pairs]
    shares = [100 * part.iops / row.iops if part.iops is not None and row.iops else None for row, part in pairs]

    def measured(figure: str, most: int = 2) -> list[Cell]:
        cells = figures([getattr(part, figure) for part in parts], most)
        return led(cells, [row_source(part, figure) for part in parts])

    return table_by_columns(
        (Column("Run", numeric=False), [Cell(row.job or row.path, row.job, row.path) for row, _ in pairs]),
        (Column("Slice", numeric=False), [Cell(part.part or MISSING, part.part, part.path) for part in parts]),
        (Column("Op", numeric=False), [Cell(part.op, part.op.value) for part in parts]),
        (Column("IOPS"), measured("iops")),
        (Column("Share", "%", tip="of the run's IOPS in this direction"), figures(shares, 1)),
        (Column("Throughput", "MB/s", tip="10⁶ bytes per second"), measured("mb_per_s")),
        (Column("Mean", "ms"), measured("latency_mean_ms", 3)),
        legend="Slices repeat the values of their run",
        method=("Slices are not part of sums and comparisons",),
    )
