"""Sheet "Compare values": every configuration and the baseline, with means and changes as formulas over the runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.change_words import change_ends_words, drawn_change, reason_words, verdict_words
from workbench.answers.compare.compute import Comparison
from workbench.answers.compare.sentences import no_verdict_words, rule_lines
from workbench.charts.figure import Bars, Panel
from workbench.exporters.workbook.cells import (
    BODY,
    HAIR,
    INPUT,
    QUIET,
    SIGNED,
    STRONG,
    TEXT,
    TITLE,
    Value,
    figure_format,
    headers,
    of_set,
    page,
    put,
    quoted,
    text_width,
    widths,
)
from workbench.exporters.workbook.links import Links
from workbench.exporters.workbook.making import Making
from workbench.measures.configurations import Group
from workbench.measures.significance.differences import Difference
from workbench.measures.statistics import INTERVAL_RUNS
from workbench.words.captions import as_sentences, ended, named
from workbench.words.metrics import phase_words

HEADER_ROW, FIRST_ROW = 4, 5
# The heading and the width of each column; 0: as wide as the longest name.
_COLUMNS = (
    ("Line", 6),
    ("Phase", 14),
    ("Configuration", 0),
    ("Metric", 24),
    ("Unit", 7),
    ("Baseline, mean", 11),
    ("Mean", 11),
    ("Difference", 11),
    ("Change (%, or pp for shares)", 10),
    ("Interval, lower end", 11),
    ("Interval, upper end", 11),
    ("Verdict", 15),
    ("p (adjusted)", 10),
    ("p (permutation)", 13),
    ("n (runs)", 8),
    ("n (baseline runs)", 9),
    ("Why", 30),
)
_HEADS = tuple(head for head, _ in _COLUMNS)
_LAST_PRINTED = "Why"
_TEXTS = frozenset(("Phase", "Configuration", "Metric", "Unit", "Verdict", "Why"))
BASE, MEAN, DIFFERENCE, CHANGE = "F", "G", "H", "I"
_LEGEND = (
    "Means, differences and changes are formulas over the runs on the right. A change with an interval is the ratio of "
    "geometric means. Intervals, p-values and verdicts are not recalculated. To exclude a run, clear its cell in the "
    "'Set' column of the 'Phase table' sheet. An empty cell means 'not available', never 0."
)


@dataclass(frozen=True, eq=False)
class CompareLines:
    """The lines of a comparison on its sheet."""

    sheet: str
    rows: tuple[int, int]
    lines: tuple[Difference, ...]

    def cell(self, column: str, one: Difference) -> str:
        """The formula for a column of a difference's line, in any sort order of the table."""
        return of_set(quoted(self.sheet), column, self.rows, self.lines.index(one) + 1)

    def link(self, panel: Panel, bars: Bars, place: int) -> str | None:
        """The formula of a bar in the comparison's figure: the change in its line."""
        named = [line for line in self.lines if line.configuration == panel.x.names[place] and line.change]
        drawn = float(bars.values[place])
        # Metrics of phases with equal length change equally, so the bar names the metric that it shows.
        source = bars.sources[place] if place < len(bars.sources) else None
        figure = source.figure if source else ""
        for difference in (line for line in named if figure in ("", line.measure.key)):
            assert difference.change is not None
            value = drawn_change(difference.change, difference.measure.change_unit)[0]
            same = math.isclose(value, drawn, rel_tol=1e-9, abs_tol=1e-9)
            if same and phase_words(difference.phase).capitalize() == panel.title:
                return self.cell(CHANGE, difference)
        return None


def write_compare_sheet(
    making: Making, sheet: Worksheet, comparison: Comparison, groups: Sequence[Group], links: Links
) -> CompareLines:
    """Write the lines; returns their positions."""
    base = comparison.baseline
    title = f"Comparison: all configurations vs. {named(base.label)}" if base else "Compare values"
    put(sheet, 1, 1, title, making.notes, font=TITLE)
    put(sheet, 2, 1, _LEGEND, making.notes, font=QUIET)
    put(sheet, 3, 1, as_sentences(rule_lines(comparison)), making.notes, font=QUIET)
    differences = comparison.differences
    ours, theirs = (
        max((len(values) for values in every), default=0)
        for every in ([one.values for one in differences], [one.baseline_values for one in differences])
    )
    names = [*_HEADS, *(f"Run {n}" for n in range(1, ours + 1)), *(f"Baseline run {n}" for n in range(1, theirs + 1))]
    headers(sheet, HEADER_ROW, names, [name not in _TEXTS for name in names])
    sheet.row_dimensions[HEADER_ROW].height = 42
    writer = _Lines(making, sheet, {group.label: group for group in groups}, base, links, ours)
    for index, difference in enumerate(differences):
        writer.write(FIRST_ROW + index, index + 1, difference)
        if index and (differences[index - 1].configuration, differences[index - 1].phase) != (
            difference.configuration,
            difference.phase,
        ):
            for column in range(1, len(names) + 1):
                sheet.cell(FIRST_ROW + index, column).border = HAIR
    last = FIRST_ROW + max(len(differences), 1) - 1
    right = get_column_letter(len(names))
    sheet.freeze_panes = f"E{FIRST_ROW}"
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{right}{last}"
    fixed = [width or _wide(differences) for _, width in _COLUMNS]
    widths(sheet, [*fixed, *[11.0] * (len(names) - len(_HEADS))])
    # Single runs are on the sheet Phase table; here they would make the print small.
    page(sheet)
    sheet.print_area = f"A1:{get_column_letter(_HEADS.index(_LAST_PRINTED) + 1)}{last}"
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    return CompareLines(sheet.title, (FIRST_ROW, last), differences)


