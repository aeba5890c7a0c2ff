"""The load of a phase as a job of fio and as command lines of DiskSpd: at its rate, at twice the rate, and
at full speed with ever more I/Os in flight, until more of them bring no more: there is the limit.

fio: HOWTO, "Job parameters" (https://fio.readthedocs.io/en/latest/fio_doc.html). DiskSpd: the usage text of
CmdLineParser/CmdLineParser.cpp (github.com/microsoft/diskspd, commit c4655115); `-g` is bytes per millisecond of a
thread, which every version takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from workbench.answers.prepare.kit.mix import Mix, Value

_SECONDS, _WARM_UP_S = 300, 30
# GiB of the test file: one for each desktop, and not so little that a cache of the storage holds it all.
_LEAST_GIB, _MOST_GIB = 20, 1024
# More I/Os in flight than this are shared out among several jobs or threads.
_MOST_DEPTH = 256
# I/Os in flight at full speed: at least so many times those of the desktops, and so many; beyond the most no job fits.
_FULL_SPEED = ((4, 16), (16, 64), (64, 256))
_MOST_IN_FLIGHT = 64 * _MOST_DEPTH


class _Step(NamedTuple):
    """One test of the job: `percent` of the rate (None: as fast as it goes), and I/Os in flight of each of `jobs`."""

    name: str
    percent: int | None
    depth: int
    jobs: int


def fio_job(mix: Mix) -> str:
    """The text of a job file; `fio --output-format=json --output=FILE.json` writes what the workbench reads."""
    lines = [
        *(f"; {line}" for line in _head(mix)),
        "; On Windows write ioengine=windowsaio. The file is made where fio is started: start it on the storage.",
        "[global]",
        "ioengine=libaio",
        "direct=1",
        f"filename=vdi-workbench-{_safe(mix.phase)}.dat",
        f"size={_gib(mix)}G",
        "time_based=1",
        f"runtime={_SECONDS}",
        f"ramp_time={_WARM_UP_S}",
        "rw=randrw",
        f"rwmixread={_reads(mix)}",
        f"bs={mix.read_bytes},{mix.write_bytes}",
        # The same data again and again would be stored once, or compressed away.
        "refill_buffers=1",
        "group_reporting=1",
    ]
    for step in _steps(mix):
        lines += ["", f"[{step.name}]", "stonewall", f"iodepth={step.depth}", f"numjobs={step.jobs}"]
        if step.percent is not None:
            rate = mix.total_iops * step.percent / 100 / step.jobs
            halves = (rate * _reads(mix) / 100, rate * (100 - _reads(mix)) / 100)
            # A limit of 0 would be none; a direction without I/O needs none.
            lines.append(f"rate_iops={','.join(str(max(1, round(half))) for half in halves)}")
    return "\n".join(lines) + "\n"


def diskspd_script(mix: Mix) -> str:
    """A batch file that runs DiskSpd once for each step and keeps each report."""
    phase = _safe(mix.phase)
    lines = [
        "@echo off",
        *(f"rem {_plain(line)}" for line in _head(mix)),
        "rem diskspd.exe must be in the folder of this file or on the PATH. %1 is the folder of the test file.",
    ]
    lines += ['if "%~1"=="" (echo usage: %~nx0 FOLDER & exit /b 1)']
    for step in _steps(mix):
        options = [f"-b{mix.mean_bytes}", f"-w{100 - _reads(mix)}", "-r", f"-o{step.depth}", f"-t{step.jobs}"]
        options += [f"-d{_SECONDS}", f"-W{_WARM_UP_S}", "-Sh", "-L", f"-c{_gib(mix)}G", "-Z1M"]
        if step.percent is not None:
            per_thread = mix.total_iops * step.percent / 100 / step.jobs
            options.append(f"-g{max(1, round(per_thread * mix.mean_bytes / 1000))}")
        target = f'"%~1\\vdi-workbench-{phase}.dat"'
        lines.append(f'diskspd {" ".join(options)} {target} > "diskspd-{step.name}.txt"')
    return "\n".join(lines) + "\n"


def mix_lines(mix: Mix) -> Iterator[str]:
    """Each number of the load on a line: what, how much, measured or assumed, from where."""
    for value in mix.values:
        yield f"{value.name}: {_number(value)} - {value.origin}, {value.source}"


def _steps(mix: Mix) -> tuple[_Step, ...]:
    phase = _safe(mix.phase)
    return (
        _step(f"{phase}-100-percent", 100, mix.total_depth),
        _step(f"{phase}-200-percent", 200, 2 * mix.total_depth),
        *(_step(f"{phase}-full-speed-{depth}", None, depth) for depth in _full_depths(mix)),
    )


def _full_depths(mix: Mix) -> tuple[int, ...]:
    depth = mix.total_depth
    wanted = (max(times * depth, least) for times, least in _FULL_SPEED)
    return tuple(dict.fromkeys(max(4 * depth, min(in_flight, _MOST_IN_FLIGHT)) for in_flight in wanted))


def _gib(mix: Mix) -> int:
    return min(max(mix.desktops, _LEAST_GIB), _MOST_GIB)


def _step(name: str, percent: int | None, depth: int) -> _Step:
    jobs = math.ceil(depth / _MOST_DEPTH)
    return _Step(name, percent, math.ceil(depth / jobs), jobs)


def _head(mix: Mix) -> list[str]:
    lines = [
        f"The load of {mix.desktop_words} in {mix.phase}, at 100 and 200 % of its rate and at full speed.",
        "The limit is the full speed at which more I/Os in flight bring no more IOPS.",
        *mix_lines(mix),
        "Assumed: random I/O, sizes rounded to 4 KiB, 5 minutes a step after 30 s of warming up.",
        f"Assumed: a file of {_gib(mix)} GiB. Where the storage has a larger cache, enter a larger file.",
    ]
    # A name with a line break in it must not become a line of the script.
    return [" ".join(line.split()) for line in lines]


def _plain(line: str) -> str:
    """The line without what a batch file takes for more than text, even in a remark."""
    return line.replace("%", "percent").translate({ord(mark): "_" for mark in '&|<>^!"~'})


def _reads(mix: Mix) -> int:
    return min(100, max(0, round(mix.read_percent.value)))


def _number(value: Value) -> str:
    return f"{value.value:.4g} {value.unit}".rstrip()


def _safe(phase: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in phase)
