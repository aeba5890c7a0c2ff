"""Curves of the timeline: counters with their samples, names, units and looks, as figure and table need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.common.choices import Derived
from workbench.answers.timeline.derived import Source, derived, recorded_parts
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
_HUES, _THIN, _WIDE = 10, 0.8, 1.6
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond", "cross")


@dataclass(frozen=True, eq=False)
class Curve:
    """A counter that is shown. `name` tells it from the others, `label` is its configuration. `of` are the counters
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


def curves(groups: Sequence[Group], keys: Sequence[SeriesKey], recipes: Sequence[Derived] = ()) -> tuple[Curve, ...]:
    """The first `MAX_CURVES` of these counters that the groups' runs have, excluded runs included: a run that went
    wrong is what a timeline is looked at for. `recipes` say how keys without a counter are computed."""
    runs = {run.run.folder: (run, group.label) for group in groups for run in (*group.runs, *group.excluded)}
    present = [key for key in dict.fromkeys(keys) if key.run in runs]
    needed = recorded_parts(present, recipes)
    known = {
        key: Source(series, unit_of(series.series))
        for folder in dict.fromkeys(key.run for key in needed)
        for key, series in recorded(runs[folder][0].run, needed).items()
    }
    known |= derived(known, recipes)
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
            _look(number),
            source.recorded.relative,
            source.of,
        )
        for number, (source, name) in enumerate(zip(shown, names, strict=True))
    )


def _look(number: int) -> Look:
    """The look of the curve with this number: a colour for each, in fixed order. After the last colour the dashes
    change, and then the width. Markers tell the colours apart for those who do not see them."""
    more = number // _HUES
    return Look(
        f"curve {1 + number % _HUES}",
        dash=_DASHES[more % len(_DASHES)],
        marker=_MARKERS[number % len(_MARKERS)],
        width=_THIN if more < len(_DASHES) else _WIDE,
    )


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
