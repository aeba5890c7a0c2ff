"""Imports one file into the store: recognises it, reads it unless the store has its content, and stores a note on it.

This runs in a worker process; `pool` distributes the files.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from pathlib import Path
from typing import IO

from workbench.cancellation import Cancelled
from workbench.file_replace import deleted_afterwards
from workbench.model.mapping import ColumnMapping
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.run import LimitsText
from workbench.study.discovery.archive import BLOCK, Member, damaged, is_plain, open_member
from workbench.study.discovery.archive_opening import DAMAGE, shown
from workbench.study.discovery.manifest import Stated
from workbench.study.importing import spool
from workbench.study.plausibility.judge import plausible
from workbench.study.series.time_zone import offset_minutes
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.columns import put_columns
from workbench.study.store.packs import Packing
from workbench.study.store.stamps import Stamp, sample_of, sample_of_bytes
from workbench.study.store.temporary import temporary_beside

# The advice for a file that is still being written.
_AT_REST = "reload the folder when the test has ended"
HEAD_BYTES = 65_536
# Windows has no separate error for quotas.
_QUOTA = getattr(errno, "EDQUOT", errno.ENOSPC)
CHANGED = "changed-while-read"


@dataclass(frozen=True, slots=True)
class ImportSource:
    """One file to read: its path, and its name for the user.

    `member` is set if it is a member of an archive: `path` is then its path below the archive, not a file. `problem` is
    the reason why it must not be read. `content` is the text of a run.toml or limits.toml in an archive, `stated` the
    content of any run.toml, `limits` the text of any limits.toml. `date_order` is the order that the surrounding
    run.toml states for ambiguous dates, otherwise empty.
    """

    path: Path
    name: str
    member: Member | None = None
    problem: Problem | None = None
    content: bytes | None = None
    date_order: str = ""
    stated: Stated | None = field(default=None, compare=False)
    limits: LimitsText | None = field(default=None, compare=False)

    @property
    def stamp(self) -> Stamp | None:
        """Returns the stamp that identifies a file; None for a missing file on disk."""
        if self.member is None:
            try:
                status = self.path.stat()
                return Stamp(status.st_size, status.st_mtime_ns, date_order=self.date_order)
            except OSError:
                return None
        member = self.member
        return Stamp(member.archive_size, member.archive_mtime_ns, member.crc, date_order=self.date_order)


ReadSource = Callable[..., Reading]
Read = tuple[ImportSource, Reading]
Mappings = dict[str, ColumnMapping]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The reader of a file; for a CSV with a time column its header, and the mapping that it is read through; the order
    of ambiguous dates if the reader was given one."""

    reader: Reader
    header: str = ""
    mapping: str = ""
    date_order: str = ""


# The first bytes of packed files. Zip archives are opened, unless their name has another ending.
_PACKED = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"MSCF\0\0\0\0", "cabinet"),
)
_TAR_AT = 257
# Text near the beginning of the files that the window itself saves.
_SESSION, _BUNDLE = b'"vdi-workbench/session"', (b"columns/00000.parquet", b"session.json")
_OWN_AT = 128
_ERROR_NUMBER = re.compile(r"\[Errno \d+\] | \(os error \d+\)")
# A full disk, a full quota or a read-only folder, in the words of Python and of polars: none occurs while reading.
_NOT_WRITTEN = re.compile(
    rf"(?:Errno|os error) (?:{'|'.join(str(number) for number in (errno.ENOSPC, errno.EROFS, _QUOTA))})\b"
)


def _packed(head: bytes, file_name: str) -> str:
    """Returns the kind of a packed file, by its first bytes; empty for any other file."""
    if head.startswith(b"PK\x03\x04") and is_plain(file_name):
        return "zip"
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return "tar"
    return next((kind for begin, kind in _PACKED if head.startswith(begin)), "")


def _own(head: bytes) -> str:
    """Returns the kind of a file that VDI Workbench saved; empty for any other file."""
    if head.startswith(b"PK\x03\x04") and any(mark in head[:_OWN_AT] for mark in _BUNDLE):
        return column_store.BUNDLE
    return column_store.SESSION if head.startswith(b"{") and _SESSION in head[:_OWN_AT] else ""


