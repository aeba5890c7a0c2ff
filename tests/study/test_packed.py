"""Tar archives and packed files: read as zip archives are, under the same defences."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.archive_files import EVENTS, WORKERS, lab, read, recognised, refused, shape, spooled, store, studies
from workbench.study.discovery import archive
from workbench.study.discovery.archive import read_head
from workbench.study.discovery.archive_packed import own_name, run_name
from workbench.study.store.column_store import Store

pytestmark = WORKERS

__all__ = ["lab", "store"]
Bend = Callable[[tarfile.TarInfo], None]


def tarred(path: Path, members: dict[str, bytes] | Path, mode: str = "w:gz", bend: Bend | None = None) -> Path:
    """A tar of these members, or of everything below a folder; `bend` changes each member's header."""
    if isinstance(members, Path):
        members = {f.relative_to(members).as_posix(): f.read_bytes() for f in sorted(members.rglob("*")) if f.is_file()}
    with tarfile.open(path, mode) as made:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 1_462_870_800
            if bend is not None:
                bend(info)
            made.addfile(info, io.BytesIO(content) if info.isfile() else None)
    return path


@pytest.mark.parametrize(
    ("name", "mode"),
    [("lab.tar", "w"), ("lab.tar.gz", "w:gz"), ("lab.tgz", "w:gz"), ("lab.tar.xz", "w:xz"), ("lab.tar.bz2", "w:bz2")],
)
def test_that_a_tar_and_its_folder_give_the_same_study(
    tmp_path: Path, store: Store, lab: Path, name: str, mode: str
) -> None:
    (folder,) = studies(store, lab)
    other = Store(tmp_path / "other")
    (unpacked,) = studies(other, tarred(tmp_path / name, lab, mode))
    assert shape(unpacked) == shape(folder)
    assert sorted(report.path for report in unpacked.files) == sorted(
        f"{name}/{report.path}" for report in folder.files
    )
    assert spooled(other) == []


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_that_packed_files_of_a_folder_are_one_run(
    tmp_path: Path, store: Store, lab: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    for file in (lab / "mcs" / "guest").iterdir():
        file.with_name(file.name + ending).write_bytes(pack(file.read_bytes()))
        file.unlink()
    (study,) = studies(store, lab)
    assert sorted((run.name, len(run.recordings)) for run in study.runs) == [("mcs", 2), ("pvs", 1)]
    assert f"mcs/guest/W10-001.csv{ending}/W10-001.csv" in [report.path for report in study.files]
    assert spooled(store) == []


def test_that_a_packed_file_opened_alone_is_a_run_with_its_name(tmp_path: Path, store: Store, lab: Path) -> None:
    file = tmp_path / "W10-001.csv.gz"
    file.write_bytes(gzip.compress((lab / "pvs" / "W10-001.csv").read_bytes()))
    (study,) = studies(store, file)
    assert [(run.name, len(run.recordings)) for run in study.runs] == [("W10-001", 1)]


def test_that_a_tar_of_files_alone_is_a_run(tmp_path: Path, store: Store, lab: Path) -> None:
    (study,) = studies(store, tarred(tmp_path / "MCS 2.1.tar.gz", lab / "mcs" / "guest"))
    assert [run.name for run in study.runs] == ["MCS 2.1"]


def test_that_archives_of_both_kinds_can_be_nested(tmp_path: Path, store: Store, lab: Path) -> None:
    inner = tarred(tmp_path / "guest.tgz", lab / "mcs" / "guest")
    packed = gzip.compress((lab / "pvs" / "W10-001.csv").read_bytes())
    outer = tarred(tmp_path / "all.tar.xz", {"mcs/guest.tgz": inner.read_bytes(), "pvs/W10-001.csv.gz": packed}, "w:xz")
    (study,) = studies(store, outer)
    assert sorted((run.name, len(run.recordings)) for run in study.runs) == [("mcs", 2), ("pvs", 1)]
    assert spooled(store) == []


def test_that_a_packed_file_is_recognised_by_content(tmp_path: Path, store: Store) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "events.backup").write_bytes(gzip.compress(EVENTS))
    (tmp_path / "in" / "notes.gz").write_bytes(EVENTS)
    assert recognised(read(store, tmp_path / "in")[1]) == {"events.backup/events.backup", "notes.gz"}


