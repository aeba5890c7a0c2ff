"""Unmeasured data supports no saving: a verdict remains only if the missing part could not reverse it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.cards import metric_cards
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.compare.reply import Compared, compare_rows
from workbench.answers.compare.tables import difference_table
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.rules.compare import compare_findings
from workbench.answers.findings.words import Asked
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs, with_baseline
from workbench.measures.coverage.bounds import bounds_of, complete, lacks
from workbench.measures.coverage.extent import highest_mean
from workbench.measures.phase_table import run_figures
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.missing_data_check import by_run, several_runs, unmeasured
from workbench.measures.statistics import Verdict
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Guess, Provisioning

LENGTH, STEP = 2000.0, 10.0
TIMES = T0 + STEP * np.arange(1, int(LENGTH / STEP) + 1)
VMS = tuple(f"VM-{number}" for number in range(1, 6))
FACTORS = (0.99, 1.0, 1.01)
# From this second on (of the 2,000 of the phase) a collector has no samples.
Dead = Mapping[str, float]


def rates(level: float, dead_from: float = LENGTH) -> np.ndarray:
    """A rate that alternates about its level, missing from a moment on."""
    values = level * np.where(np.arange(TIMES.size) % 2, 0.9, 1.1)
    return np.where(dead_from >= TIMES - T0, values, np.nan)


def configuration(
    folder: Path,
    name: str,
    level: float,
    dead: Sequence[Dead] = ({}, {}, {}),
    *,
    vms: Sequence[Sequence[str]] = (VMS, VMS, VMS),
    stated: int | None = 5,
    more: Mapping[Quantity, float] | None = None,
) -> Group:
    """Runs with five VMs; some have no samples from a second on, or none at all."""
    figures = []
    for place, (factor, gone, seen) in enumerate(zip(FACTORS, dead, vms, strict=False)):
        quantities = {Quantity.IOPS: level, **(more or {})}
        columns = [
            (counter(vm, quantity), rates(mean * factor, gone.get(vm, LENGTH)))
            for vm in seen
            for quantity, mean in quantities.items()
        ]
        run_name = f"{name}-{place + 1}"
        made = run(
            recording(folder / run_name, "a.csv", TIMES, columns),
            name=run_name,
            folder=run_name,
            vms=stated,
            configuration=Configuration(name, Provisioning.MCSIO if name == "ours" else Provisioning.MCS),
            stated_phases=(phase("steady", 0, LENGTH),),
        )
        figures.append(run_figures(made))
    (group,) = group_runs(figures)
    return group


def judged(base: Group, ours: Group, figure: str = "iops_per_vm") -> Difference:
    found = compared(base, ours).of(ours.label, "steady", figure)
    assert found is not None
    return found


def compared(base: Group, ours: Group) -> Comparison:
    return compare(with_baseline((base, ours), base.label))


ALL_DEAD = dict.fromkeys(VMS, 0.775 * LENGTH)


def test_that_a_stopped_collector_shows_no_saving(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 10, (ALL_DEAD,) * 3)
    found = judged(base, ours)
    assert found.change is not None
    assert found.change.percent == pytest.approx(-22.5, abs=0.5)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.judgement is not None
    assert found.judgement.reason == found.objection
    assert found.objection == snapshot


def test_that_one_vm_of_five_without_samples_shows_no_saving(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    dead = {"VM-3": 0.3 * LENGTH}
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 10, (dead,) * 3)
    found = judged(base, ours)
    assert found.change is not None
    assert found.change.percent == pytest.approx(-14, abs=0.5)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert (found.objection or "") == snapshot


def test_that_a_stopped_collector_of_the_baseline_shows_no_rise(tmp_path: Path) -> None:
    base, ours = configuration(tmp_path, "base", 10, (ALL_DEAD,) * 3), configuration(tmp_path, "ours", 10)
    found = judged(base, ours)
    assert found.change is not None
    assert found.change.percent > 25
    assert found.verdict is Verdict.INCONCLUSIVE


def test_that_gaps_that_could_hide_a_difference_give_no_verdict_same(tmp_path: Path) -> None:
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 12.9, (ALL_DEAD,) * 3)
    found = judged(base, ours)
    assert found.p_same is not None
    assert found.p_same < 0.05
    assert found.verdict is Verdict.INCONCLUSIVE


def test_that_half_of_the_io_with_a_gap_of_five_percent_keeps_its_verdict(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    dead = dict.fromkeys(VMS, 0.95 * LENGTH)
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 5, (dead,) * 3)
    found = judged(base, ours)
    assert found.verdict is Verdict.BETTER
    assert found.objection is None
    assert found.unmeasured == snapshot


def test_that_complete_runs_keep_their_verdict(tmp_path: Path) -> None:
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 8)
    for found in compared(base, ours).differences:
        assert (found.opposed, found.unmeasured, found.objection) == (None, "", None)
    assert judged(base, ours).verdict is Verdict.BETTER


def test_that_a_partial_configuration_leaves_verdicts_and_p_values_of_others_unchanged(tmp_path: Path) -> None:
    base, good = configuration(tmp_path, "base", 10), configuration(tmp_path, "good", 8)
    partial, whole = (configuration(tmp_path / kind, "ours", 7.75) for kind in ("a", "b"))
    partial = configuration(tmp_path / "c", "ours", 10, (ALL_DEAD,) * 3)
    beside = [
        compare(with_baseline((base, good, other), "base")).of("good", "steady", "iops_per_vm")
        for other in (partial, whole)
    ]
    one, two = (each for each in beside if each is not None)
    assert one.verdict is two.verdict is Verdict.BETTER
    assert one.p_holm == pytest.approx(two.p_holm, rel=0.05)


def test_that_four_of_five_vms_show_no_saving_that_the_fifth_could_cancel(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """The fifth VM had all the I/O: without it, a mean over the measured VMs is far below the baseline's."""
    base = configuration(tmp_path, "base", 10)
    ours = configuration(tmp_path, "ours", 9, vms=(VMS[:4],) * 3)
    found = judged(base, ours)
    # 9 per VM as measured; the fifth at most 9.09 as the highest VM, and at least 0, of five VMs.
    bounds = bounds_of(ours, "steady", MEASURES["iops_per_vm"])
    assert bounds is not None
    assert bounds.low == pytest.approx([9 * factor * 4 / 5 for factor in FACTORS])
    assert bounds.high == pytest.approx([(4 * 9 * factor + 9 * 1.01) / 5 for factor in FACTORS])
    # The saving remains even if the fifth VM has the highest VM mean of its configuration: 10 % less than the baseline.
    assert found.verdict is Verdict.BETTER
    total = judged(base, ours, "iops_per_vm")
    assert total.unmeasured == snapshot


