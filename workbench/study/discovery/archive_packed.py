"""Tar archives and packed files (gzip, bzip2, xz): copies each member into a private, uncompressed zip.

The rules for any other zip decide which members are read, and which are refused by name: a link or a device of a tar
becomes an entry of that kind without content. Limits are checked before bytes are written: the number of members, the
total bytes, and the ratio of unpacked to packed bytes, including skipped members and headers. Nothing is unpacked under
its own name, so Python's filters for unpacking are not needed. Sources: RFC 1952 (gzip), POSIX.1-2017 `pax` with the
ustar header, as far as Python's `tarfile`, `gzip`, `bz2` and `lzma` read them.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import struct
import tarfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import PurePath
from typing import IO, Any, cast

from workbench.cancellation import stop_if_cancelled
from workbench.study.discovery.archive_opening import (
    DAMAGE,
    MAX_RATIO,
    RATIO_FROM_BYTES,
    RefusedError,
    is_hidden,
    reason_against,
    swelling,
    too_large,
    too_many,
)

ENDINGS = (".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz")
_TAR_ENDINGS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
HEAD_BYTES = 512
_USTAR_AT = 257
_BLOCK = 2**20
_LONGEST_NAME = 8_192
_OPENERS: tuple[tuple[bytes, Callable[..., Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", lzma.open),
)


def is_packed(head: bytes) -> bool:
    """True if a file is one of these, by its first `HEAD_BYTES` bytes."""
    return head[_USTAR_AT : _USTAR_AT + 5] == b"ustar" or any(head.startswith(mark) for mark, _opener in _OPENERS)


def own_name(name: str) -> str:
    """Returns a packed file's name without the endings for its compression."""
    ending = next((each for each in sorted((".zip", *_TAR_ENDINGS, *ENDINGS), key=len)[::-1] if _ends(name, each)), "")
    return name.removesuffix(name[-len(ending) :]) if ending else name


def run_name(name: str) -> str:
    """Returns the name of a run that is a single opened file."""
    own = own_name(name)
    return own if own != name and _ends(name, (".zip", *_TAR_ENDINGS)) else PurePath(own).stem


def holds_one_file(archive: str, member: str) -> bool:
    """True if an archive of this name is a single packed file, with the name of its only member."""
    return _ends(archive, ENDINGS) and own_name(archive) == member


