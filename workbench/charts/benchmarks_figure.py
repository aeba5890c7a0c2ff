"""What the storage itself can do: IOPS, throughput and latency of the benchmarks, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from workbench.analysis.benchmarks import OPS, Group, Kind, Measured, Quantity, failed, groups, natural
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Look, Panel
from workbench.model.benchmark import Benchmark, Op

MAX_GROUPS = 12
_LABEL_LENGTH = 40
_QUESTION = "What can the storage itself do?"
_EMPTY = (
    "No benchmark results. Storage benchmarks that lie next to the runs, such as fio JSON files, appear here."
)
_PANELS: tuple[tuple[str, str, Quantity], ...] = (
    ("I/O per second", "IOPS", "iops"),
    ("Throughput", "MB/s", "mb_per_s"),
    ("Mean latency", "ms", "latency_mean_ms"),
)
# Not the provisionings' hues: a direction is no configuration.
_LOOKS: dict[Op, Look] = {
    Op.READ: Look("other"),
    Op.WRITE: Look("other", tint=0.9, dash="dash"),
    Op.TRIM: Look("quiet", tint=0.8, dash="dash-dot"),
    Op.MIXED: Look("other", tint=0.4, dash="dot"),
    Op.TOTAL: Look("quiet"),
}


def benchmarks_figure(rows: Sequence[Benchmark]) -> Figure:
    """Three panels over one axis of tests (IOPS, MB/s, mean latency in ms), one bar per direction and test.

    Tests of one kind stand together. Twelve fit; the caption says how many there are. Repeats are drawn
    as their mean with their range. Failed jobs get no bar and are named in the caption.
    """
    every = groups(rows)
    if not every:
        return Figure("benchmarks", _QUESTION, "", (), share_y=False, empty=_EMPTY)
    succeeded = [group for group in every if any(row.error is None for row in group.rows)]
    shown = (succeeded or every)[:MAX_GROUPS]
    axis = Axis("", categories=_labels(shown))
    ops = [op for op in OPS if any(op in group.ops for group in shown)]
    panels = tuple(
        Panel(
            "",
            axis,
            Axis(label, unit),
            tuple(_bars(shown, op, quantity) for op in ops),
            subtitle=_common_kind(shown),
            legend=place == 0,
        )
        for place, (label, unit, quantity) in enumerate(_PANELS)
    )
    caption = _caption(rows, len(every), len(succeeded or every), shown)
    return Figure("benchmarks", _QUESTION, caption, panels, share_y=False, summary=_summary(shown, axis))


def _bars(shown: Sequence[Group], op: Op, quantity: Quantity) -> Bars:
    found = [group.measured(op, quantity) for group in shown]
    values = _array([one.mean if one else None for one in found])
    if not any(one and one.n > 1 for one in found):
        return Bars(op.value, values, _LOOKS[op])
    low = _array([one.low if one else None for one in found])
    return Bars(op.value, values, _LOOKS[op], low, _array([one.high if one else None for one in found]))


def _array(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _labels(shown: Sequence[Group]) -> tuple[str, ...]:
    """Short names that tell the tests apart: the shortest way to name them that repeats none."""
    ways: tuple[Callable[[Group], tuple[str | None, ...]], ...] = (
        lambda group: (group.subject.test,),
        lambda group: (group.subject.job,),
        lambda group: (group.subject.test, group.subject.job),
        lambda group: (group.subject.test, group.subject.job, group.subject.host),
        lambda group: (group.subject.path, group.subject.job, group.subject.host),
    )
    several_kinds = len({(group.kind, group.clones) for group in shown}) > 1
    names: list[str] = []
    for way in ways:
        names = [
            _joined(way(group), _kind_name(group.kind, group.clones) if several_kinds else "")
            for group in shown
        ]
        if len(set(names)) == len(names):
            break
    return _numbered(names)


def _joined(parts: Sequence[str | None], asked: str) -> str:
    said = dict.fromkeys(part for part in parts if part)
    name = _shortened(" · ".join(said) or "unnamed")
    return f"{name} ({asked})" if asked else name


def _shortened(name: str) -> str:
    """The two ends of a long name, which tell names of one series apart."""
    if len(name) <= _LABEL_LENGTH:
        return name
    half = _LABEL_LENGTH // 2
    return f"{name[: half - 1]}…{name[-half:]}"


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    totals, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} #{seen[name]}" if totals[name] > 1 else name)
    return tuple(numbered)


def _kind_name(kind: Kind, clones: int) -> str:
    mixed = kind.read_percent not in (None, 0, 100)
    threads = clones if kind.threads is None else kind.threads * clones
    parts = (
        _size(kind.block_bytes) if kind.block_bytes else "",
        {"random": "rand", "sequential": "seq"}.get(kind.pattern or "", kind.pattern or ""),
        f"{kind.read_percent}% reads" if mixed else "",
        f"QD{kind.queue_depth}" if kind.queue_depth is not None else "",
        f"×{threads}" if threads != 1 else "",
    )
    return " ".join(part for part in parts if part)


def _size(count: int) -> str:
    for unit, scale in (("MiB", 1024**2), ("KiB", 1024)):
        if count >= scale and count % scale == 0:
            return f"{count // scale}{unit}"
    return f"{count}B"


def _common_kind(shown: Sequence[Group]) -> str:
    kinds = {group.kind for group in shown}
    clones = {group.clones for group in shown}
    return _kind_name(kinds.pop(), clones.pop()) if len(kinds) == len(clones) == 1 else ""


def _caption(rows: Sequence[Benchmark], tests: int, drawable: int, shown: Sequence[Group]) -> str:
    files = len({row.path for row in rows})
    sentences = [
        f"{_tools(rows)}; {_count(tests, 'test')} from {_count(files, 'file')}.",
        "MB/s are 10⁶ bytes per second; latency is the mean as the tool reports it.",
        "QD is the queue depth set, × the number of threads or clones of the job added up.",
    ]
    if len(shown) < drawable:
        sentences.append(f"Shown: the first {len(shown)} of {drawable} tests; the table has them all.")
    if repeats := _most_repeats(shown):
        sentences.append(
            f"Tests that were repeated (up to n = {repeats}): mean, with the range of the repeats."
        )
    if failures := failed(rows):
        sentences.append(f"Failed and left out: {_failures(failures)}.")
    return " ".join(sentences)


def _tools(rows: Sequence[Benchmark]) -> str:
    versions: dict[str, set[str]] = {}
    for row in rows:
        versions.setdefault(row.tool, set()).update([row.tool_version] if row.tool_version else [])
    named = [f"{tool} {', '.join(sorted(found, key=natural))}" for tool, found in sorted(versions.items())]
    return "; ".join(one.strip() for one in named)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _most_repeats(shown: Sequence[Group]) -> int:
    found = [group.measured(op, quantity) for group in shown for op in group.ops for *_, quantity in _PANELS]
    return max((one.n for one in found if one and one.n > 1), default=0)


def _failures(failures: Sequence[Benchmark]) -> str:
    names = [" · ".join(dict.fromkeys(part for part in (row.test, row.job) if part)) for row in failures]
    named = [
        f"{name or row.path} ({(row.error or '').rstrip('.')})"
        for name, row in zip(names[:3], failures, strict=False)
    ]
    more = len(failures) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def _summary(shown: Sequence[Group], axis: Axis) -> str:
    best = [
        (name, op, figure)
        for name, group in zip(axis.categories, shown, strict=True)
        for op in group.ops
        if op is not Op.TOTAL and (figure := group.measured(op, "iops"))
    ]
    if not best:
        return f"{_count(len(shown), 'test')}, none with measured I/O."
    name, op, most = max(best, key=_by_mean)
    low_name, low_op, least = min(best, key=_by_mean)
    if len(best) == 1:
        return f"{name}: {_iops(most)} IOPS ({op.value})."
    return (
        f"{_count(len(shown), 'test')}. Most: {name} with {_iops(most)} {op.value} IOPS; "
        f"least: {low_name} with {_iops(least)} {low_op.value} IOPS."
    )


def _by_mean(entry: tuple[str, Op, Measured]) -> float:
    return entry[2].mean


def _iops(figure: Measured) -> str:
    return f"{figure.mean:,.0f}" if figure.mean >= 10 else f"{figure.mean:.2g}"
