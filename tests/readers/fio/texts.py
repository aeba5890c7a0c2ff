"""fio's text reports in fio's layout, with invented values."""

from __future__ import annotations

SETUP = "(g={group}): rw={rw}, bs=(R) {bs}-{bs}, (W) {bs}-{bs}, (T) {bs}-{bs}, ioengine=libaio, iodepth=8"


def setup(name: str = "vdi", group: int = 0, rw: str = "randread", bs: str = "4096B") -> str:
    """The line that fio prints for each job before it starts."""
    return f"{name}: {SETUP.format(group=group, rw=rw, bs=bs)}\n"


def started(version: str = "3.19", *setups: str) -> str:
    """The text that fio prints before a run."""
    return f"{''.join(setups or (setup(),))}fio-{version}\nStarting 1 process\n\n"


def job(
    *directions: str,
    name: str = "vdi",
    group: int = 0,
    jobs: int = 1,
    pid: int = 41,
    error: str = " 0",
    ios: tuple[int, int, int] = (24000, 0, 0),
) -> str:
    """A job of fio 3.19 that read 24,000 times in two seconds."""
    head = f"{name}: (groupid={group}, jobs={jobs}): err={error}: pid={pid}: Tue May 10 09:02:00 2016\n"
    total = ",".join(map(str, (*ios, 0)))
    return (
        head
        + "".join(directions or (direction(),))
        + "  lat (usec)   : 250=75.00%, 500=20.00%\n  lat (msec)   : 2=5.00%\n"
        + "  cpu          : usr=1.00%, sys=2.00%, ctx=7, majf=0, minf=7\n"
        + f"     issued rwts: total={total} short=0,0,0,0 dropped=0,0,0,0\n"
    )


def direction(op: str = "read", rate: str = "BW=46.9MiB/s (49.2MB/s)(93.8MiB/2000msec)", unit: str = "usec") -> str:
    """A direction of fio 3.19: a median of 0.6 ms, percentiles in this unit."""
    return f"""  {op}: IOPS=12.0k, {rate}
    slat (nsec): min=900, max=7000, avg=1500.00, stdev=90.00
    clat ({unit}): min=100, max=9100, avg=612.25, stdev=80.00
     lat ({unit}): min=102, max=9102, avg=613.75, stdev=80.00
    clat percentiles ({unit}):
     |  1.00th=[  110], 50.00th=[  600], 95.00th=[  900], 99.00th=[ 1500],
     | 99.99th=[ 9100]
   bw (  KiB/s): min=40000, max=50000, per=100.00%, avg=48000.00, stdev=10.00, samples=4
   iops        : min=10000, max=12500, avg=12000.00, stdev=10.00, samples=4
"""


def summed(group: int = 0) -> str:
    """The group's summary, which repeats its jobs."""
    return f"""
Run status group {group} (all jobs):
   READ: bw=46.9MiB/s (49.2MB/s), 46.9MiB/s-46.9MiB/s (49.2MB/s-49.2MB/s), io=93.8MiB (98.3MB), run=2000-2000msec

Disk stats (read/write):
  sda: ios=24000/0, merge=0/0, ticks=900/0, in_queue=900, util=90.00%
"""


def terse(version: int = 3, name: str = "vdi", directions: int | None = None, error: int = 0) -> str:
    """A terse line: each direction read 24,000 times 4 KiB in two seconds; the third direction has no I/O."""
    percentiles = [f"{label}.000000%={value}" for label, value in ((50, 600), (95, 900), (99, 1500))]
    cells = [str(version), "fio-3.19", name, "0", str(error)]
    count = (2 if version == 3 else 3) if directions is None else directions
    for index in range(count):
        figures = ["96000", "48000", "12000", "2000"] if index < 2 or directions else ["0"] * 4
        cells += [*figures, "1", "7", "1.500000", "0.1", "100", "9100", f"{612.25 + index}", "80.0", *percentiles]
        cells += ["0%=0"] * 17 + [
            "102",
            "9102",
            f"{613.75 + index}",
            "80.0",
            "40000",
            "50000",
            "100.000000%",
            "48000.0",
            "10.0",
        ]
        cells += ["4", "10000", "12500", "12000.0", "10.0", "4"] if version == 5 else []
    cells += ["1.000000%", "2.000000%", "7", "0", "7", *["0.0%"] * 6, "100.0%"]
    cells += [*["0.00%"] * 6, "75.00%", "20.00%", "0.00%", "0.00%", "5.00%", *["0.00%"] * 11]
    return ";".join([*cells, "sda", "24000", "0", "0", "0", "900", "0", "900", "90.00%"]) + "\n"
