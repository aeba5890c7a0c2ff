"""The settings of this window: commands read and change them, and they are written to disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs

from workbench.session.settings import Settings, save_settings, with_recent


class SettingsKeeper:
    """`settings` are the current ones. Without `writes` they never reach the disk."""

    def __init__(self, settings: Settings, *, writes: bool) -> None:
        self.settings = settings
        self._writes = writes

    def change(self, **changes: Any) -> None:
        """Replaces fields of the settings; `write` saves them to disk."""
        self.settings = structs.replace(self.settings, **changes)

    def list_recent(self, *paths: Path) -> None:
        """Puts opened or saved paths at the top of the recent paths."""
        for path in reversed(paths):
            self.settings = with_recent(self.settings, str(path))

    def write(self) -> None:
        """Writes the settings to disk, except if the window exists only for an image."""
        if self._writes:
            save_settings(self.settings)
