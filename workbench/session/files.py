"""Small files written so that a failure leaves the earlier file as it was."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.interrupts import stop_if_cancelled
from workbench.long_paths import BESIDE, openable
from workbench.study.store.temporary import replacing, sweep

# What the names of session files and of bundles end with.
SESSION, BUNDLE = ".vdiwb", ".vdibundle"


def write_whole(path: Path, data: bytes) -> None:
    """Puts `data` in the place of `path` in one step, on the disk before it counts. Raises OSError, and Cancelled:
    `path` is then as it was."""
    path = openable(path, BESIDE)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent)
    with replacing(path) as temporary, temporary.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
        stop_if_cancelled()
