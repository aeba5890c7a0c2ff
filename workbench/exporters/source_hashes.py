"""Hashes of the source files: with them, a reviewer can check that the values were read from a given file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from workbench.exporters.safe_file import ExportError
from workbench.model.run import Study
from workbench.words.numbers import MISSING, plural

FILES = "Files (SHA-256):"
HASHES = "SHA-256 hashes of the files at export. Files in an archive have the hash of the archive"
HASH_LEGEND = f"{HASHES}. A dash ({MISSING}) means 'file missing'"
# This many names are enough to find the folder that contains all of them.
_ASKED = 60
# Maximum number of lines in the notes of a slide.
_MOST_LINES = 120


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a study, by its name and its path at the import.

    Bytes and SHA-256 are its own, or those of the `archive` (its name) that holds it; None: the file is missing.
    """

    name: str
    place: Path
    recognised: bool
    size: int | None = None
    sha256: str | None = None
    archive: str = ""

    def of_run(self, folders: Sequence[str]) -> bool:
        """True if the file is in one of these folders and was read."""
        return self.recognised and not _above(self.place).isdisjoint(map(_absolute, folders))


def known_files(study: Study) -> tuple[SourceFile, ...]:
    """Every file of the study with its hash, in the order of the study's files."""
    base = _base(Path(study.folder).absolute(), [report.path for report in study.files])
    return tuple(_known(base, report.path, report.recognised) for report in study.files)


def refuse_sources(target: Path, studies: Sequence[Study]) -> None:
    """Raises ExportError if a file to be written would replace one that the studies were read from."""
    if not target.is_file():
        return
    for study in studies:
        names = [report.path for report in study.files if report.recognised]
        alike = [name for name in names if target.name in name]
        base = _base(Path(study.folder).absolute(), names) if alike else Path()
        if any((file := _file(base, name)) is not None and file.samefile(target) for name in alike):
            raise ExportError(f"{target} is a source file of the results and was not changed. Choose another name.")


def hash_lines(files: Sequence[SourceFile]) -> list[str]:
    """One line per file with its hash, for notes; files without a hash are listed too."""
    lines = [_line(file) for file in files[:_MOST_LINES]]
    left = len(files) - len(lines)
    return [*lines, f"- {plural(left, 'more file')}: see the exported page, report or workbook"] if left else lines


def _line(file: SourceFile) -> str:
    of = f" (of the archive {file.archive})" if file.archive else ""
    return f"- {file.name}: {file.sha256 or 'file missing'}{of}"


def _base(folder: Path, names: list[str]) -> Path:
    """The folder that the names are relative to: the study's folder, or an opened folder above it.

    It is the folder under which most of the names exist. One name is not enough, because names repeat (`README.md` in
    the study and in the folder above).
    """
    sampled = names[:: max(1, len(names) // _ASKED)]
    bases = (folder, *folder.parents)
    return max(bases, key=lambda base: sum(_file(base, name) is not None for name in sampled))


def _file(base: Path, name: str) -> Path | None:
    """The file of this name, or the archive that contains it."""
    path = base / name
    for parent in (path, *path.parents):
        try:
            if parent.is_file():
                return parent
        except (OSError, ValueError):
            return None
        if parent == base:
            break
    return None


def _known(base: Path, name: str, recognised: bool) -> SourceFile:
    file, lies = _file(base, name), SourceFile(name, base / name, recognised)
    if file is None:
        return lies
    try:
        status = file.stat()
        digest = _digest(file, status.st_size, status.st_mtime_ns)
    except OSError:
        return lies
    archive = "" if file == base / name else file.name
    return SourceFile(name, base / name, recognised, status.st_size, digest, archive)


# Kept, because each slide checks every file for whether it belongs to one of its runs.
@lru_cache(maxsize=20_000)
def _above(place: Path) -> frozenset[Path]:
    """A file and its parent folders."""
    return frozenset((place, *place.parents))


@lru_cache(maxsize=20_000)
def _absolute(folder: str) -> Path:
    return Path(folder).absolute()


@lru_cache(maxsize=20_000)
def _digest(file: Path, _size: int, _modified_ns: int) -> str:
    """The SHA-256 of a file in its present state. Kept, because many members of one archive need it."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
