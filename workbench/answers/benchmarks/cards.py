"""Answer cards of the benchmark page: the most, the raw disk, the knee, the mean of repeats, the latency."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.benchmarks.compute import Group, Measured, of_one_depth
from workbench.answers.benchmarks.figure_sources import doubling_source, group_source, step_source
from workbench.answers.benchmarks.latency_figure import with_histogram, with_percentiles
from workbench.answers.benchmarks.latency_histogram import share_within
from workbench.answers.benchmarks.load.curves import LoadCurve
from workbench.answers.benchmarks.load.figure import load_name
from workbench.answers.benchmarks.names import kind_name, shortened
from workbench.answers.benchmarks.raw_disk import Raw, ratio_to_raw
from workbench.answers.benchmarks.repeats_figure import spread_percent
from workbench.answers.benchmarks.sweep_figure import AXES, in_whole_ms, queue_over_iops_ms
from workbench.answers.benchmarks.sweeps import GAIN, Sweep, doubling_gains
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.model.benchmark import Op
from workbench.words.numbers import THIN, number, percent, signed

_MAIN, _QUIET, _ACCENT = Look("other"), Look("quiet"), Look("accent")


def side_by_side_cards(shown: Sequence[Group], raw: Raw | None) -> tuple[Card, ...]:
    """The test with the most IOPS, that with the fewest, and the raw disk that they are held against. Tests of several
    queue depths are not ranked: the sweeps compare those."""
    measured = [(measured, group) for group in shown if (measured := group.measured(group.main_op, "iops"))]
    if not measured:
        return ()
    ranked = sorted(measured, key=lambda pair: -pair[0].mean)
    alike = of_one_depth(group for _, group in ranked)
    cards = [_iops_card("Most I/O", *ranked[0], raw, _MAIN)] if alike else []
    if alike and len(ranked) > 1:
        cards.append(_iops_card("Least I/O", *ranked[-1], raw, _QUIET))
    if raw is not None:
        disk = next((group for group in shown if raw.holds(group)), raw.groups[0])
        disk_iops = disk.measured(disk.main_op, "iops")
        source = "guessed by its name" if raw.guessed else "chosen"
        main_source = group_source(disk, disk.main_op, "iops")
        cards.append(
            Card(
                "Raw disk",
                _ACCENT,
                number(disk_iops.mean if disk_iops else None),
                "IOPS",
                shortened(disk.name),
                source,
                main_source,
            )
        )
    return tuple(cards)


def sweep_cards(sweep: Sweep) -> tuple[Card, ...]:
    """The knee, the step with the most IOPS, and the latency at the knee."""
    knee, best = sweep.steps[sweep.knee], sweep.steps[sweep.best]
    axis = AXES[sweep.varies].lower()
    bought, at, deep = doubling_gains(sweep)[sweep.knee], sweep.at[sweep.knee], sweep.varies == "queue_depth"
    note = f"no doubling buys {100 * GAIN:.0f}{THIN}%"
    if sweep.open_ended:
        note = "the last step: still rising"
    elif bought is not None and sweep.knee:
        note = f"doubling it buys {signed(bought, 1)}{THIN}%"
    share = percent(100 * knee.iops.mean / best.iops.mean) if best.iops.mean else ""
    cards = [
        Card(
            "Knee",
            _ACCENT,
            f"QD{THIN}{at}" if deep else str(at),
            "" if deep else axis.removesuffix("s") if at == 1 else axis,
            note,
            f"{number(knee.iops.mean)} IOPS, {share} of most",
            doubling_source(sweep, sweep.knee) or step_source(sweep, sweep.knee, "iops"),
        ),
        Card(
            "Most I/O",
            _MAIN,
            number(best.iops.mean),
            "IOPS",
            f"at {axis} {sweep.at[sweep.best]}",
            _asked_more(sweep),
            step_source(sweep, sweep.best, "iops"),
        ),
    ]
    return (*cards, *_knee_latency(sweep))


def load_cards(curve: LoadCurve) -> tuple[Card, ...]:
    """The knee with its response time, and what full speed costs."""
    knee, last = curve.points[curve.knee], curve.points[-1]
    source = group_source(knee.group, knee.group.main_op, "iops")
    note = "the last point: more load may fit" if curve.open_ended else f"at {load_name(knee)} of the full rate"
    cards = [Card("Knee", _ACCENT, number(knee.iops.mean), "IOPS", note, f"{number(knee.latency_ms.mean)} ms", source)]
    if not curve.open_ended:
        slower = f"{number(last.latency_ms.mean)} ms" if last.latency_ms.mean else ""
        source = group_source(last.group, last.group.main_op, "iops")
        cards.append(Card("Most load", _MAIN, number(last.iops.mean), "IOPS", f"at {load_name(last)}", slower, source))
    return tuple(cards)


def repeats_cards(group: Group) -> tuple[Card, ...]:
    """The mean IOPS with its interval, and how far the runs lie apart."""
    measured = group.measured(group.main_op, "iops")
    if measured is None:
        return ()
    spread = Card(
        "Spread",
        _QUIET,
        spread_percent(measured).removesuffix(f"{THIN}%"),
        "%",
        f"{number(min(measured.values))} to {number(max(measured.values))} IOPS",
        "highest less lowest, in percent of the mean",
    )
    return Card(
        "Mean",
        _MAIN,
        number(measured.mean),
        "IOPS",
        _interval_words(measured),
        shortened(group.name),
        group_source(group, group.main_op, "iops"),
    ), spread


def latency_cards(shown: Sequence[Group]) -> tuple[Card, ...]:
    """The lowest and the highest p99; else the share of I/Os within a millisecond of the best and the worst."""
    listed = [
        (figure.mean, group, op)
        for group, op in with_percentiles(shown)
        if (figure := group.measured(op, "latency_p99_ms"))
    ]
    if listed:
        ranked = sorted(listed, key=lambda pair: pair[0])
        ends = [("Lowest p99", ranked[0], _MAIN), ("Highest p99", ranked[-1], _QUIET)][: len(ranked)]
        return tuple(
            Card(
                title,
                look,
                number(value),
                "ms",
                shortened(group.name),
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
    shares = [("Within 1 ms, most", *by_share[0], _MAIN), ("Within 1 ms, least", *by_share[-1], _QUIET)] if kept else []
    return tuple(
        Card(
            title,
            look,
            percent(share).removesuffix(f"{THIN}%"),
            "% of I/Os",
            shortened(group.name),
            _asked(group, group.main_op),
        )
        for title, share, group, look in shares[: len(kept)]
    )


def _iops_card(title: str, measured: Measured, group: Group, raw: Raw | None, look: Look) -> Card:
    change = ratio_to_raw(raw, group, group.main_op)
    times = f"{number(change.ratio)} × the raw disk" if change else ""
    if raw is not None and raw.holds(group):
        times = "the raw disk itself"
    parts = [times, _interval_words(measured) if measured.n > 1 else ""]
    detail = " · ".join(part for part in parts if part)
    source = group_source(group, group.main_op, "iops")
    return Card(title, look, number(measured.mean), "IOPS", shortened(group.name), detail, source)


def _interval_words(measured: Measured) -> str:
    if measured.low is None or measured.high is None:
        return "one run each"
    ends = f"{number(measured.low)}, {number(measured.high)}"
    kind = f"95 % interval [{ends}]" if measured.basis == "interval" else f"range [{ends}]"
    return f"{kind}, n = {measured.n}"


def _asked_more(sweep: Sweep) -> str:
    """What the best step costs over the knee."""
    knee, best = sweep.at[sweep.knee], sweep.at[sweep.best]
    if best <= knee:
        return "the knee itself" if best == knee else "before the knee"
    return f"{number(best / knee)} × the knee's I/O outstanding"


def _knee_latency(sweep: Sweep) -> tuple[Card, ...]:
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
        return (Card("Knee latency", _QUIET, value, "ms", "mean, cut to whole milliseconds", detail),)
    return (
        Card(
            "Knee latency",
            _QUIET,
            number(derived),
            "ms",
            "outstanding ÷ IOPS",
            f"SQLIO prints {step.latency_ms.mean:.0f}{THIN}ms, cut",
        ),
    )


def _asked(group: Group, op: Op) -> str:
    return f"{kind_name(group.kind, group.clones)} {op.value}".strip()
