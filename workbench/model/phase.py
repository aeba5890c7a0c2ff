"""Phases: named, half-open intervals of a run, each with the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass

BOOT, LOGON, STEADY = "boot", "logon", "steady"
STANDARD_PHASES = (BOOT, LOGON, STEADY)
# The evidence of edges that the user set.
EDITED = "edited"


@dataclass(frozen=True, slots=True)
class Phase:
    """`[start, end)` in seconds since 1970 UTC. `evidence` names the source: `run.toml`, `events`, `sessions`,
    `activity` or `edited`; `rule` is the sentence shown beside it. `doubt` says why the phase is doubtful, and is empty
    where it is not. `start_within_s` and `end_within_s` are the seconds that detected edges may be off.
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
