"""Files of DiskSpd, SQLIO and GO-EUC in the shape of public ones, with invented names and values."""

from __future__ import annotations

import json
from pathlib import Path

from tests.readers import made_reports
from workbench.model.benchmark import Op

LINE = "-" * 100
HEADER = "thread |       bytes     |     I/Os     |     {mb}   |  I/O per s |  AvgLat  | LatStdDev |  file"
SECONDS = 600.0
MIB = 1024 * 1024
# Reads, writes: I/Os, bytes of each, mean, p50, p95 and p99 in ms.
MIXES: dict[str, tuple[tuple[int, int, float, float, float, float], ...]] = {
    "ours_cp1251.txt": ((66_000, 4096, 3.9, 2.8, 9.1, 11.5), (33_000, 4096, 2.2, 1.3, 7.9, 10.1)),
    "ours_2016.txt": ((121_500, 8192, 12.9, 8.3, 41.6, 81.6), (120_600, 8192, 18.8, 16.4, 42.9, 82.5)),
}
CHART_ROWS = 113


def _table(kind: str, mb: str, ios: int, amount: int, mean: float) -> str:
    rate = f"{amount / MIB / SECONDS:.2f} | {ios / SECONDS:.2f}"
    row = f"{amount} | {ios} | {rate} | {mean:.3f} | 90.000"
    head = HEADER.format(mb=mb)
    return f"{kind} IO\n{head}\n{LINE}\n     0 | {row} | D:\\тест.dat (20GB)\n{LINE}\ntotal: {row}\n\n"


def diskspd(name: str) -> str:
    """A report of DiskSpd 2.0.15, which calls the column of MiB per second MB/s."""
    read, write = MIXES[name]
    ios, amount = read[0] + write[0], read[0] * read[1] + write[0] * write[1]
    mean = (read[0] * read[2] + write[0] * write[2]) / ios
    shares = "".join(
        f"{label} | {read[place]:10.3f} | {write[place]:10.3f} | {max(read[place], write[place]):10.3f}\n"
        for label, place in (("   50th", 3), ("   95th", 4), ("   99th", 5))
    )
    return (
        "\nCommand Line: diskspd -b4K -d600 -o1 -t1 -w33 -r -L D:\\тест.dat\n\nInput parameters:\n\n\ttimespan:   1\n"
        "\t-------------\n\tduration: 600s\n\tpath: 'D:\\тест.dat'\n\n"
        f"Results for timespan 1:\n{'*' * 79}\n\nactual test time:\t{SECONDS:.2f}s\nthread count:\t\t1\n\n"
        + _table("Total", "MB/s", ios, amount, mean)
        + _table("Read", "MB/s", read[0], read[0] * read[1], read[2])
        + _table("Write", "MB/s", write[0], write[0] * write[1], write[2])
        + f"\n\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n{'-' * 46}\n{shares}"
    )


def diskspd_figures() -> dict[tuple[str, Op], tuple[float, ...]]:
    """The expected figures, as in DISKSPD of test_benchmark_real_files."""
    return {
        (name, op): (round(row[0] / SECONDS, 2), row[0] * row[1] / SECONDS / 1e6, *row[2:])
        for name, mix in MIXES.items()
        for op, row in zip((Op.READ, Op.WRITE), mix, strict=True)
    }


def diskspd_printed() -> tuple[tuple[str, float], ...]:
    """The MB/s of all I/Os that each report prints."""
    return tuple((name, round(sum(row[0] * row[1] for row in mix) / MIB / SECONDS, 2)) for name, mix in MIXES.items())


# Direction, pattern, KB of a block, outstanding, IOPS, mean in ms.
SQLIO = {
    "random.read.0.4": ("reading", "random", 4, None, 25000.5, 1),
    "random.read.8.64": ("reading", "random", 64, 8, 14000.25, 35),
    "sequential.write.0.4": ("writing", "sequential", 4, None, 44000.75, 0),
}


def sqlio(name: str) -> str:
    """A run of SQLIO 1.5 with a parameter file."""
    op, pattern, size, depth, iops, mean = SQLIO[name]
    where = "from" if op == "reading" else "to"
    several = f"\tenabling multiple I/Os per thread with {depth} outstanding\n" if depth else ""
    return (
        "sqlio v1.5.SG\nusing system counter for latency timings, 2539060 counts per second\n"
        "parameter file used: E:\\ours.txt\n\tfile E:\\ours.dat with 64 threads (0-63) using mask 0x0 (0)\n"
        f"64 threads {op} for 15 secs {where} file E:\\ours.dat\n\tusing {size}KB {pattern} IOs\n{several}"
        "using specified size: 50000 MB for file: E:\\ours.dat\ninitialization done\nCUMULATIVE DATA:\n"
        f"throughput metrics:\nIOs/sec: {iops:.2f}\nMBs/sec: {iops * size / 1024:.2f}\nlatency metrics:\n"
        f"Min_Latency(ms): 0\nAvg_Latency(ms): {mean}\nMax_Latency(ms): 749\nhistogram:\n"
        f"ms: {' '.join(map(str, range(24)))} 24+\n%: {'4 ' * 24}4\n"
    )


def chart_over_time(of: str) -> bytes:
    """Three configurations every 30 seconds, as GO-EUC publishes them: indented, with labels."""
    labels = [
        f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in range(0, CHART_ROWS * 30, 30)
    ]
    series = [
        {
            "serie": name,
            "data": [{"x": label, "y": round(factor * (place % 17) + 0.125, 3)} for place, label in enumerate(labels)],
        }
        for name, factor in (("Suite A", 1.5), ("Suite B", 2.25), ("Suite C", 0.75))
    ]
    return json.dumps(
        {
            "title": f"Host Storage {of}/sec",
            "subTitle": "Lower is better",
            "series": series,
            "labels": labels,
            "unit": "",
        },
        indent=4,
    ).encode()


def chart_of_bars(series: int, bars: int) -> bytes:
    """A comparison in percent of the first configuration."""
    kinds = ("Commands/sec", "Reads/sec", "Writes/sec", "MB/sec")[:bars]
    drawn = [
        {
            "serie": f"Suite {name}",
            "data": [{"x": kind, "y": 100 - 7 * name * place} for place, kind in enumerate(kinds)],
        }
        for name in range(series)
    ]
    return json.dumps(
        {"title": "Comparison Host Storage in %", "subTitle": "Lower is better", "series": drawn, "unit": "%"}, indent=4
    ).encode()


def write(folder: Path) -> Path:
    """Writes the reports below `folder`, by their tool, where `read_real` looks for them."""
    for tool in ("diskspd", "sqlio"):
        (folder / tool).mkdir()
    for name in MIXES:
        (folder / "diskspd" / f"diskspd-text_{name}").write_bytes(diskspd(name).encode("cp1251"))
    for name in SQLIO:
        (folder / "sqlio" / f"sqlio.{name}.txt").write_text(sqlio(name), encoding="utf-8")
    made_reports.write(folder)
    return folder
