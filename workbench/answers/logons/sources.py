"""The sources of the numbers of the logon page: the lines of the load generator's files, or of events.csv.

Names are those of `vdiwb logons --format json`; those of a distribution end with the statistic: `logon_s_mean`. The
rule in `compute` decides which values a number uses. For means and percentiles each file is one source, from the first
line that counts to the last. The lowest, the highest and the values of one session have the one line that contains
them. Files without lines (JSON, the files of a Login VSI share) have no line numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from workbench.answers.logons.app_starts import app_starts
from workbench.answers.logons.compute import FEWEST_FOR_TREND, STATISTICS, FloatArray, LogonFigures, logon_figures
from workbench.answers.logons.session_logons import SessionLogon
from workbench.answers.logons.vsimax import VsimaxFigures
from workbench.charts.figure import FigureSource
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import UnknownFigureError, of_run
from workbench.model.run import Run
from workbench.model.session import EuxSummary, Measurement, VsiSummary
from workbench.model.source import Explanation, SourceRows, stated_source

_LOGON, _APP, _TREND = "logon_s_", "app_start_s_", "trend_s_per_100_logons"
_COUNTS = {
    "launched": "number of all sessions, with any outcome",
    "stuck": "number of sessions that never logged on, failed, or have no recorded end. "
    "Sessions without a recorded end are included only if at least half of the logged-on sessions have a recorded end",
}
# The values of one session: the formula (empty: the rule of the run) and the value.
_SESSION: dict[str, tuple[str, Callable[[SessionLogon], float | None]]] = {
    "logon_s": ("", lambda logon: logon.logon_s),
    "apps_started_s": ("applications started − end of the logon", lambda logon: logon.apps_s),
    "session_end": ("end of the session − end of its logon", lambda logon: logon.length_s),
}
LOGON_FIGURES = (*(_LOGON + name for name in STATISTICS), *_COUNTS, _TREND, *(_APP + name for name in STATISTICS))
Records = Sequence[Measurement | SessionLogon]


def explain_logons(figures: RunFigures, figure: str, key: str = "") -> Explanation:
    """The source of a run's value; `key` is the application, or the position of a session.

    Raises UnknownFigureError for a name that does not belong to the logon page.
    """
    run = figures.run
    if figure.startswith(_APP) and figure in LOGON_FIGURES:
        starts = next((starts for starts in app_starts(run) if starts.app == key), None)
        if starts is None:
            return of_run(run, figure, None, "", note=f"No file of this run records the start of {key}.")
        return _spread(run, figure, figure.removeprefix(_APP), starts.seconds, starts.records, "start", key)
    found = logon_figures(run, trends=figure == _TREND)
    if found is None:
        return of_run(run, figure, None, "", note="No file of this run records logons.")
    if figure in _SESSION and key.isdigit() and int(key) < len(found.logons):
        return _session(found, found.logons[int(key)], figure)
    return _of_run(found, figure)


def explain_logons_run(figures: RunFigures) -> Iterator[Explanation]:
    """Every value of a run, by application, and the values of its analyzers."""
    run = figures.run
    if (found := logon_figures(run)) is not None:
        yield from (_of_run(found, name) for name in LOGON_FIGURES if not name.startswith(_APP))
    for app in app_starts(run):
        yield from (_spread(run, _APP + name, name, app.seconds, app.records, "start", app.app) for name in STATISTICS)
    for summary in run.summaries:
        yield explain_analyzer(run, summary)
    for test in run.eux_summaries:
        yield from (explain_eux(run, test, name) for name in ("score", "vsimax") if getattr(test, name) is not None)


def explain_vsimax(run: Run, figures: VsimaxFigures, figure: str = "vsimax") -> Explanation:
    """The source of VSImax (or of the `baseline_ms`) by a model: the response times it was computed from."""
    known = getattr(figures, figure)
    value = None if known is None else float(known)
    what = (
        "number of active sessions when the VSI index first exceeds the threshold"
        if figure == "vsimax"
        else "baseline response time"
    )
    formula = f"{what} ({figures.model.name}). {figures.model.about}"
    times = np.array([timer.value for timer in figures.timers])
    sources = _by_file(figures.timers, times, None, "response times of the timers")
    return of_run(run, figure, value, formula, sources, figures.why)


def explain_analyzer(run: Run, one: VsiSummary) -> Explanation:
    """The source of the analyzer's own VSImax."""
    return _stated(run, "vsimax", one.vsimax, one, f"Login VSI Analyzer, test '{one.test}'")


