"""The command that follows a test while it runs, and what the user hears of it."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject

from workbench.gui.commands.files.folders import FolderCommands
from workbench.gui.services.following import LOOK_MS, Follower, Grown
from workbench.gui.services.importer import Importer
from workbench.gui.services.status import StatusLine
from workbench.gui.services.work import Work
from workbench.session.bundle import ENDING as BUNDLE


class FollowCommands(QObject):
    """The command of the action table that begins with `follow.`."""

    def __init__(
        self,
        parent: QObject,
        follower: Follower,
        importer: Importer,
        folders: FolderCommands,
        work: Work,
        status: StatusLine,
    ) -> None:
        super().__init__(parent)
        self._follower, self._importer, self._folders = follower, importer, folders
        self._work, self._status = work, status
        follower.grew.connect(self._grew)
        follower.ended.connect(self._finish)
        importer.started.connect(self._give_way)

    def toggle(self) -> None:
        """Follows what is open while it is written, or stops."""
        opened = self._folders.now
        if self._follower.on:
            self._follower.stop()
            self._finish("The test is no longer followed.")
        elif opened is None or not self._work.paths:
            self._refuse("Open the folder of the running test first.")
        elif any(path.suffix.lower() == BUNDLE for path in self._work.paths):
            self._refuse("A bundle does not change. Open the folder of the running test.")
        elif self._importer.running:
            self._refuse("Still reading. Follow the test when the folder is open.")
        else:
            self._follower.start(opened)
            self._status.tell(f"Following the test: new rows are read every {LOOK_MS // 1000} seconds.")

    def _refuse(self, reason: str) -> None:
        self._follower.switched.emit(False)  # the click has set the mark in the menu
        self._status.tell(reason)

    def _grew(self, grown: Grown) -> None:
        if self._work.paths != grown.opened.paths:
            self._follower.stop()
            self._status.tell("The test is no longer followed: other folders are open now.")
            return
        self._folders.grew(grown.opened)
        rows = f"{grown.new_rows:,} new row{'s' * (grown.new_rows != 1)}"
        self._status.mention(f"Following the test: {rows} at {datetime.now():%H:%M:%S}.")

    def _finish(self, reason: str) -> None:
        """Reads the files once more as every import does: what the store keeps of them is final then."""
        self._status.warn(reason)
        if self._work.paths and not self._importer.running:
            self._folders.read_again()

    def _give_way(self) -> None:
        """Something else is being opened."""
        if self._follower.on:
            self._follower.stop()
