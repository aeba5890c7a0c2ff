"""Which files make a run: folders, and the parts of a run that lie in folders of their own."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.study.import_pool import Source
from workbench.study.manifest import MANIFEST

# Folders that hold one part of a run's results, not a run of their own.
_PARTS = frozenset(
    "guest guests host hosts array storage vm vms client clients counters perfmon perf logs results raw data "
    "benchmark benchmarks fio".split()
)
# Consecutive captures of one perfmon collector set: HOST_20220919-000001.
_SEGMENT = re.compile(r"_\d{8}-\d{6}$")
_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules"))


@dataclass(frozen=True, slots=True)
class Found:
    """The files below the paths a user opened, and the paths that do not exist."""

    sources: tuple[Source, ...]
    roots: tuple[Path, ...]
    absent: tuple[Path, ...]


def find_sources(paths: list[Path]) -> Found:
    """Every visible file below `paths`, named relative to the path it was found under.

    With several paths each name starts with its path's own name, so that no two names are alike.
    """
    sources: dict[Path, Source] = {}
    absent: list[Path] = []
    several = len(paths) > 1
    for path in paths:
        if path.is_dir():
            prefix = PurePosixPath(_folder_name(path)) if several else PurePosixPath()
            for file in _files(path):
                sources.setdefault(
                    file.resolve(), Source(file, str(prefix / file.relative_to(path).as_posix()))
                )
        elif path.is_file():
            sources.setdefault(path.resolve(), Source(path, path.name))
        else:
            absent.append(path)
    return Found(tuple(sources.values()), tuple(paths), tuple(absent))


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _hidden(name) and name not in _SKIPPED_FOLDERS)
        found += [Path(parent) / name for name in sorted(files) if not _hidden(name)]
    return [file for file in found if file.is_file()]


def _hidden(name: str) -> bool:
    return name.startswith(".") or name.startswith("~$")


def _folder_name(path: Path) -> str:
    return path.resolve().name or "root"


def run_folders(files: dict[Path, bool], roots: tuple[Path, ...]) -> dict[Path, Path]:
    """The run each file belongs to: file -> the run's folder (a single opened file is its own run).

    `files` tells for each recognised file whether it is samples or events (True) or only benchmarks.
    A folder with a run.toml is a run with all below it. Otherwise the folder of a file is its run; folders
    that hold one part of a run (`guest`, `host`, …, or a perfmon segment) count as their parent.
    """
    manifests = {file.parent for file in files if file.name == MANIFEST}
    opened = {root.resolve() for root in roots}
    found: dict[Path, Path] = {}
    for file in files:
        if file.resolve() in opened:
            found[file] = file
            continue
        found[file] = _stated(file.parent, manifests, opened) or _inferred(file.parent, opened)
    return found


def _stated(folder: Path, manifests: set[Path], opened: set[Path]) -> Path | None:
    """The nearest folder upward that has a run.toml, within what was opened."""
    for candidate in (folder, *folder.parents):
        if candidate in manifests:
            return candidate
        if candidate.resolve() in opened:
            break
    return None


def _inferred(folder: Path, opened: set[Path]) -> Path:
    while folder.resolve() not in opened and _is_part(folder.name):
        folder = folder.parent
    return folder


def _is_part(name: str) -> bool:
    return name.lower() in _PARTS or _SEGMENT.search(name) is not None