def explain_eux(run: Run, one: EuxSummary, name: str) -> Explanation:
    """The source of a field of a Login Enterprise test run, by its name there."""
    figure = {"score": "eux_score"}.get(name, name)
    return _stated(run, figure, getattr(one, name), one, f"Login Enterprise {one.test}".strip())


def _stated(run: Run, figure: str, value: float | None, one: VsiSummary | EuxSummary, words: str) -> Explanation:
    if value is None:
        return of_run(run, figure, None, "as reported by the tool", note="The tool did not report this value.")
    source = stated_source(one.file, one.line, float(value), words)
    return of_run(run, figure, float(value), "as reported by the tool", (source,))


def _of_run(found: LogonFigures, figure: str) -> Explanation:
    run, timed = found.run, found.timed
    if figure in _COUNTS:
        return _count(found, figure)
    if figure == _TREND:
        slope = None if found.per_100_logons is None else found.per_100_logons.slope
        formula = (
            "100 × median slope of the logon time over the logon number (Theil-Sen, all pairs of logons). "
            "Logons are numbered by start time"
        )
        used = found.in_trend if slope is not None else ()
        few = (
            f"Not available: a trend needs {FEWEST_FOR_TREND} or more logons." if len(timed) < FEWEST_FOR_TREND else ""
        )
        return of_run(run, figure, slope, formula, _by_file(used, _times(used), None, "logon times"), few)
    statistic = figure.removeprefix(_LOGON)
    if figure == statistic or statistic not in STATISTICS:
        raise UnknownFigureError(f"There is no logon value '{figure}'. Valid names: {', '.join(LOGON_FIGURES)}.")
    return _spread(run, figure, statistic, _times(timed), timed, "logon", f"the run ({found.rule})")


def _session(found: LogonFigures, one: SessionLogon, figure: str) -> Explanation:
    formula, rule = _SESSION[figure]
    value = rule(one)
    sources = (
        ()
        if value is None
        else (stated_source(one.file, one.line, value, f"session outcome: {one.outcome.value}", vm=one.name),)
    )
    return of_run(found.run, figure, value, formula or found.rule, sources)


def _count(found: LogonFigures, figure: str) -> Explanation:
    count = getattr(found.counts, figure)
    if figure == "launched":
        sources = _by_file(found.logons, np.ones(len(found.logons)), 1.0, "sessions")
    else:
        stuck = (
            (logon.file, logon.line, 1.0, f"session outcome: {logon.outcome.value}", "", logon.name)
            for logon in found.stuck
        )
        sources = tuple(stated_source(*place) for place in stuck)
    return of_run(found.run, figure, None if count is None else float(count), _COUNTS[figure], sources)


def _spread(
    run: Run, figure: str, name: str, values: FloatArray, records: Records, what: str, whole: str
) -> Explanation:
    """The source of a statistic of `what` times (such as `logon`) of `whole`."""
    statistic, words = STATISTICS[name], f"{what} times of {whole}"
    formula = f"{statistic.words} {what} time of {whole}"
    if not values.size:
        return of_run(run, figure, None, formula, note="No logon times were recorded. Add logon_end to events.csv.")
    taken = statistic.rule(values)
    if taken.place is None:
        return of_run(run, figure, taken.value, formula, _by_file(records, values, taken.weight, words))
    one = records[taken.place]
    whose = one.name if isinstance(one, SessionLogon) else ""
    return of_run(run, figure, taken.value, formula, (stated_source(one.file, one.line, taken.value, words, vm=whose),))


def _times(logons: Sequence[SessionLogon]) -> FloatArray:
    return np.array([logon.logon_s for logon in logons], dtype=np.float64)


def _by_file(records: Records, values: FloatArray, weight: float | None, words: str) -> tuple[SourceRows, ...]:
    """One source for each file; `weight` of each value is its contribution, None if there is none."""
    files: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        files.setdefault(record.file, []).append(place)
    rows = []
    for file, places in files.items():
        lines = [line for place in places if (line := records[place].line) is not None]
        total = None if weight is None else weight * sum(values[places].tolist())
        first, last = (min(lines), max(lines)) if lines else (None, None)
        rows.append(SourceRows(file, "", None, "", None, None, first, last, len(places), 0, None, total, words))
    return tuple(rows)


LOGONS = "logons"


def logon_source(folders: Sequence[str], figure: str, key: str = "") -> FigureSource | None:
    """The source of a value of the logon page over these runs; `key` is the application, or the position of the
    session."""
    return FigureSource(tuple(folders), "", figure, vm=key, answer=LOGONS) if folders else None