def test_that_a_baseline_without_its_fifth_vm_shows_no_saving_that_an_idle_fifth_could_cancel(tmp_path: Path) -> None:
    base = configuration(tmp_path, "base", 10, vms=(VMS[:4],) * 3)
    ours = configuration(tmp_path, "ours", 8.5)
    found = judged(base, ours)
    assert found.change is not None
    assert found.change.percent == pytest.approx(-15, abs=0.5)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_that_a_verdict_of_partial_runs_uses_the_same_test_at_the_same_place_in_the_family(tmp_path: Path) -> None:
    """The p-value under the opposing assignment, by scipy, times one comparison (Holm of one primary measure)."""
    base = configuration(tmp_path, "base", 10)
    ours = configuration(tmp_path, "ours", 8, ({}, {}, dict.fromkeys(VMS, 0.9 * LENGTH)))
    bounds = bounds_of(ours, "steady", MEASURES["iops_per_vm"])
    assert bounds is not None
    # A gap of 200 s is 20 samples; each pair has the level as its mean.
    assert bounds.high == pytest.approx([8 * factor for factor in FACTORS])
    assert bounds.low == pytest.approx([8 * 0.99, 8.0, 8 * 1.01 * 0.9])
    opposed = stats.ttest_ind(np.log(bounds.high), np.log(10 * np.array(FACTORS)), equal_var=False).pvalue
    assert opposed < 0.05
    found = judged(base, ours)
    assert found.p_holm is not None
    # As measured the third run increases the variation; that test must be passed too.
    assert (found.verdict is Verdict.BETTER) == (found.p_holm < 0.05)


