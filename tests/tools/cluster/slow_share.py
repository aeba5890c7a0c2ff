"""A folder that answers as slowly as a share on a busy network (`slow_share.c`)."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("slow_share.c")
# The delay of each call, and the bytes per second: those of a share over a slow line.
CALL_MS, MB_PER_S = 2.0, 25.0


def slowed(folder: Path, built: Path) -> dict[str, str]:
    """Builds the shim in the folder `built`; returns the environment of a program for which `folder` is slow."""
    library = built / "slow_share.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return {
        "LD_PRELOAD": str(library),
        "SLOW_SHARE": str(folder),
        "SLOW_SHARE_US": f"{CALL_MS * 1e3:.0f}",
        "SLOW_SHARE_MB_S": f"{MB_PER_S:g}",
    }
