"""Where the numbers of the logon page come from: the lines of the load generator's files, or of events.csv.

Names are those of `vdiwb logons --format json`, those of a spread with the statistic behind them: `logon_s_mean`. Of
means and percentiles each file is one source, from the first line that counts to the last; the lowest, the highest and
the figures of one session have the one line that holds them. Files without lines (JSON, the files of a Login VSI
share) are named without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.answers.logons.app_starts import app_measurements, app_starts
from workbench.answers.logons.compute import LogonFigures, Spread, logon_figures
from workbench.answers.logons.session_logons import Outcome, SessionLogon
from workbench.answers.logons.vsimax import VsimaxFigures
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import UnknownFigureError, of_run
from workbench.model.run import Run
from workbench.model.session import EuxSummary, MeasurementKind, VsiSummary
from workbench.model.source import NO_PHASE, Explanation, SourceRows

STATISTICS = {"min": "low", "mean": "mean", "p50": "p50", "p95": "p95", "max": "high"}
_WORDS = {
    "min": "the lowest of",
    "mean": "mean over",
    "p50": "median (interpolated) of",
    "p95": "95th percentile (interpolated) of",
    "max": "the highest of",
}
_LOGON, _APP = "logon_s_", "app_start_s_"
_COUNTS = {
    "launched": "sessions of all outcomes",
    "stuck": "sessions that never logged on, failed, or have no recorded end though others have",
}
LOGON_FIGURES = (
    *(_LOGON + name for name in STATISTICS),
    *_COUNTS,
    "trend_s_per_100_logons",
    *(_APP + name for name in STATISTICS),
)


class _Place(NamedTuple):
    """A value with where it stands."""

    file: str
    line: int | None
    value: float
    whose: str = ""


def explain_logons(figures: RunFigures, figure: str, key: str = "") -> Explanation:
    """Where a figure of a run comes from; `key` is the application, or the place of a session in its order.

    Raises UnknownFigureError for a name that is no figure of the logon page.
    """
    run = figures.run
    found = logon_figures(run)
    if figure.startswith(_APP):
        return _app(run, key, figure)
    if found is None:
        return _explanation(run, figure, None, "", (), "No file of this run records logons.")
    if figure in ("logon_s", "apps_started_s", "session_end") and key.isdigit() and int(key) < len(found.logons):
        return _session(found, found.logons[int(key)], figure)
    if figure in _COUNTS:
        return _count(found, figure)
    if figure == "trend_s_per_100_logons":
        return _trend(found)
    if figure.startswith(_LOGON) and figure.removeprefix(_LOGON) in STATISTICS:
        words = f"logon times of the run: {found.rule}"
        return _spread(run, figure, figure.removeprefix(_LOGON), found.spread, _times(found.logons), words)
    raise UnknownFigureError(f"No figure of logons is called '{figure}'. There are: {', '.join(LOGON_FIGURES)}.")


def explain_logons_run(figures: RunFigures) -> Iterator[Explanation]:
    """Every figure that a run has, application by application, with what its analyzers say."""
    run = figures.run
    if logon_figures(run) is not None:
        yield from (explain_logons(figures, name) for name in LOGON_FIGURES if not name.startswith(_APP))
    for app in app_starts(run):
        yield from (_app(run, app.app, _APP + name) for name in STATISTICS)
    for summary in run.summaries:
        yield explain_analyzer(run, summary)
    for test in run.eux_summaries:
        yield from (explain_eux(run, test, name) for name in ("score", "vsimax") if getattr(test, name) is not None)


def explain_vsimax(run: Run, figures: VsimaxFigures, figure: str = "vsimax") -> Explanation:
    """Where VSImax (or the `baseline_ms`) by a model comes from: every response time of the load generator."""
    timers = [
        _Place(measurement.file, measurement.line, measurement.value)
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.TIMER
    ]
    known = getattr(figures, figure)
    value = None if known is None else float(known)
    what = "sessions active when its index passed the threshold" if figure == "vsimax" else "its baseline"
    formula = f"{figures.model.name}, {what}: {figures.model.about}"
    words = "response times of the timers"
    return _explanation(run, figure, value, formula, _by_file(timers, None, words), figures.why)


def explain_analyzer(run: Run, one: VsiSummary) -> Explanation:
    """Where the analyzer's own VSImax stands."""
    return _stated(run, "vsimax", one.vsimax, one.file, one.line, f"analyzer, test {one.test}")


def explain_eux(run: Run, one: EuxSummary, name: str) -> Explanation:
    """Where a field of a Login Enterprise test run stands, by its name there."""
    figure = {"score": "eux_score"}.get(name, name)
    return _stated(run, figure, getattr(one, name), one.file, one.line, f"Login Enterprise {one.test}".strip())


