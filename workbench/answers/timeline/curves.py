"""Curves of the timeline: counters with their samples, names, units and looks, as figure and table need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.looks import looks
from workbench.charts.figure import Dash, Look, Marker
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.recording import Recording, Series, SeriesKey, series_key
from workbench.study.series.catalogue import recorded
from workbench.study.series.chosen import Parts, chosen_parts
from workbench.study.series.vm_series import Samples
from workbench.words.metrics import CounterUnit, unit_of

# More curves than this cannot be separated, and nobody reads them.
MAX_CURVES = 32
# What the page shows before anything was chosen: I/O and CPU of so many machines of the first run.
DEFAULT_VMS = 3
_IOPS = frozenset((Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS))
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond", "cross")
_WIDTHS = (1.0, 0.6, 1.6)


@dataclass(frozen=True, eq=False)
class Curve:
    """A counter that is shown. `name` tells it from the others, `label` is its configuration."""

    key: SeriesKey
    name: str
    series: Series
    unit: CounterUnit
    figures: RunFigures
    label: str
    samples: Samples
    look: Look
    relative: bool = False


def curves(groups: Sequence[Group], keys: Sequence[SeriesKey]) -> tuple[Curve, ...]:
    """The first `MAX_CURVES` of these counters that the groups' runs have, excluded runs included: a run that went
    wrong is what a timeline is looked at for."""
    runs = {run.run.folder: (run, group.label) for group in groups for run in (*group.runs, *group.excluded)}
    present = [key for key in dict.fromkeys(keys) if key.run in runs]
    recorded_by_key = {
        key: series
        for folder in dict.fromkeys(key.run for key in present)
        for key, series in recorded(runs[folder][0].run, present).items()
    }
    shown = [recorded_by_key[key] for key in present if key in recorded_by_key][:MAX_CURVES]
    names = _names([(runs[series.key.run][0].run.name, series.series) for series in shown])
    labels = [runs[series.key.run][1] for series in shown]
    units = [unit_of(series.series) for series in shown]
    chosen_looks = _looks(
        groups,
        [(label, series.key.run, series.series.host) for series, label in zip(shown, labels, strict=True)],
        units,
    )
    return tuple(
        Curve(
            series.key, name, series.series, unit, runs[series.key.run][0], label, series.samples, look, series.relative
        )
        for series, name, label, unit, look in zip(shown, names, labels, units, chosen_looks, strict=True)
    )


def _looks(
    groups: Sequence[Group], sources: Sequence[tuple[str, str, str]], units: Sequence[CounterUnit]
) -> list[Look]:
    """Of each source (configuration, run, machine) the configuration's colour, as on every page. Several of one
    configuration differ in dash, width and marker: machines are alike in all panels, where a panel has each but
    once; else every counter is a variant of its own."""
    own = looks(groups)
    by_machine = _one_each(sources, units)
    variants: dict[str, dict[object, int]] = {}
    chosen = []
    for index, source in enumerate(sources):
        numbers = variants.setdefault(source[0], {})
        number = numbers.setdefault(source if by_machine else index, len(numbers))
        chosen.append(_variant(own[source[0]], number))
    return chosen


def _variant(look: Look, number: int) -> Look:
    """The configuration's own look for its first curve, others of the same colour for the next."""
    dash = _DASHES.index(look.dash) + number + number // len(_DASHES)
    marker = _MARKERS.index(look.marker) + number
    return replace(
        look,
        dash=_DASHES[dash % len(_DASHES)],
        marker=_MARKERS[marker % len(_MARKERS)],
        width=_WIDTHS[number % len(_WIDTHS)],
    )


def _one_each(names: Sequence[object], units: Sequence[CounterUnit]) -> bool:
    """Whether every panel has each of the names at most once."""
    return len(set(zip(names, (unit.panel for unit in units), strict=True))) == len(names)


def _names(shown: Sequence[tuple[str, Series]]) -> list[str]:
    """What is different says the name: the counter always, its instance where it has one, host and run where there
    are several."""
    hosts = len({series.host for _, series in shown}) > 1
    runs = len({run for run, _ in shown}) > 1
    objects = len({(series.counter, series.object) for _, series in shown}) > len({s.counter for _, s in shown})
    names = []
    for run, series in shown:
        instance = f" ({series.instance})" if series.instance and series.instance.casefold() != "_total" else ""
        what = f"{series.object} {series.counter}" if objects else series.counter
        parts = (what + instance, series.host if hosts else "", run if runs else "")
        names.append(" · ".join(part for part in parts if part))
    doubled = Counter(names)
    seen: Counter[str] = Counter()
    for index, name in enumerate(names):
        if doubled[name] > 1:
            seen[name] += 1
            names[index] = f"{name} [{seen[name]}]"
    return names


def default_keys(groups: Sequence[Group]) -> tuple[SeriesKey, ...]:
    """Storage I/O and CPU of the first machines of the first run that has any; where none has, the first counters of
    a file, one with I/O if there is any."""
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
