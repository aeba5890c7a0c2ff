"""Checks benchmark rows right after their file was read: impossible values are left empty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from workbench.model.benchmark import Benchmark, LatencyKind
from workbench.model.problem import Problem, Severity, begun
from workbench.model.reading import Reading
from workbench.study.plausibility.rules import FIGURES, MEAN_SLACK, MEAN_SLACK_MS

_PERCENTILES = (("latency_p50_ms", 50), ("latency_p95_ms", 95), ("latency_p99_ms", 99))
_NAMES = {
    "iops": ("IOPS", ""),
    "mb_per_s": ("throughput", " MB/s"),
    "latency_mean_ms": ("mean latency", " ms"),
    **{field: (f"p{percent} latency", " ms") for field, percent in _PERCENTILES},
    "block_bytes": ("block size", " bytes"),
    "queue_depth": ("queue depth", ""),
    "threads": ("number of threads", ""),
    "read_percent": ("share of reads", " %"),
}
_ACTIONS = {
    "impossible-figure": "value left empty; check the row, or copy the file again",
    "latency-contradiction": "latencies left empty; check the row, or copy the file again",
}


def plausible_figures(reading: Reading) -> Reading:
    """Returns the reading with benchmark rows without impossible values, and one problem per kind of fault."""
    faults: dict[str, list[tuple[Benchmark, str]]] = defaultdict(list)
    rows = tuple(_judged(row, faults) for row in reading.benchmarks)
    if not faults:
        return reading
    problems = [_problem(reading.report.path, code, found) for code, found in faults.items()]
    return replace(reading, benchmarks=rows, problems=(*reading.problems, *problems))


def _judged(row: Benchmark, faults: dict[str, list[tuple[Benchmark, str]]]) -> Benchmark:
    for code, fields, fault in _faults(row):
        faults[code].append((row, fault))
        empty: dict[str, Any] = dict.fromkeys(fields)
        row = replace(row, **empty)
    return replace(row, slices=tuple(_judged(part, faults) for part in row.slices)) if row.slices else row


def _faults(row: Benchmark) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Returns the code of each fault, the fields that it makes useless, and the reason."""
    outside = set()
    for field, (least, most) in FIGURES.items():
        value = getattr(row, field)
        if value is not None and not least <= value <= most:
            outside.add(field)
            name, unit = _NAMES[field]
            yield (
                "impossible-figure",
                (field,),
                f"{name} {'are' if field == 'iops' else 'is'} {value:,.12g}{unit}, which is impossible",
            )
    known = [(f, p, getattr(row, f)) for f, p in _PERCENTILES if f not in outside and getattr(row, f) is not None]
    fields = tuple(field for field, _ in _PERCENTILES)
    for (_, low, below), (_, high, above) in pairwise(known):
        if below > above:
            yield (
                "latency-contradiction",
                fields,
                f"p{low} is {below:g} ms, but p{high} is only {above:g} ms, which is impossible",
            )
            return
    mean = row.latency_mean_ms
    if mean is None or "latency_mean_ms" in outside:
        return
    # The mean of the completion alone is lower than that of the total.
    if row.latency_kind is LatencyKind.COMPLETION and row.percentile_kind is LatencyKind.TOTAL:
        return
    for _, percent, value in known:
        if value * (100 - percent) / 100 > mean * MEAN_SLACK + MEAN_SLACK_MS:
            share = f"{100 - percent} % took at least {value:g} ms"
            fault = f"a mean of {mean:g} ms is impossible ({share})"
            yield "latency-contradiction", ("latency_mean_ms", *fields), fault
            return


def _problem(file: str, code: str, found: list[tuple[Benchmark, str]]) -> Problem:
    """Returns one problem for all rows with one kind of fault."""
    row, fault = found[0]
    name = " ".join(filter(None, (row.test if row.test != row.job else None, row.job, row.part)))
    more = f" Other impossible values in the file: {len(found) - 1:,}." if len(found) > 1 else ""
    message = f"{begun(row.op)} of “{name or row.tool}”: {fault}.{more}"
    return Problem(Severity.WARNING, file, code, message, _ACTIONS[code], line=row.line)
