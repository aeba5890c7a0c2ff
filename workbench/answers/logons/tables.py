"""The tables of the logon page: statistics, sessions, application starts, and the analyzers' values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.answers.common.change_words import change_text
from workbench.answers.common.document import iso
from workbench.answers.common.sources import known_source
from workbench.answers.logons.app_starts import AppStarts, GroupAppStarts, group_app_starts
from workbench.answers.logons.compute import (
    STATISTICS,
    GroupLogons,
    LogonFigures,
    LogonSlope,
    Spread,
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
from workbench.charts.tables import Cell, Column, RowField, TableData, table_of
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.statistics import Change, change
from workbench.model.run import Run
from workbench.words.captions import MOST_IN_FOOTER, captioned, short_lines
from workbench.words.numbers import MISSING, fixed, listed, moment, number

LOGON_TIMES, SESSIONS, APPLICATIONS, LIMITS = ("Logon times", "Sessions", "Application starts", "VSImax and EUX")
STEPS = "Steps of logons and logoffs"
# More rows than this are only written to files, not shown on screen.
MOST_SESSIONS = 20_000
# Maximum number of notes of runs in the method.
_NOTES = 4
_SPREAD = (Column("Min", "s"), Column("Mean", "s"), Column("p50", "s"), Column("p95", "s"), Column("Max", "s"))


def logons_table(found: Sequence[GroupLogons], look: dict[str, Look], per_run: bool = False) -> TableData:
    """A row per configuration (or per run): sessions, distribution of the logon times, change, trend."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Run", numeric=False) if per_run else Column("Runs"),
        Column("Launched", "sessions"),
        Column("Stuck", "sessions", tip="Sessions that never logged on, failed, or have no end"),
        Column("Logons", "n"),
        *_SPREAD,
        Column("Vs. baseline", numeric=False, tip="Mean logon time compared with the baseline"),
        Column("Trend", numeric=False, tip="Theil-Sen slope with its 95 % interval; of several runs mean and range"),
    )
    base = baseline_logons(found)
    rows: list[tuple[Cell, ...]] = []
    for logons in found:
        if not logons.runs:
            continue
        name = Cell(logons.group.label, logons.group.label, look=look[logons.group.label])
        if per_run:
            rows += [
                (
                    name,
                    Cell(run.run.name, run.run.name),
                    _count(run.counts.launched, _source([run], "launched")),
                    _count(run.counts.stuck, _source([run], "stuck")),
                    *_spread(run.spread, [run]),
                    Cell(MISSING),
                    _trend([run.per_100_logons], "s per 100 logons", _source([run], "trend_s_per_100_logons")),
                )
                for run in logons.runs
            ]
            continue
        counts = logons.counts
        rows.append(
            (
                name,
                _count(len(logons.runs)),
                _count(counts.launched if counts else None, _source(logons.runs, "launched")),
                _count(counts.stuck if counts else None, _source(logons.runs, "stuck")),
                *_spread(logons.spread, logons.runs),
                _change(base, logons),
                _trend(logons.trends, "s per 100 logons", _source(logons.runs, "trend_s_per_100_logons")),
            )
        )
    legend, method = _legend(found)
    return TableData(columns, tuple(rows), legend, LOGON_TIMES, method=method)


class SessionRow(NamedTuple):
    """A session of a run, with its place in it."""

    label: str
    run: Run
    place: int
    logon: SessionLogon

    def time(self, at: float | None) -> float | None:
        """The moment, None if the times of the session have no date."""
        return None if self.logon.relative else at


