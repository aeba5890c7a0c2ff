"""The benchmark page: storage tests side by side, sweeps, repeats and latencies, with their answer cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from workbench.answers.benchmarks.compute import (
    BenchmarkGroup,
    BenchmarkKind,
    BenchmarkSubject,
    Family,
    Measured,
    of_one_kind,
)
from workbench.answers.benchmarks.figures import EMPTY, QUESTION, family_figure, side_by_side
from workbench.answers.benchmarks.latency_figure import EMPTY as NO_LATENCY
from workbench.answers.benchmarks.latency_figure import QUESTION as LATENCY
from workbench.answers.benchmarks.latency_figure import (
    has_latencies,
    latency_figure,
    share_within,
    with_histogram,
    with_percentiles,
)
from workbench.answers.benchmarks.load import EMPTY as NO_CURVE
from workbench.answers.benchmarks.load import QUESTION as LOAD
from workbench.answers.benchmarks.load import LoadCurve, load_curves, load_figure, load_name, load_table
from workbench.answers.benchmarks.names import family_key, family_name, kind_key, kind_name, labels, shortened
from workbench.answers.benchmarks.raw_disk import Raw, ratio_to_raw, raw_disk
from workbench.answers.benchmarks.repeats_figure import EMPTY as NO_REPEATS
from workbench.answers.benchmarks.repeats_figure import QUESTION as REPEATS
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_figure, repeats_name, spread_percent
from workbench.answers.benchmarks.sources import doubling_source, group_source, step_source
from workbench.answers.benchmarks.spec import KEY
from workbench.answers.benchmarks.sweep_figure import AXES, in_whole_ms, queue_over_iops_ms, sweep_figure, sweep_names
from workbench.answers.benchmarks.sweep_figure import EMPTY as NO_SWEEP
from workbench.answers.benchmarks.sweep_figure import QUESTION as SWEEPS
from workbench.answers.benchmarks.sweeps import GAIN, DepthSweep, doubling_gains, sweeps
from workbench.answers.benchmarks.tables import (
    histogram_table,
    latency_table,
    repeated_table,
    results_table,
    runs_table,
    slices_table,
    sweep_table,
)
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.charts.content import Card, Content
from workbench.charts.figure import Look
from workbench.charts.inputs import Input, Origin
from workbench.model.benchmark import Benchmark, Op
from workbench.words.captions import named
from workbench.words.numbers import THIN, bracketed, number, percent, plural, signed

_Key = tuple[BenchmarkKind, BenchmarkSubject]
BY_NAME, NO_RAW = "by name", "none"
_NAME = "Benchmark results"


def benchmarks(library: Library, choices: Choices) -> Content:
    """The chosen view; the first view without a choice."""
    rows = library.benchmarks
    if not rows:
        empty = EMPTY if library.files else "Open a result folder (Ctrl+O) or drop one here."
        return Content(QUESTION, empty=empty, nothing_open=not library.files, to_add=bool(library.files))
    return _ANSWERS.get(choices.page_view(KEY), _side_by_side)(rows, choices)


def _side_by_side(rows: Sequence[Benchmark], choices: Choices) -> Content:
    every = side_by_side(rows)
    family, shown, inputs = _family(every, choices)
    raw, chooser = _raw(shown, choices)
    figure = family_figure(rows, every, family, raw)
    table = replace(results_table(rows, family, raw), name=_NAME)
    slices = replace(slices_table(rows), name="Slices")
    # Tests of several depths are not ranked by IOPS; their sweep shows the gain of each depth.
    tests = {(group.kind, group.subject) for group in shown}
    swept = [
        sweep
        for sweep in (() if of_one_kind(shown) else sweeps(rows))
        if any((step.group.kind, step.group.subject) in tests for step in sweep.steps)
    ]
    return Content(
        figure.question,
        figure.caption,
        (*side_by_side_cards(shown, raw), *_leading_sweep(swept)),
        figure,
        (table, slices) if slices.rows else (table,),
        inputs=(*inputs, *chooser),
    )


def _leading_sweep(swept: Sequence[DepthSweep]) -> tuple[Card, ...]:
    """The cards of the sweep with the most IOPS, with its name if there are others; empty without sweeps."""
    if not swept:
        return ()
    first = max(range(len(swept)), key=lambda place: swept[place].steps[swept[place].best].iops.mean)
    return sweep_cards(swept[first], labels([sweep.steps[0].group for sweep in swept])[first] if len(swept) > 1 else "")


def _sweeps(rows: Sequence[Benchmark], choices: Choices) -> Content:
    shown_sweeps = sweeps(rows)
    if not shown_sweeps:
        return Content(SWEEPS, empty=NO_SWEEP, to_add=True)
    keys, names = _distinct(sweep_names(shown_sweeps, kind=family_key)), _distinct(sweep_names(shown_sweeps))
    tip = "Sweep to show. The tests of a sweep differ only in queue depth or threads."
    index, inputs = _choice("benchmarks.sweep", "Sweep", keys, choices, tip, names)
    figure = sweep_figure(shown_sweeps[index])
    table = replace(sweep_table(shown_sweeps[index]), name="Steps")
    return Content(figure.question, figure.caption, sweep_cards(shown_sweeps[index]), figure, (table,), inputs=inputs)


def _load(rows: Sequence[Benchmark], choices: Choices) -> Content:
    curves = load_curves(rows)
    if not curves:
        return Content(LOAD, empty=NO_CURVE, to_add=True)
    names = _distinct([curve.name for curve in curves])
    index, inputs = _choice("benchmarks.load", "Curve", names, choices, "Load curve to show")
    figure, table = load_figure(curves[index]), replace(load_table(curves[index]), name="Points")
    return Content(figure.question, figure.caption, load_cards(curves[index]), figure, (table,), inputs=inputs)


def _repeats(rows: Sequence[Benchmark], choices: Choices) -> Content:
    groups = repeated(rows)
    if not groups:
        return Content(REPEATS, empty=NO_REPEATS, to_add=True)
    keys, names = (_distinct([repeats_name(group, kind) for group in groups]) for kind in (kind_key, kind_name))
    tip = "Test to show. Only tests that ran several times are listed."
    index, inputs = _choice("benchmarks.repeats", "Test", keys, choices, tip, names)
    figure = repeats_figure(groups[index])
    tables = (replace(runs_table(groups[index]), name="Runs"), replace(repeated_table(groups), name="Repeated tests"))
    return Content(figure.question, figure.caption, repeats_cards(groups[index]), figure, tables, inputs=inputs)


def _latency(rows: Sequence[Benchmark], choices: Choices) -> Content:
    every = {family: shown for family, shown in side_by_side(rows).items() if has_latencies(shown)}
    if not every:
        return Content(LATENCY, empty=NO_LATENCY, to_add=True)
    family, shown, inputs = _family(every, choices)
    figure = latency_figure(shown)
    tables = [replace(latency_table(rows, family), name="Latencies")]
    if with_histogram(shown):
        tables.append(replace(histogram_table(shown), name="Latency histograms"))
    return Content(figure.question, figure.caption, latency_cards(shown), figure, tuple(tables), inputs=inputs)


_ANSWERS: dict[str, Callable[[Sequence[Benchmark], Choices], Content]] = {
    "side-by-side": _side_by_side,
    "sweeps": _sweeps,
    "load": _load,
    "repeats": _repeats,
    "latency": _latency,
}
FAMILY = "benchmarks.family"


def _family(
    every: dict[Family, tuple[BenchmarkGroup, ...]], choices: Choices
) -> tuple[Family, tuple[BenchmarkGroup, ...], tuple[Input, ...]]:
    """The shown family, its tests, and the chooser if there are several families."""
    families = list(every)
    keys, names = (
        _distinct([f"{words(family)} ({counted(len(every[family]))})" for family in families])
        for words, counted in ((family_key, str), (family_name, _tests))
    )
    tip = "Block size, pattern and read share of the tests to show"
    match = str(choices.input(FAMILY, keys[0]))
    if match not in keys:
        # A finding on one folder counts only the tests of that folder.
        match = next((key for key in keys if _uncounted(key) == _uncounted(match)), match)
        choices = choices.with_input(FAMILY, match)
    index, inputs = _choice(FAMILY, "Type of test", keys, choices, tip, names)
    return families[index], every[families[index]], inputs


def _tests(count: int) -> str:
    return plural(count, "test")


def _uncounted(name: str) -> str:
    return name.rpartition(" (")[0]


def _raw(shown: Sequence[BenchmarkGroup], choices: Choices) -> tuple[Raw | None, tuple[Input, ...]]:
    """The raw-disk test among those shown, and its chooser."""
    # The name of the raw-disk test (None: guess by name), and True if one is wanted.
    chosen = str(choices.input("benchmarks.raw", BY_NAME))
    chosen_raw, used = (None, True) if chosen == BY_NAME else (chosen, chosen != NO_RAW)
    raw = raw_disk(shown, chosen_raw) if used else None
    if len(shown) < 2:
        return raw, ()
    names = tuple(dict.fromkeys(group.name for group in shown))
    value = str(choices.input("benchmarks.raw", BY_NAME))
    value = value if value in (*names, NO_RAW) else BY_NAME
    tip = "Test of the storage without a cache. 'By name': the first test with 'raw' in its name"
    chooser = Input(
        "benchmarks.raw",
        "Raw disk test",
        value,
        choices=(BY_NAME, *names, NO_RAW),
        origin="assumed" if value == BY_NAME else "yours",
        tip=tip,
    )
    return raw, (chooser,)


def _choice(
    key: str, label: str, offered: Sequence[str], choices: Choices, tip: str, names: Sequence[str] = ()
) -> tuple[int, tuple[Input, ...]]:
    """The index of the chosen item (the first without a choice), and its chooser if there are several. `names` are the
    items as shown to users."""
    chosen = str(choices.input(key, offered[0]))
    index = offered.index(chosen) if chosen in offered else 0
    if len(offered) < 2:
        return 0, ()
    origin: Origin = "yours" if index else "measured"
    shown = Input(key, label, offered[index], choices=tuple(offered), origin=origin, tip=tip, names=tuple(names))
    return index, (shown,)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, numbered if two are equal."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return distinct


_MAIN, _QUIET, _ACCENT = Look("other"), Look("quiet"), Look("accent")


def side_by_side_cards(shown: Sequence[BenchmarkGroup], raw: Raw | None) -> tuple[Card, ...]:
    """The tests with the most and the fewest IOPS, and the raw disk they are compared with. Tests of several queue
    depths are not ranked: the sweeps compare those."""
    measured = [(measured, group) for group in shown if (measured := group.measured(group.main_op, "iops"))]
    if not measured:
        return ()
    ranked = sorted(measured, key=lambda pair: -pair[0].mean)
    alike = of_one_kind(group for _, group in ranked)
    names = _names(shown)
    cards = [_iops_card("Highest IOPS", *ranked[0], raw, _MAIN, names)] if alike else []
    if alike and len(ranked) > 1:
        cards.append(_iops_card("Lowest IOPS", *ranked[-1], raw, _QUIET, names))
    if raw is not None:
        disk = next((group for group in shown if raw.holds(group)), raw.groups[0])
        disk_iops = disk.measured(disk.main_op, "iops")
        source = "guessed from its name" if raw.guessed else "chosen"
        main_source = group_source(disk, disk.main_op, "iops")
        cards.append(
            Card(
                "Raw disk",
                _ACCENT,
                number(disk_iops.mean if disk_iops else None),
                "IOPS",
                named(shortened(disk.name)),
                source,
                main_source,
            )
        )
    return tuple(cards)


def sweep_cards(sweep: DepthSweep, name: str = "") -> tuple[Card, ...]:
    """The knee, the step with the most IOPS (of the test `name`), and the latency at the knee."""
    knee, best = sweep.steps[sweep.knee], sweep.steps[sweep.best]
    axis = AXES[sweep.varies].lower()
    bought, at, deep = doubling_gains(sweep)[sweep.knee], sweep.at[sweep.knee], sweep.varies == "queue_depth"
    note = f"no doubling of the load raises IOPS by {100 * GAIN:.0f}{THIN}% or more"
    if sweep.open_ended:
        note = "IOPS still rise at the last step"
    elif bought is not None and sweep.knee:
        note = f"{signed(bought, 1)}{THIN}% IOPS with twice the load"
    share = percent(100 * knee.iops.mean / best.iops.mean) if best.iops.mean else ""
    cards = [
        Card(
            "Knee",
            _ACCENT,
            f"QD{THIN}{at}" if deep else str(at),
            "" if deep else axis.removesuffix("s") if at == 1 else axis,
            note,
            f"{number(knee.iops.mean)} IOPS, {share} of the maximum",
            doubling_source(sweep, sweep.knee) or step_source(sweep, sweep.knee, "iops"),
        ),
        Card(
            "Highest IOPS",
            _MAIN,
            number(best.iops.mean),
            "IOPS",
            f"at {axis} {sweep.at[sweep.best]}",
            name or _asked_more(sweep),
            step_source(sweep, sweep.best, "iops"),
        ),
    ]
    return (*cards, *_knee_latency(sweep))


def load_cards(curve: LoadCurve) -> tuple[Card, ...]:
    """The knee with its response time, and the response time at full speed."""
    knee, last = curve.points[curve.knee], curve.points[-1]
    source = group_source(knee.group, knee.group.main_op, "iops")
    note = (
        "last point of the test: more load may be possible"
        if curve.open_ended
        else f"at {load_name(knee)} of the full rate"
    )
    cards = [Card("Knee", _ACCENT, number(knee.iops.mean), "IOPS", note, f"{number(knee.latency_ms.mean)} ms", source)]
    if not curve.open_ended:
        slower = f"{number(last.latency_ms.mean)} ms" if last.latency_ms.mean else ""
        source = group_source(last.group, last.group.main_op, "iops")
        cards.append(
            Card("Highest load", _MAIN, number(last.iops.mean), "IOPS", f"at {load_name(last)}", slower, source)
        )
    return tuple(cards)


def repeats_cards(group: BenchmarkGroup) -> tuple[Card, ...]:
    """The mean IOPS with its interval, and the spread of the runs."""
    measured = group.measured(group.main_op, "iops")
    if measured is None:
        return ()
    spread = Card(
        "Variation",
        _QUIET,
        spread_percent(measured).removesuffix(f"{THIN}%"),
        "%",
        f"{number(min(measured.values))} to {number(max(measured.values))} IOPS",
        "highest minus lowest run, as % of the mean",
    )
    return Card(
        "Mean",
        _MAIN,
        number(measured.mean),
        "IOPS",
        _interval_words(measured),
        named(shortened(group.name)),
        group_source(group, group.main_op, "iops"),
    ), spread


def latency_cards(shown: Sequence[BenchmarkGroup]) -> tuple[Card, ...]:
    """The lowest and the highest p99; otherwise the share of I/Os within a millisecond of the best and the worst."""
    listed = [
        (figure.mean, group, op)
        for group, op in with_percentiles(shown)
        if (figure := group.measured(op, "latency_p99_ms"))
    ]
    names = _names(shown)
    if listed:
        ranked = sorted(listed, key=lambda pair: pair[0])
        ends = [("Lowest p99", ranked[0], _MAIN), ("Highest p99", ranked[-1], _QUIET)][: len(ranked)]
        return tuple(
            Card(
                title,
                look,
                number(value),
                "ms",
                named(names[group.kind, group.subject]),
                _asked(group, op),
                group_source(group, op, "latency_p99_ms"),
            )
            for title, (value, group, op), look in ends
        )
    kept = [
        (share, group)
        for group, histogram in with_histogram(shown)
        if (share := share_within(histogram, 1.0)) is not None
    ]
    by_share = sorted(kept, key=lambda pair: -pair[0])
    shares = (
        [("Most I/Os within 1 ms", *by_share[0], _MAIN), ("Fewest I/Os within 1 ms", *by_share[-1], _QUIET)]
        if kept
        else []
    )
    return tuple(
        Card(
            title,
            look,
            percent(share).removesuffix(f"{THIN}%"),
            "% of I/Os",
            named(names[group.kind, group.subject]),
            _asked(group, group.main_op),
        )
        for title, share, group, look in shares[: len(kept)]
    )


def _names(shown: Sequence[BenchmarkGroup]) -> dict[_Key, str]:
    """The names of tests as the chart has them: two tests of one name differ in their folder."""
    names = (
        labels(shown)
        if len({group.name for group in shown}) < len(shown)
        else [shortened(group.name) for group in shown]
    )
    return dict(zip(((group.kind, group.subject) for group in shown), names, strict=True))


def _iops_card(
    title: str, measured: Measured, group: BenchmarkGroup, raw: Raw | None, look: Look, names: Mapping[_Key, str]
) -> Card:
    change = ratio_to_raw(raw, group, group.main_op)
    times = f"{number(change.ratio)} × the raw disk's IOPS" if change else ""
    if raw is not None and raw.holds(group):
        times = "the raw disk itself"
    parts = [times, _interval_words(measured) if measured.n > 1 else ""]
    detail = " · ".join(part for part in parts if part)
    source = group_source(group, group.main_op, "iops")
    return Card(title, look, number(measured.mean), "IOPS", named(names[group.kind, group.subject]), detail, source)


def _interval_words(measured: Measured) -> str:
    if measured.low is None or measured.high is None:
        return "one run each"
    ends = bracketed(number(measured.low), number(measured.high))
    kind = f"95 % interval {ends}" if measured.basis == "interval" else f"range {ends}"
    return f"{kind}, n = {measured.n}"


def _asked_more(sweep: DepthSweep) -> str:
    """The extra latency of the best step compared with the knee."""
    knee, best = sweep.at[sweep.knee], sweep.at[sweep.best]
    if best <= knee:
        return "the knee itself" if best == knee else "before the knee"
    return f"{number(best / knee)} times the load at the knee"


def _knee_latency(sweep: DepthSweep) -> tuple[Card, ...]:
    step = sweep.steps[sweep.knee]
    if step.latency_ms is None:
        return ()
    last = sweep.steps[-1].latency_ms
    detail = f"{number(last.mean)}{THIN}ms at the last step" if last else ""
    if not in_whole_ms(sweep):
        source = step_source(sweep, sweep.knee, "latency_mean_ms")
        return (Card("Knee latency", _QUIET, number(step.latency_ms.mean), "ms", "mean", detail, source),)
    derived = queue_over_iops_ms(step)
    if derived is None:
        value = number(step.latency_ms.mean) if step.latency_ms.mean else f"<{THIN}1"
        return (Card("Knee latency", _QUIET, value, "ms", "mean, rounded down to milliseconds", detail),)
    return (
        Card(
            "Knee latency",
            _QUIET,
            number(derived),
            "ms",
            "outstanding I/Os ÷ IOPS",
            f"SQLIO reports {step.latency_ms.mean:.0f}{THIN}ms (rounded down)",
        ),
    )


def _asked(group: BenchmarkGroup, op: Op) -> str:
    return f"{kind_name(group.kind, group.clones)} {op.value}".strip()
