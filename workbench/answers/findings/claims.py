"""The chart of a finding: its bar and the bar of the baseline, or how long each cache held all data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.answers.cache.compute import ConfigurationCache, configuration_cache
from workbench.answers.cache.sweep import cache_sweep
from workbench.answers.common.change_words import RATIO, change_ends_words, change_words, drawn_change
from workbench.answers.common.looks import looks
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.words import amounts
from workbench.charts.claim import BarClaim, Claim, ClaimBar, TimeClaim, TimeRow
from workbench.charts.figure import Look
from workbench.charts.short_names import bare_names
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.measure import value_words
from workbench.measures.statistics import Change
from workbench.model.phase import STANDARD_PHASES
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, duration, fixed, number

# Maximum number of bars side by side in a card, and of rows above each other.
_BARS, _ROWS = 7, 5
# Names of up to this many letters fit under the bars, or next to the rows, of a narrow card.
_LETTERS, _ROW_LETTERS = 140, 200
_OVERFLOWS = ("enough", "overflow")
# The times of logon findings. A card has no axis to show their unit.
_LOGON_UNITS = {"logon mean": f"{THIN}s", "logon response": f"{THIN}ms"}


@dataclass(frozen=True, slots=True)
class _Bar:
    """A configuration's figure before it is drawn."""

    label: str
    value: float | None
    words: str
    above: float | None = None


def chart_key(finding: Finding) -> tuple[str, ...]:
    """A key that is the same for all findings on one chart."""
    if finding.kind == "limits":
        return ("limits",)
    if finding.kind == "cache" and finding.figure in _OVERFLOWS:
        return ("overflow",)
    return ("iops_per_vm", "metric") if finding.figure == "iops" else (finding.figure, finding.view)


def claim_of(finding: Finding, groups: Sequence[Group], margin: float) -> Claim | None:
    """The chart of a finding on these configurations; None if the finding needs no chart."""
    if finding.claim is not None:
        return finding.claim
    base = baseline_of(groups)
    # A hidden baseline is drawn too, because the finding is compared with it.
    groups = groups if base is None or base in groups else [base, *groups]
    if finding.kind == "cache" and finding.figure in _OVERFLOWS:
        return _overflow_claim(finding, groups)
    change = finding.change or finding.drawn
    if not finding.configuration or not finding.baseline or change is None:
        return None
    if finding.figure == "shared_iops":
        bars = _shared_bars(finding, groups, margin)
    elif finding.figure in MEASURES:
        bars = _measured_bars(finding, groups)
    else:
        unit = _LOGON_UNITS.get(finding.figure, "")
        bars = [_Bar(name, value, number(value) + unit) for name, value in _both(finding, change)]
    return _bar_claim(finding, change, bars, groups)


def _both(finding: Finding, change: Change) -> list[tuple[str, float | None]]:
    return [(finding.baseline, change.baseline_value), (finding.configuration, change.value)]


def _measured_bars(finding: Finding, groups: Sequence[Group]) -> list[_Bar]:
    """The figure of each configuration; the two that the sentence compares have the same digits as in the sentence."""
    unit = MEASURES[finding.figure].unit
    on_axis = f"{THIN}{unit}" if unit not in ("%", "s") else ""
    means = {group.label: group.mean(finding.phase, finding.figure) for group in groups if group.runs}
    both = finding.configuration, finding.baseline
    said = dict(zip(both, amounts(means.get(both[0]), means.get(both[1]), unit), strict=True))
    return [
        _Bar(label, mean, said.get(label, value_words(mean, unit)).removesuffix(on_axis))
        for label, mean in means.items()
        if mean is not None
    ]


def _shared_bars(finding: Finding, groups: Sequence[Group], margin: float) -> list[_Bar]:
    rows = cache_sweep(groups, finding.phase, margin).rows
    return [_Bar(row.label, row.split.shared, number(row.split.shared), row.split.cache_disk or None) for row in rows]


def _bar_claim(finding: Finding, change: Change, bars: list[_Bar], groups: Sequence[Group]) -> Claim | None:
    labels = [bar.label for bar in bars]
    both = finding.baseline, finding.configuration
    if not set(both) <= set(labels) or any(bar.value is None for bar in bars if bar.label in both):
        return None
    names = drawn_names(_extremes({bar.label: bar.value for bar in bars}, both), groups, both)
    drawn, look = list(names), looks(groups)
    kept = [bar for bar in bars if bar.label in drawn]
    low, high = _ends_on_scale(finding, change, next(bar.value for bar in bars if bar.label == finding.baseline))
    unit = MEASURES[finding.figure].change_unit if finding.figure in MEASURES else RATIO
    ends = change_ends_words(change, unit).removesuffix(unit).rstrip() if change.low is not None else ""
    return BarClaim(
        tuple(
            ClaimBar(
                names[bar.label],
                look.get(bar.label, Look("accent")),
                bar.value,
                bar.words,
                bar.above,
                "" if bar.above is None else number((bar.value or 0.0) + bar.above),
                bar.label,
            )
            for bar in kept
        ),
        drawn.index(finding.configuration),
        drawn.index(finding.baseline),
        change_words(change, unit),
        ends,
        low,
        high,
        "cache disk" if any(bar.above for bar in kept) else "",
        f"The chart shows {len(drawn)} of {len(bars)} configurations" if len(drawn) < len(bars) else "",
    )


