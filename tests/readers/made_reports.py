"""Files of DiskSpd (XML), Iometer, vdbench, CrystalDiskMark, SQLIO's scripts and neutral JSON in the shape of public
ones, with invented names and values."""

from __future__ import annotations

import json
from pathlib import Path

from tests.readers.vdbench_folder import flatfile

MIB = 1024 * 1024 / 1e6
_SECONDS = 30.02
# Block in KB, random share; outstanding I/Os follow below.
_SPECIFICATIONS = ((8, 100), (64, 0))
_DEPTHS = (1, 4, 16)
_IOMETER = (
    "Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,"
    "Read MBps,Write MBps,Average Response Time,Average Read Response Time,Average Write Response Time,Errors,"
    "Queue Depth"
)
_ICF = "Version 1.1.0\n'TEST SETUP {line}\n'Test Description\n\tOurs: 2 workers\n'Run Time\n\t0 0 4\n'END test setup\n"
# Name, seconds or other values as the tool writes them.
_LATENCIES = {"ours::open": 3150.0, "ours::close": 2980.5}


def diskspd_xml() -> str:
    """A test of sequential reads by four threads on one file, as DiskSpd 2.0.21a writes it, without latencies."""
    threads = "".join(
        f"<Thread><Id>{number}</Id><Target><Path>D:\\ours.dat</Path><BytesCount>{65536 * reads}</BytesCount>"
        f"<IOCount>{reads}</IOCount><ReadBytes>{65536 * reads}</ReadBytes><ReadCount>{reads}</ReadCount>"
        "<WriteBytes>0</WriteBytes><WriteCount>0</WriteCount></Target></Thread>\n"
        for number, reads in enumerate((21_045, 20_963, 21_208, 20_754))
    )
    asked = (
        "<TimeSpan><Duration>30</Duration><RequestCount>0</RequestCount><Targets><Target><Path>D:\\ours.dat</Path>"
        "<BlockSize>65536</BlockSize><StrideSize>65536</StrideSize><RandomAccess>false</RandomAccess>"
        "<RequestCount>2</RequestCount><WriteRatio>0</WriteRatio><ThreadsPerFile>4</ThreadsPerFile></Target></Targets>"
        "</TimeSpan>"
    )
    return (
        "<Results>\n<System><ComputerName>W10-001</ComputerName><Tool><Version>2.0.21a</Version></Tool>"
        "<RunTime>2016/05/10 08:00:05 UTC</RunTime></System>\n"
        f"<Profile><TimeSpans>{asked}</TimeSpans></Profile>\n"
        f"<TimeSpan><TestTimeSeconds>{_SECONDS}</TestTimeSeconds><ThreadCount>4</ThreadCount>\n{threads}</TimeSpan>\n"
        "</Results>"
    )


def iometer() -> str:
    """Iometer 2008: each access specification reads or writes alone, at rising queue depths."""
    text = "'Test Type,Test Description\n6,ours\n'Version\n2008.06.18\n'Time Stamp\n2016-05-10 09:28:04:211\n"
    text += "'Access specifications\n"
    for share in (0, 100):
        for size, scattered in _SPECIFICATIONS:
            text += f"'Access specification name,default assignment\n{_specification(size, share, scattered)},0\n"
            text += "'size,% of size,% reads,% random,delay,burst,align,reply\n"
            text += f"{size * 1024},100,{share},{scattered},0,1,0,0\n"
    text += "'End access specifications\n"
    for share in (0, 100):
        for size, scattered in _SPECIFICATIONS:
            text += "".join(_iometer_block(size, share, scattered, depth) for depth in _DEPTHS)
    return text + "'End Test\n"


def _specification(size: int, share: int, scattered: int) -> str:
    return f"{size}k {share}% Read; {scattered}% Random"


def _iometer_block(size: int, share: int, scattered: int, depth: int) -> str:
    rate, mean = 1024.0 * depth + share + scattered, depth / (1.024 + share / 1000)
    both = [(rate, 0.0), (0.0, rate)][share == 0]
    cells = [rate, *both, *(value * size / 1024 for value in (rate, *both))]
    times = (mean, *((mean, 0.0) if share else (0.0, mean)))
    figures = ",".join(f"{cell:.6f}" for cell in (*cells, *times))
    row = f"{_specification(size, share, scattered)},{{}},1,1,{figures},0,{depth}"
    return (
        f"'Results\n'{_IOMETER}\nALL,All,{row.format(1)}\nMANAGER,XENAPP-01,{row.format('')}\n"
        "PROCESSOR,CPU 0,,,,,,,,,,,1.8\n'Time Stamp\n2016-05-10 09:29:04:245\n"
    )


def article() -> str:
    """Text with two runs of SQLIO in it, and the lines of a script for 70 other runs: by depth, by threads, and
    repeats."""
    runs = "".join(
        f"\nC:\\> .\\sqlio.exe -s10 -k{option}\nsqlio v1.5.SG\nusing system counter for latency timings, 14318180 "
        f"counts per second\n16 threads {doing} file D:\\ours.dat\n\tusing 8KB random IOs\n"
        f"\tenabling multiple I/Os per thread with 8 outstanding\ninitialization done\n"
        f"CUMULATIVE DATA:\nthroughput metrics:\nIOs/sec: {rate:.2f}\n"
        f"MBs/sec: {rate * 8192 / 1e6 / MIB:.2f}\nlatency metrics:\nMin_Latency(ms): 0\nAvg_Latency(ms): {mean}\n"
        "Max_Latency(ms): 31\n"
        for option, doing, rate, mean in (
            ("R", "reading for 10 secs from", 35012.3, 3),
            ("W", "writing for 10 secs to", 1412.1, 90),
        )
    )
    depths = [f"-o {depth}, {_line(8000.5 + 450.25 * depth)}" for depth in range(1, 31)]
    threads = [
        f"-t {count} -o {depth}, {_line(7000.5 + 400.25 * depth + count)}" for count in (2, 4) for depth in range(1, 21)
    ]
    repeats = [f"Run {number} = {_line(36000.4 + number)}".replace(" iops", " IOPs") for number in range(1, 11)]
    return "\n".join(["How fast is our array?", runs, *depths, "", *threads, "", *repeats, "Enough for today.", ""])


