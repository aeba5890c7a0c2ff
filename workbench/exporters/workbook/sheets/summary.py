"""Sheet "Summary": an index of the workbook, and the cards, findings and main changes of each study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.styles import Border, Font, Side
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.change_words import (
    RATIO,
    change_ends_words,
    drawn_change,
    few_runs_words,
    interval_words,
    verdict_words,
)
from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.answer import Answer
from workbench.answers.storyboard.shown import ShownStory, StudyFindings
from workbench.charts.claim import TimeClaim
from workbench.charts.content import Card
from workbench.charts.palette import colour
from workbench.charts.tables import Cell, TableData
from workbench.exporters.chart_plan import plans_of
from workbench.exporters.wanted import Face
from workbench.exporters.workbook.card_cells import card_figure
from workbench.exporters.workbook.cells import (
    BODY,
    HEADING,
    INPUT,
    PARAGRAPH,
    QUIET,
    SIGNED,
    STRONG,
    TEXT,
    TOP,
    TOP_LEFT,
    TOP_RIGHT,
    WRAPPED,
    argb,
    figure_format,
    headers,
    page,
    put,
    quoted,
    signed_format,
    widths,
)
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.figure_block import write_block
from workbench.exporters.workbook.first_sheet.claims import claim_cell, claim_chart, first_claim
from workbench.exporters.workbook.first_sheet.cover import CoverFindings, counts, write_cover
from workbench.exporters.workbook.first_sheet.story_order import findings_in_order, in_story_order
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.native_chart import chart_of
from workbench.exporters.workbook.native_chart import title as chart_title
from workbench.exporters.workbook.sheets.compare import BASE, CHANGE, MEAN, CompareLines
from workbench.exporters.workbook.verdicts import dress_verdict, with_mark
from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.missing_data_check import IN_PART
from workbench.words.captions import named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import MISSING, POINTS, THIN

HEADLINES = ("iops_per_vm", "total_io_per_vm")
# Findings per study on the first sheet; the sheet of findings lists all of them.
MOST_FINDINGS, _MOST_CARDS = 9, 5
# A, index, C; then number, phase, configuration, metric, baseline, mean, change, interval, verdict, n.
_WIDTHS = (2, 30, 3, 5, 16, 25, 20, 12, 12, 12, 22, 16, 9, 16)
_INDEX, _FIRST, _LAST, _EVIDENCE = 2, 4, 13, 14
# The columns of each card; characters per line over the columns of a sentence.
_CARDS = ((4, 5), (6, 6), (7, 8), (9, 10), (11, 12))
_LINE = 76
_CHART_ROWS, _ROW_PX, _CHART_PX, _EMU_PER_PX = 14, 20, 1_040, 9_525
_EXPORTED = Font(name="Calibri", size=10, italic=True, color=QUIET.color)
_VALUE = Font(name="Calibri", size=20, bold=True, color=STRONG.color)
_LEGENDS = (
    "Better or worse: the change exceeds the margin and is significant. Same: the whole interval is inside the margin. "
    "Otherwise: inconclusive. Caveats are on the 'Findings' sheet.",
    "Only cells with a formula, and charts that use them, are recalculated. Everything else stays as exported, "
    "including changes in italics and the bracket over the chart.",
    "To show the hidden sheets with the chart data, right-click a tab and choose Unhide.",
)


@dataclass(frozen=True, eq=False)
class Summary:
    """The content of the first sheet.

    `findings` are the tables of the studies and `cards` their key values, by study name (empty if there is one study),
    as on screen. `known` are the findings by study folder, in the order of `story`. `face` is the head. `answers` are
    by study folder.
    """

    studies: tuple[StudyGroups, ...]
    findings: tuple[tuple[str, TableData], ...]
    comparisons: tuple[tuple[StudyGroups, CompareLines], ...]
    notice: str = ""
    cards: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    known: Mapping[str, StudyFindings] = field(default_factory=dict)
    story: ShownStory | None = None
    face: Face = field(default_factory=Face)
    answers: Mapping[str, Answer | None] = field(default_factory=dict)


def write_summary(making: Making, sheet: Worksheet, summary: Summary) -> None:
    """Fill the sheet. Written last, because its formulas refer to the other sheets."""
    names = [study.study.name for study in summary.studies]
    title = f"{len(names)} studies" if len(names) > 1 else "".join(names)
    story, face = summary.story, summary.face
    title = face.title or (story.storyboard.title if story is not None else "") or f"Summary: {title}"
    counted = " · ".join(filter(None, (summary.notice, counts(summary.studies))))
    top = write_cover(making, sheet, _FIRST, title, face, counted)
    writer = _Writer(making, sheet, top, top)
    widths(sheet, _WIDTHS)
    comparisons = {study.study.name: (study, lines) for study, lines in summary.comparisons}
    several = bool(making.codes)
    known = {facts.name: facts for facts in summary.known.values()}
    findings, cards = dict(summary.findings), dict(summary.cards)
    for name in dict.fromkeys(("", *(study.study.name for study in summary.studies))):
        study = comparisons.get(name) if several else None if name else next(iter(comparisons.values()), None)
        if name in findings or name in cards or study or name in making.leads:
            facts = known.get(name) if several else None if name else next(iter(known.values()), None)
            table, total = findings.get(name), len(findings[name].rows) if name in findings else 0
            if facts is not None:
                table = in_story_order(table, facts, story) if table is not None else None
                facts = findings_in_order(facts, story)
            answer = summary.answers.get(facts.folder) if facts is not None else None
            writer.study(name, cards.get(name, ()), CoverFindings(table, facts, study, total), answer)
            known = {other: told for other, told in known.items() if facts is None or told.name != facts.name}
    for left in known.values():
        # Only storage benchmarks.
        if (answer := summary.answers.get(left.folder)) is not None:
            writer.answer(answer, left.name if len(names) > 1 else "")
    for legend in _LEGENDS:
        writer.paragraph(legend)
    bottom = max(writer.row, writer.index())
    page(sheet)
    if len(writer.heads) == 1:
        # The only table that continues on further pages.
        sheet.print_title_rows = f"{writer.heads[0]}:{writer.heads[0]}"
    sheet.freeze_panes = "C1"
    sheet.print_area = f"B1:N{bottom}"


def _page_of(evidence: Cell) -> str:
    """The first page that an evidence names."""
    return evidence.text.partition(" · ")[0].partition(",")[0]


def _signed_format(unit: str) -> str:
    """A format with sign and the unit of a change."""
    shape = "0.0" if unit in (RATIO, POINTS) else "0.00"
    return signed_format(shape, f'"{THIN}{unit}"' if unit else "")


@dataclass
class _Writer:
    making: Making
    sheet: Worksheet
    row: int
    top: int
    heads: list[int] = field(default_factory=list)

    def answer(self, answer: Answer, name: str = "") -> None:
        """Write the choice, the reason and the cost, as exported; each part on one line with its evidence."""
        self._heading(f"{name}: {answer.title}" if name else answer.title)
        for fact in answer.facts:
            put(self.sheet, self.row, _FIRST, fact.label, self.making.notes, font=QUIET).alignment = TOP
            self._wide(6, 9, fact.words, _LINE)
            self.sheet.cell(self.row, 6).font = STRONG
            self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=10, end_column=_EVIDENCE)
            put(self.sheet, self.row, 10, fact.note, self.making.notes, font=QUIET).alignment = WRAPPED
            self.sheet.row_dimensions[self.row].height = 28
            self.row += 1
        self.row += 1

    def study(self, name: str, cards: Sequence[Card], told: CoverFindings, answer: Answer | None = None) -> None:
        """Write the cards, the first chart, the findings and the main changes of one study, beginning a new page."""
        if name:
            if self.row > self.top:
                self.sheet.row_breaks.append(Break(id=self.row - 1))
            self._heading(f"{self.making.codes.get(name, '')} {name}".strip())
        if answer is not None:
            self.answer(answer)
        self._cards(cards[:_MOST_CARDS])
        if not self._claim(told):
            self._chart(name)
        if told.table is not None:
            self._findings(name, told.table, told)
        if told.compared is not None:
            self._headlines(*told.compared)

    def _cards(self, cards: Sequence[Card]) -> None:
        """Write large numbers side by side, under a line in the colour of their configuration."""
        if not cards:
            return
        for (column, last), card in zip(_CARDS, cards, strict=False):
            top = Border(top=Side("thick", color=argb(colour(card.look, "light"))))
            for at in range(column, last + 1):
                self.sheet.cell(self.row, at).border = top
            for row in range(self.row, self.row + 3):
                self.sheet.merge_cells(start_row=row, end_row=row, start_column=column, end_column=last)
            number = card_figure(self.making, self.sheet, self.row + 1, column, card)
            put(self.sheet, self.row, column, card.title, self.making.notes, font=QUIET).alignment = TOP_LEFT
            number.font, number.alignment = _VALUE, TEXT
            words = card.note.split("\n")[0]
            put(self.sheet, self.row + 2, column, words, self.making.notes, font=QUIET).alignment = WRAPPED
        self.sheet.row_dimensions[self.row + 1].height = 28
        self.sheet.row_dimensions[self.row + 2].height = 28
        self.row += 4

    def _findings(self, study: str, table: TableData, told: CoverFindings) -> None:
        """Write the first findings in their order, each with its change and verdict; without findings there is no
        heading."""
        if not table.rows:
            return
        shown = table.rows[:MOST_FINDINGS]
        more = " findings. The 'Findings' sheet lists all of them." if len(shown) < told.total else ""
        self._heading("Findings", f"{len(shown)} of {told.total}{more}" if more else "")
        names = ["No.", "Finding", *[""] * 4, "Change (italics: no formula)", *("Interval", "Verdict", "n", "Evidence")]
        headers(self.sheet, self.row, names, [index in (0, 6, 9) for index in range(len(names))], _FIRST)
        self.sheet.row_dimensions[self.row].height = 42
        for number, row in enumerate(shown, start=1):
            self.row += 1
            sentence, _, evidence = row[:3]
            cell = put(self.sheet, self.row, _FIRST, number, self.making.notes, "0", STRONG)
            cell.alignment = TOP_LEFT
            lines = self._wide(5, 9, str(sentence.value or sentence.text), _LINE)
            self._fact(told, told.finding(sentence.key))
            put(self.sheet, self.row, _EVIDENCE, _page_of(evidence), self.making.notes).alignment = TOP_LEFT
            self._link(self.row, _EVIDENCE, self._sheet_of(study, evidence))
            self.sheet.row_dimensions[self.row].height = 4 + 13.5 * lines
        self.row += 2

    def _fact(self, told: CoverFindings, finding: Finding | None) -> None:
        """Write change, interval, verdict and runs of a finding; a dash if it has none. The change is a formula to its
        line of the comparison; a change of another answer is as exported, in italics."""
        row = told.difference(finding)
        change = row.change if row else (finding.change or finding.drawn) if finding else None
        if change is None:
            for column in (10, 11, 12):
                dash = put(self.sheet, self.row, column, MISSING, self.making.notes, font=QUIET)
                dash.alignment = TOP_RIGHT if column == 10 else TOP_LEFT
            return
        measure = row.measure if row else MEASURES.get(finding.figure) if finding else None
        unit = measure.change_unit if measure else RATIO
        value, number = drawn_change(change, unit)[0], _signed_format(unit)
        if row and told.compared:
            self.making.results.put(self.sheet, self.row, 10, told.compared[1].cell(CHANGE, row), value, number)
            self.sheet.cell(self.row, 10).font = STRONG
        else:
            put(self.sheet, self.row, 10, value, self.making.notes, number, _EXPORTED)
        self.sheet.cell(self.row, 10).alignment = TOP_RIGHT
        single = change.basis == "single"
        words = MISSING if single else change_ends_words(change, unit)
        put(self.sheet, self.row, 11, words, self.making.notes).alignment = TOP_LEFT
        verdict = verdict_words(row.verdict) if row and row.verdict and not single else ""
        cell = put(self.sheet, self.row, 12, with_mark(verdict) or MISSING, self.making.notes)
        if verdict:
            dress_verdict(cell, verdict)
        cell.alignment = TOP_LEFT
        put(self.sheet, self.row, _LAST, change.n, self.making.notes, "0").alignment = TOP_RIGHT

    def _sheet_of(self, study: str, evidence: Cell) -> str:
        """The sheet of the first page that an evidence names; empty if the workbook has none."""
        page_name = _page_of(evidence)
        kind = "IOPS" if page_name in ("Per VM", "Overview") else page_name
        sheets = self.making.kinds
        named = [title for title, (name, label) in sheets.items() if name == kind and label in (study, "")]
        # A link to a hidden sheet does not work.
        fitting = [title for title in named if self.making.book[title].sheet_state == "visible"]
        return next(iter(fitting), "")

    def _headlines(self, study: StudyGroups, lines: CompareLines) -> None:
        """Write the savings of each configuration by phase, as formulas over the comparison."""
        rows = [row for row in lines.lines if row.measure.key in HEADLINES and row.change is not None]
        if not rows:
            return
        base = study.baseline.label if study.baseline else ""
        self._heading(f"Main changes from {named(base)}")
        names = ["", "Phase", "Configuration", "Metric", "Baseline", "Mean", "Change (%)", "Interval", "Verdict", "n"]
        numeric = [index in (4, 5, 6, 9) for index in range(len(names))]
        headers(self.sheet, self.row, names, numeric, _FIRST)
        self.sheet.row_dimensions[self.row].height = 28
        self.heads.append(self.row)
        order = {figure: index for index, figure in enumerate(HEADLINES)}
        for row in sorted(rows, key=lambda row: order[row.measure.key]):
            self.row += 1
            self._headline(row, lines)
        self.row += 2

    def _headline(self, row: Difference, lines: CompareLines) -> None:
        change = row.change
        assert change is not None
        for index, text in ((5, phase_words(row.phase)), (6, row.configuration), (7, row.measure.name)):
            font = STRONG if index == 6 else BODY
            put(self.sheet, self.row, index, text, self.making.notes, font=font).alignment = TEXT
        for index, column, value in ((8, BASE, row.baseline_value), (9, MEAN, row.value), (10, CHANGE, change.percent)):
            if value is not None:
                number_format = SIGNED if index == 10 else figure_format(value)
                self.making.results.put(self.sheet, self.row, index, lines.cell(column, row), value, number_format)
        self.sheet.cell(self.row, 10).font = STRONG
        single = change.basis == "single"
        words = few_runs_words(change.n, change.n_baseline) if single else interval_words(change)
        words += f", {IN_PART}" * bool(row.unmeasured)
        put(self.sheet, self.row, 11, words, self.making.notes).alignment = WRAPPED if row.unmeasured else TEXT
        if row.unmeasured:
            self.sheet.row_dimensions[self.row].height = 28
        if row.verdict and not single:
            verdict = verdict_words(row.verdict)
            dress_verdict(put(self.sheet, self.row, 12, with_mark(verdict), self.making.notes), verdict)
        other = "" if change.n == change.n_baseline else f'" : {change.n_baseline}"'
        put(self.sheet, self.row, _LAST, change.n, self.making.notes, f"0{other}")

    def _claim(self, told: CoverFindings) -> bool:
        """Add the chart of the first finding about bars or times, with its bracket; returns True if there is one."""
        shown = first_claim(told.facts) if told.facts else None
        if shown is None:
            return False
        finding, claim, figure = shown
        numbers = self.making.number_sheet("Summary data")
        lines = told.compared[1] if told.compared else None
        groups, times = told.facts.groups if told.facts else (), isinstance(claim, TimeClaim)
        link = claim_cell(self.making, () if times else groups, None if times else lines, finding)
        plan = plans_of(figure)[0]
        block = write_block(numbers, 1, plan, finding.text, link, self.making.notes)
        wide, tall = _CHART_PX, _CHART_ROWS * _ROW_PX - 8
        chart, shapes = claim_chart(block, claim, wide, tall)
        phase = "" if times else f" {in_phase(finding.phase)}"
        chart.title = chart_title(f"{plan.y.title}{phase}", 1100, bold=True)
        self._place(chart, wide, tall, figure.summary)
        if shapes:
            self.making.shapes.append((chart, shapes))
        return True

    def _chart(self, study: str) -> None:
        """Add a copy of the first chart on the study's IOPS sheet, over the same cells."""
        lead = self.making.leads.get(study)
        if lead is None:
            return
        blocks, words = lead
        wide, tall = _CHART_PX, _CHART_ROWS * _ROW_PX - 8
        chart = chart_of(blocks, wide, tall)
        self._place(chart, wide, tall, words)

    def _place(self, chart: Any, wide: int, tall: int, words: str) -> None:
        size = XDRPositiveSize2D(wide * _EMU_PER_PX, tall * _EMU_PER_PX)
        chart.anchor = OneCellAnchor(_from=AnchorMarker(col=_FIRST - 1, row=self.row - 1), ext=size)
        self.making.add_chart(self.sheet, chart, words)
        self.row += _CHART_ROWS + 1

    def index(self) -> int:
        """Write links to the sheets at the left, study by study; returns the row after them."""
        row, last = self.top, ""
        put(self.sheet, row, _INDEX, "This workbook", self.making.notes, font=STRONG)
        for sheet in self.making.book.worksheets:
            if sheet is self.sheet or sheet.sheet_state != "visible":
                continue
            kind, label = self.making.kinds.get(sheet.title, (sheet.title, ""))
            row += 1
            if label != last:
                code = self.making.codes.get(label, "")
                words = f"{code} {label}".strip() if label else "All studies"
                put(self.sheet, row + 1, _INDEX, words, self.making.notes, font=STRONG)
                row, last = row + 2, label
            put(self.sheet, row, _INDEX, kind if label else sheet.title, self.making.notes)
            self._link(row, _INDEX, sheet.title)
        return row + 1

    def paragraph(self, text: str) -> None:
        """Write a quiet text across the sheet."""
        self._wide(_FIRST, _LAST, text, 150)
        cell = self.sheet.cell(self.row, _FIRST)
        cell.font, cell.alignment = QUIET, PARAGRAPH
        self.sheet.row_dimensions[self.row].height = 14.0 * -(-len(text) // 140)
        self.row += 1

    def _link(self, row: int, column: int, title: str) -> None:
        if title:
            cell = self.sheet.cell(row, column)
            cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(title)}!A1")
            cell.font = INPUT

    def _heading(self, text: str, quiet: str = "") -> None:
        put(self.sheet, self.row, _FIRST, text, self.making.notes, font=HEADING)
        if quiet:
            put(self.sheet, self.row, _FIRST + 2, quiet, self.making.notes, font=QUIET)
        self.row += 1

    def _wide(self, first: int, last: int, text: str, line: int) -> int:
        """Write a text over several columns; returns the number of its lines."""
        self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=first, end_column=last)
        put(self.sheet, self.row, first, text, self.making.notes).alignment = WRAPPED
        return sum(-(-max(1, len(part)) // line) for part in text.split("\n"))
