"""Small files written so that a failure leaves the earlier file as it was."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

# What the names of session files and of bundles end with.
SESSION, BUNDLE = ".vdiwb", ".vdibundle"


def write_whole(path: Path, data: bytes) -> None:
    """Puts `data` in the place of `path` in one step, on the disk before it counts. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.part")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
