"""Writes a run of the damaged study: its counters as perfmon writes them, `run.toml`, `events.csv` and other files."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from generator.perfmon_file import number
from generator.side_files import iso

from .lab import SUMMER_TIME, Lab, Log


def write_lab(folder: Path, lab: Lab) -> None:
    """Writes the run into its folder."""
    for log in lab.logs:
        _write(folder / log.file, _perfmon(lab, log), "\r\n")
    _write(folder / "run.toml", _manifest(lab), "\n")
    if lab.events:
        rows = [",".join((iso(_zero(lab), at), *rest, "")) for at, *rest in sorted(lab.events)]
        _write(folder / "events.csv", ["time,event,vm,user,detail", *rows], "\n")
    for name, content in lab.other_files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _zero(lab: Lab) -> datetime:
    return lab.zero.replace(tzinfo=SUMMER_TIME)


def _perfmon(lab: Lab, log: Log) -> list[str]:
    header = ["(PDH-CSV 4.0) (GMT Daylight Time)(-60)", *(rf"\\{vm}\{counter}" for vm, counter in log.columns)]
    lines = [header]
    for row, seconds in enumerate(log.times.tolist()):
        moment = lab.zero + timedelta(seconds=seconds)
        cells = (number(float(values[row]), 7) for values in log.columns.values())
        lines.append([f"{moment:%m/%d/%Y %H:%M:%S}.000", *cells])
    return [",".join(f'"{cell}"' for cell in line) for line in lines]


def _manifest(lab: Lab) -> list[str]:
    lines = [f"{key} = {_value(value)}" for key, value in lab.manifest.items()]
    for name, start, end in lab.phases:
        edges = (iso(_zero(lab), edge) for edge in (start, end))
        lines += [
            "",
            "[[phases]]",
            f'name = "{name}"',
            *(f"{key} = {edge}" for key, edge in zip(("start", "end"), edges, strict=True)),
        ]
    return lines


def _value(value: str | int | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _write(path: Path, lines: list[str], end: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + end for line in lines).encode("ascii"))
