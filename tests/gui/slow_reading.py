"""A slow reader. The workers of a process load it without the tests."""

from __future__ import annotations

import time

from workbench.study.importing.source import read_source


def slow(*told: object, **more: object) -> object:
    """Waits before it reads the second run."""
    if "PVS" in str(told[0]):
        time.sleep(20)
    return read_source(*told, **more)  # type: ignore[arg-type]
