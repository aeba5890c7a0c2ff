"""The user's work: which paths are open, in which file the work is saved, and whether any of it is unsaved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from workbench.gui.services.workspace import Workspace
from workbench.session.document import Document
from workbench.session.state import State, work_of


class Work(QObject):
    """`changed` is emitted when the name of the work, or whether it is saved, may have changed."""

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.paths: tuple[Path, ...] = ()
        # None: the work was never saved.
        self.file: Path | None = None
        # None: what is open was brought back after a crash, and nothing of it is saved.
        self.saved: State | None = workspace.state
        # What the file holds, as it was opened or saved last; None: there is no file.
        self.kept: Document | None = None

    @property
    def dirty(self) -> bool:
        """Whether anything was done since the last save that a workspace file keeps."""
        if not self._workspace.library.studies:
            return False
        return self.saved is None or work_of(self._workspace.state) != work_of(self.saved)

    @property
    def name(self) -> str:
        """What is open, in words; empty where nothing is."""
        return self.file.name if self.file else ", ".join(path.name for path in self.paths)

    def belongs_to(self, file: Path | None) -> None:
        """The work is saved in this file (None: in none) as it stands now."""
        self.file, self.saved, self.kept = file, self._workspace.state, None
