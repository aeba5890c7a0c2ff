"""Zip archives: read as folders, nothing unpacked under its own name, and hostile ones refused by name."""

from __future__ import annotations

import os
import stat
import struct
import sys
import warnings
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.folding import FoldingPath
from tests.study.test_import_pool import drained
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.run import Study
from workbench.readers import registry
from workbench.study.discovery import archive
from workbench.study.discovery.archive import read_head
from workbench.study.discovery.archive_members import shown
from workbench.study.discovery.excerpt import Place, excerpt
from workbench.study.discovery.folders import Found, find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

# Windows deletes no archive that a kept worker has open; those of the program end before their archives are deleted.
pytestmark = pytest.mark.usefixtures(*(["own_workers"] if sys.platform == "win32" else []))

EVENTS = b"time,event,vm,user,detail\n2016-05-10T09:00:00+01:00,power_on,W10-001,,\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study of two runs, one with a run.toml, as a folder."""
    root = tmp_path / "lab"
    disk_csv(root / "mcs" / "guest" / "W10-001.csv", "W10-001", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    disk_csv(root / "mcs" / "guest" / "W10-002.csv", "W10-002", [7.0, 8.0, None], [1.0, 1.0, 1.0])
    (root / "mcs" / "run.toml").write_bytes(b'\xef\xbb\xbfconfiguration = "MCS plain"\r\nprovisioning = "MCS"\r\n')
    (root / "mcs" / "events.csv").write_bytes(EVENTS)
    disk_csv(root / "pvs" / "W10-001.csv", "W10-001", [9.0, 9.0], [2.0, 2.0])
    (root / "notes.bin").write_bytes(bytes(range(256)))
    return root


def packed(path: Path, members: dict[str, bytes] | Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip archive of these members, or of everything below a folder."""
    if isinstance(members, Path):
        members = {f.relative_to(members).as_posix(): f.read_bytes() for f in sorted(members.rglob("*")) if f.is_file()}
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return path


def read(store: Store, *paths: Path) -> tuple[Found, dict[str, Reading]]:
    found = find_sources(list(paths), store)
    job = ImportJob(found.sources, store, 2)
    job.start()
    return found, drained(job)


def studies(store: Store, *paths: Path) -> tuple[Study, ...]:
    found = find_sources(list(paths), store)
    job = ImportJob(found.sources, store, 2)
    job.start()
    by_name = {source.name: source for source in found.sources}
    readings = [(by_name[name], reading) for name, reading in drained(job).items()]
    return build_studies(found, readings)


def refused(readings: dict[str, Reading]) -> dict[str, str]:
    """Name -> code of everything that was refused; each names its file in its problem."""
    found: dict[str, str] = {}
    for name, reading in readings.items():
        for problem in reading.problems:
            if problem.severity is Severity.REFUSED:
                assert problem.file == name
                found[name] = problem.code
    return found


def recognised(readings: dict[str, Reading]) -> set[str]:
    return {name for name, reading in readings.items() if reading.report.recognised}


def spooled(store: Store) -> list[Path]:
    return list((store.root / "v1" / "spool").glob("*"))


def shape(study: Study) -> list[object]:
    """What a study says, without the names of its files."""
    return [
        (
            run.name,
            run.configuration,
            run.vms,
            len(run.events),
            sorted((rec.file.rsplit("/", 1)[-1], rec.rows, rec.first_us, rec.hosts) for rec in run.recordings),
        )
        for run in study.runs
    ]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_an_archive_gives_the_same_study_as_its_folder(
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


def test_that_samples_of_a_member_are_those_of_the_file(tmp_path: Path, store: Store, lab: Path) -> None:
    _, readings = read(store, packed(tmp_path / "lab.zip", lab))
    recording = readings["lab.zip/mcs/guest/W10-002.csv"].recording
    assert recording is not None
    place = next(series.column for series in recording.series if "Reads" in series.path)
    values = read_table(recording, [place])[1][place]
    assert values[:2].tolist() == [7.0, 8.0]
    assert values[2] != values[2]


def test_that_an_archive_in_a_folder_stands_where_a_folder_would(tmp_path: Path, store: Store, lab: Path) -> None:
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


def test_that_a_second_open_reads_no_member_again(tmp_path: Path, store: Store, lab: Path) -> None:
    made = packed(tmp_path / "lab.zip", lab, zipfile.ZIP_STORED)
    first = read(store, made)[1]
    status, content = made.stat(), bytearray(made.read_bytes())
    for info in zipfile.ZipFile(made).infolist():  # whoever read a member now would find it damaged
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


def test_that_members_of_one_content_keep_their_own_names(tmp_path: Path, store: Store, lab: Path) -> None:
    content = (lab / "pvs" / "W10-001.csv").read_bytes()
    _, readings = read(store, packed(tmp_path / "x.zip", {"a.csv": content, "b.csv": content}))
    assert recognised(readings) == {"x.zip/a.csv", "x.zip/b.csv"}


def test_that_hidden_members_and_office_documents_stay_shut(tmp_path: Path, store: Store) -> None:
    made = packed(
        tmp_path / "x.zip", {"__MACOSX/._a.csv": b"x", ".DS_Store": b"x", "a/~$b.xlsx": b"x", "e.csv": EVENTS}
    )
    assert set(read(store, made)[1]) == {"x.zip/e.csv"}
    book = packed(tmp_path / "book.xlsx", {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    assert set(read(store, book)[1]) == {"book.xlsx"}
    # Vdbench's own program has no manifest, and lies in many folders of results.
    program = packed(tmp_path / "vdbench.jar", {"User/A.class": b"\xca\xfe\xba\xbe10:00:00.000 Starting RD=rd1;"})
    assert set(read(store, program)[1]) == {"vdbench.jar"}


def test_that_an_archive_without_its_ending_is_known_by_content(tmp_path: Path, store: Store) -> None:
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


def test_that_archives_within_are_spooled_to_names_that_differ_by_more_than_case(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "inner.zip", {"e.csv": EVENTS}).read_bytes()
    lab = packed(tmp_path / "lab.zip", dict.fromkeys(("A.zip", "a.zip", "B.zip", "b.zip"), inner))
    found = find_sources([lab], store)
    places = [source.member.spooled for source in found.sources if source.member]
    assert len({str(place).casefold() for place in places}) == 4


def test_that_backslashes_part_names_too(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {"run\\guest\\e.csv": EVENTS})
    assert recognised(read(store, made)[1]) == {"x.zip/run/guest/e.csv"}


def test_that_the_head_of_a_member_can_be_shown(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "i.zip", {"d/e.csv": EVENTS}).read_bytes()
    made = packed(tmp_path / "x.zip", {"i.zip": inner, "e.csv": EVENTS})
    assert read_head(made / "e.csv", 4) == b"time"
    assert read_head(made / "i.zip" / "d" / "e.csv", 10_000) == EVENTS
    for absent in (made / "gone.csv", tmp_path / "gone.zip" / "e.csv"):
        with pytest.raises(OSError):
            read_head(absent, 10)


# Attacks. Each archive also holds a good member, which is read all the same where the archive is not refused.

ZEROS = bytes(30 * 2**20)


def bent(content: bytes, name: str, **changes: int) -> bytes:
    """An archive's bytes with fields of a member's entry in the directory (and flags in its header) changed."""
    data = bytearray(content)
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(name.encode()))
    places = {
        "flags": (8, "<H"),
        "method": (10, "<H"),
        "crc": (16, "<L"),
        "packed": (20, "<L"),
        "size": (24, "<L"),
        "attributes": (38, "<L"),
        "offset": (42, "<L"),
    }
    for field, value in changes.items():
        place, form = places[field]
        struct.pack_into(form, data, at + place, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("evil", "code"),
    [
        ("../evil.csv", "member-path"),
        ("a/../../evil.csv", "member-path"),
        ("..\\evil.csv", "member-path"),
        ("/etc/evil.csv", "member-path"),
        ("C:\\evil.csv", "member-path"),
        ("c:/evil.csv", "member-path"),
        ("\\\\server\\share\\evil.csv", "member-path"),
        ("../.ssh/evil", "member-path"),
        ("bell\x07.csv", "member-name"),
        ("line\nbreak.csv", "member-name"),
        ("right\u202eleft.csv", "member-name"),
        ("n" * 60_000, "member-name"),
        ("part/" + "n" * 300 + ".csv", "member-name"),
        ("d/" * 700 + "x", "member-name"),
    ],
)
def test_that_a_member_of_an_evil_name_is_refused_by_name(tmp_path: Path, store: Store, evil: str, code: str) -> None:
    _, readings = read(store, packed(tmp_path / "x.zip", {evil: EVENTS, "good.csv": EVENTS}))
    (name,) = refused(readings)
    assert refused(readings)[name] == code
    # Where the system separates folders by another sign, zipfile reads it as a slash.
    assert name.startswith("x.zip/" + shown(evil.replace(os.sep, "/"))[:20])
    assert name.isprintable()
    assert len(name) < 320
    assert recognised(readings) == {"x.zip/good.csv"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store", "x.zip"]


def test_that_a_link_is_refused_by_name(tmp_path: Path, store: Store) -> None:
    made = tmp_path / "x.zip"
    with zipfile.ZipFile(made, "w") as out:
        for name, kind in (("link.csv", stat.S_IFLNK), ("pipe.csv", stat.S_IFIFO)):
            info = zipfile.ZipInfo(name)
            info.external_attr = (kind | 0o777) << 16
            out.writestr(info, "/etc/passwd")
        out.writestr("good.csv", EVENTS)
    readings = read(store, made)[1]
    assert refused(readings) == {"x.zip/link.csv": "member-link", "x.zip/pipe.csv": "member-link"}
    assert recognised(readings) == {"x.zip/good.csv"}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"flags": 1}, "member-encrypted"),
        ({"flags": 0x41}, "member-encrypted"),
        ({"crc": 12345}, "member-damaged"),
        ({"method": 9}, "member-damaged"),
        ({"method": 99}, "member-damaged"),
        ({"size": 10}, "member-damaged"),
        ({"size": 5_000}, "member-damaged"),
        ({"offset": 7}, "member-damaged"),
    ],
)
def test_that_a_damaged_or_encrypted_member_is_refused_by_name(
    tmp_path: Path, store: Store, changes: dict[str, int], code: str
) -> None:
    made = packed(tmp_path / "x.zip", {"bad.csv": EVENTS, "good.csv": EVENTS + EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "bad.csv", **changes))
    readings = read(store, made)[1]
    assert refused(readings) == {"x.zip/bad.csv": code}
    assert recognised(readings) == {"x.zip/good.csv"}
    assert spooled(store) == []


def test_that_a_damaged_member_no_reader_knows_is_refused_too(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {"bad.bin": bytes(200_000), "good.csv": EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "bad.bin", crc=1))
    assert refused(read(store, made)[1]) == {"x.zip/bad.bin": "member-damaged"}


def test_that_a_member_that_swells_is_refused_by_name(tmp_path: Path, store: Store) -> None:
    readings = read(store, packed(tmp_path / "x.zip", {"bomb.csv": ZEROS, "good.csv": EVENTS}))[1]
    assert refused(readings) == {"x.zip/bomb.csv": "member-ratio"}
    assert recognised(readings) == {"x.zip/good.csv"}


def test_that_a_short_file_may_pack_well(tmp_path: Path, store: Store) -> None:
    readings = read(store, packed(tmp_path / "x.zip", {"calm.csv": EVENTS + b"\n" * 900_000}))[1]
    assert recognised(readings) == {"x.zip/calm.csv"}


def test_that_members_lying_over_each_other_are_refused(tmp_path: Path, store: Store) -> None:
    """As in the bombs of overlapping members, where each alone swells little."""
    made = packed(tmp_path / "x.zip", {"a.csv": os.urandom(9_000), "b.csv": EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "b.csv", packed=9_000, size=9_000, offset=0))
    assert refused(read(store, made)[1]) == {"x.zip": "archive-overlap"}


def test_that_a_swelling_whole_is_refused(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {f"{n}.csv": bytes(2**19) for n in range(20)})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-ratio"}


def test_that_too_many_members_refuse_the_archive(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {f"{n}.txt": b"" for n in range(archive.MAX_MEMBERS + 1)})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-members"}


def test_that_members_of_inner_archives_count_as_well(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "i.zip", {f"{n}.txt": b"" for n in range(archive.MAX_MEMBERS)}).read_bytes()
    made = packed(tmp_path / "x.zip", {"i.zip": inner, "good.csv": EVENTS})
    readings = read(store, made)[1]
    assert refused(readings) == {"x.zip/i.zip": "archive-members"}
    assert recognised(readings) == {"x.zip/good.csv"}
    assert spooled(store) == []


def test_that_too_large_a_whole_is_refused(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = type("Budget", (), {"members": 100, "size": len(EVENTS) * 2 - 1})()
    monkeypatch.setattr(archive, "_Budget", lambda: budget)
    made = packed(tmp_path / "x.zip", {"a.csv": EVENTS, "b.csv": EVENTS})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-too-large"}


def test_that_twenty_gigabytes_are_the_limit() -> None:
    assert archive.MAX_TOTAL_BYTES == 20_000_000_000
    assert archive._Budget() == archive._Budget(10_000, 20_000_000_000)


def test_that_the_fourth_archive_within_is_refused(tmp_path: Path, store: Store) -> None:
    content = EVENTS
    for name in ("e.csv", "five.zip", "four.zip", "three.zip", "two.zip"):
        content = packed(tmp_path / "made.zip", {name: content, "good.csv": EVENTS}).read_bytes()
    (tmp_path / "made.zip").rename(tmp_path / "one.zip")
    readings = read(store, tmp_path / "one.zip")[1]
    assert refused(readings) == {"one.zip/two.zip/three.zip/four.zip": "archive-nesting"}
    assert recognised(readings) == {
        "one.zip/good.csv",
        "one.zip/two.zip/good.csv",
        "one.zip/two.zip/three.zip/good.csv",
    }
    assert spooled(store) == []


def test_that_a_name_that_stands_twice_is_refused(tmp_path: Path, store: Store) -> None:
    made = tmp_path / "x.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w") as out:
        warnings.simplefilter("ignore")
        for name, content in (("a.csv", EVENTS), ("a.csv", b"other"), ("good.csv", EVENTS)):
            out.writestr(name, content)
    found, readings = read(store, made)
    problems = [source.problem for source in found.sources if source.problem]
    assert [(p.file, p.code) for p in problems] == [("x.zip/a.csv", "member-twice")] * 2
    assert recognised(readings) == {"x.zip/good.csv"}


@pytest.mark.parametrize("keep", [0.3, 0.9, 0.999])
def test_that_an_archive_cut_short_is_refused_by_name(tmp_path: Path, store: Store, keep: float) -> None:
    made = packed(tmp_path / "x.zip", {f"{n}.csv": EVENTS for n in range(30)})
    made.write_bytes(made.read_bytes()[: int(made.stat().st_size * keep)])
    assert refused(read(store, made)[1]) == {"x.zip": "archive-unreadable"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK",
        b"PK\x05\x06" + b"\xff" * 18,
        b"<html>not found</html>",
        b"PK\x05\x06" + b"\0" * 8 + b"\xff\xff\xff\x7f" + b"\0" * 6,
    ],
)
def test_that_what_only_is_called_zip_is_refused_by_name(tmp_path: Path, store: Store, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    readings = read(store, tmp_path / "x.zip")[1]
    assert list(refused(readings)) == ["x.zip"]


def test_that_a_damaged_directory_never_raises(tmp_path: Path, store: Store) -> None:
    whole = packed(tmp_path / "x.zip", {"a.csv": EVENTS, "b/run.toml": b"x", "c.zip": EVENTS}).read_bytes()
    start = whole.find(b"PK\x01\x02")
    for place in range(start, len(whole)):
        for byte in (0x00, 0xFF, whole[place] ^ 0x10):
            (tmp_path / "x.zip").write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
            listed = archive.list_archive(tmp_path / "x.zip", "x.zip", store)
            assert listed is None or all(isinstance(one.name, str) for one in listed)
    assert spooled(store) == []


def zip64(path: Path, members: dict[str, bytes], far: int | None = None, end: int | None = None) -> bytes:
    """An archive whose end and members are written in the fields of 64 bits. `far` takes the place of where every
    member begins, `end` of where the end record of 64 bits lies."""
    data = packed(path, members, zipfile.ZIP_STORED).read_bytes()
    tail = data.rfind(b"PK\x05\x06")
    count, _, start = struct.unpack_from("<HLL", data, tail + 10)
    entries, at = b"", start
    while at < tail:
        entry = bytearray(data[at : at + 46])
        lengths = struct.unpack_from("<HHH", entry, 28)
        name = data[at + 46 : at + 46 + lengths[0]]
        (offset,) = struct.unpack_from("<L", entry, 42)
        struct.pack_into("<H", entry, 30, 12)
        struct.pack_into("<L", entry, 42, 0xFFFFFFFF)
        entries += bytes(entry) + name + struct.pack("<HHQ", 1, 8, offset if far is None else far)
        at += 46 + sum(lengths)
    record = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(entries), start)
    place = start + len(entries) if end is None else end
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1)
    last = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:start] + entries + record + locator + last


BEYOND = [2**64 - 1, 2**63, 2**63 - 1, 2**40]


@pytest.mark.parametrize("far", BEYOND)
def test_that_members_beyond_the_end_of_all_files_cost_themselves_alone(
    tmp_path: Path, store: Store, lab: Path, far: int
) -> None:
    members = {"run.toml": b"vms = 5", "inner.zip": EVENTS, "a.csv": EVENTS}
    assert recognised(read(store, written(tmp_path / "fine.zip", zip64(tmp_path / "m.zip", members)))[1]) == {
        "fine.zip/a.csv"
    }
    written(lab / "evil.zip", zip64(tmp_path / "m.zip", members, far=far))
    readings = read(store, lab)[1]
    assert refused(readings) == {f"evil.zip/{name}": "member-damaged" for name in members}
    assert {"mcs/events.csv", "mcs/guest/W10-001.csv", "pvs/W10-001.csv"} <= recognised(readings)
    assert spooled(store) == []


@pytest.mark.parametrize("end", BEYOND)
@pytest.mark.parametrize("name", ["evil.zip", "evil.dat", "evil"])
def test_that_a_directory_beyond_the_end_of_all_files_costs_its_archive_alone(
    tmp_path: Path, store: Store, lab: Path, name: str, end: int
) -> None:
    written(lab / name, zip64(tmp_path / "m.zip", {"a.csv": EVENTS}, end=end))
    readings = read(store, lab)[1]
    assert refused(readings) == ({name: "archive-unreadable"} if name == "evil.zip" else {})
    assert {"mcs/events.csv", "mcs/guest/W10-001.csv", "pvs/W10-001.csv"} <= recognised(readings)
    # What is only like an archive by its first bytes is listed as a file that no reader knows.
    assert any(reading.problems for one, reading in readings.items() if one == name)


def test_that_the_lines_around_a_problem_of_such_a_member_are_no_error(tmp_path: Path) -> None:
    made = written(tmp_path / "x.zip", zip64(tmp_path / "m.zip", {"a.csv": EVENTS}, far=2**64 - 1))
    assert "cannot be unpacked" in excerpt(made / "a.csv", Place(1)).note


def test_that_damage_to_a_directory_of_64_bits_never_raises(tmp_path: Path, store: Store) -> None:
    members = {"a.csv": EVENTS, "b/run.toml": b"x", "c.zip": EVENTS}
    whole = zip64(tmp_path / "m.zip", members)
    start = whole.find(b"PK\x01\x02")
    for place in range(start, len(whole)):
        for width in (1, 8):
            for byte in (0x00, 0x7F, 0xFF):
                made = whole[:place] + bytes([byte]) * width + whole[place + width :]
                listed = archive.list_archive(written(tmp_path / "x.zip", made), "x.zip", store)
                assert listed is None or all(isinstance(one.name, str) for one in listed)
    assert spooled(store) == []


def test_that_a_reader_that_fails_at_first_sight_costs_its_file_alone(
    tmp_path: Path, store: Store, lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(head: bytes, name: str) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(registry, "recognise", failing)
    written(lab / "table.zip", b"a;b\n1;2\n")
    (source,) = [one for one in find_sources([lab], store).sources if one.name == "table.zip"]
    assert source.problem is not None
    assert (source.problem.code, source.problem.severity) == ("reader-failed", Severity.REFUSED)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (b"", datetime(2016, 5, 10, 9, 0, 2).timestamp()),
        (struct.pack("<HHBL", 0x5455, 5, 1, 1_462_867_201), 1_462_867_201.0),
        (struct.pack("<HHB", 0x7777, 1, 9) + struct.pack("<HHBL", 0x5455, 5, 1, 7), 7.0),
        (struct.pack("<HHBL", 0x5455, 5, 0, 7), datetime(2016, 5, 10, 9, 0, 2).timestamp()),
    ],
)
def test_that_the_time_of_a_member_is_utc_where_the_packer_notes_it(
    tmp_path: Path, store: Store, extra: bytes, expected: float
) -> None:
    info = zipfile.ZipInfo("e.csv", (2016, 5, 10, 9, 0, 2))
    info.extra = extra
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as made:
        made.writestr(info, EVENTS)
    (member,) = [source.member for source in find_sources([tmp_path / "x.zip"], store).sources]
    assert member is not None
    assert member.modified == expected


def test_that_an_empty_archive_holds_nothing(tmp_path: Path, store: Store) -> None:
    assert read(store, packed(tmp_path / "x.zip", {}))[1] == {}


def test_that_a_bad_run_toml_in_an_archive_is_told(tmp_path: Path, store: Store) -> None:
    (study,) = studies(store, packed(tmp_path / "x.zip", {"run.toml": b"a = [", "e.csv": EVENTS}))
    told = [(p.file, p.code) for p in study.problems if p.severity is Severity.REFUSED]
    assert told == [("x.zip/run.toml", "manifest-unreadable")]
