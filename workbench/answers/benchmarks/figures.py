"""The charts of storage benchmarks: IOPS, throughput and latency of tests, side by side.

Only comparable tests share an axis: one block size, pattern and mix of reads and writes (a family).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from workbench.answers.benchmarks.compute import (
    OPS,
    BenchmarkGroup,
    Family,
    Measured,
    Quantity,
    failed,
    families,
    groups,
    natural,
    of_one_kind,
)
from workbench.answers.benchmarks.load import is_point
from workbench.answers.benchmarks.names import common_kind, family_name, labels, latency_name
from workbench.answers.benchmarks.raw_disk import Raw, ratio_to_raw
from workbench.answers.benchmarks.sources import group_source
from workbench.answers.benchmarks.sweeps import sweeps, without_steps
from workbench.answers.common.change_words import WHISKERS
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Look, Panel
from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import all_named
from workbench.words.captions import captioned, named, named_lines, short_lines
from workbench.words.numbers import marked, number, plural

MAX_GROUPS = 12
# Maximum number of failed jobs that are named.
_FAILURES = 3
QUESTION = "What can the storage itself do?"
EMPTY = (
    "The study has no benchmark results. Add a folder with results of fio, DISKSPD, SQLIO, Iometer, vdbench or VMFleet."
)
_PANELS: tuple[tuple[str, str, Quantity], ...] = (
    ("I/O per second", "IOPS", "iops"),
    ("Throughput", "MB/s", "mb_per_s"),
    ("Mean latency", "ms", "latency_mean_ms"),
)
# Directions have other hues than provisioning types, because a direction is not a configuration.
_LOOKS: dict[Op, Look] = {
    Op.READ: Look("other"),
    Op.WRITE: Look("other", tint=0.9, dash="dash"),
    Op.TRIM: Look("quiet", tint=0.8, dash="dash-dot"),
    Op.MIXED: Look("other", tint=0.4, dash="dot"),
    Op.TOTAL: Look("quiet"),
}


def side_by_side(rows: Sequence[Benchmark]) -> dict[Family, tuple[BenchmarkGroup, ...]]:
    """The tests by family, most tests first.

    Only the best step of each sweep and the full-speed run of each load curve are in it. Failed tests are included only
    if no other test of their family is.
    """
    at_full_speed = [group for group in groups(rows) if not is_point(group)] or groups(rows)
    by_family = families(without_steps(at_full_speed, sweeps(rows)))
    kept = {family: _succeeded(members) or members for family, members in by_family.items()}
    ordered = sorted(kept.items(), key=lambda entry: not _succeeded(entry[1]))
    return dict(ordered)


def family_figure(
    rows: Sequence[Benchmark],
    every: Mapping[Family, tuple[BenchmarkGroup, ...]],
    family: Family | None = None,
    raw: Raw | None = None,
) -> Figure:
    """Three panels over the tests of a family (IOPS, MB/s, mean latency in ms), one bar per direction and test.

    `every` are the families of the rows. Without `family`, the family with the most tests is drawn. Twelve tests fit;
    the caption has their number. Repeats are drawn as their mean with its interval. Failed jobs have no bar; the
    caption counts them and the method names them. With `raw`, the names include the ratio to the raw disk's IOPS.
    """
    if not every:
        return Figure("benchmarks", QUESTION, "", (), share_y=False, empty=EMPTY)
    chosen = family if family is not None and family in every else next(iter(every))
    tests = every[chosen]
    shown = tests[:MAX_GROUPS]
    names = labels(shown)
    axis = Axis("", categories=tuple(map(_against, names, [_times(raw, group) for group in shown])))
    ops = [op for op in OPS if any(op in group.ops for group in shown)]
    panels = tuple(
        Panel(
            "",
            axis,
            Axis(_axis_name(label, quantity, shown), unit),
            tuple(_bars(shown, op, quantity) for op in ops),
            subtitle=_subtitle(chosen, shown) if index == 0 else "",
            legend=index == 0,
        )
        for index, (label, unit, quantity) in enumerate(_PANELS)
    )
    caption, method = _captions(rows, tests, shown, len(every))
    summary = _summary(shown, names)
    return Figure("benchmarks", QUESTION, caption, panels, share_y=False, summary=summary, method=method)


def benchmark_figures(rows: Sequence[Benchmark]) -> tuple[Figure, ...]:
    """A figure for each family, most tests first; without families, one figure with the reason."""
    every = side_by_side(rows)
    return tuple(family_figure(rows, every, family) for family in every) or (family_figure(rows, every),)


def _axis_name(label: str, quantity: Quantity, shown: Sequence[BenchmarkGroup]) -> str:
    if quantity != "latency_mean_ms":
        return label
    return latency_name(label, (kind for group in shown for kind in group.latency_kinds(group.ops, quantity)))


def _succeeded(members: Sequence[BenchmarkGroup]) -> tuple[BenchmarkGroup, ...]:
    return tuple(group for group in members if any(row.error is None for row in group.rows))


def _times(raw: Raw | None, group: BenchmarkGroup) -> str:
    if raw is not None and raw.holds(group):
        return "raw disk"
    change = ratio_to_raw(raw, group, group.main_op)
    return f"{number(change.ratio)} × raw disk" if change else ""


def _against(name: str, words: str) -> str:
    return f"{name} ({words})" if words else name


def _subtitle(family: Family, shown: Sequence[BenchmarkGroup]) -> str:
    """The family, and the queue depth and threads that all tests share."""
    words = common_kind(shown).split()
    kind = " ".join(part for part in words if part.startswith(("QD", "×")))
    return f"{family_name(family)}, {kind}" if kind else family_name(family)


def _bars(shown: Sequence[BenchmarkGroup], op: Op, quantity: Quantity) -> Bars:
    measureds = [group.measured(op, quantity) for group in shown]
    values = _array([measured.mean if measured else None for measured in measureds])
    sources = tuple(group_source(group, op, quantity) for group in shown)
    counts = tuple(str(measured.n) if measured else "" for measured in measureds)
    if not any(measured and measured.n > 1 for measured in measureds):
        return Bars(op.value, values, _LOOKS[op], sources=sources, counts=counts, counted="repeats")
    low, high = (
        _array([getattr(measured, end) if measured else None for measured in measureds]) for end in ("low", "high")
    )
    bases = {measured.basis for measured in measureds if measured and measured.n > 1}
    ends = " or ".join(word for basis, word in WHISKERS.items() if basis in bases)
    return Bars(op.value, values, _LOOKS[op], low, high, sources=sources, counts=counts, counted="repeats", ends=ends)


def _array(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _captions(
    rows: Sequence[Benchmark], tests: Sequence[BenchmarkGroup], shown: Sequence[BenchmarkGroup], families: int
) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    files, failures, repeats = len({row.path for row in rows}), failed(rows), _most_repeats(shown)
    of_all = (
        f" of the chosen type ({plural(families, 'type')} in {plural(files, 'file')})"
        if families > 1
        else f" from {plural(files, 'file')}"
    )
    spread = "95 % interval" if repeats > 2 else "range of two runs"
    return captioned(
        (
            f"{plural(len(failures), 'failed job')} {'are' if len(failures) > 1 else 'is'} not shown"
            if failures
            else "",
            f"The first {len(shown)} of {len(tests)} tests are shown" if len(shown) < len(tests) else "",
            f"{plural(len(tests), 'test')}{of_all}",
        ),
        (
            f"Repeated tests (up to n = {repeats}) show the mean and the {spread}" if repeats else "",
            *_failures(failures),
            "Each latency is the mean of one test",
            "QD is the queue depth; × means threads or job clones",
            "1 MB = 10⁶ bytes, 1 MiB = 2²⁰ bytes",
            *named_lines("Tools", _tools(rows)),
        ),
    )


def _tools(rows: Sequence[Benchmark]) -> list[str]:
    versions: dict[str, set[str]] = {}
    for row in rows:
        versions.setdefault(row.tool, set()).update([row.tool_version] if row.tool_version else [])
    named = (f"{tool} {all_named(sorted(names, key=natural))}" for tool, names in sorted(versions.items()))
    return [group.strip() for group in named]


def _most_repeats(shown: Sequence[BenchmarkGroup]) -> int:
    measureds = [group.measured(op, quantity) for group in shown for op in group.ops for *_, quantity in _PANELS]
    return max((measured.n for measured in measureds if measured and measured.n > 1), default=0)


def _failures(failures: Sequence[Benchmark]) -> Iterator[str]:
    """A line for each of the first failed jobs, with the tool's message."""
    for row in failures[:_FAILURES]:
        name = " · ".join(dict.fromkeys(part for part in (row.test, row.job) if part)) or row.path
        yield from short_lines(f"Failed: {name} ({(row.error or '').rstrip('.')})")
    if len(failures) > _FAILURES:
        yield f"{len(failures) - _FAILURES} more jobs failed"


