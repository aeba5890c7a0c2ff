"""Archives (zip, tar) and packed files: their members are read like the files of a folder, and nothing is unpacked
under its own name.

An archive counts as a folder: its members are below the path of the archive, `lab.zip/guest/W10-001.csv`. Members are
streamed. A file that must be seekable (an archive within an archive, a file while it is read) is copied to a private
file in the spool. Names that lead out of the archive, links, encrypted members and members that would unpack to an
excessive size are refused one by one; an archive that is too large is refused as a whole. A tar and a packed file are
first converted to a zip by `archive_packed`, also in the spool. Source of the format of zip archives: PKWARE APPNOTE
6.3.10, as far as Python's `zipfile` reads it.
"""

from __future__ import annotations

import io
import struct
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path, PurePath
from typing import IO

from workbench.cancellation import stop_if_cancelled
from workbench.model.problem import Problem, Severity
from workbench.study.discovery.archive_opening import (
    DAMAGE,
    MAX_RATIO,
    RATIO_FROM_BYTES,
    RefusedError,
    inner_name,
    is_folder,
    is_hidden,
    opened_archive,
    reason_against,
    shown,
    swelling,
    too_large,
    too_many,
)
from workbench.study.discovery.archive_packed import ENDINGS, HEAD_BYTES, copy_as_zip, is_packed
from workbench.study.discovery.manifest import LIMITS, MANIFEST, MAX_BYTES
from workbench.study.importing import spool
from workbench.study.store.column_store import Store

MAX_TOTAL_BYTES = 20 * 10**9
MAX_MEMBERS = 10_000
MAX_DEPTH = 3
MAX_HEAD_ARCHIVE = 256 * 2**20
BLOCK = 2**20
ENDING = ".zip"
# Files that are never opened as archives, because opening each would slow down shares. A Java program holds no results
# and may lack its manifest.
_PLAIN = frozenset((".jar", ".csv", ".tsv", ".txt", ".log", ".json", ".xml", ".toml", ".html", ".blg", ".vdibundle"))
_TIMESTAMP = 0x5455
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
# Members that distinguish an Office document, an OpenDocument or a Java package from an archive of results.
_PACKAGES = frozenset(("[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"))


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: `inside` names the archives on the way to it within `archive`, the file on disk.

    `archive_size` and `archive_mtime_ns` are those of the archive when it was listed. `spooled` is the path of the
    innermost archive during an import, None if that is `archive` itself.
    """

    archive: Path
    archive_size: int
    archive_mtime_ns: int
    inside: tuple[str, ...]
    name: str
    size: int
    crc: int
    modified: float
    spooled: Path | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One member: its path, its name for the user, and the member or the problem why it was refused.

    `content` is the text of a run.toml. `is_archive` marks a folder that is an archive (there is no file to read).
    """

    path: Path
    name: str
    member: Member | None = None
    problem: Problem | None = None
    content: bytes | None = None
    is_archive: bool = False


@dataclass(slots=True)
class _Budget:
    """The number of files and bytes that an archive, with everything within it, may still contain."""

    members: int = MAX_MEMBERS
    size: int = MAX_TOTAL_BYTES


@dataclass(frozen=True, slots=True)
class _Place:
    """An archive while it is listed: `file` holds its bytes, `path` and `name` are those of the folder that it
    represents."""

    file: Path
    path: Path
    name: str
    outer: Path
    size: int
    mtime_ns: int
    inside: tuple[str, ...] = ()


def is_plain(name: str) -> bool:
    """True if the ending alone shows that a file is not an archive."""
    return PurePath(name).suffix.lower() in _PLAIN


def looks_like_archive(path: Path) -> bool:
    """True if a file must be opened as an archive, by its ending or by its first bytes."""
    ending = path.suffix.lower()
    if ending == ENDING:
        return True
    if ending in _PLAIN:
        return False
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False
    return head[:4] in _MAGIC or is_packed(head)


def list_archive(path: Path, name: str, store: Store) -> list[Listed] | None:
    """Returns every visible member below the archive, including those of archives within it. None if the file is not an
    archive of results, but for example an office document. Never raises because of content."""
    try:
        status = path.stat()
        location = _Place(path, path, name, path, status.st_size, status.st_mtime_ns)
        return _opened(location, _Budget(), store)
    except (RefusedError, OSError) as error:
        if not path.name.lower().endswith((ENDING, *ENDINGS)):
            return None
        return [Listed(path, name, problem=_archive_problem(name, error))]


