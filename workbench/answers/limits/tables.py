"""The checks as a table, and the problems of a limits.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.answers.limits.compute import Check, Outcome
from workbench.answers.limits.limit import BASELINE, OVERFLOW, STUCK, Limit
from workbench.answers.limits.sentences import (
    METHOD,
    ends_text,
    family_text,
    reason_lines,
    runs_text,
    value_text,
    why_text,
)
from workbench.answers.logons.sources import logon_source
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.configurations import Group
from workbench.model.problem import Problem
from workbench.words.captions import short_lines
from workbench.words.numbers import MISSING, marked

_ICONS = {
    Outcome.PASS: "better",
    Outcome.FAIL: "worse",
    Outcome.FAIL_ONE_RUN: "worse",
    Outcome.NOT_SHOWN: "inconclusive",
}
TABLE, GLANCE = "Figures", "Verdicts"
UNREAD, CONTRADICTING = "Limits that cannot be read", "Limits that contradict each other"
# The most configurations side by side in one table; with more, only the figures are shown.
_MOST_COLUMNS = 12


def check_table(
    checks: Sequence[Check], looks: Mapping[str, Look], groups: Sequence[Group] = (), name: str = TABLE
) -> TableData:
    """A row for each limit of each configuration; numbers lead to their samples in `groups`."""
    columns = (
        Column("Limit", numeric=False),
        Column("Configuration", numeric=False),
        Column("Verdict", numeric=False),
        Column("Value", tip="Mean of the runs, or change from the other configuration"),
        Column("Interval", tip="95 % interval; range of two runs"),
        Column("n", tip="Number of runs (and of the other configuration, if different)"),
        Column("Why", numeric=False),
    )
    by_label = {group.label: group for group in groups}
    method = (*METHOD, *short_lines(family_text(checks)))
    return TableData(columns, tuple(_row(check, looks, by_label) for check in checks), "", name, method=method)


def data_table(checks: Sequence[Check]) -> TableData:
    """The checks for a data file: a row for each limit of each configuration, numbers in separate columns."""
    texts, numbers = ("Limit", "Configuration", "Verdict"), ("Value", "Low", "High")
    columns = (
        *(Column(title, numeric=False) for title in texts),
        *(Column(title) for title in numbers),
        Column("Unit", numeric=False),
        Column("Basis", numeric=False),
        Column("n"),
        Column("Why", numeric=False),
    )
    rows = tuple(
        tuple(
            Cell("", value)
            for value in (
                *(check.words, check.configuration, check.verdict, check.value, check.low, check.high),
                *(check.limit.unit or None, check.basis, len(check.values), why_text(check) or None),
            )
        )
        for check in checks
    )
    return TableData(columns, rows)


def glance_table(checks: Sequence[Check]) -> TableData | None:
    """Limit by configuration: the verdict as a word with its sign, and the value. None if there are too many
    configurations for columns."""
    labels = list(dict.fromkeys(check.configuration for check in checks if check.configuration))
    limits = list(dict.fromkeys(check.limit for check in checks))
    if not labels or len(labels) > _MOST_COLUMNS:
        return None
    by_cell = {(check.limit, check.configuration): check for check in checks}
    columns = (Column("Limit", numeric=False), *(Column(label, numeric=False) for label in labels))
    rows = tuple(
        _glance_row(next(check for check in checks if check.limit == limit), labels, by_cell) for limit in limits
    )
    return TableData(columns, rows, "", GLANCE, method=(*METHOD, *reason_lines(checks)))


def _glance_row(first: Check, labels: Sequence[str], by_cell: Mapping[tuple[Limit, str], Check]) -> tuple[Cell, ...]:
    """The row of a limit; its `first` check knows the configuration it is compared with."""
    limit = first.limit
    cells = (_glance(by_cell.get((limit, label), by_cell.get((limit, "")))) for label in labels)
    return Cell(first.words, first.words, _limit_tip(first), key=limit.key), *cells


def _glance(check: Check | None) -> Cell:
    if check is None:
        return Cell(MISSING, None, "This limit does not apply to this configuration")
    # The value first.
    text = check.verdict if check.value is None else f"{value_text(check)} · {check.verdict}"
    return Cell(text, text, why_text(check), icon=_ICONS[check.outcome])


def problem_table(problems: Sequence[Problem], name: str) -> TableData:
    """The problems of the limits, by the lines of their file."""
    columns = (Column("Line"), Column("What", numeric=False), Column("What was done", numeric=False))
    rows = tuple(
        (
            Cell("" if problem.line is None else str(problem.line), problem.line),
            Cell(problem.message, problem.message, problem.message, icon=problem.severity.value),
            Cell(problem.action, problem.action),
        )
        for problem in problems
    )
    return TableData(columns, rows, "", f"{name} ({len(rows)})")


def _row(check: Check, looks: Mapping[str, Look], groups: Mapping[str, Group]) -> tuple[Cell, ...]:
    runs = "\n".join(f"{run}: {marked(format(value, '.6g'))}" for run, value in check.values)
    source, why, label = check_source(check, groups), why_text(check), check.configuration
    return (
        Cell(check.words, check.words, _limit_tip(check), key=check.limit.key),
        Cell(label, label, look=looks.get(label)),
        Cell(check.verdict, check.verdict, why, icon=_ICONS[check.outcome]),
        Cell(value_text(check), check.value, runs, source=source),
        Cell(ends_text(check), check.low),
        Cell(runs_text(check), len(check.values)),
        Cell(why, why, why),
    )


def _limit_tip(check: Check) -> str:
    against = f"\n{BASELINE}: {check.against}" if check.limit.against == BASELINE and check.against else ""
    line = "" if check.limit.line is None else f"\nline {check.limit.line}"
    return f"{check.limit.rule}{against}{line}"


def check_source(check: Check, groups: Mapping[str, Group]) -> FigureSource | None:
    """The runs behind the value; `groups` has the configurations by label. None for a figure that is not a measure of
    the phase table, except stuck sessions."""
    group = groups.get(check.configuration)
    if group is None or check.value is None or check.limit.measure == OVERFLOW:
        return None
    if check.limit.figure.of_run:
        return logon_source(check.folders, STUCK) if check.limit.measure == STUCK else None
    base = groups.get(check.against)
    theirs = () if base is None else tuple(run.run.folder for run in base.runs)
    return FigureSource(check.folders, check.limit.phase, check.limit.measure, theirs)