def copy_as_zip(
    packed: IO[bytes],
    name: str,
    target: IO[bytes],
    members: int,
    size: int,
    wanted: Callable[[str], bool] | None = None,
) -> None:
    """Copies every member of the packed file into a zip, up to a number of members and bytes; with `wanted` only the
    first member of that name. Raises RefusedError for damaged or excessive content, OSError for a disk."""
    packed_size = packed.seek(0, 2)
    packed.seek(0)
    try:
        with zipfile.ZipFile(target, "w") as made:
            copier = _Copier(made, members, size, packed_size, wanted)
            if _is_tar(packed, name):
                copier.tar(_Measured(_unpacking(packed), packed_size, size))
            else:
                inner = own_name(PurePath(name).name)
                copier.one(inner, _Measured(_unpacking(packed), packed_size, size))
    except RefusedError:
        raise
    except (*DAMAGE, tarfile.TarError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _damaged("it is damaged or cut off") from error


class _Measured:
    """Unpacked bytes that can only be read forward, and are counted before they are handed on."""

    def __init__(self, stream: IO[bytes], packed_size: int, most: int) -> None:
        self._stream, self._packed_size, self._most = stream, packed_size, most
        self._at = 0
        self.last = b""

    def read(self, count: int = -1) -> bytes:
        if not 0 <= count <= _BLOCK:
            raise _damaged("one of its headers is too large")
        self.last = self._stream.read(count)
        self._at += len(self.last)
        if self._at > RATIO_FROM_BYTES and self._at > MAX_RATIO * self._packed_size:
            raise swelling()
        if self._at > self._most + RATIO_FROM_BYTES:
            raise too_large(self._most)
        return self.last

    def seek(self, position: int) -> int:
        while self._at < position and self.read(min(_BLOCK, position - self._at)):
            stop_if_cancelled()
        return self._at

    def tell(self) -> int:
        return self._at


class _Copier:
    """Writes members into a zip as long as they are within the limits."""

    def __init__(
        self, made: zipfile.ZipFile, members: int, size: int, packed_size: int, wanted: Callable[[str], bool] | None
    ) -> None:
        self._made, self._members, self._size, self._packed_size = made, members, size, packed_size
        self._left, self._written, self._wanted = members, 0, wanted

    def one(self, name: str, stream: _Measured) -> None:
        """Copies a single packed file, whose length is unknown before its end."""
        info = zipfile.ZipInfo(name)
        with self._made.open(info, "w", force_zip64=True) as out:
            while block := stream.read(_BLOCK):
                stop_if_cancelled()
                out.write(block)

    def tar(self, stream: _Measured) -> None:
        """Copies every member of a tar except folders and hidden ones. Raises if the tar does not end correctly."""
        with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tar:
            for member in tar:
                stop_if_cancelled()
                self._left -= 1
                if self._left < 0:
                    raise too_many(self._members)
                if member.isdir() or is_hidden(member.name):
                    continue
                if self._wanted is None or self._wanted(member.name):
                    self._member(tar, member)
                    if self._wanted is not None:
                        return
        if stream.last.strip(b"\0") or not stream.last:
            raise _damaged("it is cut off, or a header in it is invalid")
        # The checksums follow the packed data.
        while stream.read(_BLOCK):
            stop_if_cancelled()

    def _member(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        info = _zip_info(member)
        with warnings.catch_warnings():
            # A repeated name is refused when the zip is read.
            warnings.simplefilter("ignore", UserWarning)
            if reason_against(info, Counter()) is not None:
                self._made.writestr(info, b"")
                return
            self._weigh(member.size)
            content = tar.extractfile(member)
            assert content is not None
            info.file_size = member.size
            with self._made.open(info, "w") as out:
                left = member.size
                while left:
                    stop_if_cancelled()
                    block = content.read(min(_BLOCK, left))
                    if not block:
                        raise _damaged("it is cut off")
                    left -= out.write(block)

    def _weigh(self, size: int) -> None:
        """Counts the size that a member states: a sparse file unpacks to more bytes than the tar contains."""
        self._written += size
        if self._written > self._size:
            raise too_large(self._size)
        if self._written > RATIO_FROM_BYTES and self._written > MAX_RATIO * self._packed_size:
            raise swelling()


def _zip_info(member: tarfile.TarInfo) -> zipfile.ZipInfo:
    """Returns the member's entry in a zip directory. A member that is not a file keeps its kind; the time is in
    Info-ZIP's field."""
    # Bytes that are not UTF-8 become lone surrogates in a tar's names, which a zip cannot hold.
    name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")[:_LONGEST_NAME]
    info = zipfile.ZipInfo(name.replace("\0", "\x01"))
    link = member.islnk() or member.issym()
    kind = stat.S_IFREG if member.isfile() else stat.S_IFLNK if link else stat.S_IFCHR
    info.external_attr = (kind | 0o600) << 16
    if 0 <= member.mtime < 2**32:
        info.extra = struct.pack("<HHBL", 0x5455, 5, 1, int(member.mtime))
    return info


def _is_tar(packed: IO[bytes], name: str) -> bool:
    """True if the data, packed or not, is a tar: its first header has the correct checksum."""
    try:
        tarfile.TarInfo.frombuf(_unpacking(packed).read(HEAD_BYTES), "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return _ends(name, _TAR_ENDINGS)
    return True


def _unpacking(packed: IO[bytes]) -> IO[bytes]:
    packed.seek(0)
    head = packed.read(8)
    packed.seek(0)
    return next((opener(packed) for mark, opener in _OPENERS if head.startswith(mark)), packed)


def _ends(name: str, endings: str | tuple[str, ...]) -> bool:
    return name.lower().endswith(endings)


def _damaged(why: str) -> RefusedError:
    return RefusedError(
        "archive-unreadable", f"The archive cannot be unpacked: {why}.", "archive not imported; copy or pack it again"
    )
