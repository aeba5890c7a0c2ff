"""What a reader must know of the runs of a series, and what else changed among them."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.trend.parted import silent_notes
from workbench.answers.trend.points import Series, date_notes
from workbench.model.history import HistoryPoint
from workbench.words.lists import first_named

# So many runs are named in a note.
_NAMED = 3


def beside_of(points: Sequence[HistoryPoint]) -> tuple[str, ...]:
    """What else changed among the runs that the step may lie between: another explanation."""
    names = dict.fromkeys(name for point in points for name, _ in point.circumstances)
    messages = [_changed(name, points) for name in names]
    methods = list(dict.fromkeys(point.method for point in points))
    if len(methods) > 1:
        messages.append(f"the figures were worked out by other versions of the method ({methods[0]} and {methods[-1]})")
    return tuple(filter(None, messages))


def _changed(name: str, points: Sequence[HistoryPoint]) -> str:
    """How a circumstance changes over the runs, or from where on it is stated; empty where it stays."""
    values = [dict(point.circumstances).get(name) for point in points]
    stated = list(dict.fromkeys(value for value in values if value))
    if len(stated) > 1:
        return f"the {name} changed from {stated[0]} to {stated[-1]}"
    if not values[0] and values[-1]:
        point = next(point for point, value in zip(points, values, strict=True) if value)
        build = f"build {point.build}" if point.build else f"the run {point.run}"
        return f"the {name} is stated from {build} on only, as {stated[0]}"
    return ""


def notes_of(series: Series) -> tuple[str, ...]:
    """What a reader must know of the runs."""
    bounds, count = len(series.partial), len(series.every)
    undated = sum(point.date is None for point in series.every)
    unnamed = sum(point.build is None for point in series.every)
    notes = [f"{bounds} of {count} runs are lower bounds, and the test leaves them out"] if bounds else []
    notes += [f"{undated} of {count} runs have no date and stand first"] if undated else []
    notes += [f"{unnamed} of {count} runs name no build"] if unnamed else []
    notes += _session_notes(series)
    methods = list(dict.fromkeys(point.method for point in series.points))
    if len(methods) > 1:
        names = " and ".join(str(method) for method in methods)
        notes.append(f"the figures are of different versions of the method ({names})")
    return (*notes, *date_notes(series), *_kept_notes(series), *silent_notes(series), *filter(None, (series.split,)))


def _session_notes(series: Series) -> list[str]:
    """That several runs count once, and where a step could not be seen."""
    starts, count = series.starts, len(series.points)
    builds = [{point.build for point in series.session_at(start)} for start in starts]
    several = sum(len(names) > 1 for names in builds)
    one = len(starts) == 1
    made = f"{len(starts)} session{', which counts once' if one else 's, which count once each'}"
    notes = [f"{count} runs were made in {made}"] * (len(starts) < count)
    text = f"{several} of {len(starts)} sessions hold several builds: a step within a session is not seen"
    return [*notes, *([text] if several else [])]


def _kept_notes(series: Series) -> list[str]:
    """Which runs the history folder alone has, and which of them an open study of their name does not have."""
    if not (kept := series.kept):
        return []
    names, count = first_named([point.run for point in kept], _NAMED), len(kept)
    notes = [
        f"{count} of {len(series.every)} runs {'is' if count == 1 else 'are'} from the history folder alone: {names}"
    ]
    missing = {
        study: [point.run for point in kept if point.study == study]
        for study in dict.fromkeys(point.study for point in series.every if point.folder)
    }
    texts = {study: first_named(runs, _NAMED) for study, runs in missing.items() if runs}
    return [*notes, *(f"the open study {study} does not have {runs}" for study, runs in texts.items())]
