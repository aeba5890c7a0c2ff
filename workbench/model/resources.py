"""Where the files that ship with the program lie: inside the installed package, else in the repository."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, for example `resource("icons", "cache.svg")`."""
    shipped = _PACKAGE / "_shipped" / "resources"
    root = shipped if shipped.is_dir() else _PACKAGE.parent / "resources"
    return root.joinpath(*parts)


def sample_study() -> Path:
    """The folder of the sample study that ships with the program."""
    shipped = _PACKAGE / "_shipped" / "sample_data"
    return shipped if shipped.is_dir() else _PACKAGE.parent / "sample_data"


def licence_texts() -> dict[str, str]:
    """What ships with the program, each with the whole text of its licence."""
    shipped = _PACKAGE / "_shipped" / "LICENSE"
    files = {
        "VDI Workbench": shipped if shipped.is_file() else _PACKAGE.parent / "LICENSE",
        "Inter": resource("fonts", "LICENSE.txt"),
        "uPlot": resource("page", "uplot-LICENSE.txt"),
    }
    return {name: file.read_text(encoding="utf-8") for name, file in files.items()}


def damaged_study() -> Path:
    """The folder of the study that is broken on purpose, one defect a run."""
    return sample_study() / "damaged"
