"""Documents that several tests read: each is written once for all processes of the suite, and no test changes it."""

from __future__ import annotations

import os
from pathlib import Path

from tests.exporters.jobs import exported
from tests.samples import shared
from workbench.answers.common.library import Library

SWEEP = "rds-mcsio-cache-sweep"


def document(library: Library, file: str, length: str = "full") -> Path:
    """The document of a library; its name differs from that of any other library or length."""
    path = shared() / file
    if not path.exists():
        part = shared() / f"{os.getpid()}-{file}"
        written = exported(library, part, length=length)
        assert not any("could not be" in text for text in written.left_out)
        part.replace(path)
    return path
