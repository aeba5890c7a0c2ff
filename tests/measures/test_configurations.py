"""The runs that form a configuration, and the order of configurations."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import phase, run
from workbench.answers.compare.compute import compare
from workbench.measures.configurations import baseline_of, change_from, group_runs, phase_names, same_names
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Configuration, Provisioning

MCS = Configuration("MCS", Provisioning.MCS)
SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)
LARGE = Configuration("MCSIO 1 GB", Provisioning.MCSIO, None, 1024)
PVS = Configuration("PVS", Provisioning.PVS)


def figures(
    configuration: Configuration, iops: float | None = 10.0, name: str = "steady", **facts: object
) -> RunFigures:
    one = run(**({"configuration": configuration, "vms": 5} | facts))
    return RunFigures(one, (PhaseFigures(phase(name, 0, 10), iops_per_vm=iops),), ())


def test_that_runs_with_the_same_settings_form_one_configuration() -> None:
    groups = group_runs([figures(MCS, 10.0), figures(MCS, 20.0), figures(SMALL, 3.0)])
    assert [(group.label, len(group.runs)) for group in groups] == [("MCS", 2), ("MCSIO 256 MB", 1)]
    assert groups[0].mean("steady", "iops_per_vm") == 15.0


def test_that_runs_with_different_numbers_of_vms_are_separate() -> None:
    groups = group_runs([figures(MCS, vms=1), figures(MCS, vms=5), figures(MCS, vms=None)])
    assert sorted(group.label for group in groups) == ["MCS, 1 VM", "MCS, 5 VMs", "MCS, unknown VMs"]


def test_that_the_order_is_baseline_and_provisioning_and_cache_size() -> None:
    groups = group_runs([figures(PVS), figures(LARGE), figures(SMALL), figures(MCS)])
    assert [group.label for group in groups] == ["MCS", "MCSIO 256 MB", "MCSIO 1 GB", "PVS"]
    stated = group_runs([figures(PVS, baseline=True), figures(LARGE), figures(MCS)])
    assert [group.label for group in stated] == ["PVS", "MCS", "MCSIO 1 GB"]


def test_that_the_baseline_is_the_stated_one_or_else_mcs_or_else_the_first() -> None:
    for runs, label in (
        ([figures(MCS), figures(PVS, baseline=True)], "PVS"),
        ([figures(PVS), figures(MCS)], "MCS"),
        ([figures(PVS), figures(LARGE)], "MCSIO 1 GB"),
    ):
        found = baseline_of(group_runs(runs))
        assert found is not None
        assert found.label == label
    assert baseline_of([]) is None


def test_that_excluded_runs_are_kept_and_not_counted() -> None:
    groups = group_runs([figures(MCS, 10.0), figures(MCS, 99.0, excluded="vCenter failed over")])
    assert (groups[0].values("steady", "iops_per_vm"), len(groups[0].excluded)) == ([10.0], 1)
    by_hand = group_runs([figures(MCS, folder="x"), figures(MCS, folder="y")], {"y": "fan broke"})
    assert (len(by_hand[0].runs), [one.run.excluded for one in by_hand[0].excluded]) == (1, ["fan broke"])
    counted_in = group_runs([figures(MCS, 99.0, excluded="failed over", folder="z")], {"z": ""})
    assert (len(counted_in[0].runs), counted_in[0].excluded) == (1, ())
    assert baseline_of(group_runs([figures(MCS, excluded="broken")])) is None


def test_that_a_run_without_a_figure_is_excluded_from_the_mean() -> None:
    group = group_runs([figures(MCS, None), figures(MCS, 4.0)])[0]
    assert group.mean("steady", "iops_per_vm") == 4.0
    assert group.mean("boot", "iops_per_vm") is None


def test_that_phases_are_in_the_order_of_a_workday() -> None:
    groups = group_runs([figures(MCS, name="av-scan"), figures(MCS, name="steady"), figures(MCS, name="boot")])
    assert phase_names(groups) == ("boot", "steady", "av-scan")


def test_that_a_change_is_reported_relative_to_the_baseline() -> None:
    base, other = group_runs([figures(MCS, 100.0), figures(SMALL, 7.0)])
    found = change_from(base, other, "steady", "iops_per_vm")
    assert found is not None
    assert round(found.percent, 6) == -93
    assert change_from(base, other, "boot", "iops_per_vm") is None


def pilot(
    provisioning: Provisioning, ram: int | None = None, write_cache: str | None = None, **facts: object
) -> RunFigures:
    return figures(Configuration("pilot", provisioning, write_cache, ram), **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("runs", "labels"),
    [
        (
            [pilot(Provisioning.MCS), pilot(Provisioning.MCS), pilot(Provisioning.PVS)],
            {"pilot, MCS": 2, "pilot, PVS": 1},
        ),
        ([pilot(Provisioning.MCS), pilot(Provisioning.MCSIO, 512)], {"pilot, MCS": 1, "pilot, MCSIO": 1}),
        ([pilot(Provisioning.MCSIO, 256), pilot(Provisioning.MCSIO, 512)], {"pilot, 256 MB": 1, "pilot, 512 MB": 1}),
        (
            [pilot(Provisioning.PVS, None, "server"), pilot(Provisioning.PVS, None, "device-ram")],
            {"pilot, server": 1, "pilot, device-ram": 1},
        ),
        (
            [pilot(Provisioning.MCS), pilot(Provisioning.PVS), pilot(Provisioning.PVS, vms=1)],
            {"pilot, MCS, 5 VMs": 1, "pilot, PVS, 5 VMs": 1, "pilot, PVS, 1 VM": 1},
        ),
    ],
)
def test_that_a_name_with_two_set_ups_is_kept_separate_and_reported(
    runs: list[RunFigures], labels: dict[str, int], snapshot: SnapshotAssertion
) -> None:
    groups = group_runs(runs)
    assert {group.label: len(group.runs) for group in groups} == labels
    found = [problem for problem in compare(groups).problems if problem.code == "compare-name"]
    (problem,) = found
    assert problem.message == snapshot


@pytest.mark.parametrize(
    "runs",
    [
        [pilot(Provisioning.MCSIO, 512), pilot(Provisioning.MCSIO, None), pilot(Provisioning.OTHER)],
        [pilot(Provisioning.MCSIO, 512), pilot(Provisioning.MCSIO, 511), pilot(Provisioning.MCSIO, 515)],
    ],
)
def test_that_unknown_properties_and_rounding_of_a_driver_do_not_separate_runs(runs: list[RunFigures]) -> None:
    groups = group_runs(runs)
    assert {group.label: len(group.runs) for group in groups} == {"pilot": 3}
    assert not same_names(groups)