def _line(rate: float) -> str:
    return f"{rate:.2f} iops, {rate * 8192 / 1e6 / MIB:.2f} MB/sec, 0 ms"


def crystaldiskmark(version: str) -> str:
    """Eight tests, as version 8 writes them."""
    line = "-" * 78
    tests = (("SEQ    1MiB", 8, 1, MIB), ("SEQ    1MiB", 1, 1, MIB), ("RND    4KiB", 32, 1, 4096 / 1e6))
    text = (
        f"{line}\nCrystalDiskMark {version} x64 (C) 2007-2021 hiyohiyo\n"
        f"                                  Crystal Dew World: https://crystalmark.info/\n{line}\n"
        "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]\n* KB = 1000 bytes, KiB = 1024 bytes\n"
    )
    for kind, factor in (("Read", 1.0), ("Write", 0.75)):
        text += f"\n[{kind}]\n"
        for number, (name, depth, threads, size) in enumerate((*tests, ("RND    4KiB", 1, 1, 4096 / 1e6))):
            rate = factor * (500.5 if size > 1 else 61000.5) / (number + 1)
            text += (
                f"  {name} (Q={depth:3}, T={threads:2}): {rate * size:9.3f} MB/s [{rate:9.1f} IOPS] "
                f"<{1e6 * depth / rate:9.2f} us>\n"
            )
    return f"{text}\nProfile: Default\n   Test: 1 GiB (x5) [E: 96% (894/932GiB)]\n   Date: 2016/05/10 9:00:00\n"


def neutral() -> dict[str, object]:
    """Benchmarks of programs in the JSON of several tools, by the name of the file; two have no storage figures."""
    metric = {name: {"latency": {"value": value, "lower_value": 10.0}} for name, value in _LATENCIES.items()}
    stats = [{"name": name, "stats": {"mean": value / 1e9, "rounds": 5}} for name, value in _LATENCIES.items()]
    score = {"score": 2.5e6, "scoreError": 1e3, "scoreUnit": "ops/s"}
    return {
        "bencher_bmf_latency": metric,
        "bencher_bmf_mixed": metric,
        "pytest-benchmark_several_units": {"machine_info": {"node": "ours"}, "benchmarks": stats, "version": "4.0.0"},
        "jmh": [
            {"jmhVersion": "1.29", "benchmark": "ours.open", "mode": "thrpt", "threads": 1, "primaryMetric": score}
        ],
        "benchmarkdotnet": {
            "Title": "Ours",
            "HostEnvironmentInfo": {"BenchmarkDotNetVersion": "0.12.1"},
            "Benchmarks": [{"FullName": "Ours.Open", "Method": "Open", "Statistics": {"Mean": 24.5, "N": 15}}],
        },
        "gab_customBiggerIsBetter": [{"name": "served", "unit": "req/s", "value": 70}],
        "gab_customSmallerIsBetter": [{"name": "load", "unit": "Percent", "value": 50, "range": "5%"}],
    }


WITHOUT_FIGURES = {
    "iometer": {
        "ours.icf": _ICF.format(line="=" * 64),
        "ours_cut.csv": iometer().partition("'Results")[0],
        "ours_idle.csv": iometer().partition("ALL,")[0],
    },
    "vdbench": {
        "ours_histogram.html": "<pre>\nTotal response time histogram.\n\n"
        '<a name="_1"></a><i><b>13:49:00.013 Starting RD=rd1; I/O rate: 50; elapsed=60; For loops: threads=2</b></i>\n'
        "\nReads and writes:\n  min(ms) <     max(ms)        count       %%    cum%%\n\n"
        "    0.000 <       0.020            0   0.0000   0.0000\n",
        "ours_cut_flatfile.html": flatfile().partition(" avg_")[0].rpartition("\n")[0] + "\n",
        "ours_head_flatfile.html": flatfile().partition(" seq 1")[0].rpartition("\n")[0] + "\n",
    },
}


def write(folder: Path) -> None:
    """Writes every file below `folder`, by its tool."""
    for tool in ("diskspd", "iometer", "vdbench", "crystaldiskmark", "neutral", "sqlio"):
        (folder / tool).mkdir(exist_ok=True)
    files = {
        "diskspd/ours.xml": diskspd_xml(),
        "iometer/ours.csv": iometer(),
        "vdbench/ours_flatfile.html": flatfile(),
        "vdbench/ours_flatfile.csv": flatfile(","),
        "sqlio/article.txt": article(),
        **{f"crystaldiskmark/ours-{version}.txt": crystaldiskmark(version) for version in ("8.0.1", "8.0.4", "8.0.5")},
        **{f"neutral/{name}.json": json.dumps(content, indent=4) for name, content in neutral().items()},
        **{f"{tool}/{name}": text for tool, files in WITHOUT_FIGURES.items() for name, text in files.items()},
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
