"""The work of a worker that will be killed: it stops in the middle of a file after it has reported its process id."""

from __future__ import annotations

import os
import time
from pathlib import Path

from workbench.model.reading import Reading
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

VICTIM = "victim.csv"


def stop_within_the_victim(path: Path, name: str, store: Store) -> Reading:
    """Reads normally, except that it stops after it has written the start of the victim's columns."""
    if path.name != VICTIM:
        return read_source(path, name, store)
    store.prepare()
    (store.root / f"half.{os.getpid()}.part").write_bytes(path.read_bytes()[:100])
    part = store.root / "worker.tmp"
    part.write_text(str(os.getpid()))
    part.replace(store.root / "worker")
    time.sleep(600)
    raise AssertionError("nobody killed this worker")
