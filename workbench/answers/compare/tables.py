"""The tables of a comparison: verdicts at a glance, the figures behind them, what differs, excluded runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.change_words import (
    VERDICT_ICONS,
    change_ends_words,
    change_words,
    drawn_change,
    p_words,
    reason_words,
    verdict_words,
)
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import change_source, source_of
from workbench.answers.compare.compute import Comparison, Excluded
from workbench.answers.compare.sentences import difference_words, no_verdict_words, rule_lines, runs_words, sign_words
from workbench.charts.tables import Cell, Column, RowField, TableData, table_of, text_field
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import COMPARED, Group
from workbench.measures.measure import value_words
from workbench.measures.significance.differences import Difference
from workbench.measures.statistics import Verdict
from workbench.model.problem import Problem
from workbench.words.captions import as_sentences, ended
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import MISSING, marked, plural


def verdict_table(comparison: Comparison, groups: Sequence[Group], phase: str) -> TableData:
    """Configuration by metric in one phase: the verdict as a word with its sign, and the change."""
    rows = [difference for difference in comparison.differences if difference.phase == phase]
    shown = [measure for measure in COMPARED if any(row.measure is measure and _told(row) for row in rows)]
    look, members = looks(groups), {group.label: group for group in groups}
    labels = dict.fromkeys(row.configuration for row in rows)
    columns = (
        Column("Configuration", numeric=False),
        *(
            Column(
                measure.name,
                numeric=False,
                tip=f"{measure.name}: change in the mean, in {measure.change_unit or 'its own unit'}",
            )
            for measure in shown
        ),
    )
    body = tuple(
        (
            Cell(label, label, look=look[label]),
            *(_verdict_cell(comparison, members[label], phase, measure.key) for measure in shown),
        )
        for label in labels
    )
    name, lines = f"Verdicts {in_phase(phase)}", rule_lines(comparison)
    return TableData(columns, body, sign_words(comparison), name, method=lines)


def folded(table: TableData) -> TableData:
    """The table with one column in place of those that have the same text in every row; the tip names them."""
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for index in range(1, len(table.columns)):
        alike.setdefault(tuple((row[index].text, row[index].icon) for row in table.rows), []).append(index)
    kept = [0, *(members[0] for members in alike.values())]
    columns = [table.columns[0], *(_folded_column([table.columns[at] for at in members]) for members in alike.values())]
    rows = tuple(tuple(row[at] for at in kept) for row in table.rows)
    return replace(table, columns=tuple(columns), rows=rows)


def _folded_column(columns: Sequence[Column]) -> Column:
    first, others = columns[0], columns[1:]
    if not others:
        return first
    tip = f"{first.tip}\nIdentical columns: {', '.join(column.title for column in others)}"
    return replace(first, unit=f"and {plural(len(others), 'more metric')}", tip=tip)


def difference_table(comparison: Comparison, groups: Sequence[Group], phases: Sequence[str] = ()) -> TableData:
    """Every compared figure: one row for each phase, configuration and metric. `phases` (none: all) are shown."""
    columns = (
        Column("Phase", numeric=False),
        Column("Configuration", numeric=False),
        Column("Metric", numeric=False),
        Column("Verdict", numeric=False),
        Column("Baseline", tip="Mean of the baseline runs"),
        Column("Value", tip="Mean of the configuration's runs"),
        Column("Difference", tip="Value minus baseline (— if an outlier run reverses the sign)"),
        Column("Change", tip="Change from the baseline: ratio of geometric means (percentages: difference in pp)"),
        Column("Interval", tip="95 % interval of the change. Range if a configuration has two runs or a value is 0"),
        Column("p (adjusted)", tip="p-value of Welch's t-test, corrected for multiple comparisons"),
        Column(
            "p (permutation)", tip="Uncorrected p-value of the permutation test (needs five runs of each configuration)"
        ),
        Column("n", tip="Number of runs ('3 vs. 2' if the baseline has a different number)"),
        Column("Metric type", numeric=False, tip="Primary or other. Only primary metrics can give strong findings"),
        Column("Why", numeric=False),
    )
    look, members = looks(groups), {group.label: group for group in groups}
    rows = tuple(
        (
            Cell(phase_words(difference.phase), difference.phase),
            Cell(difference.configuration, difference.configuration, look=look[difference.configuration]),
            *_cells(difference, comparison.baseline, members[difference.configuration]),
        )
        for difference in comparison.differences
        if not phases or difference.phase in phases
    )
    return TableData(columns, rows, sign_words(comparison), "Values", method=rule_lines(comparison))


_HINDRANCE: tuple[RowField[Problem], ...] = (
    text_field("Configuration", lambda row: Cell(row.file, row.file, icon=row.severity.value)),
    text_field("Difference", lambda row: Cell(row.message, row.message, row.message)),
    text_field("Action taken", lambda row: Cell(row.done, row.done)),
)
_EXCLUDED: tuple[RowField[Excluded], ...] = (
    text_field("Run", lambda row: row.run),
    text_field("Configuration", lambda row: row.configuration),
    text_field("Reason for exclusion", lambda row: row.reason),
)


def hindrance_table(problems: Sequence[Problem]) -> TableData:
    """Settings other than the configuration that differ between the runs."""
    return table_of(_HINDRANCE, problems, name=f"Differences ({len(problems)})")


def excluded_table(comparison: Comparison) -> TableData:
    """The excluded runs with the reason."""
    return table_of(_EXCLUDED, comparison.excluded, name=f"Excluded runs ({len(comparison.excluded)})")


def _verdict_cell(comparison: Comparison, group: Group, phase: str, figure: str) -> Cell:
    return verdict_cell(comparison.of(group.label, phase, figure), comparison.baseline, group, phase, figure)


def verdict_cell(row: Difference | None, base: Group | None, group: Group, phase: str, figure: str) -> Cell:
    """The verdict of a difference as a word with its sign, and the change."""
    if row is not None and row.apart:
        return Cell(MISSING, None, no_verdict_words(row))
    source = change_source(base, group, phase, figure)
    if row is not None and row.change is None and _told(row):
        return Cell(difference_words(row), None, no_verdict_words(row), source=source)
    if row is None or row.change is None or row.verdict is None:
        return Cell(MISSING, None, "" if row is None else no_verdict_words(row))
    unit = row.measure.change_unit
    words, value = change_words(row.change, unit), drawn_change(row.change, unit)[0]
    ends = change_ends_words(row.change, unit).removeprefix(MISSING)
    between = f"95 % interval of the change: {ends}" if ends.startswith("[") else ends
    apart = "" if row.shown_difference is None else f"Difference: {difference_words(row)}"
    tip = "\n".join(filter(None, (ended(reason_words(row.judgement)), apart, between)))
    if row.verdict is Verdict.INCONCLUSIVE:
        # The word replaces the sign.
        return Cell(f"~ {words}", value, tip, source=source)
    text = f"{verdict_words(row.verdict)} {words}"
    return Cell(text, value, f"{text}\n{tip}", icon=VERDICT_ICONS[row.verdict], source=source, brief=words)


def _told(row: Difference) -> bool:
    """True if there is a change to show: a ratio, or an increase from a baseline of 0."""
    return row.change is not None or bool(row.difference)


def _cells(row: Difference, base: Group | None, group: Group) -> tuple[Cell, ...]:
    found, figure = row.change, row.measure.key
    unit, change_unit = row.measure.unit, row.measure.change_unit
    theirs = None if base is None else source_of(base, row.phase, figure)
    both = None if row.apart else change_source(base, group, row.phase, figure)
    change, low, _ = (None, None, None) if found is None else drawn_change(found, change_unit)
    reason = reason_words(row.judgement)
    open_to_doubt = row.verdict is Verdict.INCONCLUSIVE or (row.verdict is Verdict.SAME and "90 %" in reason)
    why = ended(reason if open_to_doubt else no_verdict_words(row))
    if row.unmeasured and (row.judgement is None or row.judgement.reason != row.objection):
        parts = tuple(filter(None, (why, row.unmeasured)))
        # After sentences, the missing samples are a sentence too.
        why = as_sentences(parts) if ". " in why else "; ".join(parts)
    word = verdict_words(row.verdict)
    return (
        Cell(row.measure.name, row.measure.name),
        Cell(word, word, ended(reason), icon="" if row.verdict is None else VERDICT_ICONS[row.verdict]),
        Cell(value_words(row.baseline_value, unit), row.baseline_value, _runs_tip(row.baseline_values), source=theirs),
        Cell(
            value_words(row.value, unit), row.value, _runs_tip(row.values), source=source_of(group, row.phase, figure)
        ),
        Cell(difference_words(row), row.shown_difference, source=both),
        Cell(change_words(found, change_unit), change, source=both),
        Cell(change_ends_words(found, change_unit), low),
        Cell(p_words(row.p_adjusted), row.p_adjusted),
        Cell(p_words(row.p_permutation), row.p_permutation),
        Cell(runs_words(row), len(row.values)),
        Cell("" if row.change is None else row.tier, row.tier, _tier_tip(row)),
        Cell(why, why, why),
    )


def _tier_tip(row: Difference) -> str:
    return (
        ""
        if row.judged_as is None
        else f"Same verdict as {MEASURES[row.judged_as].within}, "
        "because both metrics change by the same ratio in every run"
    )


def _runs_tip(values: Sequence[tuple[str, float]]) -> str:
    return "\n".join(f"{run}: {marked(format(value, '.6g'))}" for run, value in values)
