"""Phases: named, half-open intervals of a run, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass

BOOT, LOGON, STEADY = "boot", "logon", "steady"
STANDARD_PHASES = (BOOT, LOGON, STEADY)
# Phases whose name in a sentence differs from their key.
PHASE_WORDS = {STEADY: "steady state"}
# Evidence of phase edges that the user set.
EDITED = "edited"


@dataclass(frozen=True, slots=True)
class Phase:
    """`[start, end)` in seconds since 1970 UTC.

    `evidence` is the source: `run.toml`, `events`, `sessions`, `activity` or `edited`. `rule` is the sentence shown
    with it. `doubt` is the reason why the phase is doubtful; empty if there is no doubt. `start_within_s` and
    `end_within_s` are the uncertainty of detected edges in seconds.
    """

    name: str
    start: float
    end: float
    evidence: str
    rule: str = ""
    doubt: str = ""
    start_within_s: float | None = None
    end_within_s: float | None = None

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return self.end - self.start