def test_that_the_start_of_a_member_can_be_shown(tmp_path: Path) -> None:
    inner = tarred(tmp_path / "i.tgz", {"a/b.csv": b"first\nsecond\n"})
    outer = tarred(tmp_path / "o.tar", {"x.csv": b"other", "i.tgz": inner.read_bytes()}, "w")
    assert read_head(outer / "i.tgz" / "a" / "b.csv", 5) == b"first"
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(b"packed"))
    assert read_head(tmp_path / "c.csv.gz" / "c.csv", 4) == b"pack"
    with pytest.raises(OSError, match="no longer in the archive"):
        read_head(outer / "gone.csv", 5)


def _link(info: tarfile.TarInfo) -> None:
    info.type, info.linkname, info.size = tarfile.SYMTYPE, "/etc/passwd", 0


def _hard_link(info: tarfile.TarInfo) -> None:
    info.type, info.linkname, info.size = tarfile.LNKTYPE, "good.csv", 0


def _device(info: tarfile.TarInfo) -> None:
    info.type, info.size = tarfile.CHRTYPE, 0


def _pipe(info: tarfile.TarInfo) -> None:
    info.type, info.size = tarfile.FIFOTYPE, 0


@pytest.mark.parametrize(
    ("name", "bend", "code"),
    [
        ("../evil.csv", None, "member-path"),
        ("/etc/evil.csv", None, "member-path"),
        ("C:\\evil.csv", None, "member-path"),
        ("a\x07b.csv", None, "member-name"),
        ("x" * 300 + ".csv", None, "member-name"),
        ("link.csv", _link, "member-link"),
        ("hard.csv", _hard_link, "member-link"),
        ("device.csv", _device, "member-link"),
        ("pipe.csv", _pipe, "member-link"),
    ],
)
def test_that_a_member_with_a_dangerous_name_is_rejected_by_name(
    tmp_path: Path, store: Store, name: str, bend: Bend | None, code: str
) -> None:
    made = tarred(
        tmp_path / "x.tar.gz",
        {"good.csv": EVENTS, name: EVENTS},
        bend=lambda info: bend(info) if bend and info.name == name else None,
    )
    readings = read(store, made)[1]
    assert set(refused(readings).values()) == {code}
    assert recognised(readings) == {"x.tar.gz/good.csv"}
    assert not (tmp_path / "evil.csv").exists()


def test_that_a_repeated_name_is_rejected(tmp_path: Path, store: Store) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as made:
        for _ in range(2):
            info = tarfile.TarInfo("a.csv")
            info.size = len(EVENTS)
            made.addfile(info, io.BytesIO(EVENTS))
    assert set(refused(read(store, tmp_path / "x.tar")[1]).values()) == {"member-twice"}


def test_that_names_that_are_not_text_are_read(tmp_path: Path, store: Store) -> None:
    made = tarred(tmp_path / "x.tar", {"caf\udce9.csv": EVENTS}, "w")
    assert len(recognised(read(store, made)[1])) == 1


@pytest.mark.parametrize("name", ["x.csv.gz", "x.tar.gz"])
def test_that_data_that_expands_too_far_is_rejected_before_it_is_written(
    tmp_path: Path, store: Store, name: str
) -> None:
    bomb = bytes(2**26)
    if name == "x.csv.gz":
        (tmp_path / name).write_bytes(gzip.compress(bomb))
    else:
        tarred(tmp_path / name, {"a.csv": bomb})
    assert refused(read(store, tmp_path / name)[1]) == {name: "archive-ratio"}
    assert spooled(store) == []


