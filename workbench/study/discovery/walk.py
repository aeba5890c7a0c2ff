"""What lies in a folder: its files, and what looks like one and is none, so that everything in it is accounted for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from workbench.interrupts import stop_if_cancelled
from workbench.model.problem import Problem, Severity

_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules"))
# A folder with this file holds nothing of a lab: it is passed over without a line.
SKIPPED = ".vdi-skip"
# A folder with this file is read where it is opened itself, not as a part of what lies above it.
OPEN_ALONE = ".vdi-open-alone"
# What Windows marks junctions with.
_MOUNT_POINT = 0xA0000003
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_ACTIONS = {
    "not-a-file": "left out",
    "unreadable": "file not imported; the others are",
    "broken-link": "ignored; copy the target file instead",
    "linked-folder": "not followed; to import its results, open that folder",
    "opened-alone": "ignored; to import its results, open that folder",
}


def walked(folder: Path, unreadable: list[Path]) -> list[tuple[Path, str, str]]:
    """Every visible entry below a folder that is no folder to look into: its path, with an empty code for a file,
    else with the code and the sentence of what it is. Folders that stay shut are added to `unreadable`.

    Links to folders are not followed: one that leads upward would never end. Raises Cancelled.
    """
    entries: list[tuple[Path, str, str]] = []
    for parent, folders, files in os.walk(folder, onerror=lambda error: unreadable.append(Path(error.filename))):
        folders[:] = sorted(name for name in folders if not _hidden(name) and name not in _SKIPPED_FOLDERS)
        stop_if_cancelled()
        here = Path(parent)
        if SKIPPED in files and here != folder:
            folders.clear()
            continue
        if OPEN_ALONE in files and here != folder:
            folders.clear()
            entries.append(
                (here, "opened-alone", f"The file {OPEN_ALONE} marks this folder as one to open separately.")
            )
            continue
        links = [name for name in folders if _is_link(here / name)]
        entries += [
            (here / name, "linked-folder", f"This is a link to the folder {_target(here / name)}.") for name in links
        ]
        folders[:] = [name for name in folders if name not in links]
        for name in sorted(name for name in files if not _hidden(name)):
            stop_if_cancelled()
            entries.append((here / name, *what_is(here / name)))
    return entries


def odd_entry(name: str, code: str, why: str) -> Problem:
    """The problem of an entry of a folder that is no file that could be read."""
    severity = Severity.INFO if code in ("not-a-file", "opened-alone") else Severity.WARNING
    if code == "unreadable":
        severity = Severity.REFUSED
    return Problem(severity, name, code, why, _ACTIONS[code])


def same_file(name: str, other: str) -> Problem:
    """The problem of a link to a file that is read under its own name."""
    return Problem(
        Severity.INFO,
        name,
        "same-file",
        f"This is a link to {other}.",
        "ignored; the file is imported under its own name",
    )


def what_is(path: Path) -> tuple[str, str]:
    """Code and sentence of what a path is that is no file; both empty for a file that can be looked at."""
    try:
        mode = stat.S_IFMT(path.stat().st_mode)
    except OSError as error:
        if _is_link(path):
            return "broken-link", f"This is a link to {_target(path)}, which cannot be opened."
        return "unreadable", f"The file cannot be opened: {error.strerror or error}."
    if mode == stat.S_IFREG:
        return "", ""
    return "not-a-file", f"This is {_KINDS.get(mode, 'something else')}, not a file."


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink() or _is_junction(path)
    except OSError:  # a path longer than the system takes
        return False


def _is_junction(path: Path) -> bool:
    """Whether this is a folder of Windows that shows another one; Python 3.11 takes it for the folder itself."""
    return getattr(path.lstat(), "st_reparse_tag", 0) == _MOUNT_POINT


def _target(link: Path) -> str:
    try:
        return os.fsencode(link.readlink()).decode(errors="replace")
    except OSError:
        return "somewhere"


def _hidden(name: str) -> bool:
    return name.startswith((".", "~$"))
