"""Building studies from folders: runs, names, clocks, and every problem with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import T0, disk_csv
from workbench.model.run import Study
from workbench.phases.rules import phases_of
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.source import read_source
from workbench.study.overrides import in_time_zone
from workbench.study.store.column_store import Store

RATES = [1.0] * 20
FIO = (
    '{"fio version": "fio-3.35", "jobs": [{"jobname": "j", "error": 0, "read": {"iops": 5.0, "bw_bytes": 20480, '
    '"total_ios": 50, "runtime": 10000, "io_bytes": 204800}, "write": {"iops": 0, "total_ios": 0}}]}'
)


def opened(*paths: Path) -> tuple[Study, ...]:
    """The studies of the opened paths; files are read in this process."""
    found = find_sources(list(paths))
    store = Store(paths[0].parent / "store")
    return build_studies(found, [(source, read_source(source.path, source.name, store)) for source in found.sources])


def codes(study: Study) -> list[tuple[str, str]]:
    return [(problem.file, problem.code) for problem in study.problems]


def test_that_a_folder_of_runs_is_a_study(tmp_path: Path) -> None:
    for name in ("mcs-5vm", "pvs-256"):
        disk_csv(tmp_path / "lab" / name / "guest" / "a.csv", "W10-001", RATES, RATES)
    (study,) = opened(tmp_path / "lab")
    assert (study.name, [run.name for run in study.runs]) == ("lab", ["mcs-5vm", "pvs-256"])
    assert [run.configuration.name for run in study.runs] == ["MCS", "PVS 256 MB"]
    assert [report.path for report in study.files] == ["mcs-5vm/guest/a.csv", "pvs-256/guest/a.csv"]
    assert ("mcs-5vm", "inferred-provisioning") in codes(study)


def test_that_a_folder_of_studies_gives_several_studies(tmp_path: Path) -> None:
    for place in ("s1/mcs", "s1/pvs", "s2/mcs"):
        disk_csv(tmp_path / "labs" / place / "a.csv", "A", RATES, RATES)
    studies = opened(tmp_path / "labs")
    assert [(study.name, [run.name for run in study.runs]) for study in studies] == [
        ("s1", ["mcs", "pvs"]),
        ("s2", ["mcs"]),
    ]


def test_that_a_run_opened_alone_is_a_separate_study(tmp_path: Path) -> None:
    disk_csv(tmp_path / "mcs" / "a.csv", "A", RATES, RATES)
    (study,) = opened(tmp_path / "mcs")
    assert (study.name, [run.name for run in study.runs]) == ("mcs", ["mcs"])


def test_that_a_run_opened_next_to_its_study_stays_in_it(tmp_path: Path) -> None:
    disk_csv(tmp_path / "lab" / "mcs" / "a.csv", "A", RATES, RATES)
    disk_csv(tmp_path / "lab" / "pvs" / "a.csv", "A", RATES, RATES)
    (study,) = opened(tmp_path / "lab", tmp_path / "lab" / "mcs")
    assert [run.name for run in study.runs] == ["mcs", "pvs"]


def test_that_single_files_with_one_stem_are_distinguished(tmp_path: Path) -> None:
    files = [disk_csv(tmp_path / "lab" / f"a.{end}", "A", RATES, RATES) for end in ("csv", "log")]
    (study,) = opened(*files)
    assert sorted(run.name for run in study.runs) == ["a.csv", "a.log"]


def test_that_two_folders_with_one_name_are_two_runs_of_two_studies(tmp_path: Path) -> None:
    for lab in ("berlin", "london"):
        disk_csv(tmp_path / lab / "mcs-r1" / "a.csv", lab, RATES, RATES)
    studies = opened(tmp_path)
    assert [(study.name, [run.name for run in study.runs]) for study in studies] == [
        ("berlin", ["mcs-r1"]),
        ("london", ["mcs-r1"]),
    ]


def test_that_benchmarks_alone_are_a_study_without_runs(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "x.json").write_text(FIO)
    (study,) = opened(tmp_path / "bench")
    assert (study.name, study.runs, {row.tool for row in study.benchmarks}) == ("bench", (), {"fio"})
    assert codes(study) == []


@pytest.mark.parametrize("place", ["fio", "benchmarks", "baseline-storage"])
def test_that_benchmarks_among_runs_belong_to_their_study(tmp_path: Path, place: str) -> None:
    disk_csv(tmp_path / "labs" / "s1" / "mcs" / "a.csv", "A", RATES, RATES)
    (tmp_path / "labs" / "s1" / place).mkdir()
    (tmp_path / "labs" / "s1" / place / "x.json").write_text(FIO)
    (study,) = opened(tmp_path / "labs")
    assert (study.name, [run.name for run in study.runs], len(study.files)) == ("s1", ["mcs"], 2)
    assert study.benchmarks


def test_that_files_in_unknown_formats_are_listed_with_their_study(tmp_path: Path) -> None:
    for study in ("s1", "s2"):
        disk_csv(tmp_path / study / "mcs" / "a.csv", "A", RATES, RATES)
    (tmp_path / "s2" / "notes.txt").write_text("hello")
    first, second = opened(tmp_path)
    assert [report.path for report in first.files] == ["s1/mcs/a.csv"]
    assert ("s2/notes.txt", "not-recognised") in codes(second)


def test_that_an_empty_folder_is_not_a_study(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert opened(tmp_path / "empty") == ()


def test_that_a_missing_path_is_rejected_and_others_are_loaded(tmp_path: Path) -> None:
    disk_csv(tmp_path / "mcs" / "a.csv", "A", RATES, RATES)
    (study,) = opened(tmp_path / "mcs", tmp_path / "msc")
    assert (str(tmp_path / "msc"), "not-found") in codes(study)
    assert len(study.runs) == 1
    (alone,) = opened(tmp_path / "msc")
    assert codes(alone) == [(str(tmp_path / "msc"), "not-found")]


def test_that_run_toml_describes_the_run_and_its_folders(tmp_path: Path) -> None:
    run = tmp_path / "lab" / "run-7"
    disk_csv(run / "day1" / "a.csv", "A", RATES, RATES)
    disk_csv(run / "day2" / "b.csv", "B", RATES, RATES)
    (run / "run.toml").write_text(
        'configuration = "Gold"\nprovisioning = "MCS"\nsession_type = "vdi"\nvms = 9\nusers = 8\nbaseline = true\n'
        'exclude = "broken"\nworkload = "Office"\nhypervisor = "ESXi"\nguest_os = "W10"\n'
    )
    (study,) = opened(tmp_path / "lab")
    (one,) = study.runs
    assert (one.configuration.name, one.vms, one.users, one.baseline, one.excluded) == ("Gold", 9, 8, True, "broken")
    assert (one.workload, one.hypervisor, one.guest_os, one.guesses) == ("Office", "ESXi", "W10", ())
    assert len(one.recordings) == 2
    report = next(report for report in study.files if report.path == "run-7/run.toml")
    assert (report.reader, report.recognised, report.rows) == ("run.toml", True, 10)


def test_that_a_damaged_run_toml_still_defines_its_folder(tmp_path: Path) -> None:
    run = tmp_path / "lab" / "mcs"
    disk_csv(run / "day1" / "a.csv", "A", RATES, RATES)
    disk_csv(run / "day2" / "b.csv", "B", RATES, RATES)
    (run / "run.toml").write_text("vms =")
    (study,) = opened(tmp_path / "lab")
    assert [(one.name, len(one.recordings)) for one in study.runs] == [("mcs", 2)]
    assert ("mcs/run.toml", "manifest-unreadable") in codes(study)


def test_that_a_folder_with_only_run_toml_is_a_run(tmp_path: Path) -> None:
    (tmp_path / "lab" / "mcs").mkdir(parents=True)
    (tmp_path / "lab" / "mcs" / "run.toml").write_text("vms = 3\n")
    (study,) = opened(tmp_path / "lab")
    assert [(run.name, run.vms) for run in study.runs] == [("mcs", 3)]


TYPEPERF = '"(PDH-CSV 4.0)","\\\\{vm}\\PhysicalDisk(_Total)\\Disk Transfers/sec"\n' + "".join(
    f'"05/10/2016 09:00:{second:02d}.000","1.0"\n' for second in range(15, 60, 15)
)


def typeperf(path: Path, vm: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TYPEPERF.format(vm=vm))


def test_that_the_stated_zone_applies_only_to_files_without_one(tmp_path: Path) -> None:
    run = tmp_path / "mcs"
    typeperf(run / "a.csv", "A")
    disk_csv(run / "b.csv", "B", RATES, RATES, bias="-120")
    (run / "run.toml").write_text('time_zone = "Europe/London"\n')
    (study,) = opened(run)
    assert {rec.file: rec.utc_offset_minutes for rec in study.runs[0].recordings} == {"a.csv": 60, "b.csv": 120}
    report = next(report for report in study.files if report.path == "a.csv")
    assert (report.utc_offset_minutes, report.first) == (60, "2016-05-10T08:00:15Z")
    assert ("a.csv", "time-zone-unknown") not in codes(study)


def test_that_a_file_without_a_zone_uses_the_zone_of_the_other_files_and_reports_it(tmp_path: Path) -> None:
    typeperf(tmp_path / "mcs" / "a.csv", "A")
    disk_csv(tmp_path / "mcs" / "b.csv", "B", RATES, RATES)
    (study,) = opened(tmp_path / "mcs")
    assert {rec.utc_offset_minutes for rec in study.runs[0].recordings} == {60}
    assert ("a.csv", "time-zone-guessed") in codes(study)


def test_that_a_file_without_a_zone_is_reported_if_others_disagree(tmp_path: Path) -> None:
    typeperf(tmp_path / "mcs" / "a.csv", "A")
    disk_csv(tmp_path / "mcs" / "b.csv", "B", RATES, RATES)
    disk_csv(tmp_path / "mcs" / "c.csv", "C", RATES, RATES, bias="-120")
    (tmp_path / "mcs" / "events.csv").write_text("time,event\n2016-05-10T09:00:00,power_on\n")
    (study,) = opened(tmp_path / "mcs")
    assert study.runs[0].events == ()
    assert ("a.csv", "time-zone-mixed") in codes(study)
    assert ("events.csv", "events-without-zone") in codes(study)


EVENTS = "time,event\n2016-05-10T09:00:00{z},logon_start\n2016-05-10T09:03:00{z},logon_end\n"


@pytest.mark.parametrize(("offset", "stated"), [("+01:00", ""), ("", ""), ("", 'time_zone = "+01:00"\n')])
def test_that_events_use_the_clock_of_the_recordings(tmp_path: Path, offset: str, stated: str) -> None:
    disk_csv(tmp_path / "mcs" / "a.csv", "A", RATES, RATES)
    (tmp_path / "mcs" / "events.csv").write_text(EVENTS.format(z=offset))
    (tmp_path / "mcs" / "run.toml").write_text(stated)
    (study,) = opened(tmp_path / "mcs")
    assert [event.at for event in study.runs[0].events] == [T0, T0 + 180]


def test_that_events_and_files_without_a_zone_share_one_clock(tmp_path: Path) -> None:
    typeperf(tmp_path / "mcs" / "a.csv", "A")
    (tmp_path / "mcs" / "events.csv").write_text(EVENTS.format(z=""))
    (study,) = opened(tmp_path / "mcs")
    (run,) = study.runs
    phases, _ = phases_of(run)
    first = run.recordings[0].first_us / 1e6
    assert phases[0].start <= first < phases[0].end
    placed = in_time_zone(run, "Europe/London")
    assert [event.at for event in placed.events] == [T0, T0 + 180]
    assert {rec.utc_offset_minutes for rec in placed.recordings} == {60}
    assert in_time_zone(placed, "Asia/Tokyo").events == placed.events


def test_that_events_across_the_end_of_summer_time_have_separate_offsets(tmp_path: Path) -> None:
    disk_csv(tmp_path / "mcs" / "a.csv", "A", RATES, RATES)
    (tmp_path / "mcs" / "run.toml").write_text('time_zone = "Europe/London"\n')
    (tmp_path / "mcs" / "events.csv").write_text(
        "time,event\n2016-10-30T00:30:00,logon_start\n2016-10-30T02:30:00,logon_end\n"
    )
    events = opened(tmp_path / "mcs")[0].runs[0].events
    assert events[1].at - events[0].at == 3 * 3600