def _wide(found: Sequence[Difference]) -> float:
    return text_width([difference.configuration for difference in found], least=16, most=34)


@dataclass
class _Lines:
    making: Making
    sheet: Worksheet
    groups: dict[str, Group]
    base: Group | None
    links: Links
    ours: int

    def write(self, at: int, line: int, one: Difference) -> None:
        first = len(_HEADS) + 1
        runs = self._runs(at, first, one.values, self.groups.get(one.configuration), one)
        base = self._runs(at, first + self.ours, one.baseline_values, self.base, one)
        facts: tuple[Value, ...] = (line, phase_words(one.phase), one.configuration, one.measure.name, one.measure.unit)
        for index, value in enumerate(facts, start=1):
            cell = put(self.sheet, at, index, value, self.making.notes, font=STRONG if index == 3 else BODY)
            if index > 1:
                cell.alignment = TEXT
        change, unit = one.change, one.measure.change_unit
        geometric = change is not None and one.scale == "logs" and min(change.n, change.n_baseline) >= INTERVAL_RUNS
        self._formula(at, 6, _mean(base), one.baseline_value)
        self._formula(at, 7, _mean(runs), one.value)
        self._formula(at, 8, f'IF(COUNT(F{at},G{at})=2,G{at}-F{at},"")', one.shown_difference)
        if change is not None and one.measure.change != "ratio":
            self.making.results.put(
                self.sheet, at, 9, f'IF(COUNT(F{at},G{at})=2,G{at}-F{at},"")', change.difference, SIGNED
            )
        elif change is not None:
            ratio = _ratio(at, runs, base, geometric)
            self.making.results.put(self.sheet, at, 9, f'IFERROR(100*({ratio}-1),"")', change.percent, SIGNED)
        _, low, high = (None, None, None) if change is None else drawn_change(change, unit)
        reason = ended(reason_words(one.judgement))
        words = change_ends_words(change, unit)
        rest: tuple[tuple[Value, str], ...] = (
            (low, SIGNED),
            (high, SIGNED),
            (verdict_words(one.verdict) if one.verdict else None, ""),
            (one.p_adjusted, "0.0000"),
            (one.p_permutation, "0.0000"),
            (None, ""),
            (None, ""),
            (no_verdict_words(one) if one.apart else reason or (words if words.startswith("range") else None), ""),
        )
        for index, (value, number_format) in enumerate(rest, start=10):
            cell = put(self.sheet, at, index, value, self.making.notes, number_format)
            if isinstance(value, str):
                cell.alignment = TEXT
        for column, cells, values in ((15, runs, one.values), (16, base, one.baseline_values)):
            self.making.results.put(self.sheet, at, column, f"COUNT({cells})", len(values), "0")

    def _runs(
        self, at: int, first: int, values: Sequence[tuple[str, float]], group: Group | None, one: Difference
    ) -> str:
        """Write the values of the runs side by side; returns their range."""
        folders = [] if group is None else _folders(group, one)
        for index, (_, value) in enumerate(values):
            known = index < len(folders)
            formula = self.links.run(folders[index], one.phase, one.measure.key, value, True) if known else None
            if formula is None:
                put(self.sheet, at, first + index, value, self.making.notes, figure_format(value), INPUT)
            else:
                self.making.results.put(self.sheet, at, first + index, formula, value, figure_format(value))
        left, right = (get_column_letter(column) for column in (first, first + max(len(values), 1) - 1))
        return f"{left}{at}:{right}{at}"

    def _formula(self, at: int, column: int, formula: str, value: float | None) -> None:
        if value is not None:
            self.making.results.put(self.sheet, at, column, formula, value, figure_format(value))


def _mean(cells: str) -> str:
    return f'IFERROR(AVERAGE({cells}),"")'


def _ratio(at: int, runs: str, base: str, geometric: bool) -> str:
    """The formula for the ratio of the means; of geometric means if both sides have at least three runs and no 0."""
    if not geometric:
        return f"G{at}/F{at}"
    few = f"OR(MIN(COUNT({runs}),COUNT({base}))<{INTERVAL_RUNS},MIN({runs},{base})<=0)"
    return f"IF({few},G{at}/F{at},GEOMEAN({runs})/GEOMEAN({base}))"


def _folders(group: Group, one: Difference) -> list[str]:
    """The folders of the compared runs, in their order."""
    names = []
    for run in group.runs:
        row = run.phase(one.phase)
        if row is not None and getattr(row, one.measure.key) is not None:
            names.append(run.run.folder)
    return names
