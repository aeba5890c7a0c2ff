"""Sheet "Configurations": the mean over the runs of each configuration and phase, and its change."""

from __future__ import annotations

from collections.abc import Sequence

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.change_words import few_runs_words
from workbench.exporters.workbook.cells import (
    BODY,
    ESTIMATE,
    FIGURE,
    HAIR,
    PERCENT,
    PLAIN,
    QUIET,
    SIGNED,
    STRONG,
    TEXT,
    TITLE,
    Notes,
    Value,
    average_of_set,
    figure_format,
    headers,
    own_sheet,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.columns import COLUMNS, PLACES, Set, SheetColumn
from workbench.exporters.workbook.printing import page_by_page
from workbench.exporters.workbook.sheets import phases as phase_sheet
from workbench.exporters.workbook.sheets.numbers import Results
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import change_from
from workbench.measures.significance.missing_data_check import IN_PART, unmeasured
from workbench.measures.significance.objections import objection
from workbench.measures.statistics import Change
from workbench.words.metrics import phase_words

NAME = "Configurations"
HEADER_ROW, FIRST_ROW = 4, 5
_LEGEND = (
    f"Each value is the mean of the included rows of the 'Phase table' sheet. {PLAIN}. An empty cell means 'not "
    "available', never 0."
)
_CHANGE_LEGEND = (
    "Change from the baseline: ratio of geometric means with a 95 % Welch interval (three or more runs), range of the "
    "ratios (two runs), or difference (one run)."
)
_FACTS = ("Set", "Study", "Configuration", "Phase", "n (runs)")
_BASIS = "Type of interval"
_CHANGES = ("IOPS per VM vs. baseline (%)", "Interval, lower end (%)", "Interval, upper end (%)", _BASIS)
MEANS: tuple[SheetColumn, ...] = tuple(column for column in COLUMNS if column.mean)
# IOPS per VM answers the question, so it is first.
_ORDERED = tuple(sorted(MEANS, key=lambda column: column.key != "iops_per_vm"))
_CHANGE_COLUMN = len(_FACTS) + 2
MEAN_PLACES = {
    column.key: len(_FACTS) + 1 + index + (len(_CHANGES) if index else 0) for index, column in enumerate(_ORDERED)
}


def write_configuration_sheet(
    sheet: Worksheet, sets: Sequence[Set], table: tuple[int, int], results: Results, notes: Notes
) -> tuple[int, int]:
    """Writes the means; returns their first and last row, for the formulas of other sheets."""
    put(sheet, 1, 1, "Configurations: mean of the runs, and change from the baseline", notes, font=TITLE)
    put(sheet, 2, 1, _LEGEND, notes, font=QUIET)
    put(sheet, 3, 1, _CHANGE_LEGEND, notes, font=QUIET)
    names = [*_FACTS, _ORDERED[0].header, *_CHANGES, *(column.header for column in _ORDERED[1:])]
    numeric = [name not in ("Study", "Configuration", "Phase", _BASIS) for name in names]
    headers(sheet, HEADER_ROW, names, numeric)
    sheet.row_dimensions[HEADER_ROW].height = 54
    for index, run_set in enumerate(sets):
        _line(sheet, FIRST_ROW + index, run_set, table, results, notes)
        if index and sets[index - 1].group is not run_set.group:
            for column in range(1, len(names) + 1):
                sheet.cell(FIRST_ROW + index, column).border = HAIR
    last = FIRST_ROW + max(len(sets), 1) - 1
    sheet.freeze_panes = sheet.cell(FIRST_ROW, len(_FACTS))
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{get_column_letter(len(names))}{last}"
    widths(sheet, _widths(sets))
    page_by_page(sheet, range(len(_FACTS) + 1, len(names) + 1), 1, last, 4, head_row=HEADER_ROW + 1)
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    return FIRST_ROW, last


def _line(sheet: Worksheet, at: int, run_set: Set, table: tuple[int, int], results: Results, notes: Notes) -> None:
    facts: tuple[Value, ...] = (
        run_set.number,
        run_set.study.study.name,
        run_set.group.label,
        phase_words(run_set.phase),
    )
    for index, value in enumerate(facts, start=1):
        cell = put(sheet, at, index, value, notes, font=STRONG if index == 3 else BODY)
        if index > 1:
            cell.alignment = TEXT
    first, last = table
    runs = f"{own_sheet(phase_sheet.NAME)}!$A${first}:$A${last}"
    results.put(sheet, at, len(_FACTS), f"COUNTIF({runs},$A{at})", len(run_set.group.phase(run_set.phase)), "0")
    for column in _ORDERED:
        value = run_set.group.mean(run_set.phase, column.key)
        if value is not None:
            letter = get_column_letter(PLACES[column.key])
            formula = average_of_set(own_sheet(phase_sheet.NAME), letter, table, f"$A{at}")
            results.put(sheet, at, MEAN_PLACES[column.key], formula, value, _format(column, run_set, value))
    for index, value in enumerate(_change(run_set)):
        cell = put(sheet, at, _CHANGE_COLUMN + index, value, notes, SIGNED)
        if isinstance(value, str):
            cell.alignment = TEXT


def _format(column: SheetColumn, run_set: Set, value: float) -> str:
    estimate = any(figures.cache_ram_estimate for figures in run_set.group.phase(run_set.phase))
    if column.estimated and estimate:
        return PERCENT + '"*"' if column.number_format == PERCENT else ESTIMATE
    if column.number_format == FIGURE:
        return figure_format(value)
    return "General" if column.number_format == "0" else column.number_format


def _change(run_set: Set) -> tuple[Value, ...]:
    base = run_set.study.baseline
    if base is None or base is run_set.group:
        return None, None, None, "baseline" if base is run_set.group else None
    if (reason := objection(base, run_set.group, run_set.phase, MEASURES["iops_per_vm"])) is not None:
        return None, None, None, f"~ {reason}"
    change = change_from(base, run_set.group, run_set.phase, "iops_per_vm")
    if change is None:
        return None, None, None, "not comparable"
    in_part = unmeasured((base, run_set.group), run_set.phase, MEASURES["iops_per_vm"])
    return change.percent, *change.percent_ends, ", ".join((_basis(change), *([IN_PART] if in_part else [])))


def _basis(change: Change) -> str:
    if change.basis == "single":
        return few_runs_words(change.n, change.n_baseline)
    words = {"range": "range of the runs", "interval": "95 % interval"}
    return f"{words[change.basis]}, n = {change.n} vs. {change.n_baseline}"


def _widths(sets: Sequence[Set]) -> list[float]:
    studies = text_width([run_set.study.study.name for run_set in sets], most=30)
    labels = text_width([run_set.group.label for run_set in sets], least=14, most=30)
    basis = text_width([_change(run_set)[3] or "" for run_set in sets], least=10, most=40)
    return [6, studies, labels, 12, 8, 11, 13, 9, 9, basis, *(max(column.width, 9) for column in _ORDERED[1:])]
