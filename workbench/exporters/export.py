"""Export: the ending of the file name decides the format.

A format is one entry of `_WRITERS`. Its writer writes the files safely and returns the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from workbench.answers.common.document import Table, benchmark_rows, summary_rows, to_csv
from workbench.answers.findings.tables import BENCHMARKS
from workbench.answers.logons.document import logon_rows
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.language import in_language
from workbench.exporters.job import DocumentPart, ExportJob, NoPainterError, Painter, PictureLook, Written
from workbench.exporters.names import file_names, kept_names, names_in, no_font_words, plain_name
from workbench.exporters.safe_file import EmptyExportError, ExportError, failure_words, write_safely
from workbench.exporters.source_hashes import FILES, hash_lines, known_files, refuse_sources
from workbench.model.run import Study
from workbench.words.translated import ENGLISH, speaking

__all__ = ["ENDINGS", "ExportError", "check_ending", "export"]

# The endings of files whose letters are drawn by this program, not by the program that opens them.
_DRAWN = (".png", ".pdf")
Writer = Callable[[ExportJob, Painter | None], Written]


def export(job: ExportJob, painter: Painter | None = None) -> Written:
    """Write the job to its path; returns the report for the user.

    Raises `ExportError` with a sentence if nothing was written; an earlier file is then unchanged. Images and the .pdf
    report need a `painter`.
    """
    check_ending(job.path)
    refuse_sources(job.path, job.studies)
    # Data files report their omissions themselves.
    if job.data == "phases" and not any(map(_holds_results, job.studies)):
        raise EmptyExportError(_nothing(job.path))
    ending = job.path.suffix.lower()
    with speaking(job.language if ending in _SPOKEN else ENGLISH, kept_names(job.studies)):
        written = _WRITERS[ending](job, painter)
    boxes = _undrawn(job, painter) if painter is not None and ending in _DRAWN else ()
    return replace(written, left_out=tuple(dict.fromkeys((*written.left_out, *job.left_out, *boxes))))


def _undrawn(job: ExportJob, painter: Painter) -> tuple[str, ...]:
    """Returns a sentence if names have letters that are drawn as boxes."""
    scripts = painter.undrawn(" ".join(names_in(job.studies)))
    return (no_font_words(scripts),) if scripts else ()


def export_each_study(job: ExportJob, painter: Painter | None = None) -> Written:
    """Write one workbook per study with runs or benchmarks, next to the job's path and named after it.

    Raises like `export`.
    """
    known = _known(job)
    if len(known) < 2:
        return export(job, painter)
    paths = _paths(job, known)
    written = [export(_of_study(job, study, path), painter) for study, path in zip(known, paths, strict=True)]
    files = tuple(file for one in written for file in one.files)
    left_out = tuple(dict.fromkeys(sentence for one in written for sentence in one.left_out))
    return Written(f"Wrote {len(files)} workbooks, one for each study.", files, left_out)


def study_files(job: ExportJob) -> tuple[str, ...]:
    """The names of the files that `export_each_study` writes."""
    known = _known(job)
    return tuple(path.name for path in _paths(job, known)) if len(known) > 1 else (job.path.name,)


def _known(job: ExportJob) -> list[Study]:
    return [study for study in job.studies if study.runs or study.benchmarks]


def _paths(job: ExportJob, studies: Sequence[Study]) -> list[Path]:
    """File names like `findings-lab.xlsx` next to `findings.xlsx`; studies with equal names are numbered."""
    paths: list[Path] = []
    for number, study in enumerate(studies, start=1):
        path = job.path.with_name(f"{job.path.stem}-{plain_name(study.name) or number}{job.path.suffix}")
        same = path.name.casefold() in {other.name.casefold() for other in paths}
        paths.append(path.with_name(f"{path.stem}-{number}{path.suffix}") if same else path)
    return paths


def _of_study(job: ExportJob, study: Study, path: Path) -> ExportJob:
    """The job of one study, without data of others. Statements of pages about all studies are removed."""
    of_all = {spec.key for spec in PAGES if spec.of_every_study}
    runs = {run.folder for run in study.runs}
    parts = tuple(
        replace(part, study="", name=part.name.removeprefix(f"{study.name}: "), content=_own(part.content))
        for part in job.parts
        if part.page not in of_all and (part.folder == study.folder or (study.runs and not part.folder))
    )
    figures = tuple(figure for figure in job.figures if figure.run.folder in runs)
    findings = {folder: found for folder, found in job.findings.items() if folder == study.folder}
    return replace(job, path=path, studies=(study,), figures=figures, parts=parts, whole=False, findings=findings)


def _own(content: Content) -> Content:
    """The findings without those on storage benchmarks in other folders."""
    return replace(content, tables=tuple(table for table in content.tables if table.name != BENCHMARKS))


def check_ending(path: Path) -> None:
    """Raises `ExportError` if files with this ending cannot be written."""
    if path.suffix.lower() in _WRITERS:
        return
    text = f"ends in '{path.suffix}'" if path.suffix else "has no ending"
    known = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
    raise ExportError(f"{path.name} {text}. Nothing was written; choose a name that ends in {known}.")


def _workbook(job: ExportJob, _painter: Painter | None) -> Written:
    # Imported here, as with every library that only one format needs.
    from workbench.exporters.workbook.book import StudyAnswers, check_workbook, write_workbook

    if job.template is not None:
        return _filled(job, job.template)
    charts = 0
    chosen = StudyAnswers(
        *(job.comparisons, job.plans, job.notice, job.findings, job.story, job.face, job.looks), length=job.length
    )
    missing: list[str] = []

    def write(path: Path) -> None:
        nonlocal charts
        charts = write_workbook(path, job.studies, job.figures, job.parts, chosen, missing)

    write_safely(job.path, write, check_workbook)
    return Written(f"Wrote {job.path.name}: {_counted(job)}, {_count(charts, 'chart')}.", (job.path,), tuple(missing))


def _macro_workbook(job: ExportJob, painter: Painter | None) -> Written:
    if job.template is None:
        raise ExportError(
            f"{job.path.name} was not written: a workbook with macros is filled from a template that has them. "
            "Name one with --template, or export .xlsx."
        )
    return _workbook(job, painter)


def _slides(job: ExportJob, _painter: Painter | None) -> Written:
    from workbench.exporters.slides.write import write_deck

    if job.document is None or not job.document.all_slides:
        raise ExportError(f"{job.path.name} was not written: {_why_no_slide(job)}")
    deck = in_language(_with_hashes(job.document, job.studies))
    written = write_deck(job.path, deck, job.template, job.look.theme)
    counts = f"{_count(written.slides, 'slide')}, {_count(written.charts, 'chart')}"
    return Written(f"Wrote {job.path.name}: {counts}.", (job.path,), written.left_out)


def _why_no_slide(job: ExportJob) -> str:
    if not _known(job):
        return "there are no runs and no benchmarks to show."
    if job.whole:
        return "the storyboard has no slide. Restore its default, or add a view or a finding to it."
    return "no selected page has a slide."


def _with_hashes(deck: Document, studies: Sequence[Study]) -> Document:
    """The deck with the hashes of its files in the notes. They are computed when it is written, not when it is
    shown."""
    known = [known_files(study) for study in studies]

    def hashed(slide: Slide) -> Slide:
        lines = hash_lines([file for files in known for file in files if file.of_run(slide.runs)])
        return replace(slide, notes="\n".join((slide.notes, FILES, *lines))) if lines else slide

    slides, appendix = (tuple(map(hashed, part)) for part in (deck.slides, deck.appendix))
    lines = hash_lines([file for files in known for file in files if file.recognised])
    return replace(deck, slides=slides, appendix=appendix, files=(FILES, *lines) if lines else ())


def _page(job: ExportJob, painter: Painter | None) -> Written:
    from workbench.exporters.document.story import story_of
    from workbench.exporters.page.page import check_page, write_page

    left_out: tuple[str, ...] = ()

    def write(path: Path) -> None:
        nonlocal left_out
        left_out = write_page(path, story_of(job), job.look.theme, painter)

    write_safely(job.path, write, check_page)
    return Written(f"Wrote {job.path.name}: {_count(len(job.parts), 'page')}.", (job.path,), left_out)


def _report(job: ExportJob, painter: Painter | None) -> Written:
    if painter is None:
        raise NoPainterError(
            f"{job.path.name} was not written: the report is drawn by Qt, which cannot be loaded on this machine. "
            "Export .html, .xlsx or .pptx, or install the libraries that the README names."
        )
    from pypdf import PdfReader

    drawing = painter
    left_out: tuple[str, ...] = ()
    pages = 0

    def write(path: Path) -> None:
        nonlocal left_out
        left_out = drawing.report(path, job)

    def check(path: Path) -> None:
        nonlocal pages
        check_pdf(path)
        # Counted before the rename: an existing report counts as written, whatever happens next.
        pages = len(PdfReader(path).pages)

    write_safely(job.path, write, check)
    return Written(f"Wrote {job.path.name}: {_count(pages, 'page')}.", (job.path,), left_out)


def _markdown(job: ExportJob, painter: Painter | None) -> Written:
    from workbench.exporters.document.story import story_of
    from workbench.exporters.markdown.write import write_markdown

    return write_markdown(job.path, story_of(job), painter, job.look)


def check_pdf(path: Path) -> None:
    """Open the .pdf again; raises `OSError` if it is incomplete."""
    held = path.read_bytes()
    if not held.startswith(b"%PDF-") or b"%%EOF" not in held[-64:]:
        raise OSError("the file on disk is incomplete")


def _filled(job: ExportJob, template: Path) -> Written:
    """Fill the user's own workbook according to its marks and names."""
    from workbench.exporters.workbook.book import check_workbook
    from workbench.exporters.workbook.template.fill import Filled, fill_template

    filleds: list[Filled] = []
    name = ", ".join(study.name for study in job.studies)

    def write(path: Path) -> None:
        filleds.append(fill_template(template, path, job.parts, name))

    write_safely(job.path, write, check_workbook)
    filled = filleds[-1]
    counted = ", ".join((_count(filled.figures, "chart"), _count(filled.tables, "table"), _count(filled.texts, "text")))
    sentence = f"Wrote {job.path.name} from {template.name}: {counted} filled in."
    return Written(sentence, (job.path,), filled.left_out, filled.left_out)


