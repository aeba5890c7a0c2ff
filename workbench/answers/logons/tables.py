"""The tables of the logon page: statistics, sessions, application starts, and the analyzers' values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from workbench.answers.common.change_words import change_text
from workbench.answers.common.document import iso
from workbench.answers.common.sources import known_source
from workbench.answers.logons.app_starts import AppStarts, GroupAppStarts, group_app_starts
from workbench.answers.logons.compute import (
    STATISTICS,
    GroupLogons,
    LogonFigures,
    LogonSlope,
    baseline_logons,
    change_of,
)
from workbench.answers.logons.sentences import count_words, trend_words
from workbench.answers.logons.session_logons import SessionLogon
from workbench.answers.logons.sources import explain_analyzer, explain_eux, explain_vsimax, logon_source
from workbench.answers.logons.steps import GroupStep
from workbench.answers.logons.vsimax import RunVsimax
from workbench.answers.logons.vsimax_figure import GroupVsimax
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, RowField, TableData, number_field, table_of, text_field
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.statistics import Change, change
from workbench.model.problem import few_named
from workbench.model.run import Run
from workbench.words.captions import MOST_IN_FOOTER, captioned, named, short_lines
from workbench.words.numbers import MISSING, fixed, moment, number, plural

LOGON_TIMES, SESSIONS, APPLICATIONS, LIMITS = ("Logon times", "Sessions", "Application starts", "VSImax and EUX")
STEPS = "Logon and logoff steps"
# More rows than this are only written to files, not shown on screen.
MOST_SESSIONS = 20_000
# Maximum number of notes of runs in the method.
_NOTES = 4


def _spread_fields(count: str, figure: str = "", unit: str = "s") -> tuple[RowField[Any], ...]:
    """The number of values under this title, and each statistic of them; `figure` begins the names of the sources."""

    def statistic(name: str, title: str) -> RowField[GroupLogons | GroupAppStarts | GroupStep]:
        field, source = STATISTICS[name].field, f"{figure}_{name}" if figure else ""
        return number_field(title, lambda row: row.spread and getattr(row.spread, field), name, unit, figure=source)

    titles = zip(STATISTICS, ("Min", "Mean", "p50", "p95", "Max"), strict=True)
    counts: RowField[Any] = number_field(count, lambda row: row.spread.n if row.spread else 0, "n", "n", text=str)
    return counts, *(statistic(name, title) for name, title in titles)


def logons_table(found: Sequence[GroupLogons], look: dict[str, Look], per_run: bool = False) -> TableData:
    """A row per configuration (or per run): sessions, distribution of the logon times, change, trend."""
    base, trend = baseline_logons(found), "trend_s_per_100_logons"
    stuck = "Sessions that never logged on, failed, or have no recorded end"
    compared = "Mean logon time: change from the baseline"
    slope = "Theil-Sen slope with its 95 % interval. For several runs: mean and range of their slopes"
    counts = partial(number_field, unit="sessions", text=str)
    fields: tuple[RowField[GroupLogons], ...] = (
        text_field("Configuration", lambda row: row.group.label),
        text_field("Run", lambda row: row.runs[0].run.name)
        if per_run
        else number_field("Runs", lambda row: len(row.runs), text=str),
        counts("Launched", lambda row: row.counts and row.counts.launched, figure="launched"),
        counts("Stuck", lambda row: row.counts and row.counts.stuck, figure="stuck", tip=stuck),
        *_spread_fields("Logons", "logon_s"),
        text_field("Vs. baseline", lambda row: Cell(MISSING) if per_run else _change(base, row), tip=compared),
        text_field(
            "Trend", lambda row: _trend(row.trends, _source(row, trend)), unit="s per 100 logons", tip=slope, fills=True
        ),
    )
    rows = [replace(logons, runs=(run,)) for logons in found for run in logons.runs] if per_run else found
    legend, method = _legend(found)
    known = (row for row in rows if row.runs)
    return table_of(fields, known, _source, partial(_look, look), legend=legend, name=LOGON_TIMES, method=method)


def _look(look: dict[str, Look], row: GroupLogons | GroupAppStarts | GroupStep) -> Look:
    return look[row.group.label]


class SessionRow(NamedTuple):
    """A session of a run, with its place in it."""

    label: str
    run: Run
    place: int
    logon: SessionLogon

    def time(self, at: float | None) -> float | None:
        """The moment, None if the times of the session have no date."""
        return None if self.logon.relative else at


_LENGTH = "Time from the end of the logon to the end of the session"
SESSION: tuple[RowField[SessionRow], ...] = (
    text_field("Configuration", lambda row: row.label, "configuration"),
    text_field("Run", lambda row: row.run.name, "run"),
    text_field("User", lambda row: row.logon.user, "user"),
    text_field("Machine", lambda row: row.logon.vm, "vm"),
    RowField(
        "logon_start", lambda row: row.time(row.logon.start), Column("Logon started", "UTC", numeric=False), moment, iso
    ),
    number_field("Logon", lambda row: row.logon.logon_s, "logon_s", "s", figure="logon_s"),
    number_field(
        "Apps started", lambda row: row.logon.apps_s, "apps_started_s", "s after logon", figure="apps_started_s"
    ),
    RowField("session_end", lambda row: row.time(row.logon.session_end), written=iso),
    number_field("Session", lambda row: row.logon.length_s, unit="s", tip=_LENGTH, figure="session_end"),
    text_field("Outcome", lambda row: row.logon.outcome.value, "outcome"),
    text_field("Outcome reported by tool", lambda row: row.logon.state, "state"),
)


def session_list(found: Sequence[GroupLogons]) -> list[SessionRow]:
    """The sessions of these configurations, in the order of their start."""
    return [
        SessionRow(logons.group.label, run.run, place, logon)
        for logons in found
        for run in logons.runs
        for place, logon in enumerate(run.logons)
    ]


def sessions_table(found: Sequence[GroupLogons], look: dict[str, Look]) -> TableData:
    """A row per session, in the order of their start."""
    every = session_list(found)

    def source(row: SessionRow, figure: str) -> FigureSource | None:
        return logon_source([row.run.folder], figure, str(row.place))

    cut = (
        f"First {fixed(MOST_SESSIONS, 0)} of {fixed(len(every), 0)} sessions; export for all"
        if len(every) > MOST_SESSIONS
        else ""
    )
    return table_of(SESSION, every[:MOST_SESSIONS], source, lambda row: look[row.label], legend=cut, name=SESSIONS)


def apps_table(found: Sequence[Sequence[GroupAppStarts]], look: dict[str, Look]) -> TableData:
    """A row per configuration and application."""
    base = baseline_of(apps[0].group for apps in found if apps)
    means = {app.app: app.means for app in (group_app_starts(base) if base is not None else ())}
    slope = "Theil-Sen slope of the start time over the number of active sessions"

    def against(row: GroupAppStarts) -> Cell:
        ours = row.group is base
        return _change_cell(None if ours else change(means.get(row.app, []), row.means), ours)

    fields: tuple[RowField[GroupAppStarts], ...] = (
        text_field("Configuration", lambda row: row.group.label),
        text_field("Application", lambda row: row.app),
        number_field("Runs", lambda row: len(row.runs), text=str),
        *_spread_fields("Starts", "app_start_s"),
        text_field("Vs. baseline", against),
        text_field("Trend", lambda row: _trend(row.trends), unit="s per 100 sessions", tip=slope, fills=True),
    )
    rows = [app for apps in found for app in apps]
    assumed = any(run.unit_assumed for app in rows for run in app.runs)
    legend = "Start times are in milliseconds (assumed). Check them" if assumed else ""
    return table_of(fields, rows, _source, partial(_look, look), legend=legend, name=APPLICATIONS)


STEP: tuple[RowField[GroupStep], ...] = (
    text_field("Configuration", lambda row: row.group.label),
    text_field("Logon or logoff", lambda row: row.of.value, "of"),
    text_field("Step", lambda row: row.label, "step"),
    RowField("unit", lambda row: row.unit),
    RowField("unit_assumed", lambda row: row.unit_assumed),
    *_spread_fields("Sessions", unit=""),
    text_field("Unit", lambda row: Cell(f"{row.unit} (assumed)" if row.unit_assumed else row.unit, row.unit)),
)


def steps_table(found: Sequence[Sequence[GroupStep]], look: dict[str, Look]) -> TableData:
    """A row per configuration and step of its logons and logoffs, over all of its sessions."""
    rows = [step for steps in found for step in steps]
    legend = "All sessions. The steps overlap, so their times do not add up" if rows else ""
    return table_of(STEP, rows, look=partial(_look, look), legend=legend, name=STEPS)


class _Limit(NamedTuple):
    """The limit of a run, from this program or from an analyzer."""

    group: Group
    run: RunVsimax
    says: Cell
    vsimax: Cell
    sessions: int | None
    more: Cell
    baseline_ms: float | None = None
    threshold_ms: float | None = None
    score: Cell | None = None


_LIMIT: tuple[RowField[_Limit], ...] = (
    text_field("Configuration", lambda row: row.group.label),
    text_field("Run", lambda row: Cell(row.run.run.name, row.run.run.name)),
    text_field("Calculated by", lambda row: row.says, fills=True),
    number_field("VSImax", lambda row: row.vsimax, unit="sessions"),
    number_field("Baseline", lambda row: row.baseline_ms, unit="ms"),
    number_field("Threshold", lambda row: row.threshold_ms, unit="ms"),
    number_field("EUX", lambda row: row.score, unit="of 10"),
    number_field("Sessions", lambda row: _count(row.sessions), tip="Highest number of active or launched sessions"),
    text_field("More", lambda row: row.more, fills=True),
)


def limits_table(found: Sequence[GroupVsimax], look: dict[str, Look]) -> TableData:
    """VSImax by the model and each analyzer's own values, row by row."""
    rows = [row for vsimax in found for run in vsimax.runs for row in _limits(vsimax.group, run)]
    method = (
        "VSImax is not corrected for stuck sessions",
        "VSImax is comparable with the uncorrected VSImax of Login VSI Analyzer",
        "Login Enterprise baselines are EUX scores, not response times",
    )
    return table_of(_LIMIT, rows, look=lambda row: look[row.group.label], name=LIMITS, method=method)


