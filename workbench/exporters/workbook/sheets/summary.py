"""Sheet "Summary": the findings, the headline reductions, and what else the workbook holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.change_words import interval_words, verdict_words
from workbench.charts.tables import Cell, TableData
from workbench.exporters.workbook.cells import (
    BODY,
    HEADING,
    INPUT,
    QUIET,
    STRONG,
    TEXT,
    TITLE,
    TOP_LEFT,
    WRAPPED,
    figure_format,
    headers,
    page,
    put,
    widths,
)
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.names import quoted
from workbench.exporters.workbook.rows import StudyGroups
from workbench.exporters.workbook.sheets.compare import BASE, CHANGE, MEAN, CompareLines
from workbench.measures.judging.differences import Difference
from workbench.measures.judging.opposing import IN_PART
from workbench.words.metrics import phase_words

HEADLINES = ("iops_per_vm", "total_io_per_vm")
_WIDTHS = (6, 15, 26, 22, 12, 12, 12, 22, 15, 12)
# Characters a line over the columns that a sentence spans.
_LINE, _SHORT = 88, 24
_SHEETS = {
    "Phase table": "every run and phase: I/O, latency, cache, CPU; rates are formulas",
    "Configurations": "the means over the runs, and the change of IOPS per VM from the baseline",
    "Compare figures": "every metric against the baseline, with the runs behind it",
    "Sizing plan": "the capacity plan: change an input and see the result",
    "Import report": "what each file is, and what was skipped, guessed or repaired",
    "Sources": "files with their hashes, phases with their rules, clocks, guesses, methods",
}


@dataclass(frozen=True, eq=False)
class Summary:
    """What the first sheet tells; `findings` are the tables of the studies by their names, as on screen."""

    studies: tuple[StudyGroups, ...]
    findings: tuple[tuple[str, TableData], ...]
    comparisons: tuple[tuple[StudyGroups, CompareLines], ...]
    notice: str = ""


def write_summary(making: Making, sheet: Worksheet, summary: Summary) -> None:
    """Fills the sheet; written last, for its formulas lead to the other sheets."""
    names = ", ".join(study.study.name for study in summary.studies)
    put(sheet, 1, 1, f"Summary: {names}", making.notes, font=TITLE)
    counted = " · ".join(filter(None, (summary.notice, _counts(summary.studies))))
    put(sheet, 2, 1, counted, making.notes, font=QUIET)
    writer = _Writer(making, sheet, 4)
    widths(sheet, _WIDTHS)
    for study, table in summary.findings:
        writer.findings(study, table)
    for comparison, lines in summary.comparisons:
        writer.headlines(comparison, lines, len(summary.comparisons) > 1)
    writer.contents()
    page(sheet)
    sheet.print_area = f"A1:J{writer.row}"


def _counts(studies: Sequence[StudyGroups]) -> str:
    runs = [run for study in studies for run in study.study.runs]
    excluded = sum(len(group.excluded) for study in studies for group in study.groups)
    files = [report for study in studies for report in study.study.files]
    parts = [
        f"{len(runs)} runs" + (f" ({excluded} excluded)" if excluded else ""),
        f"{sum(len(study.groups) for study in studies)} configurations",
        f"{sum(report.recognised for report in files)} of {len(files)} files recognised",
        f"{sum(len(study.study.problems) for study in studies)} messages in the import report",
    ]
    return " · ".join(parts)


@dataclass
class _Writer:
    making: Making
    sheet: Worksheet
    row: int

    def findings(self, study: str, table: TableData) -> None:
        """The findings in their order, each with how much it carries; none leaves no heading behind."""
        if not table.rows:
            return
        self._heading("Findings" + (f": {study}" if study else ""))
        headers(self.sheet, self.row, ["No.", "Strength", "Finding", *[""] * 5, "Evidence", ""], [False] * 10)
        for number, row in enumerate(table.rows, start=1):
            self.row += 1
            sentence, strength, evidence = row[:3]
            put(self.sheet, self.row, 1, number, self.making.notes, "0", STRONG).alignment = TOP_LEFT
            put(self.sheet, self.row, 2, strength.text, self.making.notes).alignment = WRAPPED
            lines = max(self._wide(3, 8, _with_caveats(sentence), _LINE), self._wide(9, 10, evidence.text, _SHORT))
            self.sheet.row_dimensions[self.row].height = 4 + 13.5 * max(lines, 1 + (len(strength.text) > 15))
        self.row += 2

    def headlines(self, study: StudyGroups, lines: CompareLines, several: bool) -> None:
        """Phase by phase what each configuration saves, by formulas that lead to the comparison."""
        rows = [row for row in lines.lines if row.measure.key in HEADLINES and row.change is not None]
        if not rows:
            return
        base = study.baseline.label if study.baseline else ""
        self._heading(f"Headline changes against {base}" + (f": {study.study.name}" if several else ""))
        names = [
            "",
            "Phase",
            "Configuration",
            "Metric",
            "Baseline",
            "Mean",
            "Change (%)",
            "Interval, as exported",
            "Verdict, as exported",
            "n",
        ]
        headers(self.sheet, self.row, names, [name in ("Baseline", "Mean", "Change (%)", "n") for name in names])
        order = {figure: index for index, figure in enumerate(HEADLINES)}
        for row in sorted(rows, key=lambda row: order[row.measure.key]):
            self.row += 1
            self._headline(row, lines)
        self.row += 2

    def _headline(self, row: Difference, lines: CompareLines) -> None:
        change = row.change
        assert change is not None
        for index, text in ((2, phase_words(row.phase)), (3, row.configuration), (4, row.measure.name)):
            font = STRONG if index == 3 else BODY
            put(self.sheet, self.row, index, text, self.making.notes, font=font).alignment = TEXT
        for index, column, value in (
            (5, BASE, row.shown_baseline),
            (6, MEAN, row.shown_value),
            (7, CHANGE, change.percent),
        ):
            if value is not None:
                number_format = "+0.0;-0.0;0.0" if index == 7 else figure_format(value)
                self.making.results.put(self.sheet, self.row, index, lines.cell(column, row), value, number_format)
        self.sheet.cell(self.row, 7).font = STRONG
        single = change.basis == "single"
        words = "no uncertainty available" if single else interval_words(change)
        words += f", {IN_PART}" * bool(row.unmeasured)
        verdict = verdict_words(row.verdict) if row.verdict and not single else ""
        counts = f"{change.n}" if change.n == change.n_baseline else f"{change.n} : {change.n_baseline}"
        for index, text in ((8, words), (9, verdict), (10, counts)):
            put(self.sheet, self.row, index, text, self.making.notes).alignment = TEXT

    def contents(self) -> None:
        """The sheets of the workbook, each one click away."""
        self._heading("Sheets")
        for name in self.making.book.sheetnames:
            if name == self.sheet.title or self.making.is_numbers(name):
                continue
            cell = put(self.sheet, self.row, 2, name, self.making.notes)
            cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(name)}!A1")
            cell.font = INPUT
            words = next((text for start, text in _SHEETS.items() if name.startswith(start)), "")
            if words:
                put(self.sheet, self.row, 4, words, self.making.notes, font=QUIET)
            self.row += 1
        put(
            self.sheet,
            self.row,
            2,
            "Grey sheets hold the numbers behind the charts, one sheet for each figure.",
            self.making.notes,
            font=QUIET,
        )

    def _heading(self, text: str) -> None:
        put(self.sheet, self.row, 1, text, self.making.notes, font=HEADING)
        self.row += 1

    def _wide(self, first: int, last: int, text: str, line: int) -> int:
        """A text over several columns; returns how many lines it needs."""
        self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=first, end_column=last)
        put(self.sheet, self.row, first, text, self.making.notes).alignment = WRAPPED
        return sum(-(-max(1, len(part)) // line) for part in text.split("\n"))


def _with_caveats(sentence: Cell) -> str:
    """The sentence in full, its caveats below it."""
    caveats = [text for text in sentence.tip.split("\n") if text.startswith("Caveat: ")]
    return "\n".join([str(sentence.value or sentence.text), *caveats])
