"""Runs, files and samples for tests, built in a line or two."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.phase import Phase
from workbench.model.recording import Recording, Series
from workbench.model.run import Configuration, Provisioning, Run, SessionType
from workbench.model.session import Event, EventKind
from workbench.readers.common.flat_columns import write_table
from workbench.study.series.vm_series import Samples
from workbench.study.store.pack_file import place_of

FloatArray = npt.NDArray[Any]

# 2016-05-10 08:00:00 UTC, 09:00 in London.
T0 = 1_462_867_200.0
OBJECTS = {
    Quantity.CPU: "Processor",
    Quantity.CACHE_RAM_USED: "Citrix MCS Storage Driver",
    Quantity.CACHE_RAM_SIZE: "Citrix MCS Storage Driver",
    Quantity.CACHE_DISK_USED: "Citrix MCS Storage Driver",
    Quantity.POOL_NONPAGED: "Memory",
    Quantity.ACTIVE_SESSIONS: "Terminal Services",
}


def counter(
    vm: str | None,
    quantity: Quantity,
    *,
    object: str | None = None,
    instance: str = "_Total",
    vantage: Vantage = Vantage.GUEST,
    scale: float = 1.0,
    estimate: bool = False,
    host: str | None = None,
) -> Series:
    """A counter; its column is added later."""
    where = object if object is not None else OBJECTS.get(quantity, "PhysicalDisk")
    return Series(
        0,
        f"\\\\{vm or host}\\{where}({instance})\\{quantity}",
        host or vm or "",
        where,
        instance,
        quantity.value,
        vm,
        Metric(quantity, vantage, scale=scale, estimate=estimate),
    )


def recording(
    folder: Path,
    file: str,
    times: Sequence[float] | FloatArray,
    columns: Sequence[tuple[Series, Sequence[float | None] | FloatArray]],
    offset_minutes: int | None = 0,
) -> Recording:
    """A recording in `folder`; `times` are seconds UTC, written as the file's local time."""
    store_file = folder / (file.replace("/", "_") + ".arrow")
    folder.mkdir(parents=True, exist_ok=True)
    local = np.round((np.asarray(times, dtype=np.float64) + 60 * (offset_minutes or 0)) * 1e6).astype(np.int64)
    lines = [np.asarray(values, np.float64) for _, values in columns]
    write_table(store_file, local, np.array(lines).reshape(len(lines), local.size))
    series = tuple(msgspec.structs.replace(one, column=place) for place, (one, _) in enumerate(columns))
    hosts = tuple(dict.fromkeys(one.host for one in series))
    return Recording(
        series, local.size, int(local.min()), int(local.max()), offset_minutes, hosts, file, str(store_file)
    )


def store_frame(frame: pl.DataFrame, file: Path) -> None:
    """Writes the columns `t`, `c0`, `c1`, … as the store keeps them."""
    write_table(file, frame["t"].to_numpy(), frame.drop("t").cast(pl.Float64).to_numpy().T)


def stored_frame(columns: Path) -> pl.DataFrame:
    """The columns that a reader wrote, at any place of the store: `t` in microseconds, `c0`, `c1`, …"""
    place = place_of(columns)
    data = columns.read_bytes() if place is None else place.file.read_bytes()[place.start :][: place.size]
    matrix = np.load(BytesIO(data))
    counters = {f"c{place}": values for place, values in enumerate(matrix[1:])}
    return pl.DataFrame({"t": matrix[0].astype(np.int64)} | counters, nan_to_null=True)


def run(*recordings: Recording, **facts: object) -> Run:
    """A run of these recordings; any field of Run may be stated."""
    names = {series.vm for one in recordings for series in one.series if series.vm}
    stated: dict[str, object] = {
        "name": "run-1",
        "folder": "study/run-1",
        "configuration": Configuration("MCS", Provisioning.MCS),
        "session_type": SessionType.VDI,
        "vms": len(names) or None,
        "users": len(names) or None,
        "recordings": recordings,
        "events": (),
        "stated_phases": (),
    }
    return Run(**(stated | facts))  # type: ignore[arg-type]


