"""Whether a file is the earlier one or a whole new one, by its content: when it was written, and numbers that
PowerPoint wants to be random, do not count."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from pypdf import PdfReader

_STAMPS = re.compile(
    rb"\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}"
    rb"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+\d\d:?\d\d)?"
    rb"|\d{1,2} [A-Z][a-z]+ \d{4},? \d\d:\d\d(:\d\d)?"
)
Content = tuple[tuple[str, bytes], ...] | bytes


def content(data: bytes) -> Content:
    """What is compared of a file: the parts of an archive, the pages of a report, else its bytes. Raises whatever a
    damaged file makes the libraries raise."""
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(name, archive.read(name)) for name in sorted(archive.namelist())]
        return tuple((name, repr(content(part)).encode()) for name, part in parts)
    if data.startswith(b"%PDF-"):
        pages = PdfReader(io.BytesIO(data), strict=True).pages
        return tuple((str(at), page.extract_text().encode()) for at, page in enumerate(pages))
    return _STAMPS.sub(b"<time>", data)


def torn(file: Path, earlier: bytes, new: Content) -> str:
    """What is wrong with a file; empty where it is the earlier one or a whole new one."""
    try:
        data = file.read_bytes()
        return "" if data == earlier or content(data) == new else f"{file.name} is neither the earlier nor the new one"
    except Exception as error:  # whatever a library makes of a damaged file
        return f"{file.name} is torn: {type(error).__name__}: {error}"
