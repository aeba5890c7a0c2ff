"""Rows of a vdbench report as results.

`total` has the figures of the run. Where `read%` says that both directions ran, also `read` and `write`: IOPS by that
share, latencies from `read_resp` and `write_resp`, MB/s where every I/O had one size. With one direction that row
stands alone. A file system workload states each direction by itself; its other operations (create, mkdir, …) are no
storage I/O.

A run of a curve (`iorate=curve`) is called after its run definition: first the run at full speed, then
`name_(10%)` at that percentage of its rate (Vdbench Users Guide 5.04.07, *iorate=curve*).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures
from workbench.readers.vdbench.tables import Row

TOOL = "vdbench"
_CURVE = re.compile(r"(?s)(.{1,400})_\((\d{1,4})%\)", re.ASCII)
_VERSION = re.compile(r"vdbench(\d[\w.]{0,20})")
# A mean size this near the size asked for is that of every I/O: the last I/O of a file may be shorter.
_SAME_SIZE = 0.01
# Percentage points by which a random mix may miss the share of reads asked for.
_SHARE_SLACK = 5.0


def results_of(row: Row, name: str) -> list[Benchmark] | Problem:
    """The results of an average row, or why it has none."""
    if "read_rate" in row.cells:
        return _file_system(row, name)
    rate, resp = bt.number(row.cells.get("rate")), bt.number(row.cells.get("resp"))
    if rate is None:
        message = f"The average of the vdbench run “{row.run}” has no number for its rate."
        return bt.warning(name, "not-a-number", message, "run rejected", line=row.line)
    if rate == 0:
        return _without_io(row, name)
    mb = bt.number(row.cells.get("MB/sec"))
    share = bt.number(row.cells.get("read%"))
    total = Figures(rate, None if mb is None else mb * bt.MIB, resp)
    shared = _shared(row, share, name)
    if share is None or share > 100:
        return [bt.with_figures(shared, Op.TOTAL, total)]
    if share in (0.0, 100.0):
        return [bt.with_figures(shared, Op.READ if share else Op.WRITE, total)]
    size = _one_size(row)
    figures = {
        op: _direction(row, rate * part / 100, f"{op}_resp", size)
        for op, part in (("read", share), ("write", 100 - share))
    }
    return bt.direction_rows(shared, figures["read"], figures["write"], total)


def _direction(row: Row, iops: float, latency: str, size: int | None) -> Figures:
    mb = None if size is None else iops * size / 1e6
    return Figures(iops, mb, bt.number(row.cells.get(latency)))


def _file_system(row: Row, name: str) -> list[Benchmark] | Problem:
    """Reads and writes of a file system workload, which states each with its own rate."""
    figures: dict[str, Figures | None] = {}
    for op in ("read", "write"):
        rate, mb = bt.number(row.cells.get(f"{op}_rate")), bt.number(row.cells.get(f"mb_{op}"))
        if rate is None:
            message = f"The average of the vdbench run “{row.run}” has no number for its {op} rate."
            return bt.warning(name, "not-a-number", message, "run rejected", line=row.line)
        resp = bt.number(row.cells.get(f"{op}_resp"))
        figures[op] = Figures(rate, None if mb is None else mb * bt.MIB, resp) if rate else None
    read, write = figures["read"], figures["write"]
    if read is None and write is None:
        return _without_io(row, name)
    share = bt.share_of_reads(None, (read and read.iops) or 0.0, (write and write.iops) or 0.0)
    return bt.direction_rows(_shared(row, share, name), read, write, _sum(read, write))


def _sum(read: Figures | None, write: Figures | None) -> Figures | None:
    """Both directions together, the latency by their rates."""
    if read is None or write is None or read.iops is None or write.iops is None:
        return None
    iops = read.iops + write.iops
    known = read.mean_ms is not None and write.mean_ms is not None
    weighted = (read.iops * (read.mean_ms or 0.0) + write.iops * (write.mean_ms or 0.0)) / iops
    mb = None if read.mb_per_s is None or write.mb_per_s is None else read.mb_per_s + write.mb_per_s
    return Figures(iops, mb, weighted if known else None)


def _without_io(row: Row, name: str) -> Problem:
    what = (
        "did no I/O"
        if "read_rate" not in row.cells
        else "read and wrote nothing: its file operations are not storage I/O"
    )
    return bt.warning(name, "no-io", f"The vdbench run “{row.run}” {what}.", "it has no results", line=row.line)


def with_curves(rows: Sequence[Benchmark]) -> list[Benchmark]:
    """The rows with the name of their load curve, and the percentage of the full rate that was asked for."""
    points = {row.job: match for row in rows if row.job and (match := _CURVE.fullmatch(row.job))}
    names = {match[1] for match in points.values()}
    return [_on_curve(row, points.get(row.job or ""), names) for row in rows]


def _on_curve(row: Benchmark, point: re.Match[str] | None, names: set[str]) -> Benchmark:
    if point is not None:
        return replace(row, curve=point[1], load_percent=float(point[2]))
    return replace(row, curve=row.job) if row.job in names else row


def _one_size(row: Row) -> int | None:
    """The size of every I/O, where one was asked for and the mean is the same."""
    sizes, mean = _count(row, "xfersize"), _count(row, "bytes/io")
    return sizes if sizes and sizes == mean else None


def _shared(row: Row, share: float | None, name: str) -> Benchmark:
    stated = bt.number(row.cells.get("rdpct"))
    seek = bt.number(row.cells.get("seekpct"))
    version = _VERSION.fullmatch(row.cells.get("version", ""))
    return Benchmark(
        path=name,
        tool=TOOL,
        op=Op.TOTAL,
        tool_version=version[1] if version else None,
        test=bt.file_stem(name),
        job=row.run or None,
        block_bytes=_block(row),
        threads=_count(row, "threads"),
        read_percent=share if stated is None or _differs(stated, share) else stated,
        pattern={0.0: "sequential", 100.0: "random"}.get(seek) if seek is not None else None,
        line=row.line,
    )


def _differs(stated: float, share: float | None) -> bool:
    """Whether the share asked for is not what was done: of several workloads the flatfile states the first one's."""
    return stated > 100 or (share is not None and abs(stated - share) > _SHARE_SLACK)


def _block(row: Row) -> int | None:
    """The size of an I/O: the one asked for where the mean agrees (of a mix of sizes the flatfile states the first)."""
    sizes, mean = _count(row, "xfersize"), _count(row, "bytes/io")
    if sizes is None or mean is None:
        return sizes if "bytes/io" not in row.cells and "read_rate" not in row.cells else _likely_block(mean or sizes)
    return sizes if abs(sizes - mean) <= _SAME_SIZE * sizes else _likely_block(mean)


def _count(row: Row, key: str) -> int | None:
    value = bt.number(row.cells.get(key))
    if value is not None:
        return int(value) if value == int(value) else None
    text = row.cells.get(key)
    return bt.size_bytes(text) if text else None


def unknown_counts(row: Row) -> list[str]:
    """Which of threads and sizes hold something that is no count."""
    texts = ((key, row.cells.get(key, "").strip()) for key in ("threads", "xfersize", "bytes/io"))
    return [key for key, text in texts if text.lower() not in ("", "n/a") and _count(row, key) is None]


def _likely_block(mean: int | None) -> int | None:
    """A mean size that is a whole number of sectors was every I/O's size; any other is of a mix."""
    return mean if mean and mean % 512 == 0 else None
