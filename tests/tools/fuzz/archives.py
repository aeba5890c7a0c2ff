"""Archives of results (two expand too far), and their reading by an import."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

from tests.readers.test_events import HEADER
from tests.tools.fuzz.mutations import Seed
from tests.tools.fuzz.outcome import Outcome, of_reading, of_value
from workbench.study.discovery.archive import list_archive
from workbench.study.discovery.manifest import read_manifest
from workbench.study.importing.source import ImportSource, read_member
from workbench.study.store.column_store import Store

RUN_TOML = 'configuration = "MCS"\nvms = 5\nusers = 7\n'
MOST_BOMB = 64 * 2**20


def read_archive(data: bytes, name: str, folder: Path) -> Outcome:
    path, store = folder / name, Store(folder / "store")
    store.prepare()
    path.write_bytes(data)
    outcomes = []
    for listed in list_archive(path, name, store) or ():
        if listed.problem is not None:
            outcomes.append(of_value(None, [listed.problem]))
        elif listed.content is not None:
            outcomes.append(of_value(*read_manifest(listed.content, listed.name)))
        elif listed.member is not None:
            reading = read_member(ImportSource(listed.path, listed.name, listed.member), store)
            file = None if reading.recording is None else reading.recording.store_file
            outcomes.append(of_reading(reading, listed.name, Path(file or "")))
    figures = {key: value for outcome in outcomes for key, value in outcome.figures.items()}
    remarks = tuple(remark for outcome in outcomes for remark in outcome.remarks)
    return Outcome(figures, remarks, tuple(fault for outcome in outcomes for fault in outcome.faults))


def archives() -> tuple[Seed, ...]:
    events = f"{HEADER}2016-05-10T09:00:00Z,power_on,W10-001,user1,x\n".encode()
    log = "".join(f"{1000 * at}, {100 + at}, 0, 0\n" for at in range(1, 9)).encode()
    files = {"mcs/events.csv": events, "mcs/vdi_iops.1.log": log, "mcs/run.toml": RUN_TOML.encode()}
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    whole = _zipped(files)
    return (
        Seed("lab.zip", whole, sealed=True),
        Seed("lab.tar.gz", gzip.compress(tar.getvalue(), mtime=0), sealed=True),
        Seed("lab.tar", tar.getvalue()),
        Seed("outer.zip", _zipped({"inner.zip": whole, "events.csv": events}), sealed=True),
        Seed("bomb.zip", _zipped({"inner.zip": _zipped({"zeros.csv": bytes(MOST_BOMB)}), "events.csv": events})),
        Seed("bomb.csv.gz", gzip.compress(bytes(MOST_BOMB), mtime=0)),
    )


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2016, 5, 10, 9, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