def _csv(job: ExportJob, painter: Painter | None) -> Written:
    if job.data != "phases":
        return _data(job, painter)
    rows, what = _csv_rows(job)
    if not rows:
        raise EmptyExportError(
            f"{job.path.name} was not written: no run has a phase, and there are no benchmarks and no logons. "
            "State [[phases]] in run.toml, or export every sample instead."
        )
    write_text(job.path, to_csv(rows))
    return Written(f"Wrote {job.path.name}: {_counted(job)}, {_count(len(rows), what)}.", (job.path,))


def _csv_rows(job: ExportJob) -> tuple[list[Table], str]:
    """The phase table; if it is empty the benchmarks, otherwise the sessions. Also returns the name of what a row
    describes.
    """
    if rows := summary_rows(job.figures):
        return rows, "row"
    if rows := benchmark_rows([row for study in job.studies for row in study.benchmarks]):
        return rows, "benchmark row"
    return logon_rows(job.studies), "session row"


def _data(job: ExportJob, _painter: Painter | None) -> Written:
    from workbench.exporters.data.files import write_chart_data, write_samples

    return write_samples(job) if job.data == "samples" else write_chart_data(job)


def write_text(target: Path, text: str) -> None:
    """Write a text safely, with a byte order mark by which Excel recognises UTF-8."""

    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8-sig", newline="")

    def check(path: Path) -> None:
        if path.read_bytes().decode("utf-8-sig") != text:
            raise OSError("the file on disk differs from what was written")

    write_safely(target, write, check)


