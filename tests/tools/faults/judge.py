"""Compares files by content: a file must be the earlier one or a complete new one. Ignored are times of writing, random
numbers for PowerPoint, and checksums of lines with a time."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from pypdf import PdfReader

_STAMPS = re.compile(
    rb"\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}"
    rb"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+\d\d:?\d\d)?"
    rb'|"sum":"[0-9a-f]{16}"'
    rb"|\d{1,2} [A-Z][a-z]+ \d{4},? \d\d:\d\d(:\d\d)?"
)
Content = tuple[tuple[str, bytes], ...] | bytes
# The content of files, by their names.
Earlier = Mapping[str, bytes]
New = Mapping[str, Content]
# While one kit replaces another, its listing names the files of both.
_LISTING = "kit.json"
# Written at every start, not by an operation.
_ANY_START = frozenset(("settings.json",))


def content(data: bytes) -> Content:
    """Returns the compared content of a file: the parts of an archive, the pages of a report, otherwise its bytes.
    Raises any exception that a library raises on a damaged file."""
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(name, archive.read(name)) for name in sorted(archive.namelist())]
        return tuple((name, repr(content(part)).encode()) for name, part in parts)
    if data.startswith(b"%PDF-"):
        pages = PdfReader(io.BytesIO(data), strict=True).pages
        return tuple((str(at), page.extract_text().encode()) for at, page in enumerate(pages))
    return _STAMPS.sub(b"<time>", data)


def files_of(folder: Path) -> dict[str, bytes]:
    """The content of each file in a folder and its subfolders."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(files)}


def torn(folder: Path, earlier: Earlier, new: New) -> list[str]:
    """The wrong files of a folder; empty if each is the earlier one or a complete new one."""
    files = files_of(folder)
    return [words for name in sorted({*earlier, *new}) if (words := _torn(name, files.get(name), earlier, new))]


def _torn(name: str, data: bytes | None, earlier: Earlier, new: New) -> str:
    try:
        whole = data == earlier.get(name) or (None if data is None else content(data)) == new.get(name)
        return (
            "" if whole or _lists_both(name, data, earlier, new) else f"{name} is neither the earlier nor the new one"
        )
    except Exception as error:  # any exception of a library on a damaged file
        return f"{name} is torn: {type(error).__name__}: {error}"


def _lists_both(name: str, data: bytes | None, earlier: Earlier, new: New) -> bool:
    """True if this is the listing of a test kit with each file of the earlier and of the new kit, and no other."""
    others = earlier.get(name), new.get(name)
    if Path(name).name != _LISTING or data is None or None in others:
        return False
    listings = [json.loads(listing)["files"] for listing in (data, *others) if isinstance(listing, bytes)]
    both, *ours = [{(entry["path"], entry["sha256"]) for entry in files} for files in listings]
    return both == set().union(*ours)


def state(folder: Path, earlier: Earlier, new: New) -> str:
    """Returns which files exist: all the earlier ones (`old`), all the new ones (`new`), or some of each (`both`)."""
    files = files_of(folder)
    names = {*earlier, *new}
    if all(files.get(name) == earlier.get(name) for name in names):
        return "old"
    # No known file has this content, so it is new too.
    never = dict.fromkeys(names, b"\0never")
    return "both" if any(_torn(name, files.get(name), never, new) for name in names) else "new"


def left_behind(folder: Path, earlier: Earlier, new: New) -> list[str]:
    """The files in a folder that are neither earlier nor new ones."""
    return sorted({*files_of(folder)} - {*earlier, *new} - _ANY_START)