def _limits(group: Group, run: RunVsimax) -> Iterator[_Limit]:
    figures = run.figures
    if figures is not None:
        more = figures.why + (f" {figures.incomplete} loops lack a timer." if figures.incomplete else "")
        yield _Limit(
            group,
            run,
            Cell(f"{figures.model.name} (VDI Workbench)", figures.model.name),
            _count(figures.vsimax, known_source(explain_vsimax(run.run, figures))),
            figures.most_active,
            Cell(more, more),
            figures.baseline_ms,
            figures.threshold_ms,
        )
    for summary in run.summaries:
        said = (
            ("uncorrected VSImax {}", summary.uncorrected),
            ("dynamic VSImax {}", summary.vsimax_dynamic),
            ("{} active sessions", summary.active),
        )
        more = ", ".join(words.format(count_words(value)) for words, value in said if value is not None)
        more = f"{summary.test}: {more}" if more else summary.test
        source = known_source(explain_analyzer(run.run, summary))
        says = Cell("Login VSI Analyzer", "Login VSI Analyzer")
        told = Cell(more or MISSING, more or None)
        yield _Limit(group, run, says, _whole(summary.vsimax, source), summary.launched, told, summary.baseline_ms)
    for test in run.eux_summaries:
        words = [
            f"steady {number(test.steady_score)}" if test.steady_score is not None else "",
            f"baseline score {number(test.baseline)}" if test.baseline is not None else "",
            f"logins {test.logins_ok} of {test.logins}" if test.logins is not None else "",
            f"apps {test.apps_ok} of {test.apps}" if test.apps is not None else "",
            test.comment,
        ]
        more = ", ".join(word for word in words if word)
        yield _Limit(
            group,
            run,
            Cell("Login Enterprise", "Login Enterprise"),
            _count(test.vsimax, known_source(explain_eux(run.run, test, "vsimax"))),
            test.active_sessions,
            Cell(more or MISSING, more or None),
            score=_number(test.score, known_source(explain_eux(run.run, test, "score"))),
        )


