"""The workbook as a whole: its sheets, their order, and the check after writing."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.utils.cell import absolute_coordinate
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from workbench import __version__
from workbench.answers.benchmarks.figures import benchmark_figures
from workbench.answers.cache.figures import cache_figure
from workbench.answers.common.choices import KeptLook
from workbench.answers.common.listing import MANY
from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment, View
from workbench.answers.compare.compute import Comparison
from workbench.answers.overview.figures import overview_figure
from workbench.answers.per_vm.figures import median_figure, read_write_figure
from workbench.answers.sizing.compute import Plan
from workbench.answers.storyboard.answer import answer_of
from workbench.answers.storyboard.shown import ShownStory, StudyFindings
from workbench.charts.content import Card
from workbench.charts.tables import TableData
from workbench.exporters.job import DocumentPart
from workbench.exporters.wanted import Face, Length
from workbench.exporters.workbook.cells import page, quoted, widths
from workbench.exporters.workbook.columns import StudyGroups, by_study, rows_of, sets_of
from workbench.exporters.workbook.figure_block import Link
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.first_sheet.story_order import pages_in_order
from workbench.exporters.workbook.links import Links, links_of
from workbench.exporters.workbook.making import (
    COMPARISONS,
    FINDINGS,
    Making,
    finish_sheets,
    order_sheets,
    put_in_language,
)
from workbench.exporters.workbook.sheets import configurations as configuration_sheet
from workbench.exporters.workbook.sheets import data as data_sheet
from workbench.exporters.workbook.sheets import phases as phase_sheet
from workbench.exporters.workbook.sheets.chapter import (
    IOPS_KEY,
    MISSING_DATA,
    Chapter,
    chapters_of,
    shared_sentences,
    with_iops,
    write_chapter,
    write_sentences,
)
from workbench.exporters.workbook.sheets.chart import LEADING, Sheet, SheetSection
from workbench.exporters.workbook.sheets.compare import CompareLines, write_compare_sheet
from workbench.exporters.workbook.sheets.configurations import write_configuration_sheet
from workbench.exporters.workbook.sheets.phases import write_phase_sheet
from workbench.exporters.workbook.sheets.plan_cells import PlanCells
from workbench.exporters.workbook.sheets.reports import benchmark_widths, write_benchmarks, write_import_report
from workbench.exporters.workbook.sheets.sizing import write_sizing_sheet
from workbench.exporters.workbook.sheets.sources import write_sources
from workbench.exporters.workbook.sheets.summary import Summary, write_summary
from workbench.measures.configurations import phase_names
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study

# First and last row of the lines on a sheet.
Lines = tuple[int, int]
# Pages with a fixed sheet in the workbook.
_OWN_SHEETS = frozenset((IMPORT_REPORT,))
# Tables of pages that the workbook has with formulas.
_WITH_FORMULAS = {
    IOPS_KEY: frozenset(("Phase table",)),
    "compare": frozenset(("Values",)),
    "sizing": frozenset(("Steps", "Inputs")),
}


@dataclass(frozen=True, eq=False)
class StudyAnswers:
    """The comparison, the capacity plans and the findings of each study (by folder), as the user chose on the pages.

    A study without one of them has no such sheet. `notice` and `face` are shown at the head of the workbook. Findings
    and sheets are in the order of `story`; those that do not fit the `length` are hidden.
    """

    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    plans: Mapping[str, tuple[Plan, ...]] = field(default_factory=dict)
    notice: str = ""
    findings: Mapping[str, StudyFindings] = field(default_factory=dict)
    story: ShownStory | None = None
    face: Face = field(default_factory=Face)
    looks: tuple[KeptLook, ...] = ()
    length: Length = "full"


def write_workbook(
    path: Path,
    studies: Sequence[Study],
    figures: Sequence[RunFigures],
    parts: Sequence[DocumentPart] = (),
    chosen: StudyAnswers | None = None,
    missing: list[str] | None = None,
) -> int:
    """Write the workbook of the studies with a sheet for each page of `parts`. Returns the number of charts, and
    appends to `missing` a sentence for each sheet that failed.

    Without parts it has only the fixed sheets: the summary, the phase table and the results computed from it, the
    import report and the sources.
    """
    chosen = chosen or StudyAnswers()
    gathered = by_study(studies, figures, chosen.looks)
    made = Making(Workbook(), missing=[] if missing is None else missing)
    made.book.remove(made.book.active)
    summary = made.sheet("Summary")
    several = sum(bool(study_groups.figures) for study_groups in gathered) > 1
    coded = [study.study.name for study in gathered if study.figures] if several else []
    made.codes = {name: f"S{number}" for number, name in enumerate(coded, start=1)}
    links = _tables(made, gathered)
    made.formula_of, made.value_of = links.formula, links.value
    chapters = with_iops([chapter for chapter in chapters_of(parts) if chapter.key not in _OWN_SHEETS])
    compared = _compared(made, gathered, links, chosen, several)
    planned = _planned(made, gathered, chosen, several)
    shown = BookParts(
        chapters,
        (*(lines.link for _, lines in compared), *(cells.link for cells in planned)),
        shared_sentences(chapters),
    )
    for study in gathered:
        if study.groups:
            _study_charts(made, study, study.study.name if several else "", shown)
    for chapter in chapters:
        if chapter.key != IOPS_KEY or not any(study.groups for study in gathered):
            made.alone(chapter.name, chapter.study, partial(_chapter, made, chapter, shown), None)
        made.alone(FINDINGS, chapter.study, partial(write_sentences, made, chapter, shown.shared), None)
    _evidence(made, gathered, chosen, with_charts="benchmarks" not in {chapter.key for chapter in chapters})
    cards, known, story = _cards(parts), chosen.findings, chosen.story
    answers = {folder: answer_of(facts, chosen.plans.get(folder, ())) for folder, facts in known.items()}
    summed = Summary(
        gathered, _findings(parts), tuple(compared), chosen.notice, cards, known, story, chosen.face, answers
    )
    pages = {study.study.name if several else "": pages_in_order(study.study.folder, story) for study in gathered}
    _ordered(made, pages)
    _hide(made, chosen.length, any(run.phases for study in gathered for group in study.groups for run in group.runs))
    made.alone("Summary", "", lambda: write_summary(made, summary, summed), None, summary)
    # A sheet that failed was created again, at the end.
    _ordered(made, pages)
    names = ", ".join(study.study.name for study in gathered)
    few = chosen.length == "review" and any(len(study.groups) > MANY for study in gathered)
    finish_sheets(made, made.only("Summary"), f"Virtual-desktop test results: {names}", few)
    _properties(made, names)
    put_in_language(made)
    save(made.book, path, made.results, made.numbers, made.words, made.shapes)
    return made.charts


def _evidence(made: Making, gathered: Sequence[StudyGroups], chosen: StudyAnswers, with_charts: bool) -> None:
    """Write the sheets with the measured data and its sources."""
    if any(study_groups.study.benchmarks for study_groups in gathered):
        made.alone("Benchmark table", "", lambda: _benchmarks(made, gathered, with_charts), None)
    made.alone(data_sheet.NAME, "", lambda: _data(made, gathered, chosen), None)
    made.alone("Sources", "", lambda: write_sources(made, made.sheet("Sources"), gathered), None)
    made.alone(
        "Import report", "", lambda: write_import_report(made.sheet("Import report"), gathered, made.notes), None
    )


def check_workbook(path: Path) -> None:
    """Open the workbook again and read every sheet; raises if it is incomplete."""
    with zipfile.ZipFile(path) as archive:
        # Reads every part to its end and checks its checksum.
        broken = archive.testzip()
        if broken is not None:
            raise OSError(f"part {broken} of the new file is damaged")
    book = load_workbook(path, read_only=True)
    try:
        if not book.sheetnames:
            raise OSError("the new file has no sheets")
        for sheet in book.worksheets:
            next(sheet.iter_rows(values_only=True), None)
    finally:
        book.close()


def _tables(made: Making, studies: Sequence[StudyGroups]) -> Links:
    sets = sets_of(studies)
    rows = rows_of(studies, sets)
    phases, means = phase_sheet.NAME, configuration_sheet.NAME

    def phase_lines() -> Lines | None:
        sheet = made.sheet(phases)
        lines = write_phase_sheet(sheet, rows, made.results, made.notes)
        _name(made, "Phase_table", sheet)
        return lines

    def mean_lines(table: Lines | None) -> Lines | None:
        if table is None:
            raise ValueError(f"the sheet {phases} is missing, but the means are computed from this sheet")
        sheet = made.sheet(means)
        lines = write_configuration_sheet(sheet, sets, table, made.results, made.notes)
        _name(made, "Configurations", sheet)
        return lines

    table = made.alone(phases, "", phase_lines, None)
    of_means = made.alone(means, "", lambda: mean_lines(table), None)
    # No formula may refer to a sheet that failed.
    return links_of(rows if table else (), sets if of_means else (), table or (0, 0), of_means or (0, 0))


def _name(made: Making, name: str, sheet: Worksheet) -> None:
    label = f"{quoted(sheet.title)}!{absolute_coordinate(sheet.auto_filter.ref)}"
    made.book.defined_names[name] = DefinedName(name, attr_text=label)


@dataclass(frozen=True, eq=False)
class BookParts:
    """The chapters of the pages, the links of their bars, and the sentences that studies share."""

    chapters: Sequence[Chapter]
    links: tuple[Link, ...]
    shared: frozenset[str]

    def of(self, key: str, study: str) -> Chapter | None:
        """The chapters of a study."""
        return next((one for one in self.chapters if (one.key, one.study) == (key, study)), None)


def _chapter(made: Making, chapter: Chapter, shown: BookParts, more: Sequence[SheetSection] = ()) -> None:
    own = shown.links if chapter.key in _WITH_FORMULAS else ()
    tables = _WITH_FORMULAS.get(chapter.key, frozenset())
    write_chapter(made, chapter, own, tables, more)


def _study_charts(made: Making, study: StudyGroups, label: str, shown: BookParts) -> None:
    made.alone("IOPS", label, lambda: _iops_charts(made, study, label, shown), None)
    if not any(chapter.key == "cache" for chapter in shown.chapters):
        made.alone("Cache", label, lambda: _cache_charts(made, study, label), None)


def _iops_charts(made: Making, study: StudyGroups, label: str, shown: BookParts) -> None:
    """The pages on IOPS, then reads and writes and the course of each phase."""
    groups, phases = study.groups, phase_names(study.groups)
    over_time = [SheetSection((median_figure(groups, View(phase)),)) for phase in phases]
    split = SheetSection(
        tuple(read_write_figure(groups, (phase,)) for phase in phases) or (read_write_figure(groups, ()),)
    )
    chapter = shown.of(IOPS_KEY, label)
    if chapter is not None:
        _chapter(made, chapter, shown, [split, *over_time])
        return
    sections = [SheetSection((overview_figure(groups, phases),)), split, *over_time]
    _add(made, "IOPS", label, f"IOPS per VM: {study.study.name}", sections)


def _cache_charts(made: Making, study: StudyGroups, label: str) -> None:
    groups, phases = study.groups, phase_names(study.groups)
    # Values at the end of a phase are in the summary; the whole run has none.
    cache = [
        SheetSection((cache_figure(groups, View(WHOLE_RUN, alignment=Alignment.RUN_START)),), with_summary=False),
        *(SheetSection((cache_figure(groups, View(phase)),)) for phase in phases),
    ]
    shown = [section for section in cache if section.figures[0].panels]
    _add(made, "Cache", label, f"Cache use per VM: {study.study.name}", shown or cache[:1])


def _add(made: Making, kind: str, label: str, title: str, sections: Sequence[SheetSection]) -> None:
    sheet = Sheet(made, made.sheet(kind, label))
    sheet.title(title)
    for section in sections:
        sheet.add(section)
    if not any(figure.panels for section in sections for figure in section.figures):
        made.blank.add(sheet.sheet.title)
    sheet.finish()


def _compared(
    made: Making, studies: Sequence[StudyGroups], links: Links, chosen: StudyAnswers, several: bool
) -> list[tuple[StudyGroups, CompareLines]]:
    lines = []
    for study in studies:
        comparison = chosen.comparisons.get(study.study.folder)
        if comparison is not None and comparison.differences:
            label = study.study.name if several else ""
            sheet = made.sheet(COMPARISONS, label)
            write = partial(write_compare_sheet, made, sheet, comparison, study.groups, links)
            own = made.alone(COMPARISONS, label, write, None, sheet)
            lines += [(study, own)] if own is not None else []
    return lines


def _planned(made: Making, studies: Sequence[StudyGroups], chosen: StudyAnswers, several: bool) -> list[PlanCells]:
    cells: list[PlanCells] = []
    for study in studies:
        own = chosen.plans.get(study.study.folder)
        if own:
            label = study.study.name if several else ""
            prefix = "Sizing" if not cells else f"Sizing{len(cells) + 1}"
            sheet = made.alone("Sizing plan", label, partial(_sizing_sheet, made, label, own, study, prefix), None)
            if sheet is not None:
                cells.append(sheet)
                made.plans[label] = sheet
    return cells


def _sizing_sheet(
    made: Making, label: str, plans: tuple[Plan, ...], study: StudyGroups, prefix: str
) -> PlanCells | None:
    return write_sizing_sheet(made, made.sheet("Sizing plan", label), plans, study.groups, prefix)


def _findings(parts: Sequence[DocumentPart]) -> tuple[tuple[str, TableData], ...]:
    """The findings of each study, as the user edited them."""
    return tuple(
        (part.study, table)
        for part in parts
        if part.page == "overview"
        for table in part.content.tables
        if table.name == FINDINGS
    )


def _cards(parts: Sequence[DocumentPart]) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """The cards of each study."""
    return tuple((part.study, part.content.cards) for part in parts if part.page == "overview" and part.content.cards)


def _benchmarks(made: Making, studies: Sequence[StudyGroups], with_charts: bool) -> None:
    if with_charts:
        rows = [
            figure
            for study in studies
            if study.study.benchmarks
            for figure in benchmark_figures(study.study.benchmarks)
        ]
        _add(made, "Benchmarks", "", "Storage benchmarks", [SheetSection((figure,)) for figure in rows])
    sheet = made.sheet("Benchmark table")
    write_benchmarks(sheet, 1, studies, made.notes)
    widths(sheet, benchmark_widths(studies))
    if not with_charts:
        # The page has tables of its metrics; this table is only for reference.
        sheet.sheet_state = "hidden"
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = sheet.dimensions
    page(sheet)


# Sheets that belong to no study, before and after those of the studies; sheets of a study in their order.
_FIRST = ("Summary", data_sheet.NAME, "Phase table", "Configurations")
_LAST = ("Benchmark findings", "Benchmarks", "Benchmark table", "Import report", "Sources")
_OF_STUDY = (
    "Findings",
    "IOPS",
    "Compare",
    COMPARISONS,
    "Cache",
    "Logons",
    "Timeline",
    "Benchmarks",
    "Benchmark table",
    "Sizing",
    "Sizing plan",
)
# Sheets that pages share, and sheets next to the sheet of their page.
_PAGE_SHEETS = {"Overview": LEADING, "Per VM": LEADING}
_BESIDE = {
    COMPARISONS: "Compare",
    "Sizing plan": "Sizing",
    "Benchmark table": "Benchmarks",
    MISSING_DATA: "Prepare a test",
}


# Sheets shown for all studies; for each study, the first sheets that are shown, and their number.
_SHOWN: Mapping[Length, tuple[frozenset[str], tuple[str, ...], int]] = {
    "brief": (frozenset(("Summary", data_sheet.NAME, "Configurations")), ("Sizing plan", "Benchmarks"), 1),
    "review": (
        frozenset(_FIRST),
        (
            *("Findings", COMPARISONS, "Sizing plan", "Benchmarks", "Benchmark table", "Cache", "Logons", "IOPS"),
            "Timeline",
        ),
        4,
    ),
}


def _hide(made: Making, length: Length, with_phases: bool) -> None:
    """Hide the sheets that do not fit the length or have no data; the user can show them with one click."""
    for title in made.book.sheetnames:
        if not with_phases and made.kinds.get(title, ("", ""))[0] in (phase_sheet.NAME, configuration_sheet.NAME):
            _conceal(made.book[title])
    if length not in _SHOWN:
        return
    of_all, first, most = _SHOWN[length]
    places: dict[str, list[tuple[int, str]]] = {}
    for at, sheet in enumerate(made.book.worksheets):
        kind, label = made.kinds.get(sheet.title, ("", ""))
        if sheet.title in made.blank:
            _conceal(sheet)
        if sheet.sheet_state != "visible" or made.is_numbers(sheet.title) or (kind in of_all and not label):
            continue
        early = kind in first and all(made.kinds[title][0] != kind for _, title in places.get(label, ()))
        places.setdefault(label, []).append((first.index(kind) if early else len(first) + at, sheet.title))
    for found in places.values():
        for rank, (place, title) in enumerate(sorted(found)):
            if rank >= most or (length == "brief" and place >= len(first)):
                _conceal(made.book[title])


def _conceal(sheet: Worksheet) -> None:
    sheet.sheet_state = "hidden"
    # LibreOffice prints a hidden sheet that has a print area.
    sheet.print_area = None


def _data(made: Making, gathered: Sequence[StudyGroups], chosen: StudyAnswers) -> None:
    sheet = made.sheet(data_sheet.NAME)
    left = data_sheet.write_data(sheet, gathered, chosen.comparisons, made.notes)
    if sheet.max_row == 1:
        made.blank.add(sheet.title)
    if left:
        made.missing.append(
            f"{left:,} rows of the sheet {data_sheet.NAME} do not fit; export a .csv file to get all rows."
        )


def _ordered(made: Making, pages: Mapping[str, Sequence[str]]) -> None:
    """The sheets in reading order, study by study, numbers behind charts last. In each study, the `pages` of the
    storyboard are first."""
    labels = list(made.codes)

    def place(title: str) -> tuple[int, ...]:
        kind, label = made.kinds.get(title, ("", ""))
        if made.is_numbers(title) or made.book[title].sheet_state != "visible":
            return (4,)
        if kind in _FIRST:
            return 0, _FIRST.index(kind)
        if kind in _LAST and not label:
            return 3, _LAST.index(kind)
        told = [_PAGE_SHEETS.get(name, name) for name in pages.get(label, ())]
        of_page = _BESIDE.get(kind, kind)
        early = -1 if kind == FINDINGS else told.index(of_page) if of_page in told else len(told)
        inside = _OF_STUDY.index(kind) if kind in _OF_STUDY else len(_OF_STUDY)
        return (1, labels.index(label), early, inside) if label in labels else (2, early, inside)

    order_sheets(made.book, place)


def _properties(made: Making, names: str) -> None:
    properties = made.book.properties
    properties.title, properties.creator = "Virtual-desktop test results", f"VDI Workbench {__version__}"
    properties.subject = names[:250]
    properties.description = "Written by VDI Workbench. The 'Sources' sheet lists the sources of the values."
    properties.keywords = "VDI, storage I/O, IOPS"
    properties.created = properties.modified = datetime.now(UTC).replace(tzinfo=None)