@contextmanager
def open_member(member: Member) -> Iterator[IO[bytes]]:
    """Yields the member's bytes as a stream. Reading a damaged member to its end raises one of `DAMAGE`."""
    status = member.archive.stat()
    if (status.st_size, status.st_mtime_ns) != (member.archive_size, member.archive_mtime_ns):
        raise OSError("the archive changed while it was read")
    archive = _kept_open(member.spooled or member.archive, member.archive_mtime_ns)
    with archive.open(member.name) as stream:
        yield stream


def read_head(path: Path, limit: int) -> bytes:
    """Returns the first bytes of a file, or of a member given by its path below the archive. Raises OSError."""
    archive = next((parent for parent in path.parents if parent.is_file()), None)
    if archive is None:
        with path.open("rb") as stream:
            return stream.read(limit)
    try:
        with archive.open("rb") as stream:
            return _head_within(stream, archive.name, path.relative_to(archive).as_posix(), limit)
    except (*DAMAGE, RefusedError) as error:
        why = f"cannot be unpacked: {error}" if type(error) is ValueError else "is damaged"
        raise OSError(f"the archive {why}") from error


def _head_within(file: IO[bytes], place: str, inner: str, limit: int) -> bytes:
    """Returns the first bytes of the member `inner` of an archive at `place`."""
    if is_packed(file.read(HEAD_BYTES)):
        with tempfile.TemporaryFile() as unpacked:
            copy_as_zip(file, place, unpacked, MAX_MEMBERS, MAX_HEAD_ARCHIVE, lambda name: _leads_to(name, inner))
            return _head_within(unpacked, ENDING, inner, limit)
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = inner_name(info.filename)
            if name == inner:
                with archive.open(info) as stream:
                    return stream.read(limit)
            if _leads_to(name, inner):
                if info.file_size > MAX_HEAD_ARCHIVE:
                    raise ValueError("the archive that contains it is too large")
                return _head_within(io.BytesIO(archive.read(info)), name, inner.removeprefix(f"{name}/"), limit)
    raise ValueError("it is no longer in the archive")


def _leads_to(name: str, inner: str) -> bool:
    """True if a member is the one at this path, or an archive that contains it."""
    own = inner_name(name)
    return own == inner or (inner.startswith(f"{own}/") and own.lower().endswith((ENDING, *ENDINGS)))


@lru_cache(maxsize=1)
def _kept_open(path: Path, _mtime_ns: int) -> zipfile.ZipFile:
    """Keeps an archive open: a worker reads many of its members, so its directory is read once."""
    return zipfile.ZipFile(path)


def _opened(location: _Place, budget: _Budget, store: Store) -> list[Listed] | None:
    """Returns the result of `_list` for the archive, or for the zip made from it; None if it is not an archive."""
    with location.file.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
        if not is_packed(head) or head[:4] in _MAGIC:
            return None if location.path.name.lower().endswith(ENDINGS) else _list(location, budget, store)
        file = spool.new_file(store)
        members: list[Listed] | None = None
        try:
            with file.open("w+b") as target:
                copy_as_zip(stream, location.name, target, budget.members, budget.size)
            members = _list(replace(location, file=file), budget, store)
        finally:
            _tidy(file, members)
    return members


def _tidy(file: Path, members: list[Listed] | None) -> None:
    """Deletes a spooled archive if none of its members is read."""
    if not any(member.member is not None and member.member.spooled == file for member in members or ()):
        spool.remove(file)


def _list(location: _Place, budget: _Budget, store: Store) -> list[Listed] | None:
    with opened_archive(location.file) as archive:
        infos = archive.infolist()
        if any(info.filename in _PACKAGES for info in infos):
            return None
        budget.members -= len(infos)
        if budget.members < 0:
            raise too_many(MAX_MEMBERS)
        members: list[Listed] = [Listed(location.path, location.name, is_archive=True)]
        visible = [info for info in infos if not is_folder(info) and not is_hidden(info.filename)]
        names = Counter(inner_name(info.filename) for info in visible)
        good: list[zipfile.ZipInfo] = []
        for number, info in enumerate(visible):
            why = reason_against(info, names)
            if why is None:
                good.append(info)
            else:
                members.append(_refused(location, number, info.filename, *why))
        _weigh(good, location, budget)
        for info in good:
            members += _taken(archive, info, location, budget, store)
    return members


