"""The workbook as a whole: which sheets, in which order, and the check after writing."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from workbench import __version__
from workbench.analysis.configurations import phase_names
from workbench.analysis.phase_table import RunFigures
from workbench.charts.benchmarks_figure import benchmark_figures
from workbench.charts.cache_figure import cache_figure
from workbench.charts.median_figure import median_figure
from workbench.charts.overview_figure import overview_figure
from workbench.charts.read_write_figure import read_write_figure
from workbench.charts.traces import WHOLE_RUN, Alignment, View
from workbench.exporters.workbook import configuration_sheet, phase_sheet
from workbench.exporters.workbook.cells import Notes, page, widths
from workbench.exporters.workbook.chart_sheet import Section, add_chart_sheets
from workbench.exporters.workbook.configuration_sheet import Links, write_configuration_sheet
from workbench.exporters.workbook.figure_block import Link
from workbench.exporters.workbook.formulas import Results, store_results
from workbench.exporters.workbook.names import sheet_name
from workbench.exporters.workbook.phase_sheet import write_phase_sheet
from workbench.exporters.workbook.report_sheets import (
    benchmark_widths,
    write_benchmarks,
    write_import_report,
    write_provenance,
)
from workbench.exporters.workbook.rows import StudyGroups, by_study, rows_of, sets_of
from workbench.model.run import Study


@dataclass
class _Book:
    """The workbook while it fills."""

    book: Workbook
    several: bool
    results: Results = field(default_factory=Results)
    notes: Notes = field(default_factory=Notes)
    charts: int = 0

    def sheet(self, kind: str) -> Worksheet:
        """A new sheet at the end."""
        found: Worksheet = self.book.create_sheet(sheet_name(kind, "", self.book.sheetnames))
        return found

    def add(self, kind: str, study: Study, title: str, sections: Sequence[Section]) -> None:
        """A sheet of charts for one study, with its sheet of numbers."""
        label = study.name if self.several else ""
        name = sheet_name(kind, label, self.book.sheetnames)
        data = sheet_name(f"{kind} data", label, [*self.book.sheetnames, name])
        heading = f"{title}: {study.name}"
        self.charts += add_chart_sheets(self.book, name, data, heading, sections, self.results, self.notes)


def write_workbook(path: Path, studies: Sequence[Study], figures: Sequence[RunFigures]) -> int:
    """Writes the workbook of the studies; returns how many charts it has."""
    found = by_study(studies, figures)
    made = _Book(Workbook(), several=sum(bool(one.figures) for one in found) > 1)
    made.book.remove(made.book.active)
    links = _tables(made, found)
    for one in found:
        if one.groups:
            _study_charts(made, one, links(one))
    if any(one.study.benchmarks for one in found):
        _benchmarks(made, found)
    report, provenance = made.sheet("Import report"), made.sheet("Provenance")
    write_provenance(provenance, found, made.notes)
    write_import_report(report, found, made.notes)
    _numbers_last(made.book)
    _save(made, path)
    return made.charts


def check_workbook(path: Path) -> None:
    """Reopens the workbook and reads every sheet; raises when it is not whole."""
    with zipfile.ZipFile(path) as archive:
        broken = archive.testzip()
        if broken is not None:
            raise OSError(f"part {broken} of the new file is damaged")
    book = load_workbook(path, read_only=True)
    try:
        if not book.sheetnames:
            raise OSError("the new file has no sheets")
        for sheet in book.worksheets:
            for _ in sheet.iter_rows(values_only=True):
                pass
    finally:
        book.close()


def _tables(made: _Book, studies: Sequence[StudyGroups]) -> configuration_sheet.FindLinks:
    sets = sets_of(studies)
    rows = rows_of(studies, sets)
    table = write_phase_sheet(made.sheet(phase_sheet.NAME), rows, made.results, made.notes)
    sheet = made.sheet(configuration_sheet.NAME)
    return write_configuration_sheet(sheet, sets, table, made.results, made.notes)


def _study_charts(made: _Book, one: StudyGroups, links: Links) -> None:
    groups = one.groups
    phases = phase_names(groups)
    bars = Section(
        tuple(overview_figure(groups, (phase,)) for phase in phases) or (overview_figure(groups, ()),),
        tuple(_total_link(links, phase) for phase in phases),
    )
    parts = Section(
        tuple(read_write_figure(groups, (phase,)) for phase in phases) or (read_write_figure(groups, ()),),
        tuple(_part_link(links, phase) for phase in phases),
    )
    over_time = [Section((median_figure(groups, View(phase)),)) for phase in phases]
    made.add("IOPS", one.study, "IOPS per VM", [bars, parts, *over_time])
    # Figures at the end of a phase are what the summary says; the whole run has none.
    cache = [
        Section((cache_figure(groups, View(WHOLE_RUN, alignment=Alignment.RUN_START)),), with_summary=False),
        *(Section((cache_figure(groups, View(phase)),)) for phase in phases),
    ]
    shown = [section for section in cache if section.figures[0].panels]
    made.add("Cache", one.study, "Cache use per VM", shown or cache[:1])


def _total_link(links: Links, phase: str) -> Link:
    return lambda _series, label: links.formula(label, phase, "iops_per_vm")


def _part_link(links: Links, phase: str) -> Link:
    keys = {"Reads": "read_iops_per_vm", "Writes": "write_iops_per_vm"}
    return lambda series, label: links.formula(label, phase, keys.get(series, ""))


def _benchmarks(made: _Book, studies: Sequence[StudyGroups]) -> None:
    several = sum(bool(one.study.benchmarks) for one in studies) > 1
    sections = [
        Section((figure,))
        for one in studies
        if one.study.benchmarks
        for figure in benchmark_figures(one.study.benchmarks)
    ]
    name = sheet_name("Benchmarks", "", made.book.sheetnames)
    data = sheet_name("Benchmarks data", "", made.book.sheetnames)
    title = "Storage benchmarks" + (": each study has its own charts" if several else "")
    made.charts += add_chart_sheets(made.book, name, data, title, sections, made.results, made.notes)
    sheet = made.sheet("Benchmark table")
    write_benchmarks(sheet, 1, studies, made.notes)
    widths(sheet, benchmark_widths(studies))
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = sheet.dimensions
    page(sheet)


def _numbers_last(book: Workbook) -> None:
    """The sheets behind the charts go to the end: they are for looking up."""
    behind = [sheet for sheet in book.worksheets if sheet.sheet_properties.tabColor is not None]
    for sheet in behind:
        book.move_sheet(sheet, len(book.worksheets))


def _save(made: _Book, path: Path) -> None:
    properties = made.book.properties
    properties.title, properties.creator = "Virtual-desktop test results", f"VDI Workbench {__version__}"
    made.book.calculation.fullCalcOnLoad = True
    made.book.active = 0
    # By way of memory: on a full disk openpyxl leaves an archive open, which complains when it is collected.
    whole = BytesIO()
    made.book.save(whole)
    path.write_bytes(whole.getvalue())
    store_results(path, made.book.sheetnames, made.results)
