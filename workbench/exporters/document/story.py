"""The whole content of a page or report: findings, pages, method, problems, sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from workbench import __version__
from workbench.charts.content import Content
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import METHODS, Document, Section, today
from workbench.exporters.document.language import in_language
from workbench.exporters.job import ExportJob
from workbench.exporters.source_hashes import HASH_LEGEND, known_files
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, duration, moment, plural


def story_of(job: ExportJob) -> Document:
    """The document of an export with everything for page and report: its slides if there are any, the pages, and the
    sources."""
    names = [study.name for study in job.studies if study.runs or study.benchmarks] or ["Results"]
    problems = [problem for study in job.studies for problem in study.problems]
    problems += [problem for figure in job.figures for problem in figure.problems]
    subtitle = " · ".join(filter(None, (_subtitle(job), job.notice)))
    face = job.face
    document = job.document or Document(
        face.title or ", ".join(names),
        subtitle,
        customer=face.customer,
        author=face.author,
        date=today(),
        logo=face.logo,
    )
    has_slides = bool(document.all_slides)
    sections = [Section(p.name, _on_paper(p.content, has_slides), study=p.study, key=p.key) for p in job.parts]
    whole = replace(
        document,
        sections=tuple(section for section in told_once(sections) if _tells(section)),
        method=document.method or METHODS,
        problems=tuple(dict.fromkeys(problems)),
        sources=_sources(job, document),
        remarks=job.left_out,
    )
    return in_language(whole)


def _tells(section: Section) -> bool:
    """True if the section still has content: an overview without a chart contained only its findings, which come
    earlier.
    """
    content = section.content
    return bool(content.figure or content.cards or content.tables or content.empty or section.elsewhere)


def _on_paper(content: Content, has_slides: bool) -> Content:
    """The content without the findings, which come earlier, and without functions of the window."""
    kept = [table for table in content.tables if not (has_slides and table.name == "Findings")]
    tables = tuple(
        replace(table, legend=" · ".join(part for part in table.legend.split(" · ") if "click" not in part.casefold()))
        for table in kept
    )
    return replace(content, tables=tables)


def told_once(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections without tables that an earlier section has: views of one page share tables."""
    met: list[tuple[TableData, str]] = []
    untold = []
    for section in sections:
        kept, elsewhere = [], []
        for table in section.content.tables:
            where = next((name for other, name in met if other == table), None)
            if where is None:
                met.append((table, section.name))
                kept.append(table)
            else:
                elsewhere.append(f"See the table “{table.name or section.name}” under “{where}”.")
        untold.append(
            replace(section, content=replace(section.content, tables=tuple(kept)), elsewhere=tuple(elsewhere))
        )
    return tuple(untold)


def _sources(job: ExportJob, document: Document) -> tuple[TableData, ...]:
    """The source tables: none in a brief; only the runs in a review, because the workbook has the files with their
    hashes."""
    tables = sources_of_job(job.figures, job) if document.length != "brief" else ()
    return tables[:1] if document.length == "review" and document.answered else tables


def sources_of_job(figures: Iterable[RunFigures], job: ExportJob) -> tuple[TableData, ...]:
    """The source tables: the runs with their phases and rules, and every file."""
    runs = TableData(
        _RUN_COLUMNS, tuple(row for figure in figures for row in _phase_rows(figure)), name="Runs and phases"
    )
    files = TableData(
        _FILE_COLUMNS, tuple(row for study in job.studies for row in _file_rows(study)), HASH_LEGEND, "Files"
    )
    return (runs, files)


_RUN_COLUMNS = (
    Column("Run", numeric=False),
    Column("Configuration", numeric=False),
    Column("VMs"),
    Column("Users"),
    Column("Phase", numeric=False),
    Column("Phase start", "UTC", numeric=False),
    Column("Duration", numeric=False),
    Column("Phase rule", numeric=False),
    Column("Excluded", numeric=False),
)


HASH = "SHA-256"
_FILE_COLUMNS = (
    Column("File", numeric=False),
    Column("Read as", numeric=False),
    Column("Rows"),
    Column("Rejected"),
    Column("First sample", "UTC", numeric=False),
    Column("UTC offset", "min"),
    Column("Bytes"),
    Column(HASH, numeric=False),
)


def _file_rows(study: Study) -> list[tuple[Cell, ...]]:
    return [
        (
            Cell(report.path, report.path),
            Cell(report.reader or "not recognised", report.reader),
            _count(report.rows),
            _count(report.rejected_rows),
            Cell((report.first or MISSING).replace("T", " ").removesuffix("Z"), report.first),
            _count(report.utc_offset_minutes),
            _count(file.size),
            Cell(file.sha256 or MISSING, file.sha256),
        )
        for report, file in zip(study.files, known_files(study), strict=True)
    ]


def _phase_rows(figures: RunFigures) -> list[tuple[Cell, ...]]:
    run = figures.run
    head = (
        Cell(run.name, run.name),
        Cell(run.configuration.name, run.configuration.name),
        _count(run.vms),
        _count(run.users),
    )
    left_out = Cell(run.excluded or "", run.excluded)
    rows: list[tuple[Cell, ...]] = [
        (
            *head,
            Cell(phase_words(row.phase.name), row.phase.name),
            Cell(moment(row.phase.start), moment(row.phase.start)),
            Cell(duration(row.phase.end - row.phase.start), row.phase.end - row.phase.start),
            Cell(row.phase.evidence, row.phase.evidence),
            left_out,
        )
        for row in figures.phases
    ]
    missing = Cell(MISSING)
    return rows or [(*head, missing, missing, missing, missing, left_out)]


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)


def _subtitle(job: ExportJob) -> str:
    runs = len(job.figures)
    counted = plural(runs, "run") if runs else "storage benchmarks"
    return f"{counted} · VDI Workbench {__version__}"