SESSION: tuple[RowField[SessionRow], ...] = (
    RowField("configuration", lambda row: row.label, Column("Configuration", numeric=False)),
    RowField("run", lambda row: row.run.name, Column("Run", numeric=False)),
    RowField("user", lambda row: row.logon.user, Column("User", numeric=False)),
    RowField("vm", lambda row: row.logon.vm, Column("Machine", numeric=False)),
    RowField(
        "logon_start", lambda row: row.time(row.logon.start), Column("Logon started", "UTC", numeric=False), moment, iso
    ),
    RowField("logon_s", lambda row: row.logon.logon_s, Column("Logon", "s"), number, figure="logon_s"),
    RowField(
        "apps_started_s",
        lambda row: row.logon.apps_s,
        Column("Apps started", "s later"),
        number,
        figure="apps_started_s",
    ),
    RowField("session_end", lambda row: row.time(row.logon.session_end), written=iso),
    RowField(
        "",
        lambda row: row.logon.length_s,
        Column("Session", "s", tip="Time from the end of the logon to the end of the session"),
        number,
        figure="session_end",
    ),
    RowField("outcome", lambda row: row.logon.outcome.value, Column("Outcome", numeric=False)),
    RowField("state", lambda row: row.logon.state, Column("Tool reports", numeric=False)),
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

    table = table_of(SESSION, every[:MOST_SESSIONS], source, lambda row: look[row.label])
    cut = (
        f"First {fixed(MOST_SESSIONS, 0)} of {fixed(len(every), 0)} sessions; export for all"
        if len(every) > MOST_SESSIONS
        else ""
    )
    return replace(table, legend=cut, name=SESSIONS)


def apps_table(found: Sequence[Sequence[GroupAppStarts]], look: dict[str, Look]) -> TableData:
    """A row per configuration and application."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Application", numeric=False),
        Column("Runs"),
        Column("Starts", "n"),
        *_SPREAD,
        Column("Vs. baseline", numeric=False),
        Column("Trend", numeric=False, tip="Theil-Sen slope over the sessions active at the start"),
    )
    base = baseline_of(apps[0].group for apps in found if apps)
    means = {app.app: app.means for app in (group_app_starts(base) if base is not None else ())}
    rows = []
    for app in (app for apps in found for app in apps):
        label = app.group.label
        found_change = None if app.group is base else change(means.get(app.app, []), app.means)
        rows.append(
            (
                Cell(label, label, look=look[label]),
                Cell(app.app, app.app),
                _count(len(app.runs)),
                *_spread(app.spread, app.runs, "app_start_s", app.app),
                _change_cell(found_change, app.group is base),
                _trend(app.trends, "s per 100 sessions"),
            )
        )
    assumed = any(run.unit_assumed for apps in found for app in apps for run in app.runs)
    legend = "Start times without unit: milliseconds (assumed)" if assumed else ""
    return TableData(columns, tuple(rows), legend, APPLICATIONS)


def steps_table(found: Sequence[Sequence[GroupStep]], look: dict[str, Look]) -> TableData:
    """A row per configuration and step of its logons and logoffs, over all of its sessions."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Of", numeric=False),
        Column("Step", numeric=False),
        Column("Sessions", "n"),
        *(Column(words) for words in ("Min", "Mean", "p50", "p95", "Max")),
        Column("Unit", numeric=False),
    )
    rows = [
        (
            Cell(step.group.label, step.group.label, look=look[step.group.label]),
            Cell(str(step.of), str(step.of)),
            Cell(step.label, step.label),
            _count(step.spread.n),
            *(_number(value) for value in _five(step.spread)),
            Cell(f"{step.unit} (assumed)" if step.unit_assumed else step.unit, step.unit),
        )
        for steps in found
        for step in steps
    ]
    legend = "All sessions. Steps overlap, so they do not add up" if rows else ""
    return TableData(columns, tuple(rows), legend, STEPS)


def _five(spread: Spread) -> tuple[float, ...]:
    return spread.low, spread.mean, spread.p50, spread.p95, spread.high


