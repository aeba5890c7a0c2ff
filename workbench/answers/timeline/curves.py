"""Curves of the timeline: counters with their samples, names, units and looks, for the figure and the table.

Some curves are computed from others: sum, difference, and change per minute. All values are in the shown unit. The
times are those of the first part; the other parts are interpolated at these times. If a part lacks a sample, the sample
is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.common.choices import Derived
from workbench.charts.figure import Dash, FloatArray, Look, Marker
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.recording import Recording, Series, SeriesKey, series_key
from workbench.study.series.catalogue import Recorded, recorded
from workbench.study.series.chosen import Parts, chosen_parts
from workbench.study.series.vm_series import Samples
from workbench.words.metrics import CounterUnit, unit_of
from workbench.words.numbers import MINUS

# More curves than this cannot be distinguished.
MAX_CURVES = 32
# The page's initial content: I/O and CPU of this many machines of the first run.
DEFAULT_VMS = 3
_IOPS = frozenset((Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS))
_HUES, _THIN, _WIDE = 10, 0.8, 1.6
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_SIGNS = {"sum": "+", "difference": MINUS}
_MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond", "cross")


@dataclass(frozen=True, eq=False)
class Curve:
    """A shown counter. `name` distinguishes it from the others, `label` is its configuration. `of` are the counters
    that it was computed from (empty: it was recorded)."""

    key: SeriesKey
    name: str
    series: Series
    unit: CounterUnit
    figures: RunFigures
    label: str
    samples: Samples
    look: Look
    relative: bool = False
    of: tuple[SeriesKey, ...] = ()


@dataclass(frozen=True, eq=False)
class _Source:
    """Samples with their unit, and the counters that they were computed from (empty: they were recorded)."""

    recorded: Recorded
    unit: CounterUnit
    of: tuple[SeriesKey, ...] = ()

    @property
    def key(self) -> SeriesKey:
        """The counter, or the computed curve."""
        return self.recorded.key


def curves(groups: Sequence[Group], keys: Sequence[SeriesKey], recipes: Sequence[Derived] = ()) -> tuple[Curve, ...]:
    """The first `MAX_CURVES` of these counters in the groups' runs. Excluded runs are included, because users look at
    the timeline to see what went wrong. `recipes` are the rules for computing keys without a counter."""
    runs = {run.run.folder: (run, group.label) for group in groups for run in (*group.runs, *group.excluded)}
    present = [key for key in dict.fromkeys(keys) if key.run in runs]
    needed = _recorded_parts(present, recipes)
    known = {
        key: _Source(series, unit_of(series.series))
        for folder in dict.fromkeys(key.run for key in needed)
        for key, series in recorded(runs[folder][0].run, needed).items()
    }
    known = _derived(known, recipes)
    shown = [known[key] for key in present if key in known][:MAX_CURVES]
    names = _names([(runs[source.key.run][0].run.name, source.recorded.series) for source in shown])
    return tuple(
        Curve(
            source.key,
            name,
            source.recorded.series,
            source.unit,
            *runs[source.key.run],
            source.recorded.samples,
            look_of(number),
            source.recorded.relative,
            source.of,
        )
        for number, (source, name) in enumerate(zip(shown, names, strict=True))
    )


def look_of(number: int) -> Look:
    """The look of the curve with this number: a different colour for each, in fixed order. After the last colour the
    dashes change, and then the width. Markers distinguish the colours for people who cannot see them."""
    more = number // _HUES
    return Look(
        f"curve {1 + number % _HUES}",
        dash=_DASHES[more % len(_DASHES)],
        marker=_MARKERS[number % len(_MARKERS)],
        width=_THIN if more < len(_DASHES) else _WIDE,
    )


def _names(shown: Sequence[tuple[str, Series]]) -> list[str]:
    """Names with the parts that differ: always the counter, its instance if it has one, and host and run if there are
    several."""
    hosts = len({series.host for _, series in shown}) > 1
    runs = len({run for run, _ in shown}) > 1
    objects = len({(series.counter, series.object) for _, series in shown}) > len({s.counter for _, s in shown})
    names = []
    for run, series in shown:
        what = f"{series.object} {_what(series)}" if objects else _what(series)
        parts = (what, series.host if hosts else "", run if runs else "")
        names.append(" · ".join(part for part in parts if part))
    doubled = Counter(names)
    seen: Counter[str] = Counter()
    for index, name in enumerate(names):
        if doubled[name] > 1:
            seen[name] += 1
            names[index] = f"{name} [{seen[name]}]"
    return names


def default_keys(groups: Sequence[Group]) -> tuple[SeriesKey, ...]:
    """Storage I/O and CPU of the first machines of the first run that has any. If no run has any, the first counters of
    a file, including one with I/O if there is any."""
    runs = [run for group in groups for run in group.runs]
    for figures in runs:
        chosen, halves = chosen_parts(figures.run, (Quantity.IOPS, Quantity.CPU))
        kinds = [chosen[Quantity.IOPS], *halves.values(), chosen[Quantity.CPU]]
        if keys := [key for parts in kinds for key in _first(figures, parts)]:
            return tuple(keys)
    for figures in runs:
        for recording in sorted(figures.run.recordings, key=_without_iops):
            return tuple(series_key(figures.run.folder, recording.file, s.path) for s in recording.series[:2])
    return ()


def _without_iops(recording: Recording) -> bool:
    return not any(s.metric is not None and s.metric.quantity in _IOPS for s in recording.series)


def _first(figures: RunFigures, parts: Parts) -> list[SeriesKey]:
    some = [parts[vm][0] for vm in sorted(parts)[:DEFAULT_VMS]]
    return [series_key(figures.run.folder, part.recording.file, part.series.path) for part in some]


def _recorded_parts(keys: Sequence[SeriesKey], recipes: Sequence[Derived]) -> tuple[SeriesKey, ...]:
    """The counters to read for these curves."""
    needed = dict.fromkeys(keys)
    # A recipe reads only curves before it, so the list is processed from its end.
    for recipe in reversed(recipes):
        if recipe.key in needed:
            needed |= dict.fromkeys(part for part in recipe.of if part.run == recipe.key.run)
    return tuple(needed)


def _derived(known: Mapping[SeriesKey, _Source], recipes: Sequence[Derived]) -> dict[SeriesKey, _Source]:
    """The curves of the recipes with known parts that fit together: one run, one unit, one kind of time."""
    made = dict(known)
    for recipe in recipes:
        parts = [made[key] for key in recipe.of if key in made]
        if len(parts) == len(recipe.of) and _fits(recipe.rule, parts):
            made[recipe.key] = _changed(recipe, parts[0]) if recipe.rule == "derivative" else _combined(recipe, parts)
    return made


def _fits(rule: str, parts: Sequence[_Source]) -> bool:
    """True if the rule can combine these parts."""
    kinds = {(part.key.run, part.unit.panel, part.recorded.relative) for part in parts}
    wanted = {"derivative": len(parts) == 1, "difference": len(parts) == 2}.get(rule, len(parts) > 1)
    return wanted and len(kinds) == 1


def _combined(recipe: Derived, parts: Sequence[_Source]) -> _Source:
    first = parts[0].recorded
    sign = -1.0 if recipe.rule == "difference" else 1.0
    values = first.samples.values * parts[0].unit.factor
    for part in parts[1:]:
        values = values + sign * part.unit.factor * _values_at(part.recorded.samples, first.samples.end)
    quantities = {part.unit.quantity for part in parts}
    unit = replace(parts[0].unit, factor=1.0, quantity=" and ".join(sorted(quantities)))
    return _source(recipe, first, replace(first.samples, values=values), _name(recipe, parts), unit, parts)


def _changed(recipe: Derived, part: _Source) -> _Source:
    """The change from sample to sample, per minute."""
    samples, unit = part.recorded.samples, part.unit
    length = np.diff(samples.end)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = 60 * unit.factor * np.diff(samples.values) / length
    # The time of a change within a gap is unknown.
    change[(samples.span[1:] == 0) | (length <= 0)] = np.nan
    shown = replace(samples, end=samples.end[1:], span=np.maximum(samples.span[1:], 0), values=change)
    per_minute = CounterUnit(f"Change in {unit.quantity}", f"{unit.unit or '1'}/min")
    return _source(recipe, part.recorded, shown, f"Change in {_what(part.recorded.series)}", per_minute, (part,))


def _values_at(samples: Samples, at: FloatArray) -> FloatArray:
    """The values of a line at these times; NaN in its gaps and before and after it."""
    if np.array_equal(samples.end, at) or not samples.end.size:
        return samples.values if samples.end.size else np.full(at.size, np.nan)
    place = np.minimum(np.searchsorted(samples.end, at), samples.end.size - 1)
    covered = (at <= samples.end[-1]) & (at >= samples.end[place] - samples.span[place])
    return np.where(covered, np.interp(at, samples.end, samples.values), np.nan)


def _source(
    recipe: Derived, first: Recorded, samples: Samples, name: str, unit: CounterUnit, parts: Sequence[_Source]
) -> _Source:
    hosts = {part.recorded.series.host for part in parts}
    objects = {part.recorded.series.object for part in parts}
    host, kind = (some.pop() if len(some) == 1 else "" for some in (hosts, objects))
    series = Series(-1, recipe.key.path, host, kind, "", name)
    of = tuple(dict.fromkeys(key for part in parts for key in (part.of or (part.key,))))
    return _Source(Recorded(recipe.key, series, samples, first.relative), unit, of)


def _name(recipe: Derived, parts: Sequence[_Source]) -> str:
    """The name of the combination; common parts are stated once."""
    series = [part.recorded.series for part in parts]
    counters, hosts = [_what(some) for some in series], [some.host for some in series]
    sign = f" {_SIGNS[recipe.rule]} "
    if len(set(hosts)) == 1:
        return sign.join(counters)
    if len(set(counters)) == 1:
        return f"{counters[0]} {sign.join(hosts)}"
    return sign.join(f"{what} {host}" for what, host in zip(counters, hosts, strict=True))


def _what(series: Series) -> str:
    instance = series.instance
    return series.counter + (f" ({instance})" if instance and instance.casefold() != "_total" else "")
