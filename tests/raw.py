"""The cells of result files as the csv module reads them, for tests that compare sources with the file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.cli import main

MB = 2**20


def lines_of(root: Path, file: str) -> list[list[str]]:
    """Every line of a file as cells, the header being the first."""
    with (root / file).open(encoding="utf-8", newline="") as text:
        return list(csv.reader(text))


def cells_of(root: Path, source: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """The numbers in the rows and the column that a source of `--explain` names; NaN if blank."""
    lines = lines_of(root, source["file"])
    assert lines[0][source["column"] - 1].casefold() == source["counter"].casefold()
    rows = lines[source["first_row"] : source["last_row"] + 1]
    return np.array([float(row[source["column"] - 1].strip() or "nan") for row in rows])


def seconds_of(root: Path, source: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """The clock of these rows in seconds, as written in the file."""
    lines = lines_of(root, source["file"])
    rows = lines[source["first_row"] : source["last_row"] + 1]
    return np.array([datetime.strptime(row[0], "%m/%d/%Y %H:%M:%S.%f").timestamp() for row in rows])


def answered(*arguments: str) -> dict[str, Any]:
    """The JSON output of a command; for fixtures of a module."""
    with redirect_stdout(io.StringIO()) as written:
        assert main([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(written.getvalue())
    return found
