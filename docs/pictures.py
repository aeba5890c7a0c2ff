"""Draws the pictures of the README and the docs from the sample study: `uv run python docs/pictures.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SWEEP = "rds-mcsio-cache-sweep"
PICTURES = [
    (page, SWEEP, theme)
    for page in ("overview", "per-vm-iops", "cache", "benchmarks", "import-report")
    for theme in ("light", "dark")
]


def main() -> int:
    """One process per picture, as a user would draw it; the first failure ends it."""
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    for page, study, theme in PICTURES:
        file = folder / f"{page}-{theme}.png"
        command = [sys.executable, "-m", "workbench.gui.start", "sample_data", "--study", study, "--page", page]
        command += ["--screenshot", str(file), "--size", "1600x900", *(["--dark"] if theme == "dark" else [])]
        subprocess.run(command, cwd=ROOT, check=True)
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
