"""Which configuration a study is compared with, and by which evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.builders import phase, run
from workbench.measures.configurations import Group, baseline_of, group_runs, lost_baselines, with_baseline
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.edits import RunEdits
from workbench.model.run import BaselineEvidence, Configuration, Provisioning
from workbench.study.overrides import edited

OPTION, CHOICE, RUN_TOML, ONLY_MCS, ONLY, GUESSED = BaselineEvidence
MCS = Configuration("MCS", Provisioning.MCS)
LINKED = Configuration("MCS linked", Provisioning.MCS)
SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)
LARGE = Configuration("MCSIO 1 GB", Provisioning.MCSIO, None, 1024)
PVS = Configuration("PVS", Provisioning.PVS)


def figures(configuration: Configuration, number: int = 1, **facts: object) -> RunFigures:
    folder = f"{configuration.name} r{number}"
    stated = {"configuration": configuration, "vms": 5, "name": folder, "folder": folder} | facts
    return RunFigures(run(**stated), (PhaseFigures(phase("steady", 0, 10), iops_per_vm=10.0 + number),), ())


def renamed(members: list[RunFigures], old: str, new: str) -> list[RunFigures]:
    """The runs after the user renamed one configuration."""
    return [
        replace(one, run=edited(one.run, RunEdits(one.run.folder, configuration=new)))
        if one.run.configuration.name == old
        else one
        for one in members
    ]


def found(groups: tuple[Group, ...]) -> tuple[str, BaselineEvidence | None]:
    base = baseline_of(groups)
    assert base is not None
    return base.label, base.baseline_by


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([figures(MCS), figures(PVS, baseline=True)], ("PVS", RUN_TOML)),
        ([figures(MCS, baseline=True), figures(PVS, baseline_by=CHOICE)], ("PVS", CHOICE)),
        ([figures(MCS, baseline_by=OPTION), figures(PVS, baseline_by=CHOICE)], ("MCS", OPTION)),
        ([figures(PVS), figures(MCS), figures(SMALL)], ("MCS", ONLY_MCS)),
        ([figures(LINKED), figures(MCS), figures(SMALL)], ("MCS", GUESSED)),
        ([figures(PVS), figures(LARGE)], ("MCSIO 1 GB", GUESSED)),
        ([figures(PVS), figures(PVS, 2)], ("PVS", ONLY)),
    ],
)
def test_that_the_strongest_evidence_decides(
    runs: list[RunFigures], expected: tuple[str, BaselineEvidence | None]
) -> None:
    assert found(group_runs(runs)) == expected
    assert found(group_runs(reversed(runs))) == expected


def test_that_the_choice_by_run_overrides_the_files() -> None:
    runs = [figures(MCS, baseline=True), figures(SMALL), figures(SMALL, 2)]
    assert found(group_runs(runs, {}, {"MCSIO 256 MB r2": CHOICE})) == ("MCSIO 256 MB", CHOICE)


def test_that_two_stated_baselines_are_ignored_for_the_next_rule() -> None:
    both = [figures(SMALL, baseline=True), figures(PVS, baseline=True), figures(MCS)]
    assert found(group_runs(both)) == ("MCS", ONLY_MCS)
    assert found(group_runs(both[:2])) == ("MCSIO 256 MB", GUESSED)
    replicates = [figures(SMALL, baseline=True), figures(SMALL, 2, baseline=True), figures(MCS)]
    assert found(group_runs(replicates)) == ("MCSIO 256 MB", RUN_TOML)
    numbers = [figures(PVS, baseline=True, vms=1), figures(PVS, 2, baseline=True, vms=5), figures(MCS)]
    assert found(group_runs(numbers))[1] is RUN_TOML


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([figures(LINKED), figures(MCS), figures(SMALL)], GUESSED),
        ([figures(PVS), figures(replace(PVS, name="streamed"))], GUESSED),
        ([figures(MCS), figures(SMALL)], ONLY_MCS),
        ([figures(MCS), figures(SMALL, baseline=True)], RUN_TOML),
        ([figures(MCS), figures(SMALL), figures(PVS, baseline_by=CHOICE)], CHOICE),
    ],
)
@pytest.mark.parametrize("name", ["aaa", "zzz"])
def test_that_other_configuration_names_do_not_change_the_baseline(
    runs: list[RunFigures], expected: BaselineEvidence, name: str
) -> None:
    base = baseline_of(group_runs(runs))
    assert base is not None
    folders = {member.run.folder for member in base.runs}
    for configuration in {member.run.configuration.name for member in runs}:
        after = baseline_of(group_runs(renamed(runs, configuration, name)))
        assert after is not None
        assert ({member.run.folder for member in after.runs}, after.baseline_by) == (folders, expected)


def test_that_a_chosen_baseline_merged_into_another_configuration_stays_chosen() -> None:
    other = replace(LARGE, name="pilot")
    runs = [figures(MCS), figures(LARGE, baseline_by=CHOICE), figures(other), figures(other, 2)]
    assert found(group_runs(renamed(runs, "MCSIO 1 GB", "pilot"))) == ("pilot", CHOICE)


def test_that_renaming_one_run_keeps_the_choice_with_the_others() -> None:
    runs = [figures(LARGE, number, baseline_by=CHOICE) for number in (1, 2, 3)]
    moved = replace(runs[2], run=edited(runs[2].run, RunEdits(runs[2].run.folder, configuration="aaa")))
    assert found(group_runs([*runs[:2], moved, figures(MCS)])) == ("MCSIO 1 GB", CHOICE)


def test_that_a_hidden_baseline_stays_the_reference() -> None:
    every = group_runs([figures(MCS), figures(SMALL), figures(PVS)])
    shown = [group for group in every if group.label != "MCS"]
    assert found(tuple(shown)) == ("MCS", ONLY_MCS)
    assert baseline_of(shown) is every[0]


def test_that_a_baseline_without_runs_is_replaced_and_reported() -> None:
    every = group_runs([figures(MCS), figures(SMALL), figures(PVS, baseline_by=CHOICE, excluded="fan broke")])
    assert found(every) == ("MCS", ONLY_MCS)
    assert [group.label for group in lost_baselines(every)] == ["PVS"]
    stated = group_runs([figures(MCS, baseline=True, excluded="fan broke"), figures(SMALL, baseline_by=CHOICE)])
    assert found(stated) == ("MCSIO 256 MB", CHOICE)
    assert lost_baselines(stated) == ()


def test_that_the_option_overrides_everything() -> None:
    every = group_runs([figures(MCS, baseline=True), figures(SMALL), figures(PVS, baseline_by=CHOICE)])
    named = with_baseline(every, "mcsio 256 mb")
    assert found(named) == ("MCSIO 256 MB", OPTION)
    assert [group.label for group in named if group.baseline_by] == ["MCSIO 256 MB"]
    assert [group.label for group in named] == [group.label for group in every]
