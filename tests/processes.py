"""What is left of programs that tests start in a process group of their own."""

from __future__ import annotations

import os
import time


def wait_until_gone(group: int) -> None:
    """Returns when no process of the group is left; fails after 20 seconds."""
    end = time.monotonic() + 20
    while _alive(group):
        assert time.monotonic() < end, "a worker outlived the program"
        time.sleep(0.05)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
