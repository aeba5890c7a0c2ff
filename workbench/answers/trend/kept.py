"""What was kept of a study in a history folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of a study: its name, the file, and how many runs count, are excluded, or are still running and
    were left out."""

    study: str
    file: Path
    runs: int
    excluded: int
    running: int

    @property
    def sentence(self) -> str:
        """What was done, for the user."""
        out = f", {self.excluded} of them excluded" if self.excluded else ""
        left = f" Not saved because still running: {self.running}." if self.running else ""
        return f"Kept {self.runs} run{'s' * (self.runs != 1)} of {self.study}{out} in {self.file}.{left}"