def test_that_latency_and_cpu_below_95_percent_measured_have_no_verdict(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    more = {
        Quantity.CPU: 20.0,
        Quantity.READ_IOPS: 4.0,
        Quantity.WRITE_IOPS: 6.0,
        Quantity.READ_LATENCY: 0.002,
        Quantity.WRITE_LATENCY: 0.004,
    }
    fewer = {key: value / 2 for key, value in more.items()}
    base = configuration(tmp_path, "base", 10, more=more)
    for share, verdict in ((0.94, Verdict.INCONCLUSIVE), (0.96, Verdict.BETTER)):
        dead = dict.fromkeys(VMS, share * LENGTH)
        ours = configuration(tmp_path / str(share), "ours", 5, ({}, dead, {}), more=fewer)
        for figure in ("cpu_percent", "write_latency_ms", "p95_iops_per_vm", "peak_iops_per_vm"):
            found = judged(base, ours, figure)
            assert found.verdict is verdict, (share, figure)
            if verdict is Verdict.INCONCLUSIVE:
                assert (found.objection or "") == snapshot


def test_that_a_run_without_a_vm_is_named_on_compare(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    base = configuration(tmp_path, "base", 10)
    ours = configuration(tmp_path, "ours", 8, vms=(VMS, VMS[:4], VMS))
    (problem,) = (one for one in compared(base, ours).problems if one.code == "compare-vm-missing")
    assert problem.message == snapshot
    assert "verdict" in problem.action
    assert problem.file == "ours"


@pytest.mark.parametrize("window", [5.0, 10.0, 37.0, 120.0])
def test_that_the_highest_possible_mean_equals_that_of_every_tried_window(window: float) -> None:
    draw = np.random.default_rng(7)
    seconds = draw.choice([5.0, 10.0, 3.0], 40)
    values = draw.exponential(20.0, 40)
    fine = np.repeat(values, (seconds * 10).astype(int))
    size = int(window * 10)
    tried = np.convolve(fine, np.ones(size) / size, "valid").max()
    assert highest_mean(values, seconds, window) == pytest.approx(max(tried, np.average(values, weights=seconds)))


def test_that_each_gap_is_filled_with_the_busiest_time_of_its_length(tmp_path: Path) -> None:
    """One VM with a burst of 100 s at 50 IOPS, otherwise 10; a gap of 50 s and one of 200 s."""
    values = np.full(TIMES.size, 10.0)
    values[20:30] = 50.0
    values[60:65] = np.nan
    values[100:120] = np.nan
    made = run(
        recording(tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), values)]),
        vms=1,
        stated_phases=(phase("steady", 0, LENGTH),),
    )
    (row,) = run_figures(made).phases
    extent = row.extent(Quantity.IOPS)
    assert extent is not None
    assert dict(extent.gaps) == pytest.approx({"A": 250.0})
    # 50 s are all in the burst; of 200 s half are.
    assert extent.fill == pytest.approx(50 * 50 + 200 * 30)


def test_that_a_vm_with_more_gap_than_samples_counts_as_never_measured(tmp_path: Path) -> None:
    dead = {"VM-1": 0.25 * LENGTH}
    ours = configuration(tmp_path, "ours", 8, (dead, {}, {}))
    bounds = bounds_of(ours, "steady", MEASURES["iops"])
    assert bounds is not None
    highest = 8 * 1.01
    assert bounds.high[0] == pytest.approx(8 * 0.99 * (4 + 0.25) + 0.75 * highest)


