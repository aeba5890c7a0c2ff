"""Slices of a run: its parts by host, storage and workload. They repeat its figures and are never added to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.answers.benchmarks.sources import led, row_source
from workbench.answers.benchmarks.tables import figures
from workbench.charts.tables import Cell, Column, TableData
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
    columns = (
        Column("Run", numeric=False),
        Column("Slice", numeric=False),
        Column("Op", numeric=False),
        Column("IOPS"),
        Column("Share", "%", tip="of the run's IOPS in this direction"),
        Column("Throughput", "MB/s", tip="10⁶ bytes per second"),
        Column("Mean", "ms"),
    )
    parts = [part for _, part in pairs]
    shares = [100 * part.iops / row.iops if part.iops is not None and row.iops else None for row, part in pairs]
    cells = (
        [Cell(row.job or row.path, row.job, row.path) for row, _ in pairs],
        [Cell(part.part or MISSING, part.part, part.path) for part in parts],
        [Cell(part.op, part.op.value) for part in parts],
        led(figures([part.iops for part in parts]), [row_source(part, "iops") for part in parts]),
        figures(shares, 1),
        led(figures([part.mb_per_s for part in parts]), [row_source(part, "mb_per_s") for part in parts]),
        led(
            figures([part.latency_mean_ms for part in parts], 3),
            [row_source(part, "latency_mean_ms") for part in parts],
        ),
    )
    note, method = "Slices repeat the values of their run", ("Slices are not part of sums and comparisons",)
    return TableData(columns, tuple(zip(*cells, strict=True)), note, method=method)
