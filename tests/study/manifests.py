"""Reads the run.toml of a test like the program."""

from __future__ import annotations

from pathlib import Path

from workbench.model.problem import Problem
from workbench.study.discovery.manifest import Manifest, read_manifest


def read(folder: Path, text: str | bytes) -> tuple[Manifest, list[Problem]]:
    """The reading of `text` as a run.toml in the folder, and its problems."""
    path = folder / "run.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_manifest(path, "run.toml")