def _ends_on_scale(finding: Finding, change: Change, base: float | None) -> tuple[float | None, float | None]:
    """The ends of the interval on the scale of the bars: baseline × end of a ratio, otherwise baseline + end."""
    unit = MEASURES[finding.figure].change_unit if finding.figure in MEASURES else RATIO
    _, low, high = drawn_change(change, unit)
    if base is None or low is None or high is None or change.low is None or change.high is None:
        return None, None
    return (base * change.low, base * change.high) if unit == RATIO else (base + low, base + high)


def count_claim(
    counts: Mapping[str, float], claimed: str, baseline: str, change: str, groups: Sequence[Group]
) -> BarClaim:
    """Counts of a plan by configuration, as bars; `change` is the difference of `claimed` from the baseline, in
    words.
    """
    names = drawn_names(_extremes(counts, (baseline, claimed)), groups, (baseline, claimed))
    drawn, look = list(names), looks(groups)
    bars = tuple(
        ClaimBar(names[label], look.get(label, Look("quiet")), counts[label], fixed(counts[label], 0), name=label)
        for label in drawn
    )
    left_out = f"The chart shows {len(drawn)} of {len(counts)} configurations" if len(drawn) < len(counts) else ""
    return BarClaim(tuple(bars), drawn.index(claimed), drawn.index(baseline), change, left_out=left_out)


def _extremes(values: Mapping[str, float | None], both: Sequence[str]) -> list[str]:
    """All bars in their order. If there are too many: the compared ones, the lowest and the highest."""
    known = [label for label, value in values.items() if value is not None]
    if len(values) <= _BARS or not known:
        return list(values)
    ends = (min(known, key=lambda label: values[label] or 0.0), max(known, key=lambda label: values[label] or 0.0))
    return [label for label in values if label in (*both, *ends)]


def drawn_names(labels: Sequence[str], groups: Sequence[Group], both: Sequence[str] = ()) -> dict[str, str]:
    """The short names of the compared configurations and of as many others as fit, in their order. `groups` are all
    configurations, so each has one short name in all charts."""
    every = bare_names([*dict.fromkeys((*(group.label for group in groups), *labels))])
    for count in range(_BARS, 1, -1):
        others = [label for label in labels if label not in both][: count - len(set(both))]
        names = {label: every[label] for label in labels if label in both or label in others}
        if max(map(len, names.values()), default=0) * count <= _LETTERS:
            break
    return names


def _overflow_claim(finding: Finding, groups: Sequence[Group]) -> Claim | None:
    """The time that each size held all data, smallest first; the size of the finding is highlighted."""
    runs = set(finding.runs)
    members = [group for group in groups if finding.figure == "overflow" or runs & {r.run.folder for r in group.runs}]
    caches = [cache for group in members if (cache := configuration_cache(group)).runs and cache.size_mb]
    caches.sort(key=lambda cache: cache.size_mb or 0)
    claimed = next((cache for cache in caches if cache.label == finding.configuration), None)
    if claimed is None and finding.figure == "enough":
        # The smallest size that did not overflow, if no larger one overflowed, as in the finding; otherwise the largest
        # size.
        over = max((cache.size_mb or 0 for cache in caches if cache.overflowed), default=0)
        held = (cache for cache in caches if cache.overflowed is False and (cache.size_mb or 0) > over)
        claimed = next(held, caches[-1] if caches else None)
    until = max((lasted for cache in caches if (lasted := _lasted(cache)) is not None), default=None)
    if claimed is None or until is None:
        return None
    others, look = [cache for cache in caches if cache is not claimed], looks(groups)
    names = bare_names([group.label for group in groups])
    for count in range(_ROWS, 1, -1):
        drawn = [cache for cache in caches if cache is claimed or cache in others[1 - count :]]
        if max(len(names[cache.label]) for cache in drawn) * count <= _ROW_LETTERS:
            break
    rows = tuple(_time_row(cache, names[cache.label], look[cache.label], until) for cache in drawn)
    foot = ("0", "time since the start of the first phase", duration(until))
    return TimeClaim(rows, drawn.index(claimed), _moments(claimed), until, foot)


def _time_row(cache: ConfigurationCache, name: str, look: Look, until: float) -> TimeRow:
    lasted = _lasted(cache)
    words, held = "overflows" if cache.overflowed else "unknown", None
    if cache.overflowed and cache.overflow_s is not None:
        words, held = f"{'about ' * cache.estimate}{duration(cache.overflow_s)}", cache.overflow_s
    elif cache.overflowed is False:
        words, held = f"no overflow in {duration(lasted)}", lasted
    return TimeRow(name, look, held, until if lasted is None else lasted, bool(cache.overflowed), words, cache.label)


def _lasted(cache: ConfigurationCache) -> float | None:
    """Seconds to the end of the last phase of the longest run; None if no run has phases."""
    ends = (run.since_zero(run.end) for run in cache.runs)
    return max((end for end in ends if end is not None), default=None)


def _moments(cache: ConfigurationCache) -> tuple[tuple[str, float], ...]:
    """The starts of its first run's phases, in seconds since the start."""
    run = cache.runs[0]
    starts = ((phase.name, run.since_zero(phase.start)) for phase in run.phases if phase.name in STANDARD_PHASES)
    return tuple((phase_words(name), at) for name, at in starts if at is not None)
