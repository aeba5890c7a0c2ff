"""The history folder: saved runs are read back, also with many writers, and no file there raises an error."""

from __future__ import annotations

import json
import os
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.damage import BOTH, damaged
from tests.study.history.kept import FIRST, kept_run, kept_study
from workbench.model.history import DateEvidence, HistoryPoint, RunDate
from workbench.model.problem import Severity
from workbench.study.history import read, write
from workbench.study.history.layout import (
    ENDING,
    MOST_BYTES,
    VERSION,
    HistoryLine,
    KeptPhase,
    KeptRun,
    KeptStudy,
    sum_of,
    written,
)
from workbench.study.history.read import folder_stamp, read_file, read_history
from workbench.study.history.write import HistoryError, keep


def values(folder: Path, measure: str = "iops_per_vm") -> list[float]:
    return sorted(point.value for point in read_history(folder).points if point.measure == measure)


def test_that_a_folder_is_identified_by_names_and_sizes_and_times_of_its_files(tmp_path: Path) -> None:
    stamps = [folder_stamp(tmp_path / "none"), folder_stamp(tmp_path)]
    file = keep(tmp_path, kept_study(), (kept_run(1),))
    stamps.append(folder_stamp(tmp_path))
    (tmp_path / "notes.txt").write_text("no file of ours")
    assert folder_stamp(tmp_path) == stamps[-1]
    os.utime(file, ns=(0, 1_000_000_000))
    stamps.append(folder_stamp(tmp_path))
    file.write_bytes(file.read_bytes() + b"\n")
    os.utime(file, ns=(0, 1_000_000_000))
    stamps.append(folder_stamp(tmp_path))
    file.rename(tmp_path / f"other{ENDING}")
    stamps.append(folder_stamp(tmp_path))
    assert len(set(stamps)) == 6
    assert "none" in stamps[0], "why it cannot be looked at"


def test_that_a_folder_with_too_many_files_says_how_many_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "_MOST_FILES", 1_500)
    for number in range(1_501):
        (tmp_path / f"{number}{ENDING}").touch()
    problem = read_history(tmp_path).problems[0]
    assert problem.message == "The folder contains 1,501 history files, but the maximum is 1,500."
    assert problem.action == "only the first 1,500 by name are imported; keep fewer files in one folder"


def test_that_a_saved_study_is_read_back_with_its_file(tmp_path: Path) -> None:
    file = keep(tmp_path / "new" / "history", kept_study("Müller & Söhne / May"), (kept_run(1),))
    assert file.name.startswith("Muller-Sohne-May-")
    history = read_history(file.parent)
    assert history.problems == ()
    assert history.points[1] == HistoryPoint(
        study="Müller & Söhne / May",
        run="run-1",
        configuration="MCS",
        measure="iops_per_vm",
        phase="steady",
        value=11.0,
        build="1201",
        date=RunDate((FIRST + timedelta(weeks=1)).timestamp(), DateEvidence.HISTORY),
        method=3,
        sources=f"{1:016x}",
        seconds=1200.0,
        lower_bound=True,
        circumstances=(("workload", "Knowledge worker"), ("number of VMs", "5")),
        file=file.name,
    )


def test_that_metrics_other_than_primary_ones_are_read_on_request_only(tmp_path: Path) -> None:
    keep(tmp_path, kept_study(), (kept_run(1),))
    primary = {(point.phase, point.measure) for point in read_history(tmp_path).points}
    assert primary == {("boot", "total_io_per_vm"), ("steady", "iops_per_vm")}
    more = {(point.phase, point.measure) for point in read_history(tmp_path, ("total_io_per_vm",)).points}
    assert more == primary | {("steady", "total_io_per_vm")}


def test_that_studies_with_one_name_and_different_runs_are_both_saved(tmp_path: Path) -> None:
    files = {keep(tmp_path, kept_study(), (kept_run(1),)), keep(tmp_path, kept_study(), (kept_run(2),))}
    assert set(tmp_path.iterdir()) == files
    assert len(files) == 2
    assert values(tmp_path) == [11.0, 12.0]


def test_that_a_study_saved_twice_is_stored_once_with_the_last_content(tmp_path: Path) -> None:
    keep(tmp_path, kept_study(), (kept_run(1),))
    keep(tmp_path, kept_study(day=1), (kept_run(1, build="1201b", configuration="MCS, renamed"),))
    (file,) = tmp_path.iterdir()
    assert file.suffix == ENDING
    assert {(point.build, point.configuration) for point in read_history(tmp_path).points} == {
        ("1201b", "MCS, renamed")
    }


