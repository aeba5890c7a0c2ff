"""The first step of every page's answer: the phase and metric in use, or the reason why there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.charts.content import Content
from workbench.measures.configurations import phase_among, phase_names
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.model.run import Run

NOTHING_OPEN = "Open a result folder (Ctrl+O) or drop one here."
HIDDEN = "Every configuration is hidden or excluded. Tick one in the tree on the left."
NO_PHASE = (
    "No run has a phase, so there are no values: the files contain no VM I/O and no events. The import "
    "report shows what each file contains."
)
BENCHMARKS_ALONE = "No runs were found, only storage benchmarks. The Benchmarks page shows them."
LOOSE_ALONE = (
    "No runs were found, only time series without a date. The Timeline page shows them. The "
    "import report shows what each file contains."
)


def without_answer(question: str, library: Library) -> Content:
    """The reason why there is nothing to show, and the action for the user."""
    if not library.files:
        return Content(question, empty=NOTHING_OPEN, nothing_open=True)
    if runs := [run for study in library.studies for run in study.runs]:
        out = all(run.excluded is not None for run in runs)
        return Content(
            question, empty=_of_runs(library, runs), offers=("Import report", IMPORT_REPORT) if out else None
        )
    if library.benchmarks:
        return Content(question, empty=BENCHMARKS_ALONE, offers=("Benchmarks", "benchmarks"))
    if library.loose:
        return Content(question, empty=LOOSE_ALONE, offers=("Timeline", "timeline"))
    return Content(
        question,
        empty="No runs were found: no file contains samples or events. The import report names each file's format.",
    )


def _of_runs(library: Library, runs: Sequence[Run]) -> str:
    """The reason why existing runs show nothing, and the first place to look."""
    reasons = list(dict.fromkeys(run.excluded for run in runs if run.excluded is not None))
    if len(reasons) == len(runs) == 1:
        return f"The run is excluded: {reasons[0]}. The import report shows what can be done."
    if all(run.excluded is not None for run in runs):
        return f"Every run is excluded. First reason: {reasons[0]}. The import report shows what can be done."
    if library.figures is not None and not any(figures.phases for figures in library.figures.values()):
        return NO_PHASE
    return HIDDEN


def chosen_phase(library: Library, choices: Choices, whole: bool = False) -> str:
    """The chosen phase if the study has it, otherwise steady state, otherwise its last phase."""
    names = phase_names(library.shown(choices))
    return WHOLE_RUN if whole and choices.phase == WHOLE_RUN else phase_among(names, choices.phase)


def chosen_metric(library: Library, choices: Choices) -> Quantity:
    """The chosen metric if the study has it, otherwise IOPS, otherwise the first one that it has."""
    present = library.metrics(choices)
    measured = [metric for metric in (choices.metric, Quantity.IOPS, *TRACED) if metric in present and metric in TRACED]
    return measured[0] if measured else Quantity.IOPS
