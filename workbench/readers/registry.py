"""Every format the workbench reads, and which of them a file is.

A new format is one module with a `READER` and one line below.
"""

from __future__ import annotations

from workbench.model.reading import Reader
from workbench.readers import blg, events, fio, perfmon

READERS: tuple[Reader, ...] = (
    perfmon.READER,
    blg.READER,
    events.READER,
    fio.READER,
)


def recognise(head: bytes, name: str) -> Reader | None:
    """The reader that is surest of a file by its first bytes; None when none is. `name` breaks ties."""
    sure = [(reader.identify(head, name), place) for place, reader in enumerate(READERS)]
    best, place = max(sure, key=lambda pair: (pair[0], -pair[1]))
    return READERS[place] if best > 0 else None
