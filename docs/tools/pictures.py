"""Draws the images of the README and the docs from the sample study: `uv run python docs/tools/pictures.py [NAME…]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from contact_sheets import SHEETS, draw, missing

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
SWEEP, WINDOWS_7, STORM = "rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "vdi-login-storm"
BUILDS = "windows-11-builds"


@dataclass(frozen=True)
class Picture:
    """An image of a page of the sample study; `name` is without theme and extension."""

    name: str
    page: str
    study: str = SWEEP
    view: str = ""
    phase: str = ""


# Each page at its default view, then the views that the docs mention.
PAGES = (
    Picture("overview", "overview"),
    Picture("per-vm-iops", "per-vm-iops"),
    Picture("cache", "cache"),
    Picture("timeline", "timeline"),
    Picture("logons", "logons", STORM),
    Picture("benchmarks", "benchmarks"),
    Picture("compare", "compare"),
    Picture("sizing", "sizing"),
    Picture("storyboard", "storyboard"),
    Picture("limits", "limits"),
    Picture("trend", "trend", BUILDS),
    Picture("prepare", "prepare"),
    Picture("import-report", "import-report"),
)
MORE = (
    Picture("per-vm-iops-odd-vm", "per-vm-iops", WINDOWS_7, phase="steady"),
    Picture("cache-sweep", "cache", view="sweep"),
    Picture("cache-filling", "cache", view="filling"),
    Picture("cache-what-if", "cache", view="what-if"),
    Picture("distribution", "compare", view="distribution"),
    Picture("vsimax", "logons", STORM, view="vsimax"),
    Picture("queue-depth", "benchmarks", view="sweeps"),
    Picture("what-if", "sizing", WINDOWS_7, view="what-if"),
)
THEMES = ("light", "dark")


def command_of(picture: Picture, theme: str, file: Path) -> list[str]:
    """The command with which a user draws the image."""
    command = [sys.executable, "-m", "workbench.gui.shell.start", "sample_data", "--study", picture.study]
    command += ["--page", picture.page, "--screenshot", str(file), "--size", "1600x900"]
    command += ["--view", picture.view] if picture.view else []
    command += ["--phase", picture.phase] if picture.phase else []
    return [*command, "--dark"] if theme == "dark" else command


def main(names: list[str]) -> int:
    """Starts one process per image; stops at the first failure."""
    FOLDER.mkdir(exist_ok=True)
    wanted = [(one, theme) for one in PAGES for theme in THEMES] + [(one, "light") for one in MORE]
    for picture, theme in wanted:
        if names and picture.name not in names:
            continue
        file = FOLDER / f"{picture.name}-{theme}.png"
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder) / "whole.png"
            subprocess.run(command_of(picture, theme, whole), cwd=ROOT, check=True)
            file.write_bytes(whole.read_bytes())
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    for sheet in SHEETS:
        if names and sheet.name not in names:
            continue
        if reason := missing(sheet):
            sys.stdout.write(f"{sheet.name} is not drawn: {reason}.\n")
            continue
        file = FOLDER / f"{sheet.name}.png"
        with tempfile.TemporaryDirectory() as folder:
            draw(sheet, file, Path(folder))
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