def phase(name: str, start: float, end: float, evidence: str = "run.toml") -> Phase:
    """A phase in seconds since T0."""
    return Phase(name, T0 + start, T0 + end, evidence)


def event(kind: EventKind, at: float, vm: str = "", user: str = "") -> Event:
    """An event in seconds since T0."""
    return Event(T0 + at, kind, vm, user)


def samples(end: Sequence[float], values: Sequence[float], span: Sequence[float] | None = None) -> Samples:
    """Samples as a study returns them, `end` in seconds since T0."""
    from workbench.study.series.segments import spans

    at = np.asarray(end, dtype=np.float64) + T0
    held = spans(at) if span is None else np.asarray(span, dtype=np.float64)
    return Samples(at, held, np.asarray(values, dtype=np.float64), Vantage.GUEST, "PhysicalDisk", ("file",))


def perfmon_csv(
    path: Path,
    columns: Mapping[str, Sequence[float | None]],
    start: str = "05/10/2016 09:00:00.000",
    step_s: float = 15.0,
    bias: str = "-60",
    zone: str = "GMT Daylight Time",
) -> Path:
    """A generated perfmon CSV: full counter paths to values, one row every `step_s` seconds."""
    from datetime import datetime, timedelta

    first = datetime.strptime(start, "%m/%d/%Y %H:%M:%S.%f")
    rows = max(len(values) for values in columns.values())
    lines = [",".join([f'"(PDH-CSV 4.0) ({zone})({bias})"', *(f'"{name}"' for name in columns)])]
    for row in range(rows):
        stamp = (first + timedelta(seconds=row * step_s)).strftime("%m/%d/%Y %H:%M:%S.%f")[:-3]
        cells = ['" "' if values[row] is None else f'"{values[row]}"' for values in columns.values()]
        lines.append(",".join([f'"{stamp}"', *cells]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode())
    return path


def disk_csv(
    path: Path, vm: str, reads: Sequence[float | None], writes: Sequence[float | None], **more: object
) -> Path:
    """The reads and writes per second of one VM's disks as a perfmon CSV."""
    disk = f"\\\\{vm}\\PhysicalDisk(_Total)\\Disk"
    return perfmon_csv(path, {f"{disk} Reads/sec": reads, f"{disk} Writes/sec": writes}, **more)  # type: ignore[arg-type]


def steady_runs(folder: Path) -> None:
    """Two runs of one VM on disk, steady from 09:01 to 09:04: the first with 8 read and 16 write IOPS, the second with
    a quarter of that."""
    for name, rate in (("mcs", 8.0), ("mcsio-512", 2.0)):
        disk_csv(folder / name / "guest" / "W10-001.csv", "W10-001", [rate] * 24, [2 * rate] * 24)
        (folder / name / "run.toml").write_text(
            '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n'
        )


def many_configurations(folder: Path, count: int = 14) -> None:
    """`MCS 01`, `MCS 02`, … with two runs of one VM each, steady from 09:01 to 09:05. The number is the reads per
    second, plus 0.2 in the second run, without writes. Odd ones have Windows 10, even ones Windows 11."""
    for number in range(1, count + 1):
        for turn in (1, 2):
            run_folder = folder / f"mcs-{number:02}-r{turn}"
            disk_csv(run_folder / "guest" / "A.csv", "A", [number + 0.2 * (turn - 1)] * 24, [0.0] * 24)
            (run_folder / "run.toml").write_text(
                f'configuration = "MCS {number:02}"\nprovisioning = "MCS"\nguest_os = "Windows {11 - number % 2}"\n'
                f'workload = "turn {turn}"\n[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\n'
                "end = 2016-05-10T09:05:00+01:00\n"
            )


def made_larger(path: Path) -> None:
    """Makes a file larger than any list or settings file that the program reads: a sparse file of 64 GB, or 128 MB on
    Windows, which writes every zero."""
    with path.open("r+b") as stream:
        stream.truncate(2**27 if sys.platform == "win32" else 2**36)
