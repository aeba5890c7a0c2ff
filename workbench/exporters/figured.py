"""What the choices of the pages make of each study: its comparison and its capacity plans, for the workbook."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import BASELINE, MARGIN_PERCENT
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.sizing.compute import Plan, plans
from workbench.answers.sizing.constants import SizingError
from workbench.answers.sizing.page import own_values
from workbench.measures.configurations import baseline_of, phase_names
from workbench.measures.statistics import MARGIN
from workbench.model.phase import STEADY


def comparisons(library: Library, choices: Choices) -> dict[str, Comparison]:
    """By folder the comparison of each study against the chosen baseline, with the chosen margin."""
    found = {}
    for study in library.with_runs:
        groups = library.groups(replace(choices, study=study.folder))
        standard = baseline_of(groups)
        if standard is None:
            continue
        name = str(choices.input(BASELINE, standard.label))
        labels = [group.label for group in groups if group.runs]
        margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
        found[study.folder] = compare(groups, name if name in labels else standard.label, margin)
    return found


def capacity_plans(library: Library, choices: Choices) -> dict[str, tuple[Plan, ...]]:
    """By folder the plan of each configuration with the user's values; none where these contradict each other."""
    found = {}
    for study in library.with_runs:
        groups = [group for group in library.groups(replace(choices, study=study.folder)) if group.runs]
        names = phase_names(groups)
        wanted = str(choices.input("sizing.phase", STEADY))
        phase = next((name for name in (wanted, STEADY) if name in names), names[-1] if names else STEADY)
        try:
            found[study.folder] = plans(groups, own_values(choices), phase)
        except SizingError:
            # The sizing page says what contradicts what.
            continue
    return found
