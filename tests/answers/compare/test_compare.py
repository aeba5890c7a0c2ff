"""Comparison with a baseline: figures computed by hand, two tiers of metrics, baselines by name, and reasons against a
comparison."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import BASE, LARGE, LESS, MCS, SMALL, codes, groups, one, replicates
from tests.builders import T0, counter, phase, recording
from workbench.answers.compare.compute import compare
from workbench.measures.catalogue import DURATION
from workbench.measures.comparable import sample_interval_s
from workbench.measures.configurations import UnknownBaselineError, with_baseline
from workbench.measures.phase_table import RunFigures
from workbench.measures.statistics import Verdict
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, SessionType


def test_that_a_difference_has_an_absolute_value_and_a_percentage_and_an_interval_and_a_verdict() -> None:
    found = compare(groups(*replicates(MCS, "write_iops_per_vm", BASE), *replicates(SMALL, "write_iops_per_vm", LESS)))
    row = found.of("MCSIO 256 MB", "steady", "write_iops_per_vm")
    assert row is not None
    assert row.change is not None
    assert row.value == pytest.approx(151 / 3)
    assert row.baseline_value == pytest.approx(100)
    assert row.difference == pytest.approx(151 / 3 - 100)
    interval = ttest_ind(np.log(LESS), np.log(BASE), equal_var=False).confidence_interval(0.95)
    assert row.change.low == pytest.approx(np.exp(interval.low))
    assert row.change.high == pytest.approx(np.exp(interval.high))
    assert row.verdict is Verdict.BETTER
    assert [name for name, _ in row.values] == ["MCSIO 256 MB r1", "MCSIO 256 MB r2", "MCSIO 256 MB r3"]


def test_that_a_scan_of_77_against_101_minutes_is_24_percent_shorter() -> None:
    found = compare(groups(one(MCS, name="av-scan", seconds=101 * 60.0), one(SMALL, name="av-scan", seconds=77 * 60.0)))
    row = found.of("MCSIO 256 MB", "av-scan", DURATION)
    assert row is not None
    assert row.change is not None
    assert round(row.change.percent) == -24
    assert row.difference == -24 * 60
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.judgement is not None
    assert row.change.basis == "single"


def test_that_repeated_scans_are_judged() -> None:
    runs = [
        one(configuration, n, name="av-scan", seconds=60.0 * minutes)
        for configuration, lengths in ((MCS, (101, 100, 102)), (SMALL, (77, 76, 78)))
        for n, minutes in enumerate(lengths)
    ]
    row = compare(groups(*runs)).of("MCSIO 256 MB", "av-scan", DURATION)
    assert row is not None
    assert row.verdict is Verdict.BETTER


def test_that_the_length_of_steady_state_is_not_judged_and_is_reported_if_it_differs(
    snapshot: SnapshotAssertion,
) -> None:
    found = compare(groups(one(MCS, seconds=2700.0), one(SMALL, seconds=1800.0)))
    assert found.of("MCSIO 256 MB", "steady", DURATION) is None
    (problem,) = found.problems
    assert problem.message == snapshot


def test_that_a_share_of_reads_is_higher_or_lower_and_never_better() -> None:
    runs = [
        *replicates(MCS, "read_percent", (20.0, 21.0, 19.0)),
        *replicates(SMALL, "read_percent", (60.0, 61.0, 59.0)),
    ]
    row = compare(groups(*runs)).of("MCSIO 256 MB", "steady", "read_percent")
    assert row is not None
    assert row.verdict is Verdict.HIGHER


def test_that_no_change_is_a_verdict_with_its_interval() -> None:
    runs = [*replicates(MCS, "cpu_percent", (38.0, 38.2, 37.9)), *replicates(SMALL, "cpu_percent", (38.1, 38.0, 38.2))]
    row = compare(groups(*runs)).of("MCSIO 256 MB", "steady", "cpu_percent")
    assert row is not None
    assert row.change is not None
    assert (row.verdict, row.change.basis) == (Verdict.SAME, "interval")


def test_that_a_baseline_of_zero_has_a_difference_and_no_ratio() -> None:
    found = compare(
        groups(one(MCS, figures={"write_iops_per_vm": 0.0}), one(SMALL, figures={"write_iops_per_vm": 2.0}))
    )
    row = found.of("MCSIO 256 MB", "steady", "write_iops_per_vm")
    assert row is not None
    assert (row.difference, row.change, row.verdict) == (2.0, None, None)


def test_that_a_value_missing_on_one_side_is_empty_and_reported(snapshot: SnapshotAssertion) -> None:
    found = compare(
        groups(
            one(MCS, figures={"iops_per_vm": 10.0, "read_latency_ms": 4.0}), one(SMALL, figures={"iops_per_vm": 5.0})
        )
    )
    row = found.of("MCSIO 256 MB", "steady", "read_latency_ms")
    assert row is not None
    assert (row.value, row.difference, row.change, row.verdict) == (None, None, None, None)
    assert [problem.message for problem in found.problems] == snapshot


def test_that_plain_mcs_is_not_reported_as_missing_a_cache() -> None:
    cache: dict[str, float | None] = {"iops_per_vm": 5.0, "cache_ram_used_mb_end": 200.0}
    found = compare(groups(one(MCS), one(SMALL, figures=cache)))
    assert found.problems == ()


def test_that_per_user_figures_are_compared_for_session_hosts_only() -> None:
    figures: dict[str, float | None] = {"iops": 20.0, "iops_per_user": 1.0, "iops_per_vm": 5.0}
    rds = compare(groups(*(one(c, figures=figures, session_type=SessionType.RDS) for c in (MCS, SMALL))))
    vdi = compare(groups(*(one(c, figures=figures) for c in (MCS, SMALL))))
    assert {row.measure.key for row in rds.differences} == set(figures)
    assert {row.measure.key for row in vdi.differences} == {"iops_per_vm"}


@pytest.mark.parametrize("name", ["MCSIO 1 GB", " mcsio 1 gb "])
def test_that_any_configuration_can_be_the_baseline(name: str) -> None:
    found = compare(with_baseline(groups(one(MCS), one(SMALL), one(LARGE)), name))
    assert found.baseline is not None
    assert found.baseline.label == "MCSIO 1 GB"
    assert {row.configuration for row in found.differences} == {"MCS", "MCSIO 256 MB"}


def test_that_an_unknown_baseline_is_an_error_that_lists_the_configurations(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UnknownBaselineError) as told:
        with_baseline(groups(one(MCS), one(SMALL)), "PVS")
    assert str(told.value) == snapshot


def test_that_a_name_used_by_two_configurations_differs_from_one_without_runs() -> None:
    found = groups(one(MCS, vms=1), one(MCS, 2, vms=5), one(SMALL, excluded="vCenter failed over"))
    with pytest.raises(UnknownBaselineError, match="more than one configuration: 'MCS, 1 VM', 'MCS, 5 VMs'"):
        with_baseline(found, "MCS")
    with pytest.raises(UnknownBaselineError, match="Every run of 'MCSIO 256 MB' is excluded"):
        with_baseline(found, "MCSIO 256 MB")
    assert compare(with_baseline(found, "MCS, 5 VMs")).baseline is not None


def test_that_excluded_runs_are_not_compared_and_are_listed_with_reasons() -> None:
    runs = [
        *replicates(MCS, "iops_per_vm", BASE),
        *replicates(SMALL, "iops_per_vm", LESS),
        one(SMALL, 4, figures={"iops_per_vm": 9999.0}, excluded="vCenter failed over"),
    ]
    found = compare(groups(*runs))
    assert [(out.run, out.reason) for out in found.excluded] == [("MCSIO 256 MB r4", "vCenter failed over")]
    row = found.of("MCSIO 256 MB", "steady", "iops_per_vm")
    assert row is not None
    assert len(row.values) == 3


def test_that_a_phase_on_one_side_is_reported_and_other_phases_are_compared(snapshot: SnapshotAssertion) -> None:
    both = one(MCS)
    scan = replace(one(SMALL), phases=(*one(SMALL).phases, *one(SMALL, name="av-scan").phases))
    found = compare(groups(both, scan))
    assert {row.phase for row in found.differences} == {"steady"}
    assert [problem.message for problem in found.problems] == snapshot


def test_that_a_run_without_phases_does_not_stop_the_comparison_of_others() -> None:
    lost = replace(one(LARGE), phases=())
    found = compare(groups(one(MCS), one(SMALL), lost))
    assert {row.configuration for row in found.differences} == {"MCSIO 256 MB"}
    assert codes(found) == ["not-comparable", "phases"]


@pytest.mark.parametrize(
    ("code", "ours", "theirs"),
    [
        ("workload", {"workload": "Task worker"}, {"workload": "Knowledge worker"}),
        ("vms", {"vms": 10, "users": 10}, {"vms": 5, "users": 5}),
        ("users", {"users": 60}, {"users": 30}),
        ("hypervisor", {"hypervisor": "ESXi 6"}, {"hypervisor": "Hyper-V 2012 R2"}),
        ("guest-os", {"guest_os": "Windows 10 x64"}, {"guest_os": "Windows 7 x86"}),
        ("build", {"build": "1203"}, {"build": "1204"}),
        ("session-type", {"session_type": SessionType.RDS}, {"session_type": SessionType.VDI}),
    ],
)
def test_that_runs_with_different_set_ups_are_reported(
    code: str, ours: dict[str, object], theirs: dict[str, object]
) -> None:
    found = compare(groups(one(MCS, **theirs), one(SMALL, **ours)))  # type: ignore[arg-type]
    apart = code in ("workload", "session-type")
    assert codes(found) == ["not-comparable"] * apart + [code]
    assert found.differences
    # A fact that one side does not state is not a difference.
    unknown = dict.fromkeys(ours) if code != "session-type" else theirs
    if code not in ("vms", "session-type"):
        assert codes(compare(groups(one(MCS, **theirs), one(SMALL, **unknown)))) == []  # type: ignore[arg-type]


def test_that_different_runs_of_one_configuration_are_reported() -> None:
    found = compare(groups(one(MCS, workload="A"), one(SMALL, 1, workload="A"), one(SMALL, 2, workload="B")))
    assert codes(found) == ["workload"]


def test_that_a_list_of_many_builds_is_shortened_to_the_first_and_last(snapshot: SnapshotAssertion) -> None:
    runs = [one(SMALL, place, build=f"b{place:02d}") for place in range(1, 13)]
    found = compare(groups(one(MCS), *runs))
    assert [problem.message for problem in found.problems if problem.code == "compare-build"] == snapshot


def test_that_a_different_sample_interval_is_reported_and_a_jittery_clock_is_not(tmp_path: Path) -> None:
    def sampled(configuration: Configuration, step: float) -> RunFigures:
        times = T0 + step * np.arange(1, 61)
        own = recording(
            tmp_path, f"{configuration.name}{step}.csv", times, [(counter("A", Quantity.IOPS), np.ones(60))]
        )
        return replace(one(configuration), run=replace(one(configuration).run, recordings=(own,)))

    assert sample_interval_s(sampled(MCS, 15.0).run) == pytest.approx(15)
    assert codes(compare(groups(sampled(MCS, 15.0), sampled(SMALL, 5.0)))) == ["interval"]
    assert codes(compare(groups(sampled(MCS, 15.0), sampled(SMALL, 15.3)))) == []
    # One twentieth is still jitter.
    assert codes(compare(groups(sampled(MCS, 15.0), sampled(SMALL, 15.7)))) == []
    assert codes(compare(groups(sampled(MCS, 15.0), sampled(SMALL, 15.8)))) == ["interval"]


def test_that_other_vantages_and_detected_phases_and_lower_bounds_are_reported() -> None:
    found = compare(
        groups(
            one(MCS, figures={"iops_per_vm": 9.0, "vantage": "guest"}),  # type: ignore[dict-item]
            one(SMALL, figures={"iops_per_vm": 5.0, "vantage": "host", "measured_percent": 80.0}),  # type: ignore[dict-item]
        )
    )
    assert codes(found) == ["not-comparable", "vantage", "lower-bound"]
    detected = one(SMALL)
    detected = replace(detected, phases=(replace(detected.phases[0], phase=phase("steady", 0, 600, "activity")),))
    assert codes(compare(groups(one(MCS), detected))) == ["evidence"]


def test_that_a_comparison_without_included_runs_has_no_result() -> None:
    found = compare(groups(one(MCS, excluded="broken")))
    assert (found.baseline, found.differences, len(found.excluded)) == (None, (), 1)


def test_that_only_the_requested_phases_are_compared() -> None:
    both = [replace(one(c), phases=(*one(c).phases, *one(c, name="boot").phases)) for c in (MCS, SMALL)]
    assert {row.phase for row in compare(groups(*both)).differences} == {"steady", "boot"}
    assert {row.phase for row in compare(groups(*both), phases=("boot",)).differences} == {"boot"}


def test_that_copies_of_one_run_are_reported_and_similar_runs_are_not(snapshot: SnapshotAssertion) -> None:
    times = {"figures": {"total_io": 1000.0, "iops_per_vm": 10.0}}
    copied = [one(SMALL, n, **times) for n in (1, 2, 3)]
    told = compare(groups(one(MCS), *copied)).problems
    assert [problem.message for problem in told if problem.code == "compare-copies"] == snapshot
    assert "copies" in codes(compare(groups(*(one(MCS, n, **times) for n in (1, 2)), one(SMALL))))
    other = [one(SMALL, n, seconds=600.0 + n, **times) for n in (1, 2, 3)]
    assert "copies" not in codes(compare(groups(one(MCS), *other)))
    assert "copies" not in codes(compare(groups(one(MCS), *replicates(SMALL, "iops_per_vm", (9.0, 9.0)))))


def test_that_a_baseline_without_included_runs_is_reported_with_its_replacement() -> None:
    runs = groups(one(MCS, baseline=True, excluded="failed over"), one(SMALL), one(LARGE))
    found = compare(runs)
    assert found.baseline is not None
    lost = [problem for problem in found.problems if problem.code == "compare-baseline"]
    assert len(lost) == 1
    assert "'MCS'" in lost[0].message
    assert lost[0].action.startswith(f"compared with '{found.baseline.label}' instead; ")
    assert "baseline" not in codes(compare(with_baseline(runs, "MCSIO 1 GB")))


def test_that_a_stated_baseline_is_lost_if_its_stated_run_is_excluded() -> None:
    runs = [one(MCS, baseline=True, excluded="failed over"), one(MCS, excluded="failed over"), one(SMALL), one(LARGE)]
    for order in (runs, [runs[1], runs[0], *runs[2:]]):
        assert "baseline" in codes(compare(groups(*order)))
    assert "baseline" not in codes(compare(groups(*runs[1:])))