def _change(base: GroupLogons | None, one: GroupLogons) -> Cell:
    if base is None or base is one:
        return _change_cell(None, base is one)
    return _change_cell(change_of(base, one), False)


def _change_cell(found: Change | None, baseline: bool) -> Cell:
    if baseline:
        return Cell("baseline", 0.0)
    return Cell(change_text(found, "s", None), None if found is None else found.percent)


def _trend(found: Sequence[LogonSlope | None], source: FigureSource | None = None) -> Cell:
    known = [trend for trend in found if trend is not None]
    if not known:
        return Cell(MISSING)
    return Cell(trend_words(known), sum(trend.slope for trend in known) / len(known), source=source)


def _source(row: GroupLogons | GroupAppStarts, figure: str) -> FigureSource | None:
    """The runs behind a value; for the lowest and the highest, the run that has it."""
    runs: Sequence[LogonFigures | AppStarts] = row.runs
    if (shown := STATISTICS.get(figure.rpartition("_")[2])) is not None:
        runs = [run for run in runs if run.spread is not None]
        if shown.field in ("low", "high"):
            runs = [(min if shown.field == "low" else max)(runs, key=lambda run: getattr(run.spread, shown.field))]
    key = row.app if isinstance(row, GroupAppStarts) else ""
    return logon_source([run.run.folder for run in runs], figure, key)


