"""SeriesKey: which counter of which run, as a name that outlives the window and the column store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class SeriesKey:
    """The counter `path` of the run in the folder `run`.

    A full counter path (`\\\\host\\object(instance)\\counter`) names one counter in whichever file of the run it
    stands, so `file` is empty; any other path is a name within its `file`.
    """

    run: str
    path: str
    file: str = ""


def series_key(run: str, file: str, path: str) -> SeriesKey:
    """The key of a counter as a file of a run names it."""
    return SeriesKey(run, path, "" if path.startswith("\\\\") else file)
