"""Storage benchmark results in the shape of fio's JSON, with invented values.

The volume and the load are similar to a published lab (a SAN volume, 4 jobs with a queue of 16); no value was measured.
Response times have a log-normal distribution with the mean queue / IOPS (Little's law).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import NormalDist
from typing import Any

STUDY = "storage-benchmarks"
PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
BUCKETS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
WINDOWS_LINE = (
    "fio: this platform does not support process shared mutexes, forcing use of threads. "
    "Use the 'thread' option to get rid of this warning.\n"
)


@dataclass(frozen=True)
class Test:
    """One benchmark: total IOPS of its jobs; `spread` is the width of its response times."""

    file: str
    jobname: str
    filename: str
    rw: str
    block_kib: int
    read_iops: float
    write_iops: float
    depth: int = 16
    jobs: int = 4
    grouped: bool = True
    runtime_s: int = 300
    spread: float = 0.55
    version: str = "fio-3.36"
    started: datetime = datetime(2024, 3, 12, 9, 0, tzinfo=UTC)
    banner: str = ""


RAW, CACHE = r"\\.\PhysicalDrive2", r"E\:\fio-test.dat"
TESTS = (
    Test(
        "raw-san_randwrite-4k_qd16x4.json", "raw-san-randwrite-4k", RAW, "randwrite", 4, 0, 15212.4, banner=WINDOWS_LINE
    ),
    Test(
        "raw-san_randrw-20-80-4k_qd16x4.json",
        "raw-san-randrw-4k",
        RAW,
        "randrw",
        4,
        3604.7,
        14431.9,
        started=datetime(2024, 3, 12, 9, 10, tzinfo=UTC),
    ),
    Test(
        "ram-cache_randwrite-4k_qd16x4.json",
        "ram-cache-randwrite-4k",
        CACHE,
        "randwrite",
        4,
        0,
        63871.2,
        spread=0.35,
        started=datetime(2024, 3, 12, 9, 30, tzinfo=UTC),
    ),
    Test(
        "ram-cache-overflow_randrw-20-80-4k_qd16x4.json",
        "ram-overflow-randrw-4k",
        CACHE,
        "randrw",
        4,
        12981.3,
        51902.8,
        spread=0.8,
        grouped=False,
        started=datetime(2024, 3, 12, 9, 50, tzinfo=UTC),
    ),
    Test(
        "cache-disk_randwrite-4k_qd16x4.json",
        "cache-disk-randwrite-4k",
        CACHE,
        "randwrite",
        4,
        0,
        7044.6,
        spread=0.7,
        started=datetime(2024, 3, 12, 10, 10, tzinfo=UTC),
    ),
    Test(
        "raw-san_seqread-64k_qd8x1.json",
        "raw-san-seqread-64k",
        RAW,
        "read",
        64,
        9120.5,
        0,
        depth=8,
        jobs=1,
        spread=0.3,
        started=datetime(2024, 3, 12, 10, 30, tzinfo=UTC),
    ),
    Test(
        "raw-san_randwrite-4k_qd16x4_fio-2.16.json",
        "raw-san-randwrite-4k",
        RAW,
        "randwrite",
        4,
        0,
        14876.9,
        version="fio-2.16",
        started=datetime(2016, 5, 9, 16, 40, tzinfo=UTC),
    ),
)


def write_all(folder: Path) -> None:
    """Writes every benchmark file into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for test in TESTS:
        text = json.dumps(_document(test), indent=2, separators=(",", " : "))
        (folder / test.file).write_bytes((test.banner + text + "\n").encode("utf-8"))


def _document(test: Test) -> dict[str, Any]:
    old = test.version == "fio-2.16"
    end = int(test.started.timestamp()) + test.runtime_s
    at = datetime.fromtimestamp(end, UTC)
    head = {
        "fio version": test.version,
        "timestamp": end,
        "timestamp_ms": end * 1000 + 137,
        "time": f"{at:%a %b} {at.day:2d} {at:%H:%M:%S %Y}",
        "global options": {
            "ioengine": "windowsaio",
            "direct": "1",
            "thread": "1",
            "time_based": "1",
            "runtime": str(test.runtime_s),
        }
        | ({"group_reporting": "1"} if test.grouped else {}),
    }
    parts = 1 if test.grouped else test.jobs
    return head | {"jobs": [_job(test, number, parts, old) for number in range(parts)]}


def _job(test: Test, number: int, parts: int, old: bool) -> dict[str, Any]:
    """One job row: everything with group reporting, otherwise one of `parts` unequal shares."""
    share = (1.0 + 0.012 * (number - (parts - 1) / 2)) / parts
    start = int(test.started.timestamp()) * 1000
    job: dict[str, Any] = {"jobname": test.jobname, "groupid": 0}
    if not old:
        job["job_start"] = start + 212
    job |= {"error": 0, "eta": 0, "elapsed": test.runtime_s + 1, "job options": _options(test)}
    queue = test.depth * test.jobs / parts
    iops = (test.read_iops + test.write_iops) * share
    for operation, rate in (("read", test.read_iops), ("write", test.write_iops), ("trim", 0.0)):
        job[operation] = _side(test, rate * share, queue / iops, old, 0.8 if operation == "read" else 1.05)
    if not old:
        job["sync"] = {"total_ios": 0, "lat_ns": _spread(0.0, 0.0, 0, old)}
        job["job_runtime"] = test.runtime_s * 1000 * test.jobs // parts
    mix = [(rate, factor) for rate, factor in ((test.read_iops, 0.8), (test.write_iops, 1.05)) if rate]
    return job | _buckets(mix, queue / iops, test.spread) | _machine(iops, test.depth)


