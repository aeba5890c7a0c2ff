"""Zip archives: they are read like folders, no member is unpacked under its own name, and hostile archives are rejected
by name."""

from __future__ import annotations

import os
import struct
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.archive_files import (
    EVENTS,
    WORKERS,
    lab,
    packed,
    read,
    recognised,
    refused,
    shape,
    spooled,
    store,
    studies,
    written,
)
from tests.study.folding import FoldingPath
from workbench.model.problem import Severity
from workbench.readers import registry
from workbench.study.discovery.archive import read_head
from workbench.study.discovery.folders import find_sources
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

__all__ = ["lab", "store"]
pytestmark = WORKERS


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_an_archive_and_its_folder_give_the_same_study(
    tmp_path: Path, store: Store, lab: Path, method: int
) -> None:
    (folder,) = studies(store, lab)
    (zipped,) = studies(Store(tmp_path / "other"), packed(tmp_path / "lab.zip", lab, method))
    assert shape(zipped) == shape(folder)
    assert [run.configuration.name for run in zipped.runs] == ["MCS plain", "PVS"]
    assert sorted(f"{report.path}" for report in zipped.files) == sorted(
        f"lab.zip/{report.path}" for report in folder.files
    )
    assert spooled(Store(tmp_path / "other")) == []


def test_that_samples_of_a_member_equal_those_of_the_file(tmp_path: Path, store: Store, lab: Path) -> None:
    _, readings = read(store, packed(tmp_path / "lab.zip", lab))
    recording = readings["lab.zip/mcs/guest/W10-002.csv"].recording
    assert recording is not None
    place = next(series.column for series in recording.series if "Reads" in series.path)
    values = read_table(recording, [place])[1][place]
    assert values[:2].tolist() == [7.0, 8.0]
    assert values[2] != values[2]


def test_that_an_archive_in_a_folder_is_read_like_a_folder(tmp_path: Path, store: Store, lab: Path) -> None:
    both = tmp_path / "both"
    (both / "mcs").mkdir(parents=True)
    packed(both / "mcs" / "guest.zip", lab / "mcs" / "guest")
    packed(both / "pvs.zip", lab / "pvs")
    (study,) = studies(store, both)
    assert sorted((run.name, len(run.recordings)) for run in study.runs) == [("mcs", 2), ("pvs", 1)]
    assert study.name == "both"


def test_that_an_archive_of_files_alone_is_a_run(tmp_path: Path, store: Store, lab: Path) -> None:
    (study,) = studies(store, packed(tmp_path / "MCS 5 VMs.zip", lab / "mcs" / "guest"))
    assert [run.name for run in study.runs] == ["MCS 5 VMs"]


def test_that_archives_within_archives_are_read(tmp_path: Path, store: Store, lab: Path) -> None:
    innermost = packed(tmp_path / "c.zip", lab / "mcs").read_bytes()
    inner = packed(tmp_path / "b.zip", {"c.zip": innermost, "x/events.csv": EVENTS}).read_bytes()
    outer = packed(tmp_path / "a.zip", {"b.zip": inner})
    _, readings = read(store, outer)
    assert recognised(readings) == {
        "a.zip/b.zip/c.zip/guest/W10-001.csv",
        "a.zip/b.zip/c.zip/guest/W10-002.csv",
        "a.zip/b.zip/c.zip/events.csv",
        "a.zip/b.zip/x/events.csv",
    }
    assert spooled(store) == []
    (study,) = studies(store, outer)
    assert "MCS plain" in {run.configuration.name for run in study.runs}


