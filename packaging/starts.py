"""The size of the packages in `dist/`, and the start time of their programs compared with `uv run`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import build

ROUNDS = 7
_ENDING = ".exe" if os.name == "nt" else ""
# The program draws its first page of a study that is already in the column store.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "vdiwb": ("--version",),
    "vdi-workbench": (str(build.ROOT / "sample_data" / "windows-7-mcs-and-pvs"), "--screenshot", "page.png"),
}


def sizes() -> dict[str, float]:
    """The folders and packages in `dist/`, each with its MB."""
    packed = sorted(file for file in build.DIST.glob("vdi?workbench*") if file.is_file())
    folders = [folder for folder in (build.FOLDER, build.WINDOWS_FOLDER) if folder.is_dir()]
    return {path.relative_to(build.DIST).as_posix(): build.megabytes(path) for path in (*folders, *packed)}


def ratio(ours: Sequence[str], theirs: Sequence[str], folder: Path) -> tuple[float, float]:
    """The median seconds of one command, and its ratio to another; both run in turns."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 1):
        for command, seconds in zip((ours, theirs), taken, strict=True):
            seconds.append(_seconds(command, folder))
    # The first round reads the programs from disk and fills the column store.
    one, other = (statistics.median(seconds[1:]) for seconds in taken)
    return one, one / other


def _seconds(command: Sequence[str], folder: Path) -> float:
    # A developer's Python may be set not to save compiled modules; users' Python saves them.
    own = os.environ | {"VDI_WORKBENCH_STORE": str(folder / "store"), "PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=own, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    """Prints both tables; returns the exit status."""
    for name, size in sizes().items():
        sys.stdout.write(f"| `{name}` | {size:.0f} MB |\n")
    with tempfile.TemporaryDirectory() as folder:
        for program, arguments in COMMANDS.items():
            bundled = [str(build.bundle_with(program + _ENDING) / program), *arguments]
            developed = ["uv", "run", "--no-sync", "--project", str(build.ROOT), program, *arguments]
            seconds, times = ratio(bundled, developed, Path(folder))
            sys.stdout.write(f"| `{program}` | {seconds:.2f} s | {times:.2f} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
