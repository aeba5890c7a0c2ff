"""Every format the workbench reads, and which of them a file is.

A new format is one module with a `READER` and one line below.
"""

from __future__ import annotations

from workbench.model.reading import Reader
from workbench.readers import (
    blg,
    diskspd,
    diskspd_xml,
    events,
    fio,
    fio_log,
    goeuc,
    iometer,
    login_enterprise,
    login_enterprise_csv,
    login_vsi,
    login_vsi_share,
    mapped_csv,
    neutral_json,
    perfmon,
    sqlio,
    vdbench,
    vdi_benchmark,
    vmfleet,
)

READERS: tuple[Reader, ...] = (
    perfmon.READER,
    blg.READER,
    events.READER,
    fio.READER,
    diskspd.READER,
    diskspd_xml.READER,
    sqlio.READER,
    iometer.READER,
    vdbench.READER,
    vmfleet.READER,
    vdi_benchmark.READER,
    neutral_json.READER,
    login_vsi.READER,
    login_vsi_share.READER,
    login_enterprise.READER,
    login_enterprise_csv.READER,
    goeuc.READER,
    fio_log.READER,
    mapped_csv.READER,
)


def recognise(head: bytes, name: str) -> Reader | None:
    """The reader that is surest of a file by its first bytes; None when none is. `name` breaks ties."""
    sure = [(reader.identify(head, name), place) for place, reader in enumerate(READERS)]
    best, place = max(sure, key=lambda pair: (pair[0], -pair[1]))
    return READERS[place] if best > 0 else None
