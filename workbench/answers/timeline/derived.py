"""Curves that are computed from others: sum, difference, and change per minute.

All values are in the shown unit. The times are those of the first part; another part has there the value of its line. A
sample that one of the parts lacks is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.common.choices import Derived
from workbench.charts.figure import FloatArray
from workbench.model.recording import Series, SeriesKey
from workbench.study.series.catalogue import Recorded
from workbench.study.series.vm_series import Samples
from workbench.words.metrics import CounterUnit
from workbench.words.numbers import MINUS

_SIGNS = {"sum": "+", "difference": MINUS}


@dataclass(frozen=True, eq=False)
class Source:
    """Samples with their unit, and the counters that they were computed from (empty: they were recorded)."""

    recorded: Recorded
    unit: CounterUnit
    of: tuple[SeriesKey, ...] = ()

    @property
    def key(self) -> SeriesKey:
        """The counter, or the computed curve."""
        return self.recorded.key


def recorded_parts(keys: Sequence[SeriesKey], recipes: Sequence[Derived]) -> tuple[SeriesKey, ...]:
    """The counters to read for these curves."""
    needed = dict.fromkeys(keys)
    # A recipe reads only curves before it, so the last one comes first here.
    for recipe in reversed(recipes):
        if recipe.key in needed:
            needed |= dict.fromkeys(part for part in recipe.of if part.run == recipe.key.run)
    return tuple(needed)


def derived(known: Mapping[SeriesKey, Source], recipes: Sequence[Derived]) -> dict[SeriesKey, Source]:
    """The curves of those recipes whose parts are known and fit together: one run, one unit, one kind of time."""
    made = dict(known)
    for recipe in recipes:
        parts = [made[key] for key in recipe.of if key in made]
        if len(parts) == len(recipe.of) and fits(recipe.rule, parts):
            made[recipe.key] = _changed(recipe, parts[0]) if recipe.rule == "derivative" else _combined(recipe, parts)
    return made


def fits(rule: str, parts: Sequence[Source]) -> bool:
    """True if the rule can combine these parts."""
    kinds = {(part.key.run, part.unit.panel, part.recorded.relative) for part in parts}
    wanted = {"derivative": len(parts) == 1, "difference": len(parts) == 2}.get(rule, len(parts) > 1)
    return wanted and len(kinds) == 1


def _combined(recipe: Derived, parts: Sequence[Source]) -> Source:
    first = parts[0].recorded
    sign = -1.0 if recipe.rule == "difference" else 1.0
    values = first.samples.values * parts[0].unit.factor
    for part in parts[1:]:
        values = values + sign * part.unit.factor * _values_at(part.recorded.samples, first.samples.end)
    quantities = {part.unit.quantity for part in parts}
    unit = replace(parts[0].unit, factor=1.0, quantity=" and ".join(sorted(quantities)))
    return _source(recipe, first, replace(first.samples, values=values), _name(recipe, parts), unit, parts)


def _changed(recipe: Derived, part: Source) -> Source:
    """The change from sample to sample, per minute."""
    samples, unit = part.recorded.samples, part.unit
    length = np.diff(samples.end)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = 60 * unit.factor * np.diff(samples.values) / length
    # Across a gap nobody knows when it changed.
    change[(samples.span[1:] == 0) | (length <= 0)] = np.nan
    shown = replace(samples, end=samples.end[1:], span=np.maximum(samples.span[1:], 0), values=change)
    per_minute = CounterUnit(f"Change of {unit.quantity}", f"{unit.unit or '1'}/min")
    return _source(recipe, part.recorded, shown, f"Change of {_what(part.recorded.series)}", per_minute, (part,))


def _values_at(samples: Samples, at: FloatArray) -> FloatArray:
    """The values of a line at these times; NaN in its gaps and before and after it."""
    if np.array_equal(samples.end, at) or not samples.end.size:
        return samples.values if samples.end.size else np.full(at.size, np.nan)
    place = np.minimum(np.searchsorted(samples.end, at), samples.end.size - 1)
    covered = (at <= samples.end[-1]) & (at >= samples.end[place] - samples.span[place])
    return np.where(covered, np.interp(at, samples.end, samples.values), np.nan)


def _source(
    recipe: Derived, first: Recorded, samples: Samples, name: str, unit: CounterUnit, parts: Sequence[Source]
) -> Source:
    hosts = {part.recorded.series.host for part in parts}
    objects = {part.recorded.series.object for part in parts}
    host, kind = (some.pop() if len(some) == 1 else "" for some in (hosts, objects))
    series = Series(-1, recipe.key.path, host, kind, "", name)
    of = tuple(dict.fromkeys(key for part in parts for key in (part.of or (part.key,))))
    return Source(Recorded(recipe.key, series, samples, first.relative), unit, of)


def _name(recipe: Derived, parts: Sequence[Source]) -> str:
    """What was combined, with what is equal said once."""
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
