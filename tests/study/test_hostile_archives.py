"""Archives that are damaged, cut or malicious: rejected by name, completely or member by member."""

from __future__ import annotations

import os
import stat
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from tests.study.archive_files import EVENTS, WORKERS, lab, packed, read, recognised, refused, spooled, store, written
from workbench.study.discovery import archive
from workbench.study.discovery.archive_opening import shown
from workbench.study.discovery.excerpt import FilePlace, excerpt
from workbench.study.store.column_store import Store

__all__ = ["lab", "store"]
pytestmark = WORKERS

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
def test_that_a_member_with_a_dangerous_name_is_rejected_by_name(
    tmp_path: Path, store: Store, evil: str, code: str
) -> None:
    _, readings = read(store, packed(tmp_path / "x.zip", {evil: EVENTS, "good.csv": EVENTS}))
    (name,) = refused(readings)
    assert refused(readings)[name] == code
    # On a system with another path separator, zipfile reads that as a slash.
    assert name.startswith("x.zip/" + shown(evil.replace(os.sep, "/"))[:20])
    assert name.isprintable()
    assert len(name) < 320
    assert recognised(readings) == {"x.zip/good.csv"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store", "x.zip"]


def test_that_a_link_is_rejected_by_name(tmp_path: Path, store: Store) -> None:
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
def test_that_a_damaged_or_encrypted_member_is_rejected_by_name(
    tmp_path: Path, store: Store, changes: dict[str, int], code: str
) -> None:
    made = packed(tmp_path / "x.zip", {"bad.csv": EVENTS, "good.csv": EVENTS + EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "bad.csv", **changes))
    readings = read(store, made)[1]
    assert refused(readings) == {"x.zip/bad.csv": code}
    assert recognised(readings) == {"x.zip/good.csv"}
    assert spooled(store) == []


def test_that_a_damaged_member_without_a_reader_is_rejected_too(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {"bad.bin": bytes(200_000), "good.csv": EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "bad.bin", crc=1))
    assert refused(read(store, made)[1]) == {"x.zip/bad.bin": "member-damaged"}


def test_that_a_member_that_expands_too_far_is_rejected_by_name(tmp_path: Path, store: Store) -> None:
    readings = read(store, packed(tmp_path / "x.zip", {"bomb.csv": ZEROS, "good.csv": EVENTS}))[1]
    assert refused(readings) == {"x.zip/bomb.csv": "member-ratio"}
    assert recognised(readings) == {"x.zip/good.csv"}


def test_that_a_small_file_may_be_highly_compressed(tmp_path: Path, store: Store) -> None:
    readings = read(store, packed(tmp_path / "x.zip", {"calm.csv": EVENTS + b"\n" * 900_000}))[1]
    assert recognised(readings) == {"x.zip/calm.csv"}


def test_that_overlapping_members_are_rejected(tmp_path: Path, store: Store) -> None:
    """As in zip bombs of overlapping members: each member alone expands little."""
    made = packed(tmp_path / "x.zip", {"a.csv": os.urandom(9_000), "b.csv": EVENTS}, zipfile.ZIP_STORED)
    made.write_bytes(bent(made.read_bytes(), "b.csv", packed=9_000, size=9_000, offset=0))
    assert refused(read(store, made)[1]) == {"x.zip": "archive-overlap"}


def test_that_an_archive_that_expands_too_far_is_rejected(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {f"{n}.csv": bytes(2**19) for n in range(20)})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-ratio"}


def test_that_too_many_members_reject_the_archive(tmp_path: Path, store: Store) -> None:
    made = packed(tmp_path / "x.zip", {f"{n}.txt": b"" for n in range(archive.MAX_MEMBERS + 1)})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-members"}


def test_that_members_of_nested_archives_are_counted(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "i.zip", {f"{n}.txt": b"" for n in range(archive.MAX_MEMBERS)}).read_bytes()
    made = packed(tmp_path / "x.zip", {"i.zip": inner, "good.csv": EVENTS})
    readings = read(store, made)[1]
    assert refused(readings) == {"x.zip/i.zip": "archive-members"}
    assert recognised(readings) == {"x.zip/good.csv"}
    assert spooled(store) == []


def test_that_a_total_above_the_limit_is_rejected(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = type("Budget", (), {"members": 100, "size": len(EVENTS) * 2 - 1})()
    monkeypatch.setattr(archive, "_Budget", lambda: budget)
    made = packed(tmp_path / "x.zip", {"a.csv": EVENTS, "b.csv": EVENTS})
    assert refused(read(store, made)[1]) == {"x.zip": "archive-too-large"}


def test_that_the_limit_is_twenty_gigabytes() -> None:
    assert archive.MAX_TOTAL_BYTES == 20_000_000_000
    assert archive._Budget() == archive._Budget(10_000, 20_000_000_000)


def test_that_the_fourth_nested_archive_is_rejected(tmp_path: Path, store: Store) -> None:
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


def test_that_a_repeated_name_is_rejected(tmp_path: Path, store: Store) -> None:
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
def test_that_an_archive_cut_short_is_rejected_by_name(tmp_path: Path, store: Store, keep: float) -> None:
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
def test_that_a_file_that_is_not_a_zip_despite_its_name_is_rejected_by_name(
    tmp_path: Path, store: Store, content: bytes
) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    readings = read(store, tmp_path / "x.zip")[1]
    assert list(refused(readings)) == ["x.zip"]


def test_that_a_damaged_directory_never_raises_an_error(tmp_path: Path, store: Store) -> None:
    whole = packed(tmp_path / "x.zip", {"a.csv": EVENTS, "b/run.toml": b"x", "c.zip": EVENTS}).read_bytes()
    start = whole.find(b"PK\x01\x02")
    for place in range(start, len(whole)):
        for byte in (0x00, 0xFF, whole[place] ^ 0x10):
            (tmp_path / "x.zip").write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
            listed = archive.list_archive(tmp_path / "x.zip", "x.zip", store)
            assert listed is None or all(isinstance(one.name, str) for one in listed)
    assert spooled(store) == []


def zip64(path: Path, members: dict[str, bytes], far: int | None = None, end: int | None = None) -> bytes:
    """An archive with 64 bit fields for its end and members. `far` replaces the start of every member, `end` that of
    the 64 bit end record."""
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
def test_that_members_after_the_end_of_all_files_affect_only_themselves(
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
def test_that_a_directory_after_the_end_of_all_files_affects_only_its_archive(
    tmp_path: Path, store: Store, lab: Path, name: str, end: int
) -> None:
    written(lab / name, zip64(tmp_path / "m.zip", {"a.csv": EVENTS}, end=end))
    readings = read(store, lab)[1]
    assert refused(readings) == ({name: "archive-unreadable"} if name == "evil.zip" else {})
    assert {"mcs/events.csv", "mcs/guest/W10-001.csv", "pvs/W10-001.csv"} <= recognised(readings)
    # A file that only starts like an archive is listed as unknown.
    assert any(reading.problems for one, reading in readings.items() if one == name)


def test_that_showing_the_lines_around_a_problem_in_a_member_with_a_wrong_place_is_safe(tmp_path: Path) -> None:
    made = written(tmp_path / "x.zip", zip64(tmp_path / "m.zip", {"a.csv": EVENTS}, far=2**64 - 1))
    assert "cannot be unpacked" in excerpt(made / "a.csv", FilePlace(1)).note


def test_that_a_damaged_64_bit_directory_never_raises_an_error(tmp_path: Path, store: Store) -> None:
    members = {"a.csv": EVENTS, "b/run.toml": b"x", "c.zip": EVENTS}
    whole = zip64(tmp_path / "m.zip", members)
    start = whole.find(b"PK\x01\x02")
    for place in range(start, len(whole)):
        for width, byte in ((1, 0x00), (1, 0xFF), (8, 0x7F)):
            made = whole[:place] + bytes([byte]) * width + whole[place + width :]
            listed = archive.list_archive(written(tmp_path / "x.zip", made), "x.zip", store)
            assert listed is None or all(isinstance(one.name, str) for one in listed)
    assert spooled(store) == []
