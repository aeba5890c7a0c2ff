"""Storage benchmark results in the shapes of SQLIO and Iometer.

SQLIO: a queue-depth sweep with its histograms, a thread sweep as the lines that a script prints, and ten runs of one
test. All values are invented. IOPS follow a queue with a base time and a limit. Response times have a log-normal
distribution with the mean queue / IOPS (Little's law). SQLIO cuts latencies to whole milliseconds, and MB are 2^20
bytes.

Iometer: the five published tests of the PVS write-cache types, one file each. IOPS, MB/s (2^20) and the mean response
time are the printed ones; response times of reads and of writes were not printed and are empty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist

from .plan import random_state

BASE_S, LIMIT_IOPS, ROUNDING = 0.00045, 18_000.0, 3
BLOCK_KIB, SECONDS, SPREAD = 8, 30, 0.6
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
THREADS = ((1, 32), (2, 16), (4, 8), (8, 4), (16, 2), (32, 1))
RUNS = 10
# One thread alone was limited by its processor core.
ONE_CORE = 0.905


@dataclass(frozen=True)
class Iometer:
    """A published test: (total, read, write) IOPS and MB/s, and the mean response time in ms."""

    file: str
    description: str
    iops: tuple[int, int, int]
    mb: tuple[float, float, float]
    response_ms: float


IOMETER = (
    Iometer("iometer_1-raw-san.csv", "E: drive direct (raw SAN)", (18412, 3679, 14733), (71.92, 14.37, 57.55), 0.89),
    Iometer(
        "iometer_2-ram-cache-8gb.csv",
        "PVS RAM cache with overflow, 8 GB file",
        (71299, 14258, 57041),
        (278.51, 55.69, 222.81),
        0.86,
    ),
    Iometer(
        "iometer_3-ram-cache-15gb.csv",
        "PVS RAM cache with overflow, 15 GB file",
        (68938, 13789, 55149),
        (269.28, 53.86, 215.42),
        0.92,
    ),
    Iometer(
        "iometer_4-old-ram-cache.csv",
        "PVS cache in device RAM (old)",
        (14498, 2899, 11599),
        (56.63, 11.32, 45.30),
        1.10,
    ),
    Iometer(
        "iometer_5-device-hard-disk.csv",
        "PVS cache on device hard disk",
        (8364, 1672, 6692),
        (32.67, 6.53, 26.14),
        1.91,
    ),
)


def write_all(folder: Path) -> None:
    """Writes every file of these tools into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    noise = random_state("sqlio")
    sweep = [_sqlio(1, depth, noise.normal(0, 0.004)) for depth in DEPTHS]
    _write(folder / "sqlio_raw-san_randread-8k_queue-depth.txt", "\n".join(sweep))
    lines = [_line(threads, depth, noise.normal(0, 0.003)) for threads, depth in THREADS]
    _write(folder / "sqlio_raw-san_randread-8k_threads.txt", "\n".join(lines) + "\n")
    runs = [_sqlio(2, 16, noise.normal(0, 0.004)) for _ in range(RUNS)]
    _write(folder / "sqlio_raw-san_randread-8k_ten-runs.txt", "\n".join(runs))
    for test in IOMETER:
        _write(folder / test.file, _iometer(test))


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.replace("\n", "\r\n").encode("utf-8"))


def _iops(threads: int, depth: int, noise: float) -> float:
    outstanding = threads * depth
    busy = (outstanding / (LIMIT_IOPS * BASE_S)) ** ROUNDING
    limited = outstanding / (BASE_S * (1 + busy) ** (1 / ROUNDING))
    return limited * (ONE_CORE if threads == 1 else 1.0) * (1 + noise)


def _sqlio(threads: int, depth: int, noise: float) -> str:
    iops = _iops(threads, depth, noise)
    mean_ms = 1000 * threads * depth / iops
    shares, highest = _histogram(mean_ms)
    plural = "s" if threads > 1 else ""
    return (
        f"C:\\SQLIO\\SQLIO.EXE -s{SECONDS} -kR -frandom -b{BLOCK_KIB} -t{threads} -o{depth} -LS -BN E:\\test.dat\n"
        "sqlio v1.5.SG\nusing system counter for latency timings, 2337894 counts per second\n"
        f"{threads} thread{plural} reading for {SECONDS} secs from file E:\\test.dat\n"
        f"\tusing {BLOCK_KIB}KB random IOs\n\tenabling multiple I/Os per thread with {depth} outstanding\n"
        "\tbuffering set to not use file nor disk caches (as is SQL Server)\n"
        "using current size: 40960 MB for file: E:\\test.dat\ninitialization done\nCUMULATIVE DATA:\n"
        f"throughput metrics:\nIOs/sec: {iops:8.2f}\nMBs/sec: {iops * BLOCK_KIB / 1024:8.2f}\n"
        f"latency metrics:\nMin_Latency(ms): 0\nAvg_Latency(ms): {int(mean_ms)}\nMax_Latency(ms): {highest}\n"
        "histogram:\nms: " + "".join(f"{ms:<3d}" for ms in range(24)).rstrip() + " 24+\n"
        "%: " + "".join(f"{share:2d} " for share in shares).rstrip() + "\n"
    )


def _line(threads: int, depth: int, noise: float) -> str:
    iops = _iops(threads, depth, noise)
    mean_ms = int(1000 * threads * depth / iops)
    return (
        f"-kR -frandom -b{BLOCK_KIB} -t {threads} -o {depth}, {iops:.2f} iops, "
        f"{iops * BLOCK_KIB / 1024:.2f} MB/sec, {mean_ms} ms"
    )


def _histogram(mean_ms: float) -> tuple[list[int], int]:
    """Whole percents of whole milliseconds up to 24+, and the highest latency."""
    middle = mean_ms * math.exp(-SPREAD * SPREAD / 2)
    law = NormalDist(math.log(middle), SPREAD)
    below = [0.0, *(law.cdf(math.log(ms)) for ms in range(1, 25)), 1.0]
    shares = [round(100 * (high - low)) for low, high in pairwise(below)]
    return shares, int(math.exp(law.inv_cdf(0.99999)))


_COLUMNS = (
    "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,"
    "MBps,Read MBps,Write MBps,Transactions per Second,Connections per Second,Average Response Time,"
    "Average Read Response Time,Average Write Response Time,Errors,Queue Depth"
)
_SPECIFICATION = "4K; 20% read; 90% random"


def _iometer(test: Iometer) -> str:
    iops = ",".join(f"{value:.6f}" for value in test.iops)
    mb = ",".join(f"{value:.6f}" for value in test.mb)
    times = f"{test.response_ms:.6f},,"
    figures = f"{iops},{mb},{test.iops[0]:.6f},0.000000,{times},0,16"
    return (
        f"'Test Type,Test Description\n0,{test.description}\n'Version\n2008.06.18\n'Time Stamp\n"
        "2014-07-10 09:00:00:000\n'Access specifications\n'Access specification name,default assignment\n"
        f"{_SPECIFICATION},0\n'size,% of size,% reads,% random,delay,burst,align,reply\n4096,100,20,90,0,1,0,0\n"
        f"'End access specifications\n'Results\n{_COLUMNS}\n"
        f"ALL,All,{_SPECIFICATION},1,4,4,{figures}\nMANAGER,XENAPP-01,{_SPECIFICATION},,4,4,{figures}\n"
        "'Time Stamp\n2014-07-10 09:30:00:000\n'End Test\n"
    )
