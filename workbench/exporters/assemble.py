"""What the user asks of an export, and the job that it becomes: the same for the window and the console."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import BASELINE
from workbench.answers.common.traces import WHOLE_RUN
from workbench.answers.compare.chosen import comparisons
from workbench.answers.sizing.chosen import capacity_plans
from workbench.exporters.contents import Contents, contents, page_keys, saved_views, shown_now
from workbench.exporters.deck import findings_deck, parts_deck
from workbench.exporters.job import Data, ExportJob, PictureLook
from workbench.exporters.safe_file import ExportError
from workbench.exporters.slides.deck import Deck
from workbench.exporters.wanted import Wanted
from workbench.measures.configurations import group_runs, phase_names
from workbench.words.metrics import phase_called

# Named beside the pages: the findings, the saved views, and every sample (.csv, .parquet).
FINDINGS, VIEWS, SAMPLES = "findings", "views", "data"
# Endings that tell the findings first and then every page.
STORY_ENDINGS = (".html", ".pdf")
# Endings that hold tables or samples and never a page.
DATA_ENDINGS = (".csv", ".parquet")
# Endings with one file for each chart, and those that only Qt can draw.
PICTURES = (".png", ".svg")
NEEDS_QT = (*PICTURES, ".pdf", ".html")
Tell = Callable[[str, float], None]
SLIDES_ENDING = ".pptx"


def check_only(only: Sequence[str]) -> None:
    """Raises `ExportError` naming the choices when one is not known."""
    known = (*page_keys(), FINDINGS, VIEWS, SAMPLES)
    for name in only:
        if name not in known:
            raise ExportError(f"There is no page or view '{name}'. Choose from: {', '.join(known)}.")


def _untold(_what: str, _share: float) -> None:
    pass


def job_of(library: Library, choices: Choices, wanted: Wanted, tell: Tell = _untold) -> ExportJob:
    """The job; computes the answers of the pages. Raises `ExportError` for a phase, baseline or page that is not.

    `tell` hears what is computed now, and the share of the whole export that is done before it.
    """
    check_only(wanted.only)
    choices = _with_phase(library, choices, wanted.phase)
    library, choices = _with_baseline(library, choices, wanted.baseline)
    deck, found = _deck(library, choices, wanted, tell)
    # Only the workbook has them with their formulas.
    with_formulas = wanted.path.suffix.lower() == ".xlsx" and wanted.template is None
    return ExportJob(
        wanted.path,
        library.studies,
        tuple(library.as_seen(choices)),
        found.parts,
        deck,
        whole=_everything(wanted),
        data=_data(wanted),
        template=wanted.template,
        look=PictureLook(wanted.theme, wanted.size, wanted.scale),
        left_out=found.left_out,
        comparisons=comparisons(library, choices) if with_formulas else {},
        plans=capacity_plans(library, choices) if with_formulas else {},
    )


def _everything(wanted: Wanted) -> bool:
    return wanted.what == "all" and not wanted.only


def _deck(library: Library, choices: Choices, wanted: Wanted, tell: Tell) -> tuple[Deck | None, Contents]:
    """The slides where slides are asked for, else the parts."""
    ending = wanted.path.suffix.lower()
    if ending in STORY_ENDINGS and (_everything(wanted) or wanted.what == "findings" or FINDINGS in wanted.only):
        # Page and report begin with the findings and go on with the pages.
        deck, messages = findings_deck(library, choices, wanted.what == "all")
        found = contents_of(library, choices, wanted, tell)
        return deck, Contents(found.parts, (*found.left_out, *messages))
    if ending != SLIDES_ENDING:
        return None, contents_of(library, choices, wanted, tell)
    if _everything(wanted) or wanted.what == "findings" or FINDINGS in wanted.only:
        deck, messages = findings_deck(library, choices, wanted.what == "all")
        return deck, Contents((), messages)
    found = contents_of(library, choices, wanted, tell)
    deck, messages = parts_deck(library, choices, found.parts)
    return deck, Contents(found.parts, (*found.left_out, *messages))


def contents_of(library: Library, choices: Choices, wanted: Wanted, tell: Tell = _untold) -> Contents:
    """The pages' answers that are asked for."""
    data = wanted.path.suffix.lower() in DATA_ENDINGS
    if wanted.what == "page":
        return shown_now(library, choices, wanted.span)
    if wanted.what == "views" or VIEWS in wanted.only:
        if not choices.views:
            raise ExportError("There are no saved views. Save one with Ctrl+B, or export the page or everything.")
        return saved_views(library, choices, choices.views)
    if (data and not wanted.only) or SAMPLES in wanted.only:
        # Tables and samples come from the runs: no page needs to be answered.
        return Contents((), ())
    if wanted.what == "findings" or wanted.only == (FINDINGS,):
        # The findings stand on the overview.
        return contents(library, choices, ("overview",), wanted.what == "all", tell)
    return contents(library, choices, tuple(name for name in wanted.only if name != FINDINGS), tell=tell)


def _data(wanted: Wanted) -> Data:
    if SAMPLES in wanted.only:
        return "samples"
    if wanted.only or wanted.what in ("page", "views"):
        return "charts"
    return "samples" if wanted.path.suffix.lower() == ".parquet" else "phases"


def _with_phase(library: Library, choices: Choices, phase: str | None) -> Choices:
    if phase is None:
        return choices
    figures = (library.figures or {}).values()
    known = (*phase_names(group_runs(figures)), WHOLE_RUN)
    text = phase_called(phase, known)
    if text is None:
        raise ExportError(f"There is no phase '{phase}'. Phases: {', '.join(known)}.")
    return replace(choices, phase=text)


def _with_baseline(library: Library, choices: Choices, label: str | None) -> tuple[Library, Choices]:
    """The configuration of this name counts as the baseline of every study that has it, as if its run.toml said so."""
    if label is None:
        return library, choices
    figures = library.figures or {}
    labels = list(dict.fromkeys(figure.run.configuration.name for figure in figures.values()))
    if label not in labels:
        raise ExportError(f"There is no configuration '{label}'. Configurations: {', '.join(labels) or 'none'}.")
    studies, changed = [], dict(figures)
    for study in library.studies:
        if any(run.configuration.name == label for run in study.runs):
            runs = tuple(replace(run, baseline=run.configuration.name == label) for run in study.runs)
            study = replace(study, runs=runs)
            changed |= {run.folder: replace(changed[run.folder], run=run) for run in runs}
        studies.append(study)
    return replace(library, studies=tuple(studies), figures=changed), choices.with_input(BASELINE, label)