def _summary(shown: Sequence[BenchmarkGroup], names: Sequence[str]) -> str:
    best = [
        (name, op, figure)
        for name, group in zip(names, shown, strict=True)
        for op in (group.main_op,)
        if (figure := group.measured(op, "iops"))
    ]
    if not best:
        return f"{plural(len(shown), 'test')}, none with measured I/O."
    name, op, most = max(best, key=_by_mean)
    low_name, low_op, least = min(best, key=_by_mean)
    if len(best) == 1:
        return f"{name}: {_iops(most)} IOPS ({op.value})."
    if not of_one_kind(shown):
        return f"{plural(len(shown), 'test')} with several queue depths. The sweeps compare them."
    return (
        f"{plural(len(shown), 'test')}. Highest: {_iops(most)}{_direction(op)} IOPS with {named(name)}; "
        f"lowest: {_iops(least)}{_direction(low_op)} IOPS with {named(low_name)}."
    )


def _direction(op: Op) -> str:
    return "" if op is Op.TOTAL else f" {op.value}"


def _by_mean(entry: tuple[str, Op, Measured]) -> float:
    return entry[2].mean


def _iops(figure: Measured) -> str:
    return marked(f"{figure.mean:,.0f}" if figure.mean >= 10 else f"{figure.mean:.2g}")
