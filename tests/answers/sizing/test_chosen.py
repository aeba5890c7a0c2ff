"""The capacity plans of an export: the user's values, or the defaults if these contradict each other."""

from __future__ import annotations

from pathlib import Path

from tests.exporters.jobs import library_of
from tests.exporters.studies import replicate_study
from workbench.answers.sizing.chosen import capacity_plans
from workbench.session.state import State


def vms(plans: dict[str, tuple], folder: str) -> set[float]:
    return {step.value for plan in plans[folder] for step in plan.steps if step.key == "vms"}


def test_that_contradicting_values_are_replaced_by_the_defaults(tmp_path: Path) -> None:
    study = replicate_study(tmp_path)
    library, choices = library_of(study), State().with_input("sizing.desktops", 730.0)
    shipped = vms(capacity_plans(library, State()), study.folder)
    assert vms(capacity_plans(library, choices), study.folder) == {730.0} != shipped
    impossible = choices.with_input("sizing.host_ram_gib", 8.0).with_input("sizing.host_reserve_gib", 64.0)
    assert vms(capacity_plans(library, impossible), study.folder) == shipped
