"""The comparison of each study with the margin that the user chose."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.compare.compute import Comparison, compare
from workbench.measures.statistics import MARGIN


def margin_of(choices: Choices) -> float:
    """The chosen margin as a share."""
    return choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100


def comparisons(library: Library, choices: Choices) -> dict[str, Comparison]:
    """By folder the comparison of each study with the chosen baseline and margin."""
    by_folder = {
        study.folder: compare(library.groups(replace(choices, study=study.folder)), margin_of(choices))
        for study in library.with_runs
    }
    return {folder: comparison for folder, comparison in by_folder.items() if comparison.baseline is not None}
