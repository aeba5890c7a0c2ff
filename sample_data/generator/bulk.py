"""Big files, fast: cells are looked up in a table of ready-made strings instead of being formatted.

The table contains each cell as bytes padded with NUL. A block of rows is one array, written without its NULs. A hundred
million cells take seconds, not minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .plan import PhasePlan, RunPlan
from .runs import day
from .side_files import write_manifest

Codes = npt.NDArray[np.uint32]
Bytes = npt.NDArray[np.bytes_]

ZERO = day(16, 8, 0)
STEP = 0.99921875  # one operation in the 1.00078 s between two stamps
HEADER = "(PDH-CSV 4.0) (GMT Daylight Time)(-60)"
LARGEST = 20000  # reads or writes per second; their sum stays inside the table
CONFIGURATIONS = (
    ("mcs", "MCS", "MCS", 0, 8.0),
    ("pvs-256", "PVS 256 MB", "PVS", 256, 1.5),
    ("mcsio-512", "MCSIO 512 MB", "MCSIO", 512, 3.0),
    ("pvs-512", "PVS 512 MB", "PVS", 512, 0.9),
    ("mcsio-1024", "MCSIO 1 GB", "MCSIO", 1024, 1.7),
    ("mcsio-256", "MCSIO 256 MB", "MCSIO", 256, 6.0),
)
COUNTERS = (
    r"PhysicalDisk(_Total)\Disk Reads/sec",
    r"PhysicalDisk(_Total)\Disk Writes/sec",
    r"PhysicalDisk(_Total)\Disk Transfers/sec",
    r"PhysicalDisk(0 C:)\Disk Transfers/sec",
    r"PhysicalDisk(1 D:)\Disk Transfers/sec",
    r"PhysicalDisk(_Total)\Disk Read Bytes/sec",
    r"PhysicalDisk(_Total)\Disk Write Bytes/sec",
    r"Processor(_Total)\% Processor Time",
    r"System\Context Switches/sec",
    r"Memory\Pages/sec",
)


def write_large(out: Path, configurations: int, vms: int, samples: int, files: bool) -> None:
    """Writes one run per configuration: reads, writes and transfers of every VM, one sample per second."""
    table = _table(2 * LARGEST)
    names = [f"W10-{number:03d}" for number in range(1, vms + 1)]
    for index in range(configurations):
        folder, label, provisioning, ram_mb, level = CONFIGURATIONS[index % len(CONFIGURATIONS)]
        turn = index // len(CONFIGURATIONS) + 1
        run = out / (folder if turn == 1 else f"{folder}-r{turn}")
        zero = ZERO + timedelta(days=index)
        phases = _phases(samples)
        (run / "guest").mkdir(parents=True, exist_ok=True)
        write_manifest(run / "run.toml", _manifest_plan(run.name, label, provisioning, ram_mb, names, zero, phases))
        rng = np.random.default_rng([2016, index])
        read, write = _counts(rng, phases, vms, samples, level)
        groups = [[row] for row in range(vms)] if files else [list(range(vms))]
        for group in groups:
            name = f"{names[group[0]]}.csv" if files else "DataCollector01.csv"
            parts = (read[:, group], write[:, group], read[:, group] + write[:, group])
            codes = np.stack(parts, axis=2).reshape(samples, -1)
            header = [rf"\\{names[row]}\{counter}" for row in group for counter in COUNTERS[:3]]
            _write(run / "guest" / name, zero, header, _blocks(codes), table)


def write_perfmon(path: Path, columns: int, megabytes: float) -> None:
    """Writes one file of about that size, with numbers as long as those of perfmon."""
    rng = np.random.default_rng(2016)
    values = np.exp(rng.normal(3.0, 1.5, 65536))
    table = np.array([f',"{value:.17g}"' for value in values], dtype=np.bytes_)
    width = float(np.char.str_len(table).mean())
    rows = max(1, round(megabytes * 1e6 / (27.0 + columns * width)))
    header = [
        rf"\\HOST-{column // len(COUNTERS) + 1:03d}\{COUNTERS[column % len(COUNTERS)]}" for column in range(columns)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = (
        rng.integers(0, len(table), (min(1000, rows - first), columns), dtype=np.uint32)
        for first in range(0, rows, 1000)
    )
    _write(path, ZERO, header, blocks, table)


def _table(largest: int) -> Bytes:
    return np.array([f',"{count * STEP:.12g}"' for count in range(largest + 1)], dtype=np.bytes_)


def _blocks(codes: Codes) -> Iterator[Codes]:
    for first in range(0, len(codes), 500):
        yield codes[first : first + 500]


def _write(path: Path, zero: datetime, header: list[str], blocks: Iterator[Codes], table: Bytes) -> None:
    """Writes a header, one row of blanks (a rate needs two stamps), and the blocks, with one row per 1.00078 s."""
    row = 1
    with path.open("wb") as file:
        file.write(",".join(f'"{cell}"' for cell in (HEADER, *header)).encode("cp1252") + b"\r\n")
        file.write(f'"{_stamp(zero, 0)}"'.encode("ascii") + b'," "' * len(header) + b"\r\n")
        for codes in blocks:
            count = len(codes)
            stamps = np.array([f'"{_stamp(zero, row + offset)}"' for offset in range(count)], dtype=np.bytes_)
            parts = [stamps[:, None], table[codes], np.full((count, 1), b"\r\n", dtype="S2")]
            flat = [np.ascontiguousarray(part).view(np.uint8).reshape(count, -1) for part in parts]
            file.write(np.concatenate(flat, axis=1).tobytes().translate(None, b"\0"))
            row += count


def _stamp(zero: datetime, row: int) -> str:
    at = zero + timedelta(microseconds=round(row * 1e6 / STEP))
    return f"{at:%m/%d/%Y %H:%M:%S}.{at.microsecond // 1000:03d}"


def _phases(samples: int) -> tuple[PhasePlan, ...]:
    """Boot, logon and steady state: 5 %, 25 % and 65 % of the log."""
    edges = [round(part * samples / STEP) for part in (0.01, 0.06, 0.07, 0.32, 0.97)]
    return (
        PhasePlan("boot", edges[0], edges[1], {}),
        PhasePlan("logon", edges[2], edges[3], {}),
        PhasePlan("steady", edges[3], edges[4], {}),
    )


def _counts(
    rng: np.random.Generator, phases: tuple[PhasePlan, ...], vms: int, samples: int, level: float
) -> tuple[Codes, Codes]:
    """Reads and writes per interval, samples x VMs."""
    at = np.arange(1, samples + 1) / STEP
    load = np.full(samples, 0.05)
    for phase, height in zip(phases, (9.0, 2.2, 1.0), strict=True):
        load[(at > phase.start) & (at <= phase.end)] = height
    factors = rng.uniform(0.85, 1.2, vms)
    made = []
    for share in (0.35, 0.65):
        counts = np.empty((samples, vms), dtype=np.uint32)
        for first in range(0, samples, 2000):
            rows = slice(first, first + 2000)
            noise = rng.standard_exponential((len(load[rows]), vms), dtype=np.float32)
            mean = (share * level * load[rows])[:, None] * factors
            counts[rows] = np.minimum(np.rint(mean * noise), LARGEST)
        made.append(counts)
    return made[0], made[1]


def _manifest_plan(
    name: str, label: str, provisioning: str, ram_mb: int, vms: list[str], zero: datetime, phases: tuple[PhasePlan, ...]
) -> RunPlan:
    """A plan that is used only for its `run.toml`."""
    manifest: dict[str, str | int | bool] = {
        "configuration": label,
        "provisioning": provisioning,
        "session_type": "vdi",
        "vms": len(vms),
        "users": len(vms),
    }
    if ram_mb:
        manifest |= {"write_cache": "device-ram-overflow", "ram_cache_mb": ram_mb}
    else:
        manifest["baseline"] = True
    return RunPlan("", name, manifest, zero, tuple(vms), (), (), phases, 0.0, 0.0, 0.0, 1.0, (), states_phases=True)
