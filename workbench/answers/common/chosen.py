"""What every page's answer asks of the state first: the phase and metric in use, or why there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.charts.content import Content
from workbench.measures.configurations import phase_names
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY

NOTHING_OPEN = "Open a result folder (Ctrl+O) or drop one here."
LOOSE_ALONE = (
    "No runs were found, only time series that count from the start of a test: the Timeline page draws them. The "
    "import report tells what each file is."
)


def without_answer(question: str, library: Library) -> Content:
    """Why there is nothing to show, and what to do."""
    if not library.files:
        return Content(question, empty=NOTHING_OPEN, nothing_open=True)
    if any(study.runs for study in library.studies):
        return Content(question, empty="Every configuration is hidden or excluded. Tick one in the tree on the left.")
    if library.loose:
        return Content(question, empty=LOOSE_ALONE)
    return Content(
        question,
        empty="No runs were found: no file holds samples or events. The import report names each file's format.",
    )


def chosen_phase(library: Library, choices: Choices, whole: bool = False) -> str:
    """The chosen phase where the study has it, else steady state, else its last phase."""
    names = phase_names(library.shown(choices))
    return WHOLE_RUN if whole and choices.phase == WHOLE_RUN else phase_among(names, choices.phase)


def phase_among(names: Sequence[str], phase: str) -> str:
    """The phase where it is among the names, else steady state, else the last of them."""
    return next((name for name in (phase, STEADY) if name in names), names[-1] if names else STEADY)


def chosen_metric(library: Library, choices: Choices) -> Quantity:
    """The chosen metric where the study has it, else IOPS."""
    return choices.metric if choices.metric in library.metrics(choices) and choices.metric in TRACED else Quantity.IOPS