def limits_table(found: Sequence[GroupVsimax], look: dict[str, Look]) -> TableData:
    """VSImax by the model and each analyzer's own values, row by row."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Run", numeric=False),
        Column("Says", numeric=False),
        Column("VSImax", "sessions"),
        Column("Baseline", "ms"),
        Column("Threshold", "ms"),
        Column("EUX", "of 10"),
        Column("Sessions", tip="Maximum of active or launched sessions"),
        Column("More", numeric=False),
    )
    rows = tuple(
        (
            Cell(vsimax.group.label, vsimax.group.label, look=look[vsimax.group.label]),
            Cell(run.run.name, run.run.name),
            *cells,
        )
        for vsimax in found
        for run in vsimax.runs
        for cells in _limits(run)
    )
    method = (
        "This VSImax is not corrected for stuck sessions",
        "Compare it with the analyzer's uncorrected value",
        "Login Enterprise's baseline is an EUX score",
    )
    return TableData(columns, rows, "", LIMITS, method=method)


def _limits(run: RunVsimax) -> Iterator[tuple[Cell, ...]]:
    figures = run.figures
    if figures is not None:
        more = figures.why + (f" {figures.incomplete} loops lack a timer." if figures.incomplete else "")
        yield (
            Cell(f"{figures.model.name} (this program)", figures.model.name),
            _count(figures.vsimax, known_source(explain_vsimax(run.run, figures))),
            _number(figures.baseline_ms),
            _number(figures.threshold_ms),
            _number(None),
            _count(figures.most_active),
            Cell(more, more),
        )
    for summary in run.summaries:
        said = (("uncorrected", summary.uncorrected), ("dynamic", summary.vsimax_dynamic), ("active", summary.active))
        more = ", ".join(f"{name} {count_words(value)}" for name, value in said if value is not None)
        more = f"{summary.test}: {more}" if more else summary.test
        yield (
            Cell("Login VSI analyzer", "Login VSI analyzer"),
            _whole(summary.vsimax, known_source(explain_analyzer(run.run, summary))),
            _number(summary.baseline_ms),
            _number(None),
            _number(None),
            _count(summary.launched),
            Cell(more or MISSING, more or None),
        )
    for test in run.eux_summaries:
        words = [
            f"steady {number(test.steady_score)}" if test.steady_score is not None else "",
            f"baseline score {number(test.baseline)}" if test.baseline is not None else "",
            f"logins {test.logins_ok} of {test.logins}" if test.logins is not None else "",
            f"apps {test.apps_ok} of {test.apps}" if test.apps is not None else "",
            test.comment,
        ]
        more = ", ".join(word for word in words if word)
        yield (
            Cell("Login Enterprise", "Login Enterprise"),
            _count(test.vsimax, known_source(explain_eux(run.run, test, "vsimax"))),
            _number(None),
            _number(None),
            _number(test.score, known_source(explain_eux(run.run, test, "score"))),
            _count(test.active_sessions),
            Cell(more or MISSING, more or None),
        )


def _change(base: GroupLogons | None, one: GroupLogons) -> Cell:
    if base is None or base is one:
        return _change_cell(None, base is one)
    return _change_cell(change_of(base, one), False)


def _change_cell(found: Change | None, baseline: bool) -> Cell:
    if baseline:
        return Cell("baseline", 0.0)
    return Cell(change_text(found, "s", None), None if found is None else found.percent)


def _trend(found: Sequence[LogonSlope | None], unit: str, source: FigureSource | None = None) -> Cell:
    known = [trend for trend in found if trend is not None]
    if not known:
        return Cell(MISSING)
    return Cell(trend_words(known, unit), sum(trend.slope for trend in known) / len(known), source=source)


def _spread(
    spread: Spread | None, runs: Sequence[LogonFigures | AppStarts], figure: str = "logon_s", key: str = ""
) -> tuple[Cell, ...]:
    if spread is None:
        return (_count(0), *(_number(None) for _ in _SPREAD))
    return _count(spread.n), *(
        _number(getattr(spread, shown.field), _source(_extreme(runs, shown.field), f"{figure}_{name}", key))
        for name, shown in STATISTICS.items()
    )


def _extreme(runs: Sequence[LogonFigures | AppStarts], name: str) -> Sequence[LogonFigures | AppStarts]:
    """All runs; for the lowest and the highest, the run that has it."""
    known = [(run, getattr(run.spread, name)) for run in runs if run.spread is not None]
    if name not in ("low", "high") or not known:
        return [one for one, _ in known]
    return [(min if name == "low" else max)(known, key=lambda one: one[1])[0]]


def _source(runs: Sequence[LogonFigures | AppStarts], figure: str, key: str = "") -> FigureSource | None:
    return logon_source([run.run.folder for run in runs], figure, key)


def _legend(found: Sequence[GroupLogons]) -> tuple[str, tuple[str, ...]]:
    """The line under the table with the excluded runs, and the method with the notes of the runs."""
    notes = dict.fromkeys(note for logons in found for run in logons.runs for note in _named(run.run.name, run.notes))
    excluded = excluded_words([logons.group for logons in found])
    count = f"{len(excluded)} run{'s' * (len(excluded) > 1)} excluded" if excluded else ""
    if (base := baseline_logons(found)) is not None:
        apart = [logons.group.label for logons in found if logons.means and base.means and logons.rules != base.rules]
        rules = f"{listed(apart)}: timed by another rule than {base.group.label}, so not compared" if apart else ""
        notes = dict.fromkeys(filter(None, (rules, *notes)))
    more = f"{len(notes) - _NOTES} more notes" if len(notes) > _NOTES else ""
    told = (line for text in (*list(notes)[:_NOTES], more, *excluded) for line in short_lines(text))
    return captioned((count,), (*told, "Min and max of all sessions, the others mean over runs"), MOST_IN_FOOTER)


def _named(run: str, notes: Sequence[str]) -> list[str]:
    # What applies to every run of a source is not repeated for each.
    return [note if note.startswith("No session") else f"{run}: {note}" for note in notes]


def excluded_words(groups: Sequence[Group]) -> list[str]:
    """Each excluded run with its reason."""
    return [
        f"Excluded: {out.run.name} ({out.run.excluded or 'taken out by hand'})"
        for group in groups
        for out in group.excluded
    ]


def _whole(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(MISSING if value is None else count_words(value), value, source=source)


def _number(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(number(value), value, source=None if value is None else source)


def _count(value: int | None, source: FigureSource | None = None) -> Cell:
    return Cell(MISSING if value is None else str(value), value, source=None if value is None else source)
