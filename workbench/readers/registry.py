"""Every format the workbench reads, and which of them a file is.

A new format is one module with a `READER` and one line below. The modules are imported as they are asked for: a
worker process that is given perfmon files alone starts without the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from workbench.model.reading import Reader

# Of readers that are equally sure of a file the first one takes it.
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
# What `identify` says of a file that can be no other's.
_CERTAIN = 1.0
# What a log of fio consists of. Every other format needs words: it need not be asked where there are none, and of logs
# there are thousands in a folder.
_NUMBERS, _OF_NUMBERS = b"0123456789, \r\n", "fio.log"


def readers() -> Iterator[Reader]:
    """Every reader, in the order of `_MODULES`."""
    yield from map(_reader, _MODULES)


@cache
def _reader(module: str) -> Reader:
    reader: Reader = import_module(f"workbench.readers.{module}").READER
    return reader


def recognise(head: bytes, name: str) -> Reader | None:
    """The reader that is surest of a file by its first bytes; None when none is. `name` breaks ties."""
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
