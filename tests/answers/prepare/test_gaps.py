"""Gaps of a log: a removed counter changes exactly the questions that need it, and the pages agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.prepare.labs import VMS, lab, opened
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.prepare.gaps import OF_RUN, GapKind, QuestionVerdict, Standing, verdicts
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.prepare.study_gaps import StudyGaps, do_words, study_gaps, what_words
from workbench.answers.prepare.tables import answer_table
from workbench.cli import main
from workbench.measures.configurations import group_runs

SAMPLE = Path(__file__).parents[3] / "sample_data"
ABOUT_DESKTOPS = {"overflow", "cache-size", "iops", "latency", "logons", "cpu"}
DISK_USED = r"Cache disk used"


def judged(tmp_path: Path, folder: Path) -> dict[str, QuestionVerdict]:
    """The verdicts of the only run, by question."""
    library = opened(tmp_path / "store", folder)
    (figures,) = (library.figures or {}).values()
    return {verdict.question: verdict for verdict in verdicts(figures)}


def answered(of: dict[str, QuestionVerdict]) -> set[str]:
    return {key for key, verdict in of.items() if verdict.standing is Standing.ANSWERED}


def gaps_of(library: Library) -> list[StudyGaps]:
    figures = library.figures or {}
    return [
        study_gaps(study.name, group_runs(figures[run.folder] for run in study.runs), study.benchmarks)
        for study in library.studies
    ]


def test_that_every_question_names_its_page() -> None:
    assert {key for key, question in QUESTIONS.items() if question.measures} | set(OF_RUN) == set(QUESTIONS)
    assert all(bool(question.phases) is bool(question.measures) for question in QUESTIONS.values())


def test_that_a_whole_log_answers_every_question_about_desktops(tmp_path: Path) -> None:
    found = judged(tmp_path, lab(tmp_path))
    assert answered(found) == ABOUT_DESKTOPS
    assert not any(gap.needed for key in ABOUT_DESKTOPS for gap in found[key].gaps)


@pytest.mark.parametrize(
    ("without", "turned", "words"),
    [
        ((DISK_USED,), {"overflow", "cache-size"}, r"\Citrix MCS Storage Driver\Cache disk used"),
        (("Cache memory used",), {"cache-size"}, r"\Citrix MCS Storage Driver\Cache memory used"),
        (("% Processor Time",), {"cpu"}, r"\Processor(_Total)\% Processor Time"),
        (("sec/Read",), {"latency"}, r"\PhysicalDisk(*)\Avg. Disk sec/Read"),
        (("sec/Read", "sec/Write"), {"latency"}, r"\PhysicalDisk(*)\Avg. Disk sec/Read"),
        (("Transfers/sec", "Reads/sec", "Writes/sec"), {"iops"}, r"\PhysicalDisk(*)\Disk Transfers/sec"),
        (("Available MBytes",), set(), ""),
        (("Transfers/sec",), set(), ""),
    ],
)
def test_that_a_removed_counter_changes_exactly_its_questions(
    tmp_path: Path, without: tuple[str, ...], turned: set[str], words: str, snapshot: SnapshotAssertion
) -> None:
    found = judged(tmp_path, lab(tmp_path, without))
    assert answered(found) == ABOUT_DESKTOPS - turned
    for key in turned:
        needed = found[key].blocking
        assert {gap.kind for gap in needed} == {GapKind.COUNTER}
        assert words in what_words(needed[0])
        assert what_words(needed[0]) == snapshot
        assert "The test kit contains " in do_words(needed[0])


def test_that_read_or_write_latencies_alone_give_a_partial_answer(tmp_path: Path) -> None:
    found = judged(tmp_path, lab(tmp_path, ("sec/Read",)))
    assert found["latency"].standing is Standing.IN_PART
    assert judged(tmp_path / "none", lab(tmp_path / "none", ("sec/Read", "sec/Write")))["latency"].standing is (
        Standing.MISSING
    )


def test_that_a_counter_on_some_vms_names_the_vms_without_it(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = judged(tmp_path, lab(tmp_path, (DISK_USED,), of=VMS[1:]))
    assert answered(found) == ABOUT_DESKTOPS - {"overflow", "cache-size"}
    (gap,) = found["overflow"].blocking
    assert found["overflow"].standing is Standing.IN_PART
    assert (gap.kind, gap.vms, gap.lacking, gap.of) == (GapKind.VMS, VMS[1:], 2, 3)
    assert what_words(gap) == snapshot
    assert do_words(gap) == snapshot


def test_that_a_vm_known_only_from_events_has_no_counter(tmp_path: Path) -> None:
    folder = lab(tmp_path)
    run = folder / "mcsio-512"
    (run / "guest" / "W10-003.csv").unlink()
    stated = run / "run.toml"
    stated.write_text(stated.read_text().replace("vms = 3\n", ""))
    of_run = judged(tmp_path, folder)
    for key in ("overflow", "iops", "latency", "cpu"):
        gap = of_run[key].blocking[0]
        assert of_run[key].standing is Standing.IN_PART
        assert (gap.kind, gap.vms, gap.lacking, gap.of) == (GapKind.VMS, ("W10-003",), 1, 3)


def test_that_events_can_name_a_machine_by_its_short_name(tmp_path: Path) -> None:
    folder = lab(tmp_path)
    events = folder / "mcsio-512" / "events.csv"
    events.write_text(events.read_text().replace("W10-003", "w10-003.lab.example"))
    assert answered(judged(tmp_path, folder)) >= {"overflow", "iops", "cpu"}


def test_that_samples_too_far_apart_are_named_with_both_intervals(tmp_path: Path) -> None:
    found = judged(tmp_path, lab(tmp_path, step_s=40.0))
    (gap,) = found["iops"].blocking
    assert (gap.kind, gap.interval_s, gap.wanted_s) == (GapKind.COARSE, 40.0, 15.0)
    assert found["iops"].standing is Standing.IN_PART
    # The gauges of the cache need a sample at least once a minute.
    assert found["overflow"].standing is Standing.ANSWERED


def test_that_a_log_that_ends_early_states_the_logged_share_of_the_phase(tmp_path: Path) -> None:
    found = judged(tmp_path, lab(tmp_path, rows=46))
    (gap,) = found["iops"].blocking
    assert (gap.kind, gap.phases, found["iops"].standing) == (GapKind.COVERAGE, ("steady",), Standing.IN_PART)
    assert gap.measured == pytest.approx((45 * 15 - 500) / 380, abs=0.05)
    # No overflow until the log ended; the time after it is unknown.
    assert found["overflow"].standing is Standing.MISSING


def test_that_a_phase_without_any_sample_is_named_and_the_overflow_is_not_answered(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """The cache overflows after 780 s: a log that ends before cannot show it."""
    of_run = judged(tmp_path, lab(tmp_path, rows=14))
    for key in ("overflow", "cache-size"):
        gap = of_run[key].blocking[0]
        assert (gap.kind, gap.phases, gap.measured) == (GapKind.COVERAGE, ("logon", "steady"), 0.0)
        assert of_run[key].standing is Standing.MISSING
        assert what_words(gap) == snapshot
        assert "Log the whole test" in do_words(gap)


def test_that_a_log_with_gaps_has_no_advice_to_start_earlier(tmp_path: Path) -> None:
    """The collector ran from the first second to the last, but wrote two samples 15 s apart only every 150 s."""
    folder = lab(tmp_path)
    for log in (folder / "mcsio-512" / "guest").glob("*.csv"):
        head, *rows = log.read_text().splitlines(keepends=True)
        log.write_text(head + "".join(row for place, row in enumerate(rows) if place % 10 in (0, 1) or place > 57))
    gap = judged(tmp_path, folder)["iops"].blocking[0]
    assert (gap.kind, set(gap.phases) >= {"steady"}) == (GapKind.COVERAGE, True)
    assert "before the first boot" not in do_words(gap)
    assert "gaps" in do_words(gap)


def test_that_a_phase_without_samples_is_named_along_with_one_with_few_samples(tmp_path: Path) -> None:
    verdict = judged(tmp_path, lab(tmp_path, rows=24))["overflow"]
    assert [(gap.phases, gap.measured == 0) for gap in verdict.blocking] == [(("logon",), False), (("steady",), True)]


def test_that_an_observed_overflow_remains_a_partial_answer(tmp_path: Path) -> None:
    folder = lab(tmp_path, rows=56)
    stated = folder / "mcsio-512" / "run.toml"
    late = '[[phases]]\nname = "late"\nstart = 2016-05-10T08:20:00Z\nend = 2016-05-10T08:25:00Z\n'
    stated.write_text(stated.read_text() + late)
    verdict = judged(tmp_path, folder)["overflow"]
    assert verdict.standing is Standing.IN_PART
    assert any(gap.phases == ("late",) and gap.measured == 0 for gap in verdict.blocking)


def test_that_a_vm_without_samples_in_a_phase_counts_as_zero_coverage(tmp_path: Path) -> None:
    folder = lab(tmp_path)
    log = folder / "mcsio-512" / "guest" / "W10-001.csv"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:30]))
    verdict = judged(tmp_path, folder)["overflow"]
    (steady,) = (gap for gap in verdict.blocking if gap.phases == ("logon", "steady"))
    assert verdict.standing is Standing.IN_PART
    assert steady.measured == pytest.approx(2 / 3, abs=0.02)


def test_that_a_log_without_events_has_no_logon_times(tmp_path: Path) -> None:
    found = judged(tmp_path, lab(tmp_path, events=False))
    assert answered(found) == ABOUT_DESKTOPS - {"logons"}
    assert "events.csv" in do_words(found["logons"].blocking[0])


def test_that_a_trial_of_two_minutes_can_have_complete_counters(tmp_path: Path) -> None:
    whole = judged(tmp_path, lab(tmp_path, rows=8, manifest=False, events=False))
    assert {key: whole[key].standing for key in ("iops", "latency", "cpu")} == dict.fromkeys(
        ("iops", "latency", "cpu"), Standing.READY
    )
    assert "events.csv" in do_words(whole["iops"].blocking[0])
    short = tmp_path / "short"
    lacking = judged(short, lab(short, ("% Processor Time",), rows=8, manifest=False, events=False))
    assert lacking["iops"].standing is Standing.READY
    assert lacking["cpu"].standing is Standing.MISSING
    assert any(gap.kind is GapKind.COUNTER for gap in lacking["cpu"].blocking)


DETECTED = SAMPLE / "rds-mcsio-cache-sweep" / "mcsio-512-r1" / "guest" / "RDS-01.csv"


def test_that_a_trial_with_a_detected_phase_can_have_complete_counters(tmp_path: Path) -> None:
    """Eight samples of a busy server look like steady state; two minutes show no cache activity."""
    trial = tmp_path / "trial.csv"
    trial.write_text("".join(DETECTED.read_text().splitlines(keepends=True)[:9]))
    of_run = judged(tmp_path / "store", trial)
    for key in ("iops", "latency", "cpu", "overflow", "cache-size"):
        assert of_run[key].standing is Standing.READY, key
        (gap,) = of_run[key].blocking
        assert (gap.kind, gap.phases) == (GapKind.PHASE, ("boot", "logon", "steady"))
        assert "there is no events.csv" in what_words(gap)


def test_that_detected_phases_do_not_count_as_recorded_phases(tmp_path: Path) -> None:
    of_run = judged(tmp_path, SAMPLE / "windows-7-mcs-and-pvs" / "pvs-256" / "guest" / "W7-001.csv")
    assert not answered(of_run) & {"iops", "latency", "cpu"}
    assert of_run["iops"].blocking[0].phases == ("boot", "logon", "steady")


def test_that_an_unknown_provisioning_keeps_the_questions_on_the_cache() -> None:
    (study,) = gaps_of(sample("windows-7-mcs-and-pvs/pvs-256/guest/W7-001.csv"))
    rows = {row[0].key: row[1].text for row in answer_table(study).rows}
    assert rows["overflow"] == rows["cache-size"] == "provisioning method unknown"


def test_that_desktops_without_a_cache_have_no_question_on_the_cache(snapshot: SnapshotAssertion) -> None:
    library = sample("windows-7-mcs-and-pvs")
    (found,) = gaps_of(library)
    assert {verdict.standing for verdict in found.of("overflow", "MCS, 5 VMs")} == {Standing.OUTSIDE}
    assert found.standing("overflow", "PVS 256 MB") is Standing.MISSING
    # The page Cache predicts from the pool, and calls it an estimate.
    assert found.standing("cache-size", "PVS 256 MB") is Standing.IN_PART
    (estimate,) = found.of("cache-size", "PVS 256 MB")[0].blocking
    assert what_words(estimate) == snapshot
    (gap,) = found.of("overflow", "PVS 256 MB")[0].blocking
    assert "poolmon" in do_words(gap)


def test_that_a_ram_cache_visible_only_through_the_pool_gives_a_partial_answer(snapshot: SnapshotAssertion) -> None:
    """The limit check is estimated or inconclusive, so the question is not answered. poolmon would answer it."""
    (study,) = gaps_of(sample("xenapp-pvs-ram-cache"))
    for key in ("overflow", "cache-size"):
        for verdict in study.of(key):
            (gap,) = verdict.blocking
            assert (verdict.standing, gap.kind) == (Standing.IN_PART, GapKind.ESTIMATE)
            assert what_words(gap) == snapshot
            assert do_words(gap) == snapshot


def test_that_samples_outside_all_phases_do_not_count_as_a_missing_counter() -> None:
    library = sample("damaged/day-and-month-swapped")
    (figures,) = (library.figures or {}).values()
    (gap, *_) = next(verdict for verdict in verdicts(figures) if verdict.question == "iops").blocking
    assert (gap.kind, gap.measured) == (GapKind.COVERAGE, 0.0)
    assert "time zone" in do_words(gap)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    main([*arguments, "--format", "json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "study", ["damaged", "rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache", "vdi-login-storm"]
)
def test_that_a_page_has_data_for_each_question_marked_as_answered(
    study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = gaps_of(sample(study))
    shows = {Standing.ANSWERED, Standing.IN_PART}
    rows = {
        (run["run"], row["phase"]): row
        for run in printed(capsys, "summary", str(SAMPLE / study))["runs"]
        for row in run["phases"]
    }
    measures = {"iops": ("iops_per_vm",), "latency": ("read_latency_ms", "write_latency_ms"), "cpu": ("cpu_percent",)}
    for question, keys in measures.items():
        for verdict in found.of(question):
            values = [
                rows.get((verdict.run, phase), {}).get(key) for phase in QUESTIONS[question].phases for key in keys
            ]
            if verdict.standing is Standing.ANSWERED:
                assert None not in values, verdict
            if not any(row["evidence"] == "activity" for (run, _), row in rows.items() if run == verdict.run):
                assert any(value is not None for value in values) is (verdict.standing in shows), verdict
    cache = printed(capsys, "cache", str(SAMPLE / study))
    known = {each["configuration"]: each["overflowed"] is not None for each in cache["configurations"]}
    logons = printed(capsys, "logons", str(SAMPLE / study))["studies"]
    timed = {each["configuration"]: each["logon_s"] is not None for part in logons for each in part["configurations"]}
    for label in found.configurations:
        standings = {verdict.standing for verdict in found.of("overflow", label)}
        if not standings & {Standing.OUTSIDE}:
            assert known.get(label, False) is (standings <= shows), label
        standings = {verdict.standing for verdict in found.of("logons", label)}
        assert timed.get(label, False) is bool(standings & shows), label