def test_that_a_study_with_added_runs_replaces_its_file(tmp_path: Path) -> None:
    keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(2)))
    file = keep(tmp_path, kept_study(runs=3, day=7), (kept_run(1), kept_run(2), kept_run(3)))
    assert list(tmp_path.iterdir()) == [file]
    assert values(tmp_path) == [11.0, 12.0, 13.0]


def test_that_runs_with_deleted_results_stay_in_the_history(tmp_path: Path) -> None:
    keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(2)))
    keep(tmp_path, kept_study(runs=2, day=7), (kept_run(2), kept_run(3)))
    assert values(tmp_path) == [11.0, 12.0, 13.0]


@pytest.mark.parametrize("facts", [{"path": "/april/builds"}, {"name": "others"}])
def test_that_a_second_study_with_a_shared_run_keeps_the_file_of_the_first(
    tmp_path: Path, facts: dict[str, Any]
) -> None:
    keep(tmp_path, kept_study(path="/march/builds", runs=2), (kept_run(1), kept_run(2)))
    keep(tmp_path, kept_study(**{"path": "/march/builds"} | facts, day=7), (kept_run(2),))
    assert len(list(tmp_path.iterdir())) == 2
    assert values(tmp_path) == [11.0, 12.0]


def test_that_a_file_that_cannot_be_deleted_keeps_the_saved_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, kept_study(), (kept_run(1),))

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    keep(tmp_path, kept_study(runs=2, day=7), (kept_run(1), kept_run(2)))
    assert values(tmp_path) == [11.0, 12.0]


def test_that_a_study_too_large_to_be_read_is_not_saved_and_deletes_no_earlier_file(tmp_path: Path) -> None:
    earlier = keep(tmp_path, kept_study(), (kept_run(1),))
    runs = tuple(kept_run(week, circumstances={"workload": "x" * 4000}) for week in range(1, 4301))
    with pytest.raises(HistoryError, match=r"^builds was not saved: its 4,300 runs take 18 MB"):
        keep(tmp_path, kept_study(runs=len(runs), day=7), runs)
    assert list(tmp_path.iterdir()) == [earlier]


def test_that_a_run_saved_with_two_studies_counts_once_in_its_last_state(tmp_path: Path) -> None:
    keep(tmp_path, kept_study("first", runs=2), (kept_run(1), kept_run(2)))
    keep(tmp_path, kept_study("grown", runs=3, day=7), (kept_run(1, build="1201b"), kept_run(2), kept_run(3)))
    assert values(tmp_path) == [11.0, 12.0, 13.0]
    assert {point.study for point in read_history(tmp_path).points} == {"grown"}


def test_that_a_run_excluded_later_is_not_counted(tmp_path: Path) -> None:
    keep(tmp_path, kept_study("first", runs=2), (kept_run(1), kept_run(2)))
    keep(tmp_path, kept_study("later", day=7), (kept_run(1, excluded="fan broke"),))
    assert values(tmp_path) == [12.0]


def test_that_the_counted_one_of_two_copies_in_a_study_is_read(tmp_path: Path) -> None:
    keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(1, name="copy", excluded="a copy")))
    assert [point.run for point in read_history(tmp_path).points] == ["run-1"] * 2


def test_that_runs_without_samples_are_distinguished_by_study_and_name_and_date(tmp_path: Path) -> None:
    runs = (kept_run(1, recorded=""), kept_run(2, recorded="", name="run-1"), kept_run(3, recorded="", date=None))
    keep(tmp_path, kept_study(runs=3), runs)
    assert values(tmp_path) == [11.0, 12.0, 13.0]


def test_that_many_simultaneous_writers_leave_only_complete_files(tmp_path: Path) -> None:
    def work(writer: int) -> None:
        for turn in range(8):
            keep(tmp_path, kept_study("shared", day=turn), (kept_run(1),))
            keep(tmp_path, kept_study("shared", day=turn), (kept_run(10 + writer),))

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert read_history(tmp_path).problems == (), "whoever reads meanwhile sees whole files"
    for thread in threads:
        thread.join()
    assert len(list(tmp_path.iterdir())) == 5
    assert values(tmp_path) == [11.0, 20.0, 21.0, 22.0, 23.0]


@BOTH
def test_that_damage_raises_no_error_and_changes_no_figure(tmp_path: Path, seeds: range) -> None:
    file = keep(tmp_path, kept_study(runs=3), (kept_run(1), kept_run(2), kept_run(3)))
    whole, sound = file.read_bytes(), set(read_history(tmp_path).points)
    kept = 0
    for seed in seeds:
        file.write_bytes(content := damaged(whole, seed))
        history = read_history(tmp_path)
        assert set(history.points) <= sound, seed
        assert history.problems or set(history.points) == sound, seed
        assert all(problem.file == file.name and problem.line for problem in history.problems), seed
        assert file.read_bytes() == content, "a shared file is never moved or changed"
        kept += 0 < len(history.points) < len(sound)
    assert kept > len(seeds) // 3, "damage costs the lines that it is in"