def test_that_a_run_with_fewer_vms_is_reported_if_it_is_a_separate_configuration(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """No run states its number of VMs: runs with other numbers of machines are separate configurations."""
    runs = []
    for place, vms in enumerate((VMS, VMS[:4], VMS)):
        columns = [(counter(vm, Quantity.IOPS), rates(10 + place)) for vm in vms]
        made = run(
            recording(tmp_path / str(place), "a.csv", TIMES, columns),
            name=f"ours-{place + 1}",
            folder=str(place),
            vms=len(vms),
            guesses=(Guess("vms", str(len(vms)), "number of machines with counters in the recordings"),),
            configuration=Configuration("ours", Provisioning.MCSIO),
            stated_phases=(phase("steady", 0, LENGTH),),
        )
        runs.append(run_figures(made))
    problems = compare(group_runs(runs)).problems
    (problem,) = (one for one in problems if one.code == "compare-vm-missing")
    assert problem.message == snapshot
    assert problem.action == snapshot


def findings_of(base: Group, ours: Group) -> dict[str, Finding]:
    asked = Asked("study", (base, ours), family=(base, ours))
    return {each.figure: each for each in compare_findings(asked, compared(base, ours)) if each.phase == "steady"}


def test_that_no_finding_states_a_saving_from_partial_data(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 10, (ALL_DEAD,) * 3)
    finding = findings_of(base, ours)["iops_per_vm"]
    assert finding.strength is Strength.INCONCLUSIVE
    assert finding.text == snapshot
    lacking = "5 VMs lack up to 22\u2009% of their samples in runs 'ours-1', 'ours-2' and 'ours-3'. Repeat them."
    assert finding.caveats[0] == lacking


@pytest.mark.parametrize("count", [1, 2])
def test_that_a_finding_from_few_runs_mentions_unmeasured_parts(
    tmp_path: Path, count: int, snapshot: SnapshotAssertion
) -> None:
    base = configuration(tmp_path, "base", 10, ({},) * count)
    ours = configuration(tmp_path, "ours", 10, (ALL_DEAD,) * count)
    finding = findings_of(base, ours)["iops_per_vm"]
    assert finding.strength is Strength.INCONCLUSIVE
    assert finding.text == snapshot


def test_that_a_remaining_finding_names_the_unmeasured_part(tmp_path: Path) -> None:
    dead = dict.fromkeys(VMS, 0.95 * LENGTH)
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 5, (dead,) * 3)
    finding = findings_of(base, ours)["iops_per_vm"]
    assert finding.strength is Strength.STRONG
    assert any(caveat.startswith("5 VMs lack up to 5") and "'ours-1'" in caveat for caveat in finding.caveats)


def test_that_json_names_the_objection_and_the_unmeasured_part(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    base, ours = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 10, (ALL_DEAD,) * 3)
    (row,) = (row for row in compare_rows([Compared("study", compared(base, ours))]) if row["metric"] == "iops_per_vm")
    assert row["verdict"] == "~"
    assert row["reason"] == row["objection"]
    assert row["unmeasured"] == snapshot


@pytest.mark.parametrize(("level", "dead", "start"), [(10, 0.775, "missing samples: "), (5, 0.95, "5 VMs lack")])
def test_that_the_column_why_names_the_unmeasured_part(tmp_path: Path, level: float, dead: float, start: str) -> None:
    gone = dict.fromkeys(VMS, dead * LENGTH)
    groups = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", level, (gone,) * 3)
    table = difference_table(compared(*groups), groups)
    (row,) = (row for row in table.rows if row[2].text == "IOPS per VM")
    assert table.columns[-1].title == "Why"
    assert row[-1].text.startswith(start)


def test_that_a_card_reports_that_its_change_covers_a_part_of_the_phase(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    groups = configuration(tmp_path, "base", 10), configuration(tmp_path, "ours", 10, (ALL_DEAD,) * 3)
    _, card = metric_cards(groups, "steady", Quantity.IOPS)
    assert card.note == snapshot


def test_that_a_gap_of_one_counter_is_named_only_for_its_metric(tmp_path: Path) -> None:
    """The disk counters of all VMs are complete; the last fifth of the processor counter is missing."""
    gone = np.where(TIMES - T0 <= 0.8 * LENGTH, 50.0, np.nan)
    columns = [(counter(vm, Quantity.IOPS), rates(10)) for vm in VMS] + [
        (counter(vm, Quantity.CPU), gone) for vm in VMS
    ]
    made = run(recording(tmp_path, "a.csv", TIMES, columns), vms=5, stated_phases=(phase("steady", 0, LENGTH),))
    (group,) = group_runs([run_figures(made)])
    whole = configuration(tmp_path, "base", 10, more={Quantity.CPU: 50.0})
    assert (complete(whole, "steady"), complete(group, "steady")) == (True, False)
    assert [bool(unmeasured((group,), "steady", MEASURES[key])) for key in ("iops_per_vm", "cpu_percent")] == [
        False,
        True,
    ]
    (lack,) = lacks(group, "steady", MEASURES["cpu_percent"])
    assert [seconds for _, seconds in lack.gaps] == pytest.approx([0.2 * LENGTH] * 5)


@pytest.mark.parametrize(("runs", "several"), [(1, False), (2, True), (4, True)])
def test_that_the_text_on_missing_data_shows_whether_several_runs_lack_them(runs: int, several: bool) -> None:
    lacking = by_run([(f"ours-{run}", "VM-3 lacks 22 % of its samples") for run in range(runs)])
    assert several_runs(lacking) == several
    other = by_run([("ours-1", "VM-3 lacks 22 % of its samples"), ("ours-2", "VM-5 has no samples")])
    assert several_runs(other)
