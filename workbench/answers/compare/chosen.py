"""What the user chose to compare with: the baseline and the margin of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import BASELINE, MARGIN_PERCENT
from workbench.answers.compare.compute import Comparison, compare
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.statistics import MARGIN


class Against(NamedTuple):
    """`baseline` is the label of the chosen configuration, `standard` the study's own; `margin` is a share."""

    baseline: str
    standard: Group
    margin: float


def against(groups: Sequence[Group], choices: Choices) -> Against | None:
    """The chosen baseline where it is among the groups with runs, else the study's own; None without runs."""
    standard = baseline_of(groups)
    if standard is None:
        return None
    label = str(choices.input(BASELINE, standard.label))
    known = any(group.label == label for group in groups if group.runs)
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    return Against(label if known else standard.label, standard, margin)


def comparisons(library: Library, choices: Choices) -> dict[str, Comparison]:
    """By folder the comparison of each study with the chosen baseline and margin."""
    by_folder = {}
    for study in library.with_runs:
        groups = library.groups(replace(choices, study=study.folder))
        if chosen := against(groups, choices):
            by_folder[study.folder] = compare(groups, chosen.baseline, chosen.margin)
    return by_folder
