"""Writes the damaged study: every case's runs, `expected.csv` and a table for people."""

from __future__ import annotations

import csv
import shutil
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

from .cases import CASES, CLEAN, INTRODUCTION, OPEN_ALONE, Case
from .files import write_lab
from .lab import Expected, Lab, whole

FIRST = datetime(2016, 8, 3, 10, 0)
_ABBREVIATIONS = {"cpu": "CPU", "vm": "VM", "vms": "VMs"}
HEADER = ("run", "code", "severity", "file", "line", "vm", "phase", "moment", "left_out")


def write_all(out: Path) -> None:
    """Rewrites the damaged study."""
    shutil.rmtree(out, ignore_errors=True)
    expected: list[Expected] = []
    number = 0
    for case in CASES:
        for replicate in range(1, case.runs + 1):
            lab = _lab(case, replicate, number)
            write_lab(out / lab.name, lab)
            expected += lab.expected
            number += 1
    _write(out / "expected.csv", _table(expected))
    _write(out / "README.md", _readme(expected))
    _write(out / ".vdi-open-alone", OPEN_ALONE)


def _lab(case: Case, replicate: int, number: int) -> Lab:
    name = case.name if case.runs == 1 else f"{case.name}-r{replicate}"
    first, *others = (_ABBREVIATIONS.get(word, word) for word in case.name.split("-"))
    label = " ".join((first[0].upper() + first[1:], *others))
    # The dates of `day-and-month-swapped`, the first case, are ambiguous.
    lab = whole(name, FIRST + timedelta(days=number), label, case.step)
    if case.name == CLEAN:
        lab.manifest["baseline"] = True
    if case.damage is not None and replicate in case.damaged_runs:
        case.damage(lab)
    return lab


def _table(expected: list[Expected]) -> str:
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(["" if (cell := getattr(row, name)) is None else cell for name in HEADER] for row in expected)
    return lines.getvalue()


def _readme(expected: list[Expected]) -> str:
    lines = [INTRODUCTION, "| run | defect | reported code | reaction of VDI Workbench |", "|---|---|---|---|"]
    for case in CASES:
        folder = case.name if case.runs == 1 else f"{case.name}-r1 … r{case.runs}"
        rows = [row for row in expected if row.run == case.name or row.run.startswith(f"{case.name}-r")]
        codes = ", ".join(f"`{code}`" for code in dict.fromkeys(row.code for row in rows)) or "none"
        lines.append(f"| `{folder}` | {case.broken} | {codes} | {case.reaction} |")
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