def _legend(found: Sequence[GroupLogons]) -> tuple[str, tuple[str, ...]]:
    """The line under the table with the excluded runs, and the method with the notes of the runs."""
    notes = dict.fromkeys(note for logons in found for run in logons.runs for note in _named(run.run.name, run.notes))
    excluded = excluded_words([logons.group for logons in found])
    count = f"{plural(len(excluded), 'run')} excluded" if excluded else ""
    if (base := baseline_logons(found)) is not None:
        apart = [logons.group.label for logons in found if logons.means and base.means and logons.rules != base.rules]
        rules = (
            f"{few_named([*map(named, apart)])}: logon times are not compared, "
            f"because they are measured differently from {named(base.group.label)}"
            if apart
            else ""
        )
        notes = dict.fromkeys(filter(None, (rules, *notes)))
    more = f"{len(notes) - _NOTES} more notes" if len(notes) > _NOTES else ""
    told = (line for text in (*list(notes)[:_NOTES], more, *excluded) for line in short_lines(text))
    return captioned(
        (count,),
        (*told, "Min and max are from all sessions", "All columns except Min and Max are means over the runs"),
        MOST_IN_FOOTER,
    )


def _named(run: str, notes: Sequence[str]) -> list[str]:
    # Notes on every run of a source are not repeated for each run.
    return [note if note.startswith("No session") else f"{run}: {note}" for note in notes]


def excluded_words(groups: Sequence[Group]) -> list[str]:
    """Each excluded run with its reason."""
    return [
        f"Excluded: {out.run.name} ({out.run.excluded or 'excluded by you'})"
        for group in groups
        for out in group.excluded
    ]


def _whole(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(MISSING if value is None else count_words(value), value, source=source)


def _number(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(number(value), value, source=None if value is None else source)


def _count(value: int | None, source: FigureSource | None = None) -> Cell:
    return Cell(MISSING if value is None else str(value), value, source=None if value is None else source)
