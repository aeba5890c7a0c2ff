"""The sentences of findings: the published sweep, single runs, and missing results."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import BASE, LARGE, LESS, MCS, SMALL, groups, one, replicates
from tests.answers.logons import login_storms
from tests.builders import T0, counter, phase, recording, run
from tests.samples import shared_store
from workbench.answers.benchmarks.compute import natural
from workbench.answers.findings.compute import MOST_SHOWN, Finding, Strength
from workbench.answers.findings.sentences import findings, remarks
from workbench.answers.findings.tables import finding_tables
from workbench.answers.findings.words import Asked
from workbench.answers.logons.vsimax_models import load_models
from workbench.console.loading import load_studies
from workbench.measures.configurations import Group, group_runs, with_baseline
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.worst_vms import VmLoad
from workbench.model.benchmark import Benchmark, Op
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Study
from workbench.study.store.column_store import Store
from workbench.words.numbers import MINUS, THIN

SAMPLE = Path(__file__).parents[3] / "sample_data"
FIELD = "iops_per_vm"


def plain(text: str) -> str:
    """The text without the typography of numbers."""
    return text.replace(THIN, " ").replace(MINUS, "-")


def found(members: tuple[Group, ...], **choices: object) -> dict[str, Finding]:
    asked = Asked("study", members, **choices)  # type: ignore[arg-type]
    return {finding.key.removeprefix("study/"): finding for finding in findings(asked)}


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    loaded = load_studies([SAMPLE], Store(shared_store()))
    return {study.name: study for study in loaded}


@pytest.fixture(scope="module")
def sweep(studies: dict[str, Study]) -> list[RunFigures]:
    return [run_figures(run) for run in studies["rds-mcsio-cache-sweep"].runs]


@pytest.fixture(scope="module")
def of_sweep(sweep: list[RunFigures]) -> dict[str, Finding]:
    return found(group_runs(sweep))


@pytest.mark.parametrize(
    ("configuration", "percent"),
    [("MCSIO 256 MB", 7.0), ("MCSIO 512 MB", 50.0), ("MCSIO 1 GB", 77.0), ("MCSIO 4 GB", 93.0)],
)
def test_that_the_published_reductions_are_reported(
    of_sweep: dict[str, Finding], configuration: str, percent: float, snapshot: SnapshotAssertion
) -> None:
    one = of_sweep[f"compare/steady/{configuration}/{FIELD}/MCS"]
    assert plain(one.text) == snapshot
    assert one.text.endswith("n = 3)")
    assert one.change is not None
    assert one.change.percent == pytest.approx(-percent, abs=0.05)
    assert len(one.runs) == 6
    assert one.figures == (FIELD,)


def test_that_the_headline_is_the_largest_cut_and_the_list_is_short(
    of_sweep: dict[str, Finding], snapshot: SnapshotAssertion
) -> None:
    ordered = list(of_sweep.values())
    assert plain(ordered[0].text) == snapshot
    assert ordered[0].strength is Strength.STRONG
    shown, rest = finding_tables(tuple(ordered))
    assert len(shown.rows) == MOST_SHOWN
    assert len(shown.rows) + len(rest.rows) == len(ordered)
    undecided = sum(one.strength is Strength.INCONCLUSIVE for one in ordered)
    assert 0 < undecided < len(rest.rows)
    assert all("inconclusive" in row[1].text for row in rest.rows[-undecided:])


def test_that_findings_cover_cache_size_and_shared_storage_and_cpu_and_sizing(
    of_sweep: dict[str, Finding], snapshot: SnapshotAssertion
) -> None:
    enough = plain(of_sweep["cache/enough/MCSIO-rds"].text)
    assert enough == snapshot
    shared = of_sweep["cache/shared/steady/MCSIO 512 MB/MCS"]
    assert plain(shared.text) == snapshot
    assert "share this storage" in shared.caveats[0]
    cpu = of_sweep["same/steady/cpu_percent/MCS"]
    assert cpu.text == snapshot
    assert cpu.strength is Strength.INDICATIVE
    sizes = plain(of_sweep["cache/sizes/MCSIO-rds-steady"].text)
    assert "(256 MB: 7.0 %, 512 MB: 50.0 %, 1 GB: 77.0 %, 4 GB: 93.0 %; n = 3 each)" in sizes


def test_that_caveats_on_slides_name_no_page_of_the_window(of_sweep: dict[str, Finding]) -> None:
    assert not [finding.key for finding in of_sweep.values() if "state yours" in " ".join(finding.caveats)]


def test_that_saved_disks_are_reported_with_the_assumptions(
    of_sweep: dict[str, Finding], snapshot: SnapshotAssertion
) -> None:
    one = of_sweep["sizing/disks/MCSIO 4 GB/MCS"]
    assert plain(one.text) == snapshot
    assert one.strength is Strength.INDICATIVE
    assert [plain(caveat) for caveat in one.caveats] == snapshot


def test_that_the_order_of_runs_does_not_change_keys_or_sentences(
    sweep: list[RunFigures], of_sweep: dict[str, Finding]
) -> None:
    shuffled = list(sweep)
    random.Random(7).shuffle(shuffled)
    again = found(group_runs(shuffled))
    assert list(again) == list(of_sweep)
    assert [one.text for one in again.values()] == [one.text for one in of_sweep.values()]


@pytest.mark.parametrize("name", ["windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache", "vdi-login-storm"])
def test_that_every_finding_of_single_runs_mentions_it(studies: dict[str, Study], name: str) -> None:
    members = group_runs([run_figures(run) for run in studies[name].runs])
    told = findings(Asked("study", members, model=next(iter(load_models(shipped_only=True).values()))))
    assert told
    for finding in told:
        if finding.strength is not Strength.INCONCLUSIVE:
            assert finding.strength is Strength.SINGLE
            assert "one run" in finding.text or "single run" in finding.text
    assert any("no 95\u2009% intervals" in text for text in remarks(members))


def test_that_findings_on_logons_report_stuck_sessions_and_both_vsimax_values(
    studies: dict[str, Study], snapshot: SnapshotAssertion
) -> None:
    members = group_runs([run_figures(run) for run in studies["vdi-login-storm"].runs])
    told = found(members, model=next(iter(load_models(shipped_only=True).values())))
    assert plain(told["logons/stuck/MCS"].text) == snapshot
    assert told["logons/limit/MCS"].text == snapshot
    assert "assumed" in told["logons/limit/MCS"].caveats[0]
    mean = plain(told["logons/mean/MCSIO 512 MB/MCS"].text)
    assert mean == snapshot
    assert "95th percentile 4.50 s vs. 6.31 s" in mean


def test_that_findings_on_storage_tests_report_the_knee_and_the_raw_disk(studies: dict[str, Study]) -> None:
    rows = studies["storage-benchmarks"].benchmarks
    told = [plain(one.text) for one in findings(Asked("study", (), rows))]
    assert any("levels off at queue depth 16 (15 670 IOPS; test 'sqlio" in text for text in told)
    assert any(text.endswith(", one run each)") and "of the raw disk IOPS" in text for text in told)
    shuffled = sorted(rows, key=lambda row: natural(row.path[::-1]))
    assert [plain(one.text) for one in findings(Asked("study", (), shuffled))] == told


def test_that_a_comparison_of_three_runs_with_a_raw_disk_has_an_interval(snapshot: SnapshotAssertion) -> None:
    rows = [
        Benchmark(
            f"{name}.txt",
            "diskspd",
            Op.READ,
            test=name,
            iops=value,
            block_bytes=4096,
            pattern="random",
            read_percent=100.0,
            queue_depth=8,
            threads=1,
            started=f"2016-05-10T08:0{n}:00Z",
        )
        for name, values in (("raw disk", (100.0, 101.0, 99.0)), ("ram cache", (400.0, 404.0, 398.0)))
        for n, value in enumerate(values)
    ]
    (one,) = [one for one in findings(Asked("study", (), rows)) if one.figure == "ratio to raw"]
    assert one.strength is Strength.INDICATIVE
    assert one.text == snapshot
    assert one.text.endswith("n = 3)")


def test_that_a_finding_on_a_custom_phase_gives_its_change_in_length(snapshot: SnapshotAssertion) -> None:
    scans = {MCS: (101, 101.5, 100.5), SMALL: (77, 77.4, 76.6)}
    runs = [
        one(configuration, n, "av-scan", 60 * minutes)
        for configuration, members in scans.items()
        for n, minutes in enumerate(members)
    ]
    scan = found(groups(*runs))["compare/av-scan/MCSIO 256 MB/duration_s/MCS"]
    assert plain(scan.text) == snapshot
    single = found(groups(one(MCS, 1, "av-scan", 6060), one(SMALL, 1, "av-scan", 4620)))
    text = plain(single["compare/av-scan/MCSIO 256 MB/duration_s/MCS"].text)
    assert text == snapshot
    equal = found(groups(one(MCS, 1, "av-scan", 180), one(SMALL, 1, "av-scan", 180)))
    text = plain(equal["compare/av-scan/MCSIO 256 MB/duration_s/MCS"].text)
    assert text == snapshot


def test_that_two_runs_give_a_range_and_the_verdict_is_inconclusive(snapshot: SnapshotAssertion) -> None:
    two = found(groups(*replicates(MCS, FIELD, BASE[:2]), *replicates(SMALL, FIELD, LESS[:2])))
    pair = two[f"compare/steady/MCSIO 256 MB/{FIELD}/MCS"]
    # 50 ÷ 102 and 52 ÷ 100.
    assert pair.number in pair.text
    assert plain(pair.number) == "-51.0 to -48.0 %"
    assert pair.text.endswith("n = 2)")
    assert not {"lower", "higher", "cuts", "raises", "less", "more"} & set(pair.text.split())
    assert pair.strength is Strength.RANGE
    wild = found(groups(*replicates(MCS, FIELD, BASE), *replicates(LARGE, FIELD, (100.0, 150.0, 70.0))))
    open_one = wild[f"compare/steady/MCSIO 1 GB/{FIELD}/MCS"]
    assert open_one.text == snapshot
    assert open_one.strength is Strength.INCONCLUSIVE


def test_that_a_percentage_of_a_small_base_has_the_absolute_change_and_a_caveat() -> None:
    members = groups(*replicates(MCS, FIELD, (0.10, 0.11, 0.10)), *replicates(SMALL, FIELD, (0.30, 0.31, 0.30)))
    small = found(members)[f"compare/steady/MCSIO 256 MB/{FIELD}/MCS"]
    assert "(0.303 vs. 0.103 with MCS" in small.text
    assert any("The baseline has only" in caveat for caveat in small.caveats)
    large = found(groups(*replicates(MCS, FIELD, BASE), *replicates(SMALL, FIELD, (300.0, 310.0, 305.0))))
    assert small.relevance < large[f"compare/steady/MCSIO 256 MB/{FIELD}/MCS"].relevance


def test_that_other_differences_are_caveats_of_the_finding(snapshot: SnapshotAssertion) -> None:
    members = groups(
        *replicates(MCS, FIELD, BASE),
        *(replace(member, run=replace(member.run, hypervisor="ESXi")) for member in replicates(SMALL, FIELD, LESS)),
    )
    base = [replace(m, run=replace(m.run, hypervisor="Hyper-V")) for m in members[0].runs]
    told = found(groups(*base, *members[1].runs))[f"compare/steady/MCSIO 256 MB/{FIELD}/MCS"]
    assert told.caveats == snapshot


def test_that_a_vm_far_above_the_others_is_named(snapshot: SnapshotAssertion) -> None:
    load = VmLoad("W7-003", 30.0, 90.0, 3.0)
    runs = []
    for member in replicates(MCS, FIELD, (14.0, 14.0, 14.0)):
        row = replace(member.phases[0], vms=5, worst_vms=(load, VmLoad("W7-001", 10.0, 20.0)))
        runs.append(replace(member, phases=(row,)))
    odd = found(groups(*runs))["vm/steady/MCS/W7-003"]
    assert odd.text == snapshot
    assert (odd.lit_vm, odd.page, odd.strength) == ("W7-003", "per-vm-iops", Strength.INDICATIVE)
    # With several runs, the curve has the name of its run, and the value is that of the sentence.
    assert odd.trace.startswith("W7-003 · ")
    assert odd.readout == snapshot


def test_that_a_vm_far_above_the_others_by_one_sample_alone_is_doubtful() -> None:
    runs = []
    for member in replicates(MCS, FIELD, (14.0, 14.0, 14.0)):
        load = VmLoad("W7-003", 140.0, 5000.0, 10.0, 93.0)
        runs.append(replace(member, phases=(replace(member.phases[0], vms=5, worst_vms=(load,)),)))
    odd = found(groups(*runs))["vm/steady/MCS/W7-003"]
    assert odd.strength is Strength.INCONCLUSIVE
    assert any(re.search(r"\b93\b.*ratio is 0\.70*\.", caveat) for caveat in odd.caveats)


def test_that_a_vm_measured_only_during_the_busy_half_is_not_reported_as_odd(tmp_path: Path) -> None:
    times = T0 + np.arange(1.0, 61.0)
    busy_first = np.repeat([20.0, 2.0], 30)
    died = np.where(np.arange(60) < 30, 20.0, np.nan)
    columns = [(counter(vm, Quantity.IOPS), busy_first) for vm in "ABC"]
    one = recording(tmp_path, "a.csv", times, [*columns, (counter("died", Quantity.IOPS), died)])
    members = group_runs([run_figures(run(one, stated_phases=(phase("steady", 0, 60),)))])
    assert [key for key in found(members) if key.startswith("vm/")] == []


def test_that_a_study_without_comparison_or_steady_state_has_plain_sentences_that_say_so(
    snapshot: SnapshotAssertion,
) -> None:
    out = replace(one(MCS), run=replace(one(MCS).run, excluded="failed"))
    assert remarks(groups(out)) == snapshot
    assert findings(Asked("study", groups(out))) == ()
    assert remarks(())[0] == snapshot
    alone = groups(*replicates(MCS, FIELD, BASE))
    assert remarks(alone) == snapshot
    assert {finding.kind for finding in findings(Asked("study", alone))} == {"prepare"}
    apart = groups(one(MCS, name="boot"), one(SMALL, name="logon"))
    assert remarks(apart)[0] == snapshot
    boots = groups(one(MCS, name="boot"), one(SMALL, name="boot"))
    assert remarks(boots)[0] == snapshot


def test_that_a_different_baseline_gives_different_keys() -> None:
    members = groups(*replicates(MCS, FIELD, BASE), *replicates(SMALL, FIELD, LESS))
    turned = found(with_baseline(members, "MCSIO 256 MB"))
    assert f"compare/steady/MCS/{FIELD}/MCSIO 256 MB" in turned
    both = set(turned) & set(found(members))
    assert not [key for key in both if key.startswith("compare")]


def test_that_equal_stated_phase_lengths_are_not_a_finding() -> None:
    keys = {"same/boot/duration_s/MCS", "compare/boot/MCSIO 256 MB/duration_s/MCS"}
    runs = [one(configuration, n, "boot", 300.0) for configuration in (MCS, SMALL) for n in (1, 2, 3)]
    assert not keys & set(found(groups(*runs)))
    seen = [
        replace(run, phases=tuple(replace(row, phase=replace(row.phase, evidence="events")) for row in run.phases))
        for run in runs
    ]
    assert "compare/boot/MCSIO 256 MB/duration_s/MCS" in found(groups(*seen))


def test_that_one_session_is_written_in_the_singular(snapshot: SnapshotAssertion) -> None:
    member = login_storms.group(login_storms.storm_run(np.array([4.0])))
    texts = " ".join(finding.text for finding in found((member,)).values())
    assert texts == snapshot
    assert "1 sessions" not in texts


def test_that_the_p95_of_logons_has_its_unit(studies: dict[str, Study]) -> None:
    study = studies["windows-11-builds"]
    every = findings(Asked(study.name, group_runs(run_figures(run) for run in study.runs)))
    (mean,) = [finding for finding in every if finding.figure == "logon mean"]
    assert "(95th percentile 131 s, maximum 132 s" in plain(mean.text)


def test_that_io_moved_to_cache_disks_is_named_and_not_counted_as_saved(of_sweep: dict[str, Finding]) -> None:
    """256 MB saves as much shared storage I/O as 4 GB, but nearly all of it moves to the cache disks."""
    small, large = (of_sweep[f"cache/shared/steady/MCSIO {size}/MCS"] for size in ("256 MB", "4 GB"))
    assert small.change is not None
    assert small.change.percent == pytest.approx(-93, abs=0.1)
    assert all("361" in text for text in (small.text, small.short, small.caveats[0]))
    assert plain(small.caveats[0]).endswith("The change is then -7.0 %.")
    assert (small.size, large.size) == pytest.approx((0.024, 0.887), abs=0.002)


def test_that_rounded_shares_have_the_difference_that_the_sentence_states() -> None:
    """30.6 and 30.4 % are 31 and 30 % if rounded, which is not a difference of 0.2 points."""
    figures = ({"cpu_percent": 30.4}, {"cpu_percent": 30.6})
    members = groups(one(MCS, 1, figures=figures[0]), one(SMALL, 1, figures=figures[1]))
    text = plain(found(members)["compare/steady/MCSIO 256 MB/cpu_percent/MCS"].text)
    assert "30.6 % vs. 30.4 %" in text


def test_that_a_latency_of_seconds_has_the_advice_to_check_the_unit() -> None:
    def caveats(ours: tuple[float, ...]) -> list[str]:
        runs = (*replicates(MCS, "read_latency_ms", (5.0, 5.1, 4.9)), *replicates(SMALL, "read_latency_ms", ours))
        return [caveat for finding in found(groups(*runs)).values() for caveat in finding.caveats]

    assert any("unit" in caveat for caveat in caveats((5000.0, 5010.0, 4990.0)))
    assert not any("unit" in caveat for caveat in caveats((9.0, 9.1, 8.9)))


def test_that_findings_on_pvs_io_name_the_traffic_that_is_not_counted() -> None:
    pvs = Configuration("PVS 1 GB", Provisioning.PVS, None, 1024)
    both = found(groups(*replicates(MCS, FIELD, BASE), *replicates(pvs, FIELD, LESS)))
    assert any("streams" in caveat for caveat in both[f"compare/steady/PVS 1 GB/{FIELD}/MCS"].caveats)
    neither = found(groups(*replicates(MCS, FIELD, BASE), *replicates(SMALL, FIELD, LESS)))
    assert not any("streams" in caveat for one in neither.values() for caveat in one.caveats)


def test_that_equal_stated_lengths_of_two_runs_are_not_a_finding() -> None:
    twice = [one(configuration, n, "av-scan", 180) for configuration in (MCS, SMALL) for n in (1, 2)]
    assert not [key for key in found(groups(*twice)) if "duration_s" in key]
