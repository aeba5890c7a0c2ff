"""A separate computation of the published figures from the sample files: csv and plain loops, without workbench
code."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path

READS = ("Disk Reads/sec", "Lecturas de disco/s")
WRITES = ("Disk Writes/sec", "Escrituras en disco/s")
TRANSFERS = ("Disk Transfers/sec", "Transferencias de disco/s")

Window = tuple[float, float]
Sums = dict[tuple[str, str, str], float]  # (host, disk instance, counter) -> operations


def phases_of(run: Path) -> dict[str, Window]:
    """Phase windows in seconds UTC: stated in run.toml, otherwise by the rule over events.csv."""
    stated = tomllib.loads((run / "run.toml").read_text(encoding="utf-8")).get("phases", [])
    if stated:
        return {one["name"]: (one["start"].timestamp(), one["end"].timestamp()) for one in stated}
    return phases_from_events(run)


def phases_from_events(run: Path) -> dict[str, Window]:
    """boot: first power_on to last registered; logon: first logon_start to last apps_started (else
    logon_end); steady: from there to the first logoff."""
    moments: dict[str, list[float]] = defaultdict(list)
    with (run / "events.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            moments[row["event"]].append(datetime.fromisoformat(row["time"]).timestamp())
    windows = {}
    if moments["power_on"]:
        windows["boot"] = (min(moments["power_on"]), max(moments["registered"]))
    logon_end = max(moments["apps_started"] or moments["logon_end"])
    windows["logon"] = (min(moments["logon_start"]), logon_end)
    windows["steady"] = (logon_end, min(moments["logoff"]))
    return windows


def read_perfmon(path: Path) -> tuple[list[str], list[tuple[float, list[str]]]]:
    """Header and rows of one file; stamps in seconds UTC by the bias in the header."""
    text = path.read_bytes().decode("cp1252")
    delimiter = "\t" if path.suffix == ".tsv" else ","
    rows = list(csv.reader(text.splitlines(), delimiter=delimiter))
    header = rows[0]
    bias = int(header[0].rsplit("(", 1)[1].rstrip(")"))
    zone = timezone(timedelta(minutes=-bias))
    stamped = []
    for row in rows[1:]:
        at = datetime.strptime(row[0], "%m/%d/%Y %H:%M:%S.%f").replace(tzinfo=zone)
        stamped.append((at.timestamp(), row))
    return header, stamped


def disk_columns(header: list[str]) -> dict[int, tuple[str, str, str]]:
    """Columns of physical disks: index -> (host, instance, counter)."""
    found = {}
    for index, path in enumerate(header):
        if index and ("PhysicalDisk(" in path or "Disco físico(" in path):
            host, thing, counter = path[2:].split("\\", 2)
            found[index] = (host, thing.split("(", 1)[1].rstrip(")"), counter)
    return found


def operations(run: Path, window: Window) -> Sums:
    """Operations inside the window: the rate times the seconds of its interval (which ends at the timestamp) inside the
    window."""
    sums: Sums = defaultdict(float)
    for path in sorted((run / "guest").iterdir()):
        header, rows = read_perfmon(path)
        columns = disk_columns(header)
        for (before, _), (at, row) in pairwise(rows):
            seconds = min(at, window[1]) - max(before, window[0])
            if seconds <= 0:
                continue
            for index, key in columns.items():
                if row[index].strip():
                    sums[key] += float(row[index]) * seconds
    return sums


def added(sums: Sums, counters: tuple[str, ...], instance: str = "_Total") -> float:
    """The sum of the operations of all hosts."""
    return sum(value for (_, disk, name), value in sums.items() if disk == instance and name in counters)
