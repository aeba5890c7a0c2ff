"""The settings of this window: read by commands, changed, and written to disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs

from workbench.session.settings import Settings, save_settings, with_recent


class SettingsKeeper:
    """`settings` are those that hold now. Without `writes` they never reach the disk."""

    def __init__(self, settings: Settings, *, writes: bool) -> None:
        self.settings = settings
        self._writes = writes

    def change(self, **changes: Any) -> None:
        """Replaces fields of the settings; `write` puts them on disk."""
        self.settings = structs.replace(self.settings, **changes)

    def list_recent(self, *paths: Path) -> None:
        """Puts what was opened or saved at the top of the recent paths."""
        for path in reversed(paths):
            self.settings = with_recent(self.settings, str(path))

    def write(self) -> None:
        """Writes the settings to disk, unless the window is only there for a picture."""
        if self._writes:
            save_settings(self.settings)
