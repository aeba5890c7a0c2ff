"""From a number of the logon page back to the runs that it is of."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.charts.figure import Source

LOGONS = "logons"


def logon_source(folders: Sequence[str], figure: str, key: str = "") -> Source | None:
    """A figure of the logon page over these runs; `key` is the application, or the session by its place."""
    return Source(tuple(folders), "", figure, vm=key, answer=LOGONS) if folders else None