def test_that_a_changed_digit_removes_its_run_and_names_the_line(tmp_path: Path) -> None:
    file = keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(2)))
    file.write_bytes(file.read_bytes().replace(b'"iops_per_vm":12.0', b'"iops_per_vm":72.0'))
    history = read_history(tmp_path)
    assert values(tmp_path) == [11.0]
    assert [(problem.line, problem.severity, problem.code) for problem in history.problems] == [
        (3, Severity.WARNING, "history-damaged")
    ]


def test_that_a_file_cut_between_two_lines_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    file = keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(2)))
    file.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[:2]) + b"\n")
    (problem,) = read_history(tmp_path).problems
    assert problem.message == snapshot
    assert values(tmp_path) == [11.0]


def test_that_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    file = keep(tmp_path, kept_study(runs=2), (kept_run(1), kept_run(2)))
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_history(tmp_path).problems == ()
    assert values(tmp_path) == [11.0, 12.0]


def sealed(study: object = None, run: object = None) -> bytes:
    """A line with a correct checksum, for any content."""
    data = json.dumps(study or run).encode()
    raw = msgspec.Raw(data)
    return (
        msgspec.json.encode(HistoryLine(sum_of(data), study=raw) if study else HistoryLine(sum_of(data), run=raw))
        + b"\n"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a history file"),
        (b'{"schema": "vdi-workbench/session", "version": 2}\n', "is not a history file"),
        (b"\x00" * 300, "is not a history file"),
        (b"[" * 100_000, "is not a history file"),
        (sealed({"schema": "another/program", "version": 1}), "is not a history file of VDI Workbench"),
        (sealed({"schema": "vdi-workbench/history", "version": VERSION + 1, "odd": []}), "newer version of VDI"),
        (sealed({"schema": "vdi-workbench/history", "version": 1, "name": "x"}), "damaged in its first line"),
        (b"x" * (MOST_BYTES + 1), "the maximum size of a history file"),
    ],
)
def test_that_foreign_files_are_a_problem_and_others_are_read(tmp_path: Path, content: bytes, words: str) -> None:
    keep(tmp_path, kept_study(), (kept_run(1),))
    (tmp_path / f"odd{ENDING}").write_bytes(content)
    (tmp_path / "notes.txt").write_text("not of ours, and not looked at")
    (problem,) = read_history(tmp_path).problems
    assert problem.severity is Severity.REFUSED
    assert problem.file == f"odd{ENDING}"
    assert words in problem.message
    assert values(tmp_path) == [11.0]


@pytest.mark.parametrize(
    "change",
    [
        {"date": "0001-01-01T00:00:00+14:00"},
        {"date": "9999-12-31T23:59:59Z"},
        {"date": "2026-01-12T09:00:00"},
        {"name": "x" * 5000},
        {"name": 7},
        {"phases": [{"name": "steady", "figures": {"iops_per_vm": "NaN"}}]},
        {"phases": [{"name": "steady", "figures": {"iops_per_vm": None}}]},
        {"phases": [{"name": "steady", "seconds": -1}]},
        {"problems": {"gap": -1}},
        {"circumstances": {"workload": ["a"]}},
    ],
)
def test_that_a_foreign_run_affects_no_other(tmp_path: Path, change: dict[str, object]) -> None:
    good = msgspec.to_builtins(kept_run(1))
    head = sealed(study=msgspec.to_builtins(kept_study(runs=2)))
    (tmp_path / f"odd{ENDING}").write_bytes(head + sealed(run=good | change) + sealed(run=good))
    history = read_history(tmp_path)
    assert [(problem.line, problem.code) for problem in history.problems] == [(2, "history-damaged")]
    assert values(tmp_path) == [11.0]


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes take rights that Windows does not give")
def test_that_links_and_pipes_are_not_opened(tmp_path: Path) -> None:
    outside = keep(tmp_path / "outside", kept_study(), (kept_run(1),))
    folder = tmp_path / "history"
    folder.mkdir()
    (folder / f"link{ENDING}").symlink_to(outside)
    (folder / f"folder{ENDING}").mkdir()
    os.mkfifo(folder / f"pipe{ENDING}")
    history = read_history(folder)
    assert history.points == ()
    assert [problem.code for problem in history.problems] == ["history-unreadable"] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="links take rights that Windows does not give")
def test_that_no_file_outside_the_folder_is_written_through_a_link(tmp_path: Path) -> None:
    study, runs = kept_study("../../escape"), (kept_run(1),)
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    folder = tmp_path / "history"
    folder.mkdir()
    (folder / write.file_name(study, runs)).symlink_to(outside)
    file = keep(folder, study, runs)
    assert outside.read_text() == "mine"
    assert (file.parent, file.is_symlink()) == (folder, False)
    assert values(folder) == [11.0]


