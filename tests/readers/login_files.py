"""Writes and reads small files of load generators."""

from __future__ import annotations

import json
from pathlib import Path

from workbench.model.reading import Reading
from workbench.readers.registry import recognise


def read_as(label: str | None, folder: Path, content: str | bytes | object, name: str = "file") -> Reading:
    """The reading of a file with this content (text, bytes, or a value written as JSON), by the reader `label`."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reader = recognise(path.read_bytes()[:65_536], path.name)
    assert (reader.label if reader else None) == label
    assert reader is not None
    return reader.read(path, f"run/{name}", folder / "columns.arrow")


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]
