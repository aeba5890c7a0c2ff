"""A real lab folder: every entry has a row in the import report, and no entry stops the others."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.readers_that_fail import Panic
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import propose
from workbench.readers.tables.timed import find_timed_csv
from workbench.study.discovery.folders import find_sources
from workbench.study.importing import source
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import HEAD_BYTES, read_source
from workbench.study.store import column_store
from workbench.study.store.column_store import Store

RATES = [float(number) for number in range(20)]
unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def read(*paths: Path) -> dict[str, Reading]:
    """The readings of everything below the paths, by the displayed name."""
    store = Store(paths[0].parent / f"store of {paths[0].name}")
    store.prepare()
    found = find_sources(list(paths), store)
    readings: dict[str, Reading] = {}
    for one in found.sources:
        if one.problem is None:
            readings[one.name] = read_each((one,), store, read_source, {})[0]
        else:
            readings[one.name] = Reading(FileReport(path=one.name), (one.problem,))
    return readings


def codes(readings: dict[str, Reading]) -> dict[str, list[str]]:
    return {name: [problem.code for problem in reading.problems] for name, reading in readings.items()}


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A folder with one good file."""
    disk_csv(tmp_path / "lab" / "guest" / "a.csv", "A", RATES, RATES)
    return tmp_path / "lab"


@unix
def test_that_pipes_and_sockets_are_named_and_never_opened(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(lab / "pipe.csv")
    monkeypatch.chdir(lab)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("sock.csv")
        assert codes(read(lab)) == {"guest/a.csv": [], "pipe.csv": ["not-a-file"], "sock.csv": ["not-a-file"]}


@unix
def test_that_a_pipe_or_a_broken_link_opened_directly_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to("nowhere")
    assert codes(read(tmp_path / "pipe.csv")) == {"pipe.csv": ["not-a-file"]}
    assert codes(read(tmp_path / "link.csv")) == {"link.csv": ["broken-link"]}
    assert find_sources([tmp_path / "nothing.csv"]).absent == (tmp_path / "nothing.csv",)


@unix
def test_that_links_are_named_and_not_followed_in_circles(lab: Path, tmp_path: Path) -> None:
    (lab / "again.csv").symlink_to(lab / "guest" / "a.csv")
    (lab / "round").symlink_to(lab)
    (lab / "self").symlink_to("self")
    (lab / "gone.csv").symlink_to(tmp_path / "nowhere.csv")
    found = read(lab)
    assert codes(found) == {
        "again.csv": ["same-file"],
        "gone.csv": ["broken-link"],
        "guest/a.csv": [],
        "round": ["linked-folder"],
        "self": ["broken-link"],
    }
    assert found["guest/a.csv"].report.rows == 20
    assert "guest/a.csv" in found["again.csv"].problems[0].message


def test_that_a_folder_marked_for_separate_opening_is_named_and_skipped(lab: Path) -> None:
    alone = lab / "broken on purpose"
    disk_csv(alone / "guest" / "b.csv", "B", RATES, RATES)
    (alone / ".vdi-open-alone").touch()
    found = read(lab)
    assert codes(found) == {"guest/a.csv": [], "broken on purpose": ["opened-alone"]}
    assert found["broken on purpose"].problems[0].severity is Severity.INFO
    # If it is opened directly, or next to its parent folder, it is read like any other folder.
    assert codes(read(alone)) == {"guest/b.csv": []}
    assert codes(read(lab, alone))["broken on purpose/guest/b.csv"] == []


@unix
def test_that_a_link_to_a_file_elsewhere_is_read(lab: Path, tmp_path: Path) -> None:
    elsewhere = disk_csv(tmp_path / "share" / "b.csv", "B", RATES, RATES)
    (lab / "b.csv").symlink_to(elsewhere)
    assert codes(read(lab)) == {"b.csv": [], "guest/a.csv": []}


@unix
def test_that_folders_too_deep_for_the_system_are_reported_and_others_are_read(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lab)
    for _ in range(80):
        Path("f" * 60).mkdir()
        os.chdir("f" * 60)
    os.chdir(lab)
    assert codes(read(lab)) == {"guest/a.csv": []}
    assert len(find_sources([lab]).unreadable) == 1


def test_that_folders_three_hundred_levels_deep_are_read(lab: Path) -> None:
    deep = lab.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    disk_csv(deep / "b.csv", "B", RATES, RATES)
    assert len(read(lab)) == 2


@unix
@pytest.mark.parametrize(
    "name", [b"new\nline.csv", "emoji\U0001f600.csv".encode(), b"bytes\xff\xfe.csv", b"a;[b]*.csv"]
)
def test_that_a_file_with_any_name_is_read(tmp_path: Path, name: bytes) -> None:
    plain = disk_csv(tmp_path / "plain.csv", "A", RATES, RATES)
    (tmp_path / "lab").mkdir()
    try:
        Path(os.fsdecode(os.fsencode(tmp_path / "lab") + b"/" + name)).write_bytes(plain.read_bytes())
    except OSError:
        pytest.skip("this file system takes text alone")
    (found,) = read(tmp_path / "lab").values()
    assert (found.report.rows, found.problems) == (20, ())


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("gzip.csv", gzip.compress(b"x" * 50, mtime=0)),
        ("bzip2.log", bz2.compress(b"x" * 50)),
        ("xz.json", lzma.compress(b"x" * 50)),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\4"),
        ("a.zst", b"\x28\xb5\x2f\xfd\x24"),
        ("a.rar", b"Rar!\x1a\x07\x01\0"),
        ("a.cab", b"MSCF\0\0\0\0"),
    ],
    ids=["gzip", "bzip2", "xz", "7-Zip", "zstd", "RAR", "cabinet"],
)
def test_that_packed_results_that_cannot_be_opened_are_named(lab: Path, name: str, begin: bytes) -> None:
    (lab / name).write_bytes(begin)
    again = (read(lab), read(lab))
    assert [codes(found)[name] for found in again] == [["packed-file"], ["packed-file"]]
    assert again[0][name].problems == again[1][name].problems
    assert again[0][name].problems[0].severity is Severity.WARNING