def _choose(head: bytes, file_name: str, mappings: Mappings, date_order: str = "") -> _Chosen | None:
    # Imported here: a worker that only maps stored data needs no reader.
    from workbench.readers.registry import recognise
    from workbench.readers.tables import mapped as mapped_csv

    reader = None if _packed(head, file_name) else recognise(head, file_name)
    if reader is None:
        return None
    if reader.takes_name is not None and reader.takes_name(head):
        reader = replace(reader, by_name=True)
    if date_order and (read_dated := reader.read_dated) is not None:
        dated = replace(reader, read=lambda path, name, columns: read_dated(path, name, columns, date_order))
        return _Chosen(dated, date_order=date_order)
    if reader is not mapped_csv.READER:
        return _Chosen(reader)
    header = mapped_csv.header_of(head)
    mapping = mappings.get(header)
    if mapping is None:
        return _Chosen(reader, header)
    return _Chosen(mapped_csv.reader_with(mapping, offset_minutes), header, mapping.fingerprint)


def read_source(
    path: Path,
    name: str,
    store: Store,
    mappings: Mappings | None = None,
    date_order: str = "",
    pack: Packing | None = None,
) -> Reading:
    """Reads one file into the store, or finds its content there. Runs in a worker process.

    `mappings` are the user's column mappings by header, for CSV files of unknown formats. `date_order` is the order
    that its run states for ambiguous dates. `pack` keeps the files of a task together.
    """
    if pack is None:
        store.prepare()
    try:
        status = path.stat()
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        message = f"The file cannot be opened: {error.strerror or error}."
        return refused(name, "unreadable", message, "check its permissions, or close the program that uses it")
    # Sampled before it is read: if it is replaced meanwhile, the sample of the new content must not be stored with the
    # old one.
    whole = len(head) == status.st_size < HEAD_BYTES
    sample = sample_of_bytes(head) if whole else sample_of(path, status.st_size)
    stamp = Stamp(status.st_size, status.st_mtime_ns, date_order=date_order, sample=sample)
    chosen = _choose(head, path.name, mappings or {}, date_order)
    if chosen is None:
        return _left_out(ImportSource(path, name), store, stamp, head, pack)
    try:
        label = _place(chosen, path, status.st_mtime_ns)
        key = column_store.key_of_bytes(head, label) if whole else column_store.content_key(path, label)
        with nullcontext(path) if nameable(path) else spool.link_to(path, store) as file:
            return _kept(
                chosen, file, ImportSource(path, name), store, key, stamp, lambda: _changed(path, status), pack
            )
    except BaseException as error:
        # A file that is cut off or deleted during reading may fail in any way.
        if ends_the_program(error) or not _changed(path, status):
            raise
        return refused(name, CHANGED, "The file changed or was deleted while it was being read.", _AT_REST)


def nameable(path: Path) -> bool:
    """True if a path is valid text: Unix allows names of any bytes, but the libraries that read files accept only
    text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def read_member(
    source: ImportSource, store: Store, mappings: Mappings | None = None, pack: Packing | None = None
) -> Reading:
    """Reads a member of an archive, which is spooled to a private file meanwhile."""
    member, stamp = source.member, source.stamp
    assert member is not None
    assert stamp is not None
    store.prepare()
    with spool.temporary_file(store) as file:
        try:
            with open_member(member) as stream:
                head = stream.read(HEAD_BYTES)
                chosen = _choose(head, source.path.name, mappings or {}, source.date_order)
                label = "" if chosen is None else _place(chosen, source.path, int(member.modified * 1e9))
                key = _unpack(head, stream, None if chosen is None else file, label, member.size)
        except DAMAGE as error:
            return Reading(FileReport(path=source.name), (damaged(source.name, error),))
        if chosen is None:
            return _left_out(source, store, stamp, head, pack)
        os.utime(file, (member.modified, member.modified))
        return _kept(chosen, file, source, store, key, stamp, lambda: False, pack)


def _left_out(source: ImportSource, store: Store, stamp: Stamp, head: bytes, pack: Packing | None) -> Reading:
    """Returns the reading of a file of an unknown format; a note on it is stored for the source's path."""
    kind = _own(head) or _packed(head, source.path.name)
    key = column_store.PACKED + kind if kind else column_store.NOT_RECOGNISED if head else column_store.EMPTY
    if pack is not None:
        pack.remember(source.path, key, stamp)
    else:
        column_store.remember(store, source.path, key, stamp)
    return column_store.without_reader(key, source.name) or column_store.not_recognised(source.name)


def _place(chosen: _Chosen, path: Path, modified_ns: int) -> str:
    """Returns everything except its bytes that decides how a file is read. Names and paths never contain a NUL."""
    reader = chosen.reader
    label = f"{path.absolute()}\0{modified_ns}" if reader.by_place else path.name if reader.by_name else ""
    return f"{label}\0{chosen.mapping}\0{chosen.date_order}\0"


