"""From a number of the logon page back to the runs that it is of."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.charts.figure import Origin

LOGONS = "logons"


def logon_origin(folders: Sequence[str], figure: str, key: str = "") -> Origin | None:
    """A figure of the logon page over these runs; `key` is the application, or the session by its place."""
    return Origin(tuple(folders), "", figure, vm=key, answer=LOGONS) if folders else None
