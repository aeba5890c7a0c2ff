"""A small vdbench output folder in the shape of real ones, with invented values."""

from __future__ import annotations

from pathlib import Path

ABOVE = "Dec 01, 2021  interval        i/o   MB/sec   bytes   read     resp     read    write     resp     resp queue\n"
BELOW = "                             rate  1024**2     i/o    pct     time     resp     resp      max   stddev depth\n"
FLAT = (
    "tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp xfersize threads rdpct seekpct "
    "version"
)
# Run, rate, response time: a curve with a rise of the response time at full speed.
RUNS = (
    ("seq", 800.0, 40.0),
    ("seq_(10%)", 80.0, 1.5),
    ("seq_(50%)", 400.0, 1.25),
    ("seq_(70%)", 560.0, 1.3),
    ("seq_(90%)", 720.0, 9.0),
)
COMPLETED = "13:40:00.000 Vdbench execution completed successfully. Output directory: /tmp/out\n"


def report(title: str, share: float = 1.0, intervals: bool = True, slower: float = 0.0) -> str:
    """A page of the folder, with `share` of the rate and `slower` milliseconds more."""
    text = f"<title>Vdbench out/page.html</title><pre>\n{title}\n\n"
    for number, (run, rate, resp) in enumerate(RUNS):
        text += f'<a name="_{number}"></a><i><b>13:1{number}:00.001 Starting RD={run}; I/O rate: 9; elapsed=3; '
        text += "For loops: threads=32</b></i>\n\n" + ABOVE + BELOW
        cells = f"{rate * share:10.2f} {rate * share / 2:8.2f}  524288 100.00 {resp + slower:8.3f} {resp + slower:8.3f}"
        cells += "    0.000   99.000    1.000  32.0\n"
        lines = (
            [f"13:1{number}:01.051         1 {cells}", f"13:1{number}:02.051         2 {cells}"] if intervals else []
        )
        text += "".join(lines) + f"13:1{number}:02.061   avg_2-2 {cells}\n"
    return text


def flatfile(separator: str = " ") -> str:
    """The flatfile, with blanks or as CSV."""
    lines = [FLAT.split()]
    for number, (run, rate, resp) in enumerate(RUNS):
        for at, interval in (("01.067", "1"), ("02.067", "2"), ("02.077", "avg_2-2")):
            row = (
                f"13:1{number}:{at} {run} {interval} 9 {rate:.4f} {rate / 2:.4f} 524288 100.0000 {resp:.4f} {resp:.4f}"
            )
            lines.append(f"{row} 0.0000 524288 32 100 0 vdbench50407".split())
    text = "\n".join(separator.join(line) for line in lines) + "\n"
    return text if separator == "," else f"<pre>\n* MB/sec : Megabytes per second\n{text}"


def write_folder(folder: Path) -> Path:
    """The complete folder: reports of the run, pages of two hosts, their slaves, and one SD, and other files."""
    folder.mkdir(parents=True, exist_ok=True)
    log = report("Copyright (c) 2000, 2018\nVdbench distribution: vdbench50407\n") + COMPLETED
    files = {
        "flatfile.html": flatfile(),
        "flatfile.csv": flatfile(","),
        "totals.html": report("Run totals", intervals=False),
        "summary.html": report("Copyright (c) 2000, 2018\nVdbench summary report, created 13:15:27 Dec 01 2021"),
        "logfile.html": log,
        "n1.html": report("Host summary report(s) for host=n1", 0.75),
        "n2.html": report("Host summary report(s) for host=n2", 0.25, slower=0.5),
        "n1-0.html": report("Slave summary report for slave=n1-0", 0.75),
        "n2-0.html": report("Slave summary report for slave=n2-0", 0.25, slower=0.5),
        "sd1.html": report("SD report for sd=sd1"),
        "sd1.histogram.html": "<pre>\nSD response time histogram.\n\n  min(ms) <  max(ms) count\n",
        "skew.html": "<pre>\nWorkload skew report\n\n13:15:30.005 Starting RD=seq; I/O rate: Uncontrolled curve\n",
        "n1-0.stdout.html": "<pre>\nstdout/stderr for slave=n1-0\n\n13:15:30.005 Starting RD=seq; I/O rate: 9\n",
        "status.html": "<pre>\n* Vdbench status\n\n* The objective of this file is to contain\n",
        "parmfile.html": "<title>Vdbench out/a</title><pre>\n\n* Contents of parameter file: /tmp/a\n\nrd=seq\n",
        "parmscan.html": "<pre>\n13:52:55.001 line: sd=sd1,lun=/dev/x\n",
        "errorlog.html": "<pre>\nError log. If there is no data beyond this line then there were no errors.\n\n",
        "swat_mon.txt": ":date 12012021-13:15:30.000\n:fixed_data\n0 0 0\n:\n:vdbench503_vdbench_data_for_swat303\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
