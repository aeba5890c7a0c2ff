"""What was stored of a study in a history folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kept:
    """What was stored of a study: its name, the file, and how many runs count, are excluded, or were left out because
    they are still running."""

    study: str
    file: Path
    runs: int
    excluded: int
    running: int

    @property
    def sentence(self) -> str:
        """A sentence for the user about what was done."""
        out = f" ({self.excluded} of them excluded)" if self.excluded else ""
        left = f" Not saved because still running: {self.running}." if self.running else ""
        return f"Saved {self.runs} run{'s' * (self.runs != 1)} of {self.study}{out} in {self.file}.{left}"
