"""The user's choices for the capacity plan: values of constants, and the phase of desktops at work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.sizing.compute import Plan, plans
from workbench.answers.sizing.constants import Own, SizingError, checked, constants
from workbench.measures.configurations import Group, phase_among, phase_names
from workbench.model.phase import STEADY

# The prefix of the keys of the inputs for sizing.
PREFIX = "sizing."


def own_values(choices: Choices) -> dict[str, Own]:
    """The user's values of constants. 0 counts as no value if the table has none either."""
    owns: dict[str, Own] = {}
    for key, value in choices.inputs:
        constant = constants().get(key.removeprefix(PREFIX)) if key.startswith(PREFIX) else None
        if constant is None or (constant.value is None and not constant.taken_from and value == 0):
            continue
        try:
            owns[constant.name] = Own(checked(constant.name, value))
        except SizingError:
            # A value that another version permits but this one does not: the default is used and labelled as such.
            continue
    return owns


def at_work(groups: Sequence[Group], choices: Choices) -> str:
    """The phase whose IOPS count for desktops at work."""
    return phase_among(phase_names(groups), str(choices.input(f"{PREFIX}phase", STEADY)))


def capacity_plans(library: Library, choices: Choices) -> dict[str, tuple[Plan, ...]]:
    """The plan of each configuration with the user's values, by folder. If these contradict a measurement, the plan
    with the shipped constants; none if those contradict it too. The page names the contradiction."""
    by_folder = {}
    for study in library.with_runs:
        groups = [group for group in library.groups(replace(choices, study=study.folder)) if group.runs]
        for own, phase in ((own_values(choices), at_work(groups, choices)), ({}, STEADY)):
            try:
                by_folder[study.folder] = plans(groups, own, phase)
                break
            except SizingError:
                continue
    return by_folder
