"""The journal: the user's work since the last save, so a crash loses nothing.

There is one file per open window in the user's data folder: the path of its workspace file (none: never saved) and the
current document. It is replaced shortly after each change and removed when the window closes normally. A journal
without its window is offered for recovery.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs

from workbench.session.document import NewerError, SessionDocument, decode_parts, encode
from workbench.study.store.own_files import Partly, Tell, read_own, silent
from workbench.study.store.temporary import write_whole

_ENDING = ".journal"
_INSTEAD = "The unsaved work in it cannot be restored; open the result folder or the last saved workspace file."


class Journal(msgspec.Struct, frozen=True, kw_only=True):
    """`session` is the path of the workspace file, empty if it was never saved; `document` is the whole document."""

    session: str
    document: msgspec.Raw


class Recovered(msgspec.Struct, frozen=True):
    """The journal of a window that did not close normally."""

    file: Path
    session: Path | None
    document: SessionDocument


def journal_folder() -> Path:
    """The folder of journals; VDI_WORKBENCH_JOURNALS names another one."""
    stated = os.environ.get("VDI_WORKBENCH_JOURNALS")
    return Path(stated) if stated else Path(platformdirs.user_data_dir("vdi-workbench")) / "journals"


def journal_of(name: str) -> Path:
    """The journal of the window with this name."""
    return journal_folder() / f"{name}{_ENDING}"


def write_journal(file: Path, session: Path | None, document: SessionDocument) -> None:
    """Replace the journal. Raises OSError."""
    write_whole(file, _content("" if session is None else str(session), document))


def _content(session: str, document: SessionDocument) -> bytes:
    return msgspec.json.encode(Journal(session=session, document=msgspec.Raw(encode(document))))


def read_journal(file: Path, tell: Tell = silent) -> Recovered | None:
    """The contents of a journal. None if it is damaged (`tell` is called) or from a newer version, which can still
    recover it."""

    def recovered(data: bytes) -> Recovered | Partly[Recovered | None] | None:
        entry = msgspec.json.decode(data, type=Journal)
        if "\0" in entry.session:
            raise ValueError("no path holds a NUL")
        try:
            document, lost = decode_parts(bytes(entry.document), file.name)
        except NewerError:
            return None
        whole = Recovered(file, Path(entry.session) if entry.session else None, document)
        return Partly(whole, lost, _content(entry.session, document)) if lost else whole

    return read_own(file, recovered, tell, _INSTEAD)


def journals() -> list[Path]:
    """Every journal, newest first."""
    return sorted(journal_folder().glob(f"*{_ENDING}"), key=_modified, reverse=True)


def _modified(file: Path) -> float:
    """Modification time; 0 if the file no longer exists because its window has just closed."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