def _pictures(job: ExportJob, painter: Painter | None) -> Written:
    """Write one file per figure: the path for a single one, otherwise a file next to it, named after each."""
    if painter is None:
        raise NoPainterError(
            f"{job.path.name} was not written: images need Qt, which cannot be loaded on this machine. "
            "Export .xlsx, .pptx, .html or .csv, or install the libraries that the README names."
        )
    drawn = [part for part in job.parts if part.content.figure is not None and not part.content.empty]
    if not drawn:
        raise EmptyExportError(f"{job.path.name} was not written: no selected page has a chart.")
    places = file_names(job.path, drawn)
    missing = {path: words for path, part in places.items() if (words := _drawn_apart(path, part, painter, job.look))}
    written = tuple(path for path in places if path not in missing)
    if not written:
        raise ExportError(f"{job.path.name} was not written: {' '.join(missing.values())}")
    sentence = f"Wrote {written[0].name}." if len(written) == 1 else f"Wrote {len(written)} images."
    without = [f"{part.name} has no chart, so it has no image." for part in job.parts if part.content.figure is None]
    return Written(sentence, written, (*missing.values(), *without))


def _drawn_apart(path: Path, part: DocumentPart, painter: Painter, look: PictureLook) -> str:
    """Write one of the images. If it cannot be drawn, returns a sentence about it; the other images are still
    written."""
    try:
        write_safely(path, partial(_draw, painter, part.content, look), _not_empty)
    except ExportError as error:
        if error.__cause__ is None or isinstance(error.__cause__, OSError | MemoryError):
            raise
        return failure_words(part.name, "drawn", error.__cause__)
    return ""


