"""Every format that VDI Workbench reads, and the choice of the format of a file.

A new format is one module with a `READER` and one line below. The modules are imported on demand: a worker process that
gets only perfmon files starts without the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from workbench.model.reading import Reader

# If readers are equally certain of a file, the first one takes it.
_MODULES = (
    "perfmon.reader",
    "blg.reader",
    "events",
    "poolmon",
    "fio.reader",
    "fio.log",
    "diskspd.reader",
    "diskspd.xml",
    "diskspd.summary",
    "sqlio",
    "crystaldiskmark",
    "yabs",
    "iometer",
    "vdbench.reader",
    "vmfleet",
    "vdi_benchmark",
    "neutral",
    "login_vsi.reader",
    "login_vsi.share",
    "login_enterprise.reader",
    "login_enterprise.csv",
    "citrix_monitor",
    "logon_tables",
    "prometheus",
    "terraform",
    "goeuc",
    "iostat",
    "dstat",
    "tables.get_counter",
    "tables.known",
    "tables.results",
    "tables.mapped",
)
# The result of `identify` for a file that cannot belong to another reader.
_CERTAIN = 1.0
# The characters of a fio log. Every other format needs words, so only this reader is tried if there are none; a folder
# may hold thousands of logs.
_NUMBERS, _OF_NUMBERS = b"0123456789, \r\n", "fio.log"


def readers() -> Iterator[Reader]:
    """Yields every reader, in the order of `_MODULES`."""
    yield from map(_reader, _MODULES)


@cache
def _reader(module: str) -> Reader:
    reader: Reader = import_module(f"workbench.readers.{module}").READER
    return reader


def recognise(head: bytes, name: str) -> Reader | None:
    """Returns the reader that is most certain of a file by its first bytes, or None if none is. `name` breaks ties."""
    if head and not head.translate(None, _NUMBERS) and (log := _reader(_OF_NUMBERS)).identify(head, name) >= _CERTAIN:
        return log
    best, match = 0.0, None
    for reader in readers():
        sure = reader.identify(head, name)
        if sure > best:
            best, match = sure, reader
        if best >= _CERTAIN:
            break
    return match