def test_that_a_sparse_member_counts_with_its_unpacked_size(tmp_path: Path, store: Store) -> None:
    with tarfile.open(tmp_path / "x.tar", "w", format=tarfile.PAX_FORMAT) as made:
        info = tarfile.TarInfo("a.csv")
        info.size = 512
        info.pax_headers = {"GNU.sparse.map": "0,512", "GNU.sparse.size": str(10**12), "GNU.sparse.numblocks": "1"}
        made.addfile(info, io.BytesIO(bytes(512)))
    assert refused(read(store, tmp_path / "x.tar")[1]) == {"x.tar": "archive-too-large"}


def test_that_a_header_without_an_end_is_rejected(tmp_path: Path, store: Store) -> None:
    made = tarred(tmp_path / "x.tar", {"a.csv": EVENTS}, "w", lambda info: info.pax_headers.update(comment="x" * 2**21))
    assert refused(read(store, made)[1]) == {"x.tar": "archive-unreadable"}


def test_that_too_many_members_reject_the_archive(tmp_path: Path, store: Store) -> None:
    made = tarred(tmp_path / "x.tar", {f"{n}.txt": b"" for n in range(archive.MAX_MEMBERS + 1)}, "w")
    assert refused(read(store, made)[1]) == {"x.tar": "archive-members"}
    assert spooled(store) == []


def test_that_a_total_above_the_limit_is_rejected(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = type("Budget", (), {"members": 100, "size": len(EVENTS) * 2 - 1})()
    monkeypatch.setattr(archive, "_Budget", lambda: budget)
    made = tarred(tmp_path / "x.tar.gz", {"a.csv": EVENTS, "b.csv": EVENTS})
    assert refused(read(store, made)[1]) == {"x.tar.gz": "archive-too-large"}


def test_that_the_fourth_nested_archive_is_rejected(tmp_path: Path, store: Store) -> None:
    content = EVENTS
    for depth in range(4):
        content = tarred(tmp_path / f"{depth}.tgz", {"a.csv" if depth == 0 else "in.tgz": content}).read_bytes()
    assert list(refused(read(store, tmp_path / "3.tgz")[1]).values()) == ["archive-nesting"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_that_an_archive_cut_short_is_rejected_by_name(tmp_path: Path, store: Store, mode: str, keep: float) -> None:
    members = {
        f"{n}.csv": disk_csv(tmp_path / "d" / f"{n}.csv", f"W{n}", [1.0] * n, [2.0] * n).read_bytes() for n in (5, 60)
    }
    whole = tarred(tmp_path / "x.tar.gz", members, mode)
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data.rstrip(b"\0")) * keep)])
    assert refused(read(store, whole)[1]) == {"x.tar.gz": "archive-unreadable"}


def test_that_damage_never_raises_an_error(tmp_path: Path, store: Store) -> None:
    data = bytearray(tarred(tmp_path / "x.tar", {"a.csv": EVENTS, "b.csv": EVENTS}, "w").read_bytes())
    for at in range(0, 2048, 37):
        bent = bytearray(data)
        bent[at] ^= 0xFF
        (tmp_path / "y.tar").write_bytes(bent)
        read(store, tmp_path / "y.tar")


@pytest.mark.parametrize(
    ("name", "own", "run"),
    [
        ("MCS 2.1.tar.gz", "MCS 2.1", "MCS 2.1"),
        ("MCS 2.1.zip", "MCS 2.1", "MCS 2.1"),
        ("a.csv.gz", "a.csv", "a"),
        ("a.CSV.GZ", "a.CSV", "a"),
        ("a.b.csv", "a.b.csv", "a.b"),
    ],
)
def test_that_packing_extensions_are_not_part_of_a_name(name: str, own: str, run: str) -> None:
    assert (own_name(name), run_name(name)) == (own, run)
