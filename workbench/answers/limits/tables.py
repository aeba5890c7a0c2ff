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
    value_words,
    why_text,
)
from workbench.answers.logons.sources import logon_source
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, RowField, TableData, number_field, table_of, text_field
from workbench.measures.configurations import Group
from workbench.words.captions import short_lines
from workbench.words.numbers import MISSING, marked

_ICONS = {
    Outcome.PASS: "better",
    Outcome.FAIL: "worse",
    Outcome.FAIL_ONE_RUN: "worse",
    Outcome.NOT_SHOWN: "inconclusive",
}
TABLE, GLANCE = "Values", "Verdicts"
UNREAD, CONTRADICTING = "Limits that cannot be read", "Limits that contradict each other"
# Maximum number of configurations side by side in one table; with more, only the values are shown.
_MOST_COLUMNS = 12


def check_table(
    checks: Sequence[Check], looks: Mapping[str, Look], groups: Sequence[Group] = (), name: str = TABLE
) -> TableData:
    """A row for each limit of each configuration; numbers lead to their samples in `groups`."""
    by_label = {group.label: group for group in groups}

    def configuration(row: Check) -> Cell:
        return Cell(row.configuration, row.configuration, look=looks.get(row.configuration))

    def value(row: Check) -> Cell:
        runs = "\n".join(f"{run}: {marked(format(value, '.6g'))}" for run, value in row.values)
        return Cell(value_text(row), row.value, runs, source=check_source(row, by_label))

    mean = "Mean of the runs. For a relative limit: change from the configuration named in the limit"
    runs = "Number of runs ('3 vs. 2' if the configuration named in the limit has a different number)"
    ends = "95 % interval of the value, or the range of two runs"
    fields: tuple[RowField[Check], ...] = (
        text_field("Limit", lambda row: Cell(row.words, row.words, _limit_tip(row), key=row.limit.key)),
        text_field("Configuration", configuration),
        text_field("Verdict", lambda row: Cell(row.verdict, row.verdict, why_text(row), icon=_ICONS[row.outcome])),
        number_field("Value", value, tip=mean),
        number_field("Interval", lambda row: Cell(ends_text(row), row.low), tip=ends),
        number_field("n", lambda row: Cell(runs_text(row), len(row.values)), tip=runs),
        text_field("Why", lambda row: Cell(why_text(row), why_text(row), why_text(row)), fills=True),
    )
    return table_of(fields, checks, name=name, method=(*METHOD, *short_lines(family_text(checks))))


_DATA: tuple[RowField[Check], ...] = (
    text_field("Limit", lambda row: row.words),
    text_field("Configuration", lambda row: Cell("", row.configuration)),
    text_field("Verdict", lambda row: row.verdict),
    number_field("Value", lambda row: row.value),
    number_field("Low", lambda row: row.low),
    number_field("High", lambda row: row.high),
    text_field("Unit", lambda row: row.limit.unit),
    text_field("Basis", lambda row: row.basis),
    number_field("n", lambda row: len(row.values)),
    text_field("Why", why_text),
)


def data_table(checks: Sequence[Check]) -> TableData:
    """The checks for a data file: a row for each limit of each configuration, numbers in separate columns."""
    return table_of(_DATA, checks)


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
    """The row of a limit; its `first` check contains the configuration it is compared with."""
    limit = first.limit
    cells = (_glance(by_cell.get((limit, label), by_cell.get((limit, "")))) for label in labels)
    return Cell(first.words, first.words, _limit_tip(first), key=limit.key), *cells


def _glance(check: Check | None) -> Cell:
    if check is None:
        return Cell(MISSING, None, "This limit does not apply to this configuration")
    # The value first.
    text = check.verdict if check.value is None else f"{value_words(check)} · {check.verdict}"
    # The sign does not show that there was only one run, or that the value is an estimate.
    brief = "" if check.value is None or "(" in check.verdict else value_text(check)
    return Cell(text, text, f"{text}\n{why_text(check)}", icon=_ICONS[check.outcome], brief=brief)


def _limit_tip(check: Check) -> str:
    against = f"\n{BASELINE}: {check.against}" if check.limit.against == BASELINE and check.against else ""
    line = "" if check.limit.line is None else f"\nline {check.limit.line} of the limits file"
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
