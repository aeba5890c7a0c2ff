"""The differences between an answer of Windows' Python and one of this machine: texts, JSON, workbooks, images."""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

# Sums of floating-point numbers differ in the last digits between two builds of numpy, and differences of two nearly
# equal numbers differ in more digits.
TOLERANCE = 1e-9


def same_text(there: str, ours: str) -> bool:
    """True if two texts agree: numbers within the tolerance, paths with either separator but not with both."""
    left, right = there.split(), ours.split()
    return len(left) == len(right) and all(map(_same_word, left, right))


def _same_word(there: str, ours: str) -> bool:
    if there in (ours, ours.replace("/", "\\")):
        return True
    try:
        return same_number(float(there), float(ours))
    except ValueError:
        return False


def same_number(there: float, ours: float) -> bool:
    """True if two numbers agree within the tolerance."""
    return math.isclose(there, ours, rel_tol=TOLERANCE, abs_tol=0.0)


def different_lines(there: str, ours: str) -> list[str]:
    """The lines that differ. Their order does not matter: files of unknown formats are listed as they were read."""
    left, right = _sorted(there.splitlines()), _sorted(ours.splitlines())
    if len(left) != len(right):
        return [f"{len(left)} lines instead of {len(right)}"]
    pairs = zip(left, right, strict=True)
    return [f"{mine!r} instead of {other!r}" for mine, other in pairs if not same_text(mine, other)]


def _sorted(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: text.replace("\\", "/"))


def different_values(there: object, ours: object, where: str = "$") -> list[str]:
    """The differences between two JSON documents, as paths into them."""
    if isinstance(there, dict) and isinstance(ours, dict):
        missing = [f"{where}.{key} is only on one side" for key in sorted(there.keys() ^ ours.keys())]
        return missing + [
            line for key in ours if key in there for line in different_values(there[key], ours[key], f"{where}.{key}")
        ]
    if isinstance(there, list) and isinstance(ours, list):
        if len(there) != len(ours):
            return [f"{where} has {len(there)} items instead of {len(ours)}"]
        pairs = enumerate(zip(there, ours, strict=True))
        return [line for n, (mine, other) in pairs for line in different_values(mine, other, f"{where}[{n}]")]
    return [] if _same_value(there, ours) else [f"{where} is {there!r} instead of {ours!r}"]


def _same_value(there: object, ours: object) -> bool:
    if isinstance(there, float) and isinstance(ours, float):
        return same_number(there, ours)
    if isinstance(there, str) and isinstance(ours, str):
        return same_text(there, ours)
    return type(there) is type(ours) and there == ours


def different_files(written: Path, expected: Path) -> list[str]:
    """The differences between two folders of exports: names, workbooks and texts. Of other files only the type is
    compared.
    """
    there, ours = (_files(folder) for folder in (written, expected))
    if there != ours:
        return [f"the files {', '.join(there) or 'are missing'} instead of {', '.join(ours)}"]
    return [f"{name}: {line}" for name in ours for line in _different_file(written / name, expected / name)]


def _files(folder: Path) -> list[str]:
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def _different_file(written: Path, expected: Path) -> list[str]:
    if expected.suffix == ".xlsx":
        return different_parts(written, expected)
    if expected.suffix in (".csv", ".md"):
        return different_lines(*(file.read_text(encoding="utf-8-sig") for file in (written, expected)))
    there, ours = (file.read_bytes()[:4] for file in (written, expected))
    return [] if there == ours else [f"begins with {there!r} instead of {ours!r}"]


def different_parts(written: Path, expected: Path) -> list[str]:
    """The parts of two workbooks that differ. Document properties may differ, because they contain the time."""
    if not zipfile.is_zipfile(written):
        return ["the workbook is missing or no workbook"]
    with zipfile.ZipFile(written) as mine, zipfile.ZipFile(expected) as other:
        names = {name for archive in (mine, other) for name in archive.namelist() if not name.startswith("docProps/")}
        both = set(mine.namelist()) & set(other.namelist())
        only = [f"{name} is in one workbook only" for name in sorted(names - both)]
        return only + [
            f"{name}: {line}"
            for name in sorted(names & both)
            for line in _different_content(mine.read(name), other.read(name))
        ]


def _different_content(there: bytes, ours: bytes) -> list[str]:
    """The first text that differs between two parts of a workbook. The rows of a sheet are also compared in sorted
    order.
    """
    if there == ours:
        return []
    if not ours.startswith(b"<"):
        return ["differs"]
    left, right = _rows(there.decode()), _rows(ours.decode())
    first = _first_difference(left, right)
    return [first] if first and _first_difference(_sorted(left), _sorted(right)) else []


def _rows(part: str) -> list[str]:
    """The rows of a sheet without their positions and without the time of writing. Any other part is one row."""
    text = re.sub(r' r="[A-Z]*\d+"|written [-\d]+ [:\d]+ UTC', "", part)
    return re.split(r"(?=<row[ >])|(?<=</row>)", text)


def _first_difference(left: list[str], right: list[str]) -> str:
    """The first tag or text that differs; empty if all agree."""
    mine, other = ([piece for row in rows for piece in re.split(r"(<[^>]*>)", row)] for rows in (left, right))
    if len(mine) != len(other):
        return f"{len(mine)} tags and texts instead of {len(other)}"
    pairs = zip(mine, other, strict=True)
    return next((f"{one!r} instead of {two!r}" for one, two in pairs if not same_text(one, two)), "")


def wrong_picture(picture: Path, wanted: tuple[int, int]) -> list[str]:
    """The fault of a PNG that should show the window: not an image, a different size, or nothing drawn."""
    content = picture.read_bytes() if picture.is_file() else b""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        return ["there is no picture"]
    size = (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big"))
    if size != wanted:
        return [f"the picture has {size[0]}x{size[1]} points instead of {wanted[0]}x{wanted[1]}"]
    return [] if len(set(zlib.decompress(_pixels(content)))) > 64 else ["the picture is empty"]


def _pixels(png: bytes) -> bytes:
    """The compressed pixels: the contents of the IDAT chunks."""
    at, pixels = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            pixels += png[at + 8 : at + 8 + length]
        at += 12 + length
    return pixels