def _taken(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, location: _Place, budget: _Budget, store: Store
) -> list[Listed]:
    """Returns a member that may be read: if it is an archive, the members within it, otherwise itself."""
    inner = inner_name(info.filename)
    path, name = location.path / inner, f"{location.name}/{inner}"
    member = Member(
        location.outer,
        location.size,
        location.mtime_ns,
        location.inside,
        info.filename,
        info.file_size,
        info.CRC,
        _modified(info),
        None if location.file == location.outer else location.file,
    )
    try:
        if inner.rsplit("/", 1)[-1] in (MANIFEST, LIMITS):
            return [Listed(path, name, member, content=_manifest(archive, info))]
        if inner.lower().endswith((ENDING, *ENDINGS)):
            return _nested(archive, info, location, budget, store) or [Listed(path, name, member)]
    except RefusedError as error:
        return [Listed(path, name, problem=_archive_problem(name, error))]
    except DAMAGE as error:
        return [Listed(path, name, problem=damaged(name, error))]
    return [Listed(path, name, member)]


def _nested(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, location: _Place, budget: _Budget, store: Store
) -> list[Listed] | None:
    """Returns the members of an archive within an archive, which is spooled during the import."""
    if len(location.inside) + 2 > MAX_DEPTH:
        raise RefusedError(
            "archive-nesting",
            f"The archive is nested more than {MAX_DEPTH} levels deep.",
            "archive not imported; unpack it and open the unpacked folder",
        )
    inner = inner_name(info.filename)
    file = spool.new_file(store)
    members: list[Listed] | None = None
    try:
        with archive.open(info) as source, file.open("wb") as target:
            while block := source.read(BLOCK):
                stop_if_cancelled()
                target.write(block)
        members = _opened(
            _Place(
                file,
                location.path / inner,
                f"{location.name}/{inner}",
                location.outer,
                location.size,
                location.mtime_ns,
                (*location.inside, info.filename),
            ),
            budget,
            store,
        )
    finally:
        _tidy(file, members)
    return members


def _weigh(infos: list[zipfile.ZipInfo], location: _Place, budget: _Budget) -> None:
    """Refuses an archive that would be too large unpacked, or whose members share their packed bytes."""
    total = sum(info.file_size for info in infos)
    budget.size -= total
    if budget.size < 0:
        raise too_large(MAX_TOTAL_BYTES)
    size = location.file.stat().st_size
    if sum(info.compress_size for info in infos) > size:
        raise RefusedError(
            "archive-overlap", "Files in the archive overlap, as in zip bombs.", "archive not imported; pack it again"
        )
    if total > RATIO_FROM_BYTES and total > MAX_RATIO * max(1, size):
        raise swelling()


def _manifest(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.file_size > MAX_BYTES:
        own = inner_name(info.filename).rsplit("/", 1)[-1]
        raise RefusedError(
            "manifest-unreadable", f"{own} is larger than {MAX_BYTES // 2**10} KB.", "file not imported; shorten it"
        )
    return archive.read(info)


def _modified(info: zipfile.ZipInfo) -> float:
    """Returns when the member was last changed. If the packer noted it (Info-ZIP's field 0x5455), it is seconds since
    1970; otherwise the packer's clock is read as this machine's, in steps of two seconds."""
    at, extra = 0, info.extra
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == _TIMESTAMP and size >= 5 and at + 9 <= len(extra) and extra[at + 4] & 1:
            return float(struct.unpack_from("<L", extra, at + 5)[0])
        at += 4 + size
    try:
        return datetime(*info.date_time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _fault(error: BaseException) -> str:
    """Returns why a member cannot be unpacked, as the end of a sentence: the texts of the libraries are for
    programmers."""
    if isinstance(error, NotImplementedError):
        return "uses an unsupported compression method"
    if isinstance(error, MemoryError):
        return "needs more memory than is available"
    own = isinstance(error, OSError) and error.errno is None
    return f"cannot be unpacked: {shown(str(error))}" if own else "is damaged"


def damaged(name: str, error: BaseException) -> Problem:
    """Returns the problem of a member that cannot be unpacked."""
    return Problem(
        Severity.REFUSED,
        name,
        "member-damaged",
        f"The file in the archive {_fault(error)}.",
        "file not imported; copy the archive again, or pack it as a standard .zip",
    )


def _refused(location: _Place, number: int, name: str, code: str, message: str, advice: str) -> Listed:
    label, action = f"{location.name}/{shown(name)}", "not imported" if code == "member-link" else "file not imported"
    problem = Problem(Severity.REFUSED, label, code, message, f"{action}; {advice}")
    # A unique path below the archive, for any name of the member.
    return Listed(location.path / f"?{number}", label, problem=problem)


def _archive_problem(name: str, error: RefusedError | OSError) -> Problem:
    if isinstance(error, RefusedError):
        return Problem(Severity.REFUSED, name, error.code, error.message, error.action)
    message = f"The archive cannot be opened: {error.strerror or error}."
    return Problem(
        Severity.REFUSED,
        name,
        "unreadable",
        message,
        "archive not imported; close the program that uses it, and reload the folder",
    )