def test_that_a_tar_of_results_is_not_read_as_csv(lab: Path) -> None:
    with tarfile.open(lab / "a.tar", "w") as archive:
        archive.add(lab / "guest" / "a.csv", "w.csv")
    (lab / "b.csv").write_bytes((lab / "a.tar").read_bytes())
    assert codes(read(lab)) == {"guest/a.csv": [], "a.tar/w.csv": [], "b.csv": ["packed-file"]}


def test_that_an_archive_named_csv_and_a_csv_named_zip_are_read_by_content(lab: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(lab / "guest" / "a.csv", "a.csv")
    (lab / "b.csv").write_bytes(packed.getvalue())
    (lab / "c.zip").write_bytes((lab / "guest" / "a.csv").read_bytes())
    found = read(lab)
    assert codes(found) == {"guest/a.csv": [], "b.csv": ["packed-file"], "c.zip": []}
    assert found["c.zip"].report.rows == 20
    assert ".zip" in found["b.csv"].problems[0].action


def test_that_members_below_a_dot_folder_are_read_and_clash_with_their_other_name(lab: Path) -> None:
    text = (lab / "guest" / "a.csv").read_text()
    with zipfile.ZipFile(lab / "x.zip", "w") as archive:
        for name in ("./guest/b.csv", "./c.csv", "c.csv", "./.hidden"):
            archive.writestr(name, text)
    assert codes(read(lab)) == {
        "guest/a.csv": [],
        "x.zip/guest/b.csv": [],
        "x.zip/./c.csv": ["member-twice"],
        "x.zip/c.csv": ["member-twice"],
    }


@pytest.mark.parametrize("when", ["before it is hashed", "while it is read"])
def test_that_a_file_deleted_during_reading_is_reported(lab: Path, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    file = lab / "guest" / "a.csv"
    # A file no longer than the part that readers recognise is hashed from that part.
    file.write_bytes(file.read_bytes() * (HEAD_BYTES // file.stat().st_size + 1))
    module, name = (column_store, "content_key") if when.startswith("before") else (source, "_kept")
    whole = getattr(module, name)

    def deleting(*arguments: object) -> object:
        file.unlink()
        return whole(*arguments)

    monkeypatch.setattr(module, name, deleting)
    reading = read_source(file, "a.csv", Store(lab / "store"))
    assert [(problem.code, problem.severity) for problem in reading.problems] == [
        ("changed-while-read", Severity.REFUSED)
    ]


def test_that_a_native_panic_on_a_deleted_file_is_reported_as_a_change(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = lab / "guest" / "a.csv"

    def panicking(*_: object) -> object:
        file.unlink()
        raise Panic("index out of bounds")

    monkeypatch.setattr(source, "_kept", panicking)
    reading = read_source(file, "a.csv", Store(lab / "store"))
    assert [problem.code for problem in reading.problems] == ["changed-while-read"]


def test_that_fifty_small_files_have_fifty_rows(lab: Path) -> None:
    for number in range(50):
        (lab / f"{number}.txt").write_text(str(number))
    assert sum(found == ["not-recognised"] for found in codes(read(lab)).values()) == 50


def test_that_a_joined_table_of_sessions_is_offered_for_mapping(lab: Path) -> None:
    text = "Date & Time,ActiveSessions,StartTime\n2020-03-01 10:00:00,1,0.5\n2020-03-01 10:01:00,2,1.5\n"
    (lab / "sessions.csv").write_text(text)
    assert codes(read(lab))["sessions.csv"] == ["needs-mapping"]
    found = find_timed_csv(text.encode(), whole=True)
    assert found is not None
    assert [(one.column, one.quantity) for one in propose(found).columns] == [(1, "active_sessions"), (2, None)]


def test_that_binary_data_is_not_read_as_csv() -> None:
    data = b"\0\1\2Time,Value\0\n2020-03-01 10:00:00,1\n2020-03-01 10:01:00,2\n"
    assert mapped_csv.READER.identify(data, "x.csv") == 0.0
