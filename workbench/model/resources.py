"""Finds the files that ship with the program, and how the program was installed.

The files are inside the installed package, otherwise in the repository. The kind of installation decides which command
a hint shows.
"""

from __future__ import annotations

import sys
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
    """Every component that ships with the program, with the full text of its licence."""
    shipped = _PACKAGE / "_shipped" / "LICENSE"
    files = {
        "VDI Workbench": shipped if shipped.is_file() else _PACKAGE.parent / "LICENSE",
        "Inter": resource("fonts", "LICENSE.txt"),
        "uPlot": resource("page", "uplot-LICENSE.txt"),
    }
    return {name: file.read_text(encoding="utf-8") for name, file in files.items()}


def damaged_study() -> Path:
    """The folder of the deliberately damaged study, with one defect per run."""
    return sample_study() / "damaged"


BUNDLE, CHECKOUT, UV_TOOL, PIPX, PIP = "bundle", "checkout", "uv tool", "pipx", "pip"
_INSTALL_DASK = {
    BUNDLE: "This bundle contains no Dask. Install the wheel of VDI Workbench with pip, and also "
    "run: pip install 'dask[distributed]'",
    CHECKOUT: "Install Dask with: uv sync --extra cluster",
    UV_TOOL: "Install Dask with: uv tool install --with 'dask[distributed]' and the wheel of VDI Workbench",
    PIPX: "Install Dask with: pipx inject vdi-workbench 'dask[distributed]'",
    PIP: "Install Dask with: pip install 'dask[distributed]'",
}


def how_installed() -> str:
    """The kind of installation: BUNDLE, CHECKOUT, UV_TOOL, PIPX or PIP."""
    if getattr(sys, "frozen", False):
        return BUNDLE
    if not (_PACKAGE / "_shipped").is_dir():
        return CHECKOUT
    environment = Path(sys.prefix)
    if (environment / "uv-receipt.toml").is_file():
        return UV_TOOL
    return PIPX if (environment / "pipx_metadata.json").is_file() else PIP


def command_line(program: str) -> str:
    """The command to type for one of this project's programs, such as `vdiwb`. In a checkout it begins with `uv
    run`.
    """
    return f"uv run {program}" if how_installed() == CHECKOUT else program


def install_dask() -> str:
    """The sentence that explains how to install Dask in this installation."""
    return _INSTALL_DASK[how_installed()]