def _unpack(head: bytes, stream: IO[bytes], file: Path | None, text: str, size: int) -> str:
    """Reads a member to its end, which checks its checksum, into `file` if there is one. Returns its key."""
    digest, written = column_store.new_digest(text), 0
    with Path(os.devnull if file is None else file).open("wb") as target:
        block = head
        while block:
            digest.update(block)
            written += target.write(block)
            block = stream.read(BLOCK)
    if written != size:
        raise EOFError(f"it contains {written:,} bytes, but the file index of the archive states {size:,}")
    return digest.hexdigest()


def _kept(
    chosen: _Chosen,
    file: Path,
    source: ImportSource,
    store: Store,
    key: str,
    stamp: Stamp,
    changed: Callable[[], bool],
    pack: Packing | None,
) -> Reading:
    """Returns the reading of `file` from the store, or reads it into the store. It is remembered for the source's
    path."""
    if chosen.header:
        stamp = replace(stamp, header=chosen.header, mapping=chosen.mapping)
    if pack is not None:
        # Reading a small file again is faster than checking if the store has its content.
        reading, stable = _read(chosen, file, source, pack.part, changed)
        return pack.save(source.path, source.name, key, reading, stamp) if stable else reading
    stored = column_store.load(store, key, source.name)
    if stored is not None:
        column_store.remember(store, source.path, key, stamp)
        return stored
    part = temporary_beside(store.columns(key))
    with deleted_afterwards(part):
        reading, stable = _read(chosen, file, source, part, changed)
        if not stable:
            return reading
        if reading.recording is not None:
            put_columns(part, store.columns(key))
    return column_store.save(store, source.path, source.name, key, reading, stamp)


def _read(
    chosen: _Chosen, file: Path, source: ImportSource, part: Path, changed: Callable[[], bool]
) -> tuple[Reading, bool]:
    """Returns the reading of a file, its columns in `part`, and True if the file stayed unchanged meanwhile."""
    from workbench.readers.text.documents import other_results
    from workbench.readers.text.encodings import zero_bytes
    from workbench.readers.text.json import lone_surrogates

    reading = chosen.reader.read(file, source.name, part)
    further = (*other_results(chosen.reader.label, file, source.name), *zero_bytes(reading, file))
    if further := (*further, *lone_surrogates(reading, file)):
        reading = replace(reading, problems=(*reading.problems, *further))
    if changed():
        return refused(source.name, CHANGED, "The file changed while it was being read.", _AT_REST), False
    return plausible(reading, part), True


def _changed(path: Path, before: os.stat_result) -> bool:
    """True if a file is still being written: its columns would be stored under another content's key."""
    try:
        after = path.stat()
    except OSError:
        return True
    return (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)


def failed(name: str, error: BaseException) -> Reading:
    """Returns the reading of a file whose reader raised. A store that cannot be written is named as the cause."""
    if isinstance(error, UnicodeEncodeError):
        message = "A name in this file contains invalid characters."
        return refused(name, "not-text", message, "correct this name, or write the file again")
    if not (isinstance(error, OSError) and _NOT_WRITTEN.search(f"[Errno {error.errno}] {error}")):
        message = f"An error stopped the import of this file ({_cause(error)})."
        return refused(name, "reader-failed", message, _advice(error))
    problem = Problem(
        Severity.REFUSED,
        name,
        "store-not-written",
        f"The imported data cannot be saved: {_cause(error)}.",
        "file not imported; free some space, or set another folder in VDI_WORKBENCH_STORE, and open it again",
    )
    return Reading(FileReport(path=name), (problem,))


def _cause(error: BaseException) -> str:
    """Returns the reason in words; for an unexpected error its kind, which a report of it needs."""
    if isinstance(error, OSError) and (why := _ERROR_NUMBER.sub("", shown(error.strerror or str(error))).strip(". ")):
        return why
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, RecursionError):
        return "data nested too deeply"
    return "invalid characters" if isinstance(error, UnicodeError) else f"internal error: {type(error).__name__}"


def _advice(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "close other programs, and reload the folder"
    if isinstance(error, OSError):
        return "copy the file to a local disk, and open it again"
    return "copy the file again, or report this error"


def ends_the_program(error: BaseException) -> bool:
    """True if an exception is not a failure but the end of the work or the program: Cancel, Ctrl+C or an exit. False
    within a worker, which is ended from outside."""
    return isinstance(error, Cancelled | KeyboardInterrupt | SystemExit) and parent_process() is None


def refused(name: str, code: str, message: str, advice: str) -> Reading:
    """Returns the reading of a file that could not be read at all."""
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}")
    return Reading(FileReport(path=name), (problem,))


def cancelled(name: str) -> Reading:
    """Returns the reading of a file that was not read because the user cancelled."""
    return refused(
        name, "cancelled", "The import was cancelled before this file was read.", "reload the folder to import it"
    )
