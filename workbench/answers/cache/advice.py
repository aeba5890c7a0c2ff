"""Published advice on RAM cache sizes, from `resources/cache_advice.toml`: a reference, never a measured answer."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from workbench.model.resources import resource
from workbench.model.run import SessionType


@dataclass(frozen=True, slots=True)
class Advice:
    """What a source advises: `least_mb` (2^20 bytes) or more for a kind of `machine`, in its own `words`."""

    session_type: SessionType
    machine: str
    least_mb: int
    words: str
    source: str


@cache
def published_advice() -> tuple[Advice, ...]:
    """Every row of the shipped table, in its order."""
    table = tomllib.loads(resource("cache_advice.toml").read_text(encoding="utf-8"))
    return tuple(
        Advice(SessionType(row["session_type"]), row["machine"], row["least_mb"], row["words"], table["source"])
        for row in table["advice"]
    )


def advice_for(session_types: frozenset[SessionType]) -> tuple[Advice, ...]:
    """The advice that speaks of these session types."""
    return tuple(advice for advice in published_advice() if advice.session_type in session_types)