def _stated(run: Run, figure: str, value: float | None, file: str, line: int | None, words: str) -> Explanation:
    if value is None:
        return _explanation(run, figure, None, "as the tool states it", (), "Not stated.")
    sources = (_source(_Place(file, line, float(value)), float(value), words),)
    return _explanation(run, figure, float(value), "as the tool states it", sources)


def _session(found: LogonFigures, one: SessionLogon, figure: str) -> Explanation:
    length = None if one.session_end is None or one.begin is None else one.session_end - one.begin
    value = {"logon_s": one.logon_s, "apps_started_s": one.apps_s, "session_end": length}[figure]
    formula = {
        "logon_s": found.rule,
        "apps_started_s": "applications started − end of the logon",
        "session_end": "end of the session − end of its logon",
    }[figure]
    place = _Place(one.file, one.line, value or 0.0, one.name)
    sources = () if value is None else (_source(place, value, one.outcome.value),)
    return _explanation(found.run, figure, value, formula, sources)


def _count(found: LogonFigures, figure: str) -> Explanation:
    ends = found.counts.without_end is not None
    chosen = [logon for logon in found.logons if figure == "launched" or _is_stuck(logon, ends)]
    places = [_Place(logon.file, logon.line, 1.0, logon.name) for logon in chosen]
    sources = (
        _by_file(places, 1.0, "sessions")
        if figure == "launched"
        else tuple(_source(place, 1.0, logon.outcome.value) for place, logon in zip(places, chosen, strict=True))
    )
    return _explanation(found.run, figure, float(getattr(found.counts, figure)), _COUNTS[figure], sources)


def _is_stuck(one: SessionLogon, ends: bool) -> bool:
    return one.outcome is not Outcome.LOGGED_ON or (ends and one.session_end is None)


def _trend(found: LogonFigures) -> Explanation:
    slope = None if found.per_100_logons is None else found.per_100_logons.slope
    formula = "median of the slopes between all pairs of logons (Theil-Sen), in the order of their start, × 100"
    sources = _by_file(_times(found.logons), None, "logon times") if slope is not None else ()
    return _explanation(found.run, "trend_s_per_100_logons", slope, formula, sources)


def _app(run: Run, app: str, figure: str) -> Explanation:
    starts = next((starts for starts in app_starts(run) if starts.app == app), None)
    if starts is None:
        return _explanation(run, figure, None, "", (), f"No file of this run records the start of {app}.")
    places = [
        _Place(measurement.file, measurement.line, seconds) for measurement, seconds in app_measurements(run, app)
    ]
    figures = logon_figures(run)
    if not places and figures is not None:
        every = ((logon, logon.apps_s) for logon in figures.logons)
        places = [_Place(logon.file, logon.line, value, logon.name) for logon, value in every if value is not None]
    words = f"start times of {app}"
    return _spread(run, figure, figure.removeprefix(_APP), starts.spread, places, words)


def _spread(
    run: Run, figure: str, statistic: str, spread: Spread | None, places: Sequence[_Place], words: str
) -> Explanation:
    formula = f"{_WORDS[statistic]} the {words}"
    if spread is None or not places:
        return _explanation(run, figure, None, formula, (), "No session has a known time.")
    value = float(getattr(spread, STATISTICS[statistic]))
    if statistic in ("min", "max"):
        place = (min if statistic == "min" else max)(places, key=lambda one: one.value)
        return _explanation(run, figure, value, formula, (_source(place, place.value, words),))
    share = 1 / len(places) if statistic == "mean" else None
    return _explanation(run, figure, value, formula, _by_file(places, share, words))


def _times(logons: Iterable[SessionLogon]) -> list[_Place]:
    return [_Place(logon.file, logon.line, logon.logon_s, logon.name) for logon in logons if logon.logon_s is not None]


def _by_file(places: Iterable[_Place], share: float | None, words: str) -> tuple[SourceRows, ...]:
    """One source for each file; `share` of each value is its contribution, None where there is none."""
    files: dict[str, list[_Place]] = {}
    for place in places:
        files.setdefault(place.file, []).append(place)
    rows = []
    for file, some in files.items():
        lines = [place.line for place in some if place.line is not None]
        total = None if share is None else share * sum(place.value for place in some)
        first, last = (min(lines), max(lines)) if lines else (None, None)
        rows.append(SourceRows(file, "", None, "", None, None, first, last, len(some), 0, None, total, words))
    return tuple(rows)


def _source(place: _Place, value: float, words: str) -> SourceRows:
    return SourceRows(place.file, "", None, place.whose, None, None, place.line, place.line, 1, 0, None, value, words)


def _explanation(
    run: Run, figure: str, value: float | None, formula: str, sources: Sequence[SourceRows], note: str = ""
) -> Explanation:
    return of_run(run, NO_PHASE, figure, value, formula, sources, note)