def _draw(painter: Painter, content: Content, look: PictureLook, path: Path) -> None:
    painter.picture(path, content, look)


def _not_empty(path: Path) -> None:
    if not path.stat().st_size:
        raise OSError("nothing was drawn")


def _holds_results(study: Study) -> bool:
    """True if anything was measured or recorded: samples, benchmarks, logons, or phase times."""
    return bool(study.benchmarks) or any(
        run.recordings
        or run.stated_phases
        or run.events
        or run.sessions
        or run.measurements
        or run.summaries
        or run.eux_summaries
        or run.benchmarks
        for run in (*study.runs, *study.loose)
    )


def _nothing(path: Path) -> str:
    return (
        f"{path.name} was not written: the results contain no samples, benchmarks or logons. "
        "'vdiwb inspect' shows what each file is."
    )


def _counted(job: ExportJob) -> str:
    with_runs = sum(bool(study.runs) for study in job.studies)
    return f"{_count(with_runs, 'study', 'studies')}, {_count(len(job.figures), 'run')}"


def _count(number: int, text: str, many: str = "") -> str:
    return f"{number} {text if number == 1 else many or text + 's'}"


# Documents with text; images and data files stay as on screen and in JSON.
_SPOKEN = (".xlsx", ".xlsm", ".pptx", ".html", ".pdf", ".md")
_WRITERS: Mapping[str, Writer] = {
    ".xlsx": _workbook,
    ".xlsm": _macro_workbook,
    ".pptx": _slides,
    ".csv": _csv,
    ".parquet": _data,
    ".html": _page,
    ".pdf": _report,
    ".md": _markdown,
    ".png": _pictures,
    ".svg": _pictures,
}
# Formats offered to the user; a workbook with macros is written only from a template.
ENDINGS = tuple(ending for ending in _WRITERS if ending != ".xlsm")
TEMPLATE_ENDINGS = (".xlsx", ".xlsm", ".pptx")
