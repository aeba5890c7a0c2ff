"""A configuration keeps its colour and marker if others are hidden, excluded, renamed or added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.builders import phase, run
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library, edited_library
from workbench.answers.common.looks import looks
from workbench.charts.figure import Look
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.edits import RunEdits
from workbench.model.run import Configuration, Provisioning, Study

SIZES = (256, 512, 1024, 4096)


def figures(name: str, size: int | None) -> RunFigures:
    kind = Provisioning.MCS if size is None else Provisioning.MCSIO
    label = "MCS" if size is None else f"MCSIO {size} MB"
    made = run(name=name, folder=f"lab/{name}", configuration=Configuration(label, kind, None, size), vms=5)
    return RunFigures(made, (PhaseFigures(phase("steady", 0, 10), iops_per_vm=10.0, total_io=float(len(name))),), ())


def library(*sizes: int | None) -> Library:
    """Two runs of each size; None is MCS."""
    every = [figures(f"{size or 'mcs'}-r{number}", size) for size in sizes for number in (1, 2)]
    study = Study("lab", "lab", tuple(one.run for one in every), (), (), ())
    return Library((study,), {one.run.folder: one for one in every})


def looked(shown: Library, choices: Choices) -> Mapping[str, Look]:
    return looks(shown.shown(choices))


@pytest.fixture
def lab() -> Library:
    return library(None, *SIZES)


def with_looks(lab: Library, choices: Choices) -> Choices:
    return replace(choices, looks=lab.looks(choices))


def renamed(lab: Library, choices: Choices, name: str, *runs: str) -> tuple[Library, Choices]:
    edits = [replace(choices.edits_of(f"lab/{one}"), configuration=name or None) for one in runs]
    choices = choices.with_edits(*edits)
    shown = edited_library(lab, lab, choices)
    return shown, with_looks(shown, choices)


def test_that_hiding_a_configuration_keeps_the_colours_of_the_others(lab: Library) -> None:
    every = looked(lab, Choices())
    assert len(set(every.values())) == 5
    for label in every:
        assert looked(lab, Choices(hidden=frozenset({label}))) == {k: v for k, v in every.items() if k != label}


@pytest.mark.parametrize("out", ["256-r1", "mcs-r1", "512-r2"])
def test_that_excluding_runs_keeps_the_colours(lab: Library, out: str) -> None:
    every, label = looked(lab, Choices()), out.split("-")[0]
    one = Choices(edits=(RunEdits(f"lab/{out}", excluded="fan broke"),))
    assert looked(lab, one) == every
    both = Choices(edits=tuple(RunEdits(f"lab/{label}-r{number}", excluded="fan broke") for number in (1, 2)))
    left = {k: v for k, v in every.items() if label not in k.casefold().split()}
    assert looked(lab, both) == left


def test_that_a_renamed_configuration_and_the_others_keep_their_colours(lab: Library) -> None:
    before = looked(lab, Choices())
    shown, choices = renamed(lab, with_looks(lab, Choices()), "A pilot", "1024-r1", "1024-r2")
    now = looked(shown, choices)
    assert now["A pilot"] == before["MCSIO 1024 MB"]
    assert {k: v for k, v in now.items() if k != "A pilot"} == {k: v for k, v in before.items() if "1024" not in k}


def test_that_moving_a_run_to_a_new_configuration_keeps_other_colours_and_undo_restores_all(lab: Library) -> None:
    before = looked(lab, Choices())
    shown, choices = renamed(lab, with_looks(lab, Choices()), "A pilot", "512-r1")
    now = looked(shown, choices)
    assert {k: v for k, v in now.items() if k != "A pilot"} == before
    assert now["A pilot"] not in before.values()
    shown, choices = renamed(lab, choices, "", "512-r1")
    assert looked(shown, choices) == before
    again, choices = renamed(lab, choices, "A pilot", "512-r1")
    assert looked(again, choices) == now


def test_that_a_merged_configuration_has_its_colour_again_after_undo(lab: Library) -> None:
    before = looked(lab, Choices())
    shown, choices = renamed(lab, with_looks(lab, Choices()), "MCSIO 256 MB", "512-r1", "512-r2")
    shown, choices = renamed(lab, choices, "", "512-r1", "512-r2")
    assert looked(shown, choices) == before


def test_that_added_runs_keep_the_colours_of_existing_configurations() -> None:
    small = library(None, 512, 4096)
    before, choices = looked(small, Choices()), with_looks(small, Choices())
    grown = library(None, *SIZES)
    now = looked(grown, choices)
    assert {label: now[label] for label in before} == before
    assert len(set(now.values())) == 5
    # Adding one by one gives the same result as adding all at once.
    step = library(None, 256, 512, 4096)
    assert looked(grown, with_looks(step, choices))["MCSIO 512 MB"] == before["MCSIO 512 MB"]


def test_that_colours_of_an_unchanged_study_follow_the_order_of_its_configurations(lab: Library) -> None:
    now = looked(lab, Choices())
    assert [round(now[f"MCSIO {size} MB"].tint, 3) for size in SIZES] == [0.0, 0.333, 0.667, 1.0]
    assert [now[f"MCSIO {size} MB"].marker for size in SIZES] == ["square", "diamond", "circle", "triangle"]
    assert looked(lab, with_looks(lab, Choices())) == now


def test_that_a_change_of_provisioning_changes_only_the_colour_of_that_configuration(lab: Library) -> None:
    before = looked(lab, Choices())
    choices = with_looks(lab, Choices())
    edits = [RunEdits(f"lab/512-r{number}", provisioning=Provisioning.PVS) for number in (1, 2)]
    shown = edited_library(lab, lab, choices.with_edits(*edits))
    now = looked(shown, choices.with_edits(*edits))
    assert now["MCSIO 512 MB"].hue == "PVS"
    assert {k: v for k, v in now.items() if "512" not in k} == {k: v for k, v in before.items() if "512" not in k}
