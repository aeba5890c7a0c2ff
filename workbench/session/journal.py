"""The journal: what the user did since the last save, so that a crash costs nothing.

One file for each window that is open, in the user's data folder: the path of its session (none: never saved) and
the document as it stands. It is replaced whole a moment after each change and removed when the window is closed
in order; one that is found without its window is offered for recovery.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs

from workbench.session.document import Document, SessionError, decode, encode
from workbench.session.files import write_whole

_ENDING = ".journal"


class Journal(msgspec.Struct, frozen=True, kw_only=True):
    """`session` is the file it belongs to, empty when it was never saved; `document` the whole document."""

    session: str
    document: msgspec.Raw


class Recovered(msgspec.Struct, frozen=True):
    """What a window that did not close in order left behind."""

    file: Path
    session: Path | None
    document: Document


def journal_folder() -> Path:
    """Where journals lie; VDI_WORKBENCH_JOURNALS names another folder."""
    stated = os.environ.get("VDI_WORKBENCH_JOURNALS")
    return Path(stated) if stated else Path(platformdirs.user_data_dir("vdi-workbench")) / "journals"


def journal_of(name: str) -> Path:
    """The journal of the window with this name."""
    return journal_folder() / f"{name}{_ENDING}"


def write_journal(file: Path, session: Path | None, document: Document) -> None:
    """Replaces the journal. Raises OSError."""
    entry = Journal(session="" if session is None else str(session), document=msgspec.Raw(encode(document)))
    write_whole(file, msgspec.json.encode(entry))


def read_journal(file: Path) -> Recovered | None:
    """What a journal holds, None when it is none or damaged: there is then nothing to recover."""
    try:
        entry = msgspec.json.decode(file.read_bytes(), type=Journal)
        document = decode(bytes(entry.document), file.name)
    except (OSError, msgspec.MsgspecError, SessionError):
        return None
    return Recovered(file, Path(entry.session) if entry.session else None, document)


def journals() -> list[Path]:
    """Every journal, newest first."""
    folder = journal_folder()
    return (
        sorted(folder.glob(f"*{_ENDING}"), key=lambda file: -file.stat().st_mtime) if folder.is_dir() else []
    )