def test_that_a_folder_that_cannot_be_written_or_read_is_reported(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(HistoryError, match=r"builds was not saved in .*taken.*Choose a folder in which you may write"):
        keep(taken, kept_study(), (kept_run(1),))
    for folder in (taken, tmp_path / "absent", Path("nul\0l")):
        (problem,) = read_history(folder).problems
        assert (problem.severity, problem.code) == (Severity.REFUSED, "history-unreadable")


@pytest.mark.parametrize("change", [{"name": "x" * 5000}, {"date": FIRST.replace(year=1970)}])
def test_that_content_that_could_not_be_read_back_is_rejected_before_writing(
    tmp_path: Path, change: dict[str, object]
) -> None:
    with pytest.raises(HistoryError, match=r"builds was not saved: A run is damaged"):
        keep(tmp_path, kept_study(), (kept_run(1, **change),))
    assert list(tmp_path.iterdir()) == []


def test_that_a_full_disk_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = keep(tmp_path, kept_study(), (kept_run(1),))
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(HistoryError, match="No space left on device"):
        keep(tmp_path, kept_study(day=3), (kept_run(1),))
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == before


def test_that_a_file_of_a_newer_version_is_never_replaced(tmp_path: Path) -> None:
    study, runs = kept_study(), (kept_run(1),)
    file = tmp_path / write.file_name(study, runs)
    content = sealed({"schema": "vdi-workbench/history", "version": VERSION + 1})
    file.write_bytes(content)
    with pytest.raises(HistoryError, match="newer version of VDI Workbench"):
        keep(tmp_path, study, runs)
    assert file.read_bytes() == content


def test_that_a_damaged_file_is_replaced_by_a_valid_one(tmp_path: Path) -> None:
    study, runs = kept_study(), (kept_run(1),)
    (tmp_path / write.file_name(study, runs)).write_bytes(b"{")
    keep(tmp_path, study, runs)
    assert values(tmp_path) == [11.0]


def test_that_a_history_file_has_one_json_line_for_the_study_and_for_each_run() -> None:
    study, runs = kept_study(runs=2), (kept_run(1), kept_run(2))
    lines = [json.loads(line) for line in written(study, runs).splitlines()]
    assert [sorted(line) for line in lines] == [["study", "sum"], ["run", "sum"], ["run", "sum"]]
    assert lines[0]["study"]["schema"] == "vdi-workbench/history"
    assert msgspec.convert(lines[0]["study"], KeptStudy) == study
    assert msgspec.convert(lines[2]["run"], KeptRun) == runs[1]


def test_that_every_property_of_a_run_is_saved(tmp_path: Path) -> None:
    file = keep(tmp_path, kept_study(), (kept_run(1),))
    assert read_file(file).runs == (kept_run(1),)


@pytest.mark.parametrize("value", [1e308, -1e16])
def test_that_an_impossible_figure_affects_only_its_run(tmp_path: Path, value: float) -> None:
    phase = KeptPhase(name="steady", figures={"iops_per_vm": value}, primary=("iops_per_vm",))
    study, runs = kept_study(runs=2), (kept_run(1), kept_run(2, phases=(phase,)))
    (tmp_path / f"builds{ENDING}").write_bytes(written(study, runs))
    history = read_history(tmp_path)
    assert values(tmp_path) == [11.0]
    (problem,) = history.problems
    assert (problem.severity, problem.line) == (Severity.WARNING, 3)
    assert "iops_per_vm in steady" in problem.message


def test_that_a_run_with_completed_files_counts_in_its_last_state(tmp_path: Path) -> None:
    phase = KeptPhase(name="steady", figures={"iops_per_vm": 50.0}, primary=("iops_per_vm",))
    keep(tmp_path, kept_study(), (kept_run(1, started=FIRST),))
    keep(tmp_path, kept_study(day=1), (kept_run(1, started=FIRST, recorded="whole", phases=(phase,)),))
    assert values(tmp_path) == [50.0]
    keep(tmp_path, kept_study(day=2), (kept_run(1, started=FIRST, recorded="other", phases=(), excluded="a fault"),))
    assert values(tmp_path) == []


def test_that_runs_with_one_name_and_day_and_different_content_are_two(tmp_path: Path) -> None:
    for hour, recorded in ((1, "a"), (2, "b")):
        run = kept_run(1, recorded=recorded, started=FIRST + timedelta(hours=hour))
        keep(tmp_path, kept_study("results", day=hour), (run,))
    assert values(tmp_path) == [11.0, 11.0]