def test_that_a_second_open_reads_no_member(tmp_path: Path, store: Store, lab: Path) -> None:
    made = packed(tmp_path / "lab.zip", lab, zipfile.ZIP_STORED)
    first = read(store, made)[1]
    status, content = made.stat(), bytearray(made.read_bytes())
    for info in zipfile.ZipFile(made).infolist():  # a reader of a member would now find it damaged
        if not info.filename.endswith("run.toml"):
            content[info.header_offset + 30 + len(info.filename)] ^= 0xFF
    made.write_bytes(content)
    os.utime(made, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert read(store, made)[1] == first
    os.utime(made, (0, 0))
    assert set(refused(read(store, made)[1]).values()) == {"member-damaged"}


def test_that_a_member_is_found_by_the_content_of_a_file_read_before(tmp_path: Path, store: Store, lab: Path) -> None:
    plain = read(store, lab)[1]["pvs/W10-001.csv"].recording
    packed_twin = read(store, packed(tmp_path / "lab.zip", lab))[1]["lab.zip/pvs/W10-001.csv"].recording
    assert plain is not None
    assert packed_twin is not None
    assert packed_twin.store_file == plain.store_file


def test_that_members_with_equal_content_keep_their_names(tmp_path: Path, store: Store, lab: Path) -> None:
    content = (lab / "pvs" / "W10-001.csv").read_bytes()
    _, readings = read(store, packed(tmp_path / "x.zip", {"a.csv": content, "b.csv": content}))
    assert recognised(readings) == {"x.zip/a.csv", "x.zip/b.csv"}


def test_that_hidden_members_and_office_documents_are_not_opened(tmp_path: Path, store: Store) -> None:
    made = packed(
        tmp_path / "x.zip", {"__MACOSX/._a.csv": b"x", ".DS_Store": b"x", "a/~$b.xlsx": b"x", "e.csv": EVENTS}
    )
    assert set(read(store, made)[1]) == {"x.zip/e.csv"}
    book = packed(tmp_path / "book.xlsx", {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    assert set(read(store, book)[1]) == {"book.xlsx"}
    # Vdbench's own program lacks a manifest, and is in many folders of results.
    program = packed(tmp_path / "vdbench.jar", {"User/A.class": b"\xca\xfe\xba\xbe10:00:00.000 Starting RD=rd1;"})
    assert set(read(store, program)[1]) == {"vdbench.jar"}


def test_that_an_archive_without_a_file_extension_is_recognised_by_content(tmp_path: Path, store: Store) -> None:
    assert recognised(read(store, packed(tmp_path / "results.backup", {"e.csv": EVENTS}))[1]) == {
        "results.backup/e.csv"
    }


@pytest.mark.parametrize("kind", [Path, FoldingPath])
def test_that_members_whose_names_differ_only_in_case_are_all_read(
    tmp_path: Path, store: Store, kind: type[Path]
) -> None:
    made = tmp_path / "made"
    for place, name in enumerate(("W10-1", "W10-2", "W10-3", "W10-4")):
        disk_csv(made / f"{name}.csv", name, [float(place + 1)] * 3, [1.0] * 3)
    content = {path.stem: path.read_bytes() for path in made.iterdir()}
    inner = {name: packed(tmp_path / "inner.zip", {"x.csv": content[name]}).read_bytes() for name in ("W10-3", "W10-4")}
    lab = packed(
        tmp_path / "lab.zip",
        {
            "MCS/guest/a.csv": content["W10-1"],
            "MCS/guest/A.csv": content["W10-2"],
            "MCS/run.toml": b"vms = 2",
            "mcs/guest/a.csv": content["W10-3"],
            "mcs/notes": b"?",
            "MCS/Notes": b"!",
            "pvs/B.zip": inner["W10-3"],
            "pvs/b.zip": inner["W10-4"],
        },
    )
    found, readings = read(store, kind(lab))
    assert len(found.sources) == len(readings) == 8
    (study, *others) = studies(store, kind(lab))
    runs = {run.name: run for one in (study, *others) for run in one.runs}
    assert {name: [host for rec in run.recordings for host in rec.hosts] for name, run in runs.items()} == {
        "MCS": ["W10-2", "W10-1"],
        "mcs": ["W10-3"],
        "B.zip": ["W10-3"],
        "b.zip": ["W10-4"],
    }
    assert {name: run.vms for name, run in runs.items()} == {"MCS": 2, "mcs": 1, "B.zip": 1, "b.zip": 1}
    assert sum(len(one.files) for one in (study, *others)) == 8


def test_that_nested_archives_are_unpacked_to_names_that_differ_by_more_than_case(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "inner.zip", {"e.csv": EVENTS}).read_bytes()
    lab = packed(tmp_path / "lab.zip", dict.fromkeys(("A.zip", "a.zip", "B.zip", "b.zip"), inner))
    found = find_sources([lab], store)
    places = [source.member.spooled for source in found.sources if source.member]
    assert len({str(place).casefold() for place in places}) == 4


def test_that_backslashes_separate_path_parts_too(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {"run\\guest\\e.csv": EVENTS})
    assert recognised(read(store, made)[1]) == {"x.zip/run/guest/e.csv"}


def test_that_the_start_of_a_member_can_be_shown(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "i.zip", {"d/e.csv": EVENTS}).read_bytes()
    made = packed(tmp_path / "x.zip", {"i.zip": inner, "e.csv": EVENTS})
    assert read_head(made / "e.csv", 4) == b"time"
    assert read_head(made / "i.zip" / "d" / "e.csv", 10_000) == EVENTS
    for absent in (made / "gone.csv", tmp_path / "gone.zip" / "e.csv"):
        with pytest.raises(OSError):
            read_head(absent, 10)


def test_that_a_reader_that_fails_on_recognition_affects_only_its_file(
    tmp_path: Path, store: Store, lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(head: bytes, name: str) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(registry, "recognise", failing)
    written(lab / "table.zip", b"a;b\n1;2\n")
    (source,) = [one for one in find_sources([lab], store).sources if one.name == "table.zip"]
    assert source.problem is not None
    assert (source.problem.code, source.problem.severity) == ("reader-failed", Severity.REFUSED)


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (b"", datetime(2016, 5, 10, 9, 0, 2).timestamp()),
        (struct.pack("<HHBL", 0x5455, 5, 1, 1_462_867_201), 1_462_867_201.0),
        (struct.pack("<HHB", 0x7777, 1, 9) + struct.pack("<HHBL", 0x5455, 5, 1, 7), 7.0),
        (struct.pack("<HHBL", 0x5455, 5, 0, 7), datetime(2016, 5, 10, 9, 0, 2).timestamp()),
    ],
)
def test_that_the_time_of_a_member_is_utc_if_the_packer_stored_it(
    tmp_path: Path, store: Store, extra: bytes, expected: float
) -> None:
    info = zipfile.ZipInfo("e.csv", (2016, 5, 10, 9, 0, 2))
    info.extra = extra
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as made:
        made.writestr(info, EVENTS)
    (member,) = [source.member for source in find_sources([tmp_path / "x.zip"], store).sources]
    assert member is not None
    assert member.modified == expected


def test_that_an_empty_archive_has_no_results(tmp_path: Path, store: Store) -> None:
    assert read(store, packed(tmp_path / "x.zip", {}))[1] == {}


def test_that_a_bad_run_toml_in_an_archive_is_reported(tmp_path: Path, store: Store) -> None:
    (study,) = studies(store, packed(tmp_path / "x.zip", {"run.toml": b"a = [", "e.csv": EVENTS}))
    told = [(p.file, p.code) for p in study.problems if p.severity is Severity.REFUSED]
    assert told == [("x.zip/run.toml", "manifest-unreadable")]