def _buckets(mix: list[tuple[float, float]], mean_s: float, sigma: float) -> dict[str, Any]:
    """The share of the I/Os of all directions in each of fio's latency buckets."""
    total = sum(rate for rate, _ in mix)

    def below(at_s: float) -> float:
        shares = 0.0
        for rate, factor in mix:
            middle = mean_s * (factor if len(mix) > 1 else 1.0) * math.exp(-sigma * sigma / 2)
            shares += rate / total * NormalDist(math.log(middle), sigma).cdf(math.log(at_s))
        return 100 * shares

    found: dict[str, Any] = {}
    before = below(1e-6)
    for name, unit_s in (("latency_us", 1e-6), ("latency_ms", 1e-3)):
        found[name] = {}
        for edge in BUCKETS if name == "latency_us" else (*BUCKETS, 2000):
            upto = below(edge * unit_s)
            found[name][str(edge)] = round(upto - before, 6)
            before = upto
    found["latency_ms"][">=2000"] = 0.0
    return found


def _options(test: Test) -> dict[str, str]:
    options = {
        "name": test.jobname,
        "filename": test.filename,
        "rw": test.rw,
        "bs": f"{test.block_kib}k",
        "iodepth": str(test.depth),
        "numjobs": str(test.jobs),
    }
    return options | ({"rwmixread": "20"} if test.rw == "randrw" else {})


def _side(test: Test, iops: float, latency_s: float, old: bool, factor: float) -> dict[str, Any]:
    """The read, write or trim block; the units are those of the fio version."""
    ios = round(iops * test.runtime_s)
    size = ios * test.block_kib * 1024
    mixed = test.read_iops > 0 and test.write_iops > 0
    mean = latency_s * (factor if mixed else 1.0) if ios else 0.0
    rate = size / test.runtime_s
    side: dict[str, Any] = {"io_bytes": size // 1024 if old else size}
    if not old:
        side |= {"io_kbytes": size // 1024, "bw_bytes": round(rate)}
    side |= {
        "bw": int(rate / 1024),
        "iops": round(ios / test.runtime_s, 6),
        "runtime": test.runtime_s * 1000 if ios else 0,
        "total_ios": ios,
        "short_ios": 0,
        "drop_ios": 0,
    }
    suffix = "" if old else "_ns"
    submit = 0.00001 if ios else 0.0
    side[f"slat{suffix}"] = _spread(submit, 0.4, ios, old)
    side[f"clat{suffix}"] = _spread(max(mean - submit, 0.0), test.spread, ios, old, percentiles=True)
    side[f"lat{suffix}"] = _spread(mean, test.spread, ios, old)
    return side | _samples(rate / 1024, iops if ios else 0.0, test, old)


def _samples(kib_s: float, iops: float, test: Test, old: bool) -> dict[str, Any]:
    count = 2 * test.runtime_s if iops else 0
    side: dict[str, Any] = {
        "bw_min": int(0.71 * kib_s),
        "bw_max": int(1.18 * kib_s),
        "bw_agg": 100.0 if iops else 0.0,
        "bw_mean": round(0.9993 * kib_s, 6),
        "bw_dev": round(0.064 * kib_s, 6),
    }
    if old:
        return side
    return side | {
        "bw_samples": count,
        "iops_min": int(0.71 * iops),
        "iops_max": int(1.18 * iops),
        "iops_mean": round(0.9993 * iops, 6),
        "iops_stddev": round(0.064 * iops, 6),
        "iops_samples": count,
    }


def _spread(mean_s: float, sigma: float, ios: int, old: bool, percentiles: bool = False) -> dict[str, Any]:
    """A log-normal distribution with that mean, in ns (fio 3) or µs (fio 2.16)."""
    unit = 1e6 if old else 1e9
    middle = mean_s * math.exp(-sigma * sigma / 2)

    def at(percent: float) -> int:
        return round(middle * math.exp(sigma * NormalDist().inv_cdf(percent / 100)) * unit) if ios else 0

    law: dict[str, Any] = {
        "min": at(0.01),
        "max": 3 * at(99.99),
        "mean": round(mean_s * unit, 6),
        "stddev": round(mean_s * math.sqrt(math.expm1(sigma * sigma)) * unit, 6) if ios else 0.0,
    }
    if not old:
        law["N"] = ios
    if percentiles and ios:
        law["percentile"] = {f"{percent:.6f}": at(percent) for percent in PERCENTILES}
    return law


def _machine(iops: float, depth: int) -> dict[str, Any]:
    """Processor use and queue depth, as fio reports them at the end of a job."""
    steps = ("1", "2", "4", "8", "16", "32", ">=64")
    level = {step: 100.0 if step == str(depth) else 0.0 for step in steps}
    return {
        "usr_cpu": round(iops / 4100, 6),
        "sys_cpu": round(iops / 1700, 6),
        "ctx": 0,
        "majf": 0,
        "minf": 0,
        "iodepth_level": level,
        "latency_depth": depth,
        "latency_target": 0,
        "latency_percentile": 100.0,
        "latency_window": 0,
    }
