"""The side of the write cache that each VM's counters measure, and which values can be compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import cache_answer
from workbench.answers.cache.page import cache_answer_cards
from workbench.answers.cache.tables import cache_table
from workbench.answers.common.cards import metric_cards
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.overview.tables import tier_table
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs, with_baseline
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.significance.objections import unlike_places
from workbench.measures.statistics import Verdict
from workbench.measures.vantage import TierFigures, tiers_of
from workbench.model.metric import Quantity, Side, Tier, Vantage
from workbench.model.recording import Series
from workbench.model.run import Configuration, Provisioning, Run
from workbench.study.series.sides import CacheSide, places

TIMES = T0 + np.arange(1.0, 61.0)
STEADY = (phase("steady", 0, 60),)
MCS = Configuration("MCS", Provisioning.MCS)
MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
PVS = Configuration("PVS 512 MB", Provisioning.PVS, "device-ram-overflow", 512)
OTHER = Configuration("lab", Provisioning.OTHER)
ABOVE, BELOW = Side.ABOVE, Side.BELOW
# Runs of one configuration vary by 1 %: enough for a test, far from the margin.
SCATTER = (0.99, 1.0, 1.01)


def disk(vm: str, rate: float, instance: str = "_Total", quantity: Quantity = Quantity.IOPS) -> tuple[Series, float]:
    return counter(vm, quantity, instance=instance), rate


def on_host(vm: str, rate: float, quantity: Quantity = Quantity.IOPS) -> tuple[Series, float]:
    series = counter(vm, quantity, object="Virtual Disk", instance=vm, vantage=Vantage.HOST, host="ESX1")
    return series, rate


def made(folder: Path, name: str, made_as: Configuration, *columns: tuple[Series, float], **facts: object) -> Run:
    file = recording(folder, f"{name}.csv", TIMES, [(series, np.full(60, rate)) for series, rate in columns])
    return run(file, name=name, folder=name, stated_phases=STEADY, configuration=made_as, vms=1, **facts)


def replicates(
    folder: Path, made_as: Configuration, rate: float, *, host: bool = False, side: Side | None = None
) -> list[RunFigures]:
    """Three runs of one VM with about that many IOPS."""
    column = on_host if host else disk
    return [
        run_figures(made(folder, f"{made_as.name} {n}", made_as, column("A", rate * share), guest_counters=side))
        for n, share in enumerate(SCATTER, 1)
    ]


def counted(one: Run, quantity: Quantity = Quantity.IOPS) -> dict[str, CacheSide]:
    return dict(places(one)[quantity])


def verdict(found: Comparison, configuration: Configuration, measure: str = "iops_per_vm") -> Verdict | None:
    row = found.of(configuration.name, "steady", measure)
    assert row is not None
    return row.verdict


@pytest.mark.parametrize(
    ("made_as", "instances", "side"),
    [
        (MCSIO, ("_Total",), None),
        (MCSIO, ("0 C:",), None),
        (MCSIO, ("0 C:", "1 D:"), None),
        (MCSIO, ("1 D:",), BELOW),
        (PVS, ("_Total",), None),
        (PVS, ("0 C:",), ABOVE),
        (PVS, ("0 C:", "1 E:"), None),
        (PVS, ("1 E:",), BELOW),
        (MCS, ("_Total",), None),
        (MCS, ("0 C:",), None),
        (OTHER, ("1 D:",), None),
    ],
)
def test_that_the_logged_disk_shows_the_side_if_it_is_unambiguous(
    made_as: Configuration, instances: tuple[str, ...], side: Side | None, tmp_path: Path
) -> None:
    one = made(tmp_path, "r1", made_as, *(disk("A", 5.0, instance) for instance in instances))
    assert counted(one) == {"a": CacheSide(Vantage.GUEST, side)}
    assert run_figures(one).phases[0].side == side


def test_that_the_disk_is_recognised_from_reads_and_writes_alone(tmp_path: Path) -> None:
    halves = [disk("A", 5.0, "0 C:", quantity) for quantity in (Quantity.READ_IOPS, Quantity.WRITE_IOPS)]
    assert counted(made(tmp_path, "r1", PVS, *halves)) == {"a": CacheSide(Vantage.GUEST, ABOVE)}


@pytest.mark.parametrize("stated", [ABOVE, BELOW])
def test_that_run_toml_overrides_the_disk(stated: Side, tmp_path: Path) -> None:
    for made_as in (MCSIO, PVS, OTHER):
        one = made(tmp_path, "r1", made_as, disk("A", 5.0, "0 C:"), guest_counters=stated)
        assert counted(one) == {"a": CacheSide(Vantage.GUEST, stated)}


def test_that_host_counters_are_below_the_cache_whatever_is_stated_for_guests(tmp_path: Path) -> None:
    one = made(tmp_path, "r1", MCSIO, on_host("A", 5.0), guest_counters=ABOVE)
    assert counted(one) == {"a": CacheSide(Vantage.HOST, BELOW)}
    assert counted(made(tmp_path, "r2", MCS, on_host("A", 5.0))) == {"a": CacheSide(Vantage.HOST, None)}


def test_that_vms_measured_on_different_sides_are_in_the_import_report(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    one = run_figures(made(tmp_path, "r1", MCSIO, disk("W10-A", 50.0), on_host("W10-B", 5.0), guest_counters=ABOVE))
    assert one.phases[0].side == "above-cache + below-cache"
    (problem,) = [problem for problem in one.problems if problem.code == "sides-mixed"]
    assert problem.message == snapshot


def test_that_vms_measured_on_one_side_are_not_a_problem(tmp_path: Path) -> None:
    one = run_figures(made(tmp_path, "r1", MCSIO, disk("A", 50.0), disk("B", 5.0), guest_counters=ABOVE))
    assert one.phases[0].side == "above-cache"
    assert not [problem for problem in one.problems if problem.code == "sides-mixed"]


def test_that_a_side_stated_for_mcs_is_ignored_and_reported(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    one = run_figures(made(tmp_path, "r1", MCS, disk("A", 50.0), guest_counters=ABOVE))
    assert one.phases[0].side is None
    (problem,) = [problem for problem in one.problems if problem.code == "side-without-cache"]
    assert problem.message == snapshot


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        # Values not known to be above the cache count as those that reached the disks.
        ((MCS, None), (MCSIO, None), Verdict.BETTER),
        ((MCS, None), (MCSIO, BELOW), Verdict.BETTER),
        ((PVS, None), (MCSIO, BELOW), Verdict.BETTER),
        ((PVS, None), (MCSIO, None), Verdict.BETTER),
        # Requested I/O is compared only with requested I/O.
        ((PVS, ABOVE), (MCSIO, ABOVE), Verdict.BETTER),
        ((MCS, None), (MCSIO, ABOVE), Verdict.INCONCLUSIVE),
        ((PVS, BELOW), (MCSIO, ABOVE), Verdict.INCONCLUSIVE),
        ((PVS, None), (MCSIO, ABOVE), Verdict.INCONCLUSIVE),
        ((PVS, ABOVE), (MCSIO, BELOW), Verdict.INCONCLUSIVE),
        ((PVS, ABOVE), (MCSIO, None), Verdict.INCONCLUSIVE),
    ],
)
def test_that_values_from_different_sides_have_no_verdict(
    theirs: tuple[Configuration, Side | None],
    ours: tuple[Configuration, Side | None],
    expected: Verdict,
    tmp_path: Path,
) -> None:
    base = replicates(tmp_path, theirs[0], 100.0, side=theirs[1])
    less = replicates(tmp_path, ours[0], 10.0, side=ours[1])
    found = compare(with_baseline(group_runs([*base, *less]), theirs[0].name))
    assert verdict(found, ours[0]) is expected
    assert [p.code for p in found.problems] == ["compare-side"] * (ABOVE in (theirs[1], ours[1]))


def test_that_the_reason_names_the_side_of_each_value(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    base, less = replicates(tmp_path, MCS, 100.0), replicates(tmp_path, MCSIO, 10.0, side=ABOVE)
    found = compare(group_runs([*base, *less]))
    row = found.of(MCSIO.name, "steady", "iops_per_vm")
    assert row is not None
    assert row.judgement is not None
    assert row.judgement.reason == snapshot
    assert found.problems[0].message == snapshot
    assert found.problems[0].action == snapshot


def test_that_a_difference_above_the_cache_is_not_described_as_a_saving(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    base, less = replicates(tmp_path, PVS, 100.0, side=ABOVE), replicates(tmp_path, MCSIO, 10.0, side=ABOVE)
    (problem,) = compare(with_baseline(group_runs([*base, *less]), PVS.name)).problems
    assert problem.message == snapshot


def test_that_a_configuration_measured_on_both_sides_has_no_verdict(tmp_path: Path) -> None:
    below = replicates(tmp_path, MCSIO, 10.0)
    one = run_figures(made(tmp_path, "above", MCSIO, disk("A", 10.05), guest_counters=ABOVE))
    found = compare(group_runs([*replicates(tmp_path, MCS, 100.0), *below, one]))
    row = found.of(MCSIO.name, "steady", "iops_per_vm")
    assert row is not None
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "part of the I/O" in (row.objection or "")


def test_that_the_guest_is_not_compared_with_the_host(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = compare(group_runs([*replicates(tmp_path, MCS, 100.0), *replicates(tmp_path, MCSIO, 10.0, host=True)]))
    row = found.of(MCSIO.name, "steady", "iops_per_vm")
    assert row is not None
    assert (row.verdict, row.change) == (None, None)
    assert row.apart == snapshot
    both_hosts = [*replicates(tmp_path, MCS, 100.0, host=True), *replicates(tmp_path, MCSIO, 10.0, host=True)]
    assert verdict(compare(group_runs(both_hosts)), MCSIO) is Verdict.BETTER


def test_that_latency_of_the_host_is_not_compared_with_the_guest_although_iops_are(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    def runs(made_as: Configuration, rate: float, at_host: bool) -> list[RunFigures]:
        latency = (on_host if at_host else disk)("A", 0.01, quantity=Quantity.READ_LATENCY)
        return [
            run_figures(made(tmp_path, f"{made_as.name} {n}", made_as, disk("A", rate * share), latency))
            for n, share in enumerate(SCATTER)
        ]

    base, group = group_runs([*runs(MCS, 100.0, at_host=False), *runs(MCSIO, 10.0, at_host=True)])
    assert unlike_places(base, group, "steady", MEASURES["iops_per_vm"]) is None
    assert (unlike_places(base, group, "steady", MEASURES["read_latency_ms"]) or "") == snapshot


def test_that_sides_affect_only_storage_io(tmp_path: Path) -> None:
    base, group = above_against_mcs(tmp_path)
    refused = {key for key, measure in MEASURES.items() if unlike_places(base, group, "steady", measure)}
    assert {"iops_per_vm", "total_io_per_vm", "p95_iops_per_vm"} <= refused
    assert not refused & {"cpu_percent", "duration_s", "cache_ram_used_mb_end", "cache_disk_used_mb_end"}


def above_against_mcs(folder: Path) -> tuple[Group, ...]:
    return group_runs([*replicates(folder, MCS, 100.0), *replicates(folder, MCSIO, 10.0, side=ABOVE)])


def test_that_overview_and_cache_sweep_show_no_reduction_across_sides(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    groups = above_against_mcs(tmp_path)
    card = metric_cards(groups, "steady", Quantity.IOPS)[1]
    assert card.value == "10.0"
    assert card.note == snapshot
    answer = cache_answer(groups, "steady")
    row = answer.sweep.rows[1]
    assert (row.total_change, row.write_change, row.shared_change) == (None, None, None)
    assert row.objection is not None
    assert row.total == pytest.approx(10.0)
    assert [cell.text for cell in cache_table(answer, 100).rows[1][3:6]] == ["10.0", "~", "~"]
    (reduction,) = [card for card in cache_answer_cards(answer, 100) if card.title.startswith("IOPS change at")]
    assert (reduction.value, reduction.note, reduction.detail) == ("10.0", card.note, "")


def test_that_io_of_the_system_disk_above_the_cache_is_not_shared_storage_io(tmp_path: Path) -> None:
    columns = (disk("A", 30.0, "0 C:"), disk("A", 5.0, "1 D:"))

    def by_tier(side: Side | None) -> dict[Tier | None, TierFigures]:
        one = made(tmp_path, "r1", MCSIO, *columns, guest_counters=side)
        return {row.tier: row for row in tiers_of(run_figures(one))["steady"] if row.vantage is Vantage.GUEST}

    unknown, below, above = (by_tier(side) for side in (None, BELOW, ABOVE))
    assert {tier: row.side for tier, row in unknown.items()} == {
        None: None,
        Tier.SHARED: None,
        Tier.CACHE_DISK: BELOW,
        Tier.RAM: None,
    }
    assert {tier: row.side for tier, row in below.items()} == {
        None: BELOW,
        Tier.SHARED: BELOW,
        Tier.CACHE_DISK: BELOW,
        Tier.RAM: None,
    }
    assert {tier: row.side for tier, row in above.items()} == {None: ABOVE, Tier.CACHE_DISK: BELOW, Tier.RAM: None}
    assert above[Tier.CACHE_DISK].iops == pytest.approx(5.0)


def test_that_io_absorbed_by_the_cache_is_not_reported_as_guest_and_host_disagreement(tmp_path: Path) -> None:
    one = run_figures(made(tmp_path, "r1", MCSIO, disk("A", 100.0), on_host("A", 10.0), guest_counters=ABOVE))
    host = next(row for row in tiers_of(one)["steady"] if row.vantage is Vantage.HOST)
    assert (host.side, host.compared_with) == (BELOW, "guest, all tiers, above the cache")
    assert host.difference_percent == pytest.approx(-90.0)


def test_that_the_table_by_vantage_shows_the_side(tmp_path: Path) -> None:
    one = run_figures(made(tmp_path, "r1", MCSIO, disk("A", 100.0), on_host("A", 10.0), guest_counters=ABOVE))
    table = tier_table(group_runs([one]))
    place = [column.title for column in table.columns].index("Above/below cache")
    assert [row[place].text for row in table.rows] == ["above cache", "—", "below cache"]
