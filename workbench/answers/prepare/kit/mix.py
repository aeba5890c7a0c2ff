"""The load of a phase for a storage test: rate, share of reads, I/O sizes, depth, each measured or assumed.

Rate: IOPS per VM x desktops; a session host counts as one desktop, as in the answer about the cache. Size: bytes moved
/ I/Os of a direction, both as overlap-weighted integrals over the VMs that have both for the same part of the phase.
Depth: I/Os in flight of a VM, from its queue counter as a mean over time, otherwise rate x latency (J. D. C. Little, A
Proof for the Queuing Formula L = lambda W, Operations Research 9, 1961), x desktops. All are means over the runs of a
configuration. Values that no counter shows are assumed and labelled as assumed.

Also writes the load as a job of fio and as command lines of DiskSpd: at its rate, at twice the rate, and at full speed
with more and more I/Os in flight, until more of them give no more IOPS: that is the limit.

fio: HOWTO, "Job parameters" (https://fio.readthedocs.io/en/latest/fio_doc.html). DiskSpd: the usage text of
CmdLineParser/CmdLineParser.cpp (github.com/microsoft/diskspd, commit c4655115); `-g` is bytes per millisecond of a
thread, which every version supports.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Literal, NamedTuple

import numpy as np

from workbench.measures.configurations import Group
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import STANDARD_PHASES, STEADY
from workbench.model.run import SessionType
from workbench.phases.integral import Integral, integrate_all
from workbench.study.series.vm_series import samples_of
from workbench.words.captions import named
from workbench.words.metrics import in_phase
from workbench.words.numbers import plural

_RULE_OF_THUMB = "https://www.computerweekly.com/feature/VDI-storage-Planning-for-the-storage-needs-of-a-new-virtual-desktop-implementation"
_BLOCK = 4096
# Two counters of a VM cover the same part of a phase if they differ by at most this share.
_SAME_PART = 0.01
_HOST = "; here, a desktop is a session host with all its users"
_IN_FLIGHT, _RESPONSE_S = "I/Os in flight per desktop", 0.010


@dataclass(frozen=True, slots=True)
class Value:
    """A number of a load: its `unit`, True if it was measured, and its origin as text."""

    name: str
    value: float
    unit: str
    origin: Literal["measured", "assumed"]
    source: str


@dataclass(frozen=True, slots=True)
class Mix:
    """The load of one phase. `iops` is that of one desktop, `depth` its I/Os in flight; sizes are in KiB (2^10 bytes).
    `assumed_desktops`: the number of desktops is not stated."""

    phase: str
    desktops: int
    iops: Value
    read_percent: Value
    read_kib: Value
    write_kib: Value
    depth: Value
    assumed_desktops: bool = False

    @property
    def desktop_words(self) -> str:
        """The number of desktops as text: `100 desktops (assumed)`."""
        return f"{plural(self.desktops, 'desktop')}{' (assumed)' * self.assumed_desktops}"

    @property
    def values(self) -> tuple[Value, ...]:
        """Every number in display order."""
        return (self.iops, self.read_percent, self.read_kib, self.write_kib, self.depth)

    @property
    def total_iops(self) -> float:
        """The rate of all desktops."""
        return self.iops.value * self.desktops

    @property
    def total_depth(self) -> int:
        """The I/Os in flight of all desktops, at least 1."""
        return max(1, round(self.depth.value * self.desktops))

    @property
    def read_bytes(self) -> int:
        """The size of a read in whole blocks of 4 KiB, which storage without a cache needs."""
        return _blocks(self.read_kib.value)

    @property
    def write_bytes(self) -> int:
        """The size of a write in whole blocks of 4 KiB."""
        return _blocks(self.write_kib.value)

    @property
    def mean_bytes(self) -> int:
        """The mean size of reads and writes, for tools with one size."""
        share = self.read_percent.value / 100
        return _blocks(share * self.read_kib.value + (1 - share) * self.write_kib.value)


def assumed_mix(desktops: int) -> Mix:
    """The load of steady state if nothing is measured."""
    return Mix(
        STEADY,
        desktops,
        _assumed("IOPS per desktop", 10.0, "IOPS", f"rule of thumb: about 10 IOPS per user ({_RULE_OF_THUMB})"),
        _assumed("share of reads", 35.0, "%", f"rule of thumb: 30 to 40 % reads ({_RULE_OF_THUMB})"),
        _size("read", None),
        _size("write", None),
        _assumed_depth(10.0),
    )


def mixes_of(group: Group, desktops: int) -> tuple[Mix, ...]:
    """The load of boot, logon and steady state as measured in the runs of a configuration; phases without IOPS are left
    out."""
    mixes = (_mix(group, phase, desktops) for phase in STANDARD_PHASES)
    return tuple(mix for mix in mixes if mix is not None)


def _mix(group: Group, phase: str, desktops: int) -> Mix | None:
    iops = group.mean(phase, "iops_per_vm")
    if not iops:
        return None
    default = assumed_mix(desktops)

    def where(count: int) -> str:
        runs = f"mean of {count} runs" if count > 1 else "1 run"
        return f"{named(group.label)} {in_phase(phase)}, {runs}"

    def measured(figure: str) -> str:
        return where(len(group.values(phase, figure)))

    bound = " (a lower bound, because part of the phase has no samples)" if group.lower_bound(phase) else ""
    reads = group.mean(phase, "read_percent")
    depth = _over_runs(group, phase, _queue)
    by_counter = "mean queue length" if depth is not None else "IOPS × latency (Little's law)"
    depth = depth if depth is not None else _over_runs(group, phase, _in_flight)
    return Mix(
        phase,
        desktops,
        Value(
            "IOPS per desktop",
            iops,
            "IOPS",
            "measured",
            f"IOPS per VM with {measured('iops_per_vm')}{bound}{_HOST * (group.session_type is SessionType.RDS)}",
        ),
        default.read_percent
        if reads is None
        else Value("share of reads", reads, "%", "measured", f"share of reads with {measured('read_percent')}"),
        _size("read", _over_runs(group, phase, _read_kib), where),
        _size("write", _over_runs(group, phase, _write_kib), where),
        _assumed_depth(iops)
        if depth is None
        else Value(_IN_FLIGHT, depth[0], "", "measured", f"{by_counter} with {where(depth[1])}"),
    )


def _assumed(name: str, value: float, unit: str, source: str) -> Value:
    return Value(name, value, unit, "assumed", source)


def _assumed_depth(iops: float) -> Value:
    time = f"{1e3 * _RESPONSE_S:g} ms (assumed response time)"
    text = f"IOPS × {time}; to measure this time, log latencies or the queue length"
    return _assumed(_IN_FLIGHT, iops * _RESPONSE_S, "", text)


def _size(direction: str, kib: tuple[float, int] | None, where: Callable[[int], str] = str) -> Value:
    name = f"size of a {direction}"
    if kib is None:
        return _assumed(
            name, 8.0, "KiB", "default size. To measure it, log Disk Read Bytes/sec and Disk Write Bytes/sec"
        )
    return Value(name, kib[0], "KiB", "measured", f"bytes per {direction} with {where(kib[1])}")


def _over_runs(
    group: Group, phase: str, of_run: Callable[[RunFigures, PhaseFigures], float | None]
) -> tuple[float, int] | None:
    """The mean over the runs that have a value, and their number; None if no run has one."""
    values = [of_run(run, row) for run in group.runs if (row := run.phase(phase)) is not None]
    known = [value for value in values if value is not None]
    return (float(np.mean(known)), len(known)) if known else None


def _read_kib(run: RunFigures, row: PhaseFigures) -> float | None:
    return _kib(run, row, (Quantity.READ_THROUGHPUT, Quantity.READ_IOPS))


def _write_kib(run: RunFigures, row: PhaseFigures) -> float | None:
    return _kib(run, row, (Quantity.WRITE_THROUGHPUT, Quantity.WRITE_IOPS))


def _kib(run: RunFigures, row: PhaseFigures, pair: tuple[Quantity, Quantity]) -> float | None:
    moved, ios = _integrals(run, row, pair)
    return _size_of(moved, ios)


def _size_of(moved: Mapping[str, Integral], ios: Mapping[str, Integral]) -> float | None:
    """KiB per I/O, over the VMs whose bytes and I/Os are known for the same part of the phase."""
    both = [vm for vm in ios if vm in moved and isclose(moved[vm].covered_s, ios[vm].covered_s, rel_tol=_SAME_PART)]
    total = sum(ios[vm].total for vm in both)
    return sum(moved[vm].total for vm in both) / total / 1024 if total > 0 else None


def _queue(run: RunFigures, row: PhaseFigures) -> float | None:
    (queues,) = _integrals(run, row, (Quantity.QUEUE_DEPTH,))
    values = [integral.total / integral.covered_s for integral in queues.values()]
    return float(np.mean(values)) if values else None


def _in_flight(_run: RunFigures, row: PhaseFigures) -> float | None:
    """I/Os in flight of a VM: reads and writes, each from its rate and its mean latency. None if one of these values is
    missing."""
    rates = (row.read_iops_per_vm, row.write_iops_per_vm)
    latencies = (row.read_latency_ms, row.write_latency_ms)
    parts = [
        # A direction without I/O has no latency, and nothing in flight.
        rate * (latency or 0.0) / 1e3
        for rate, latency in zip(rates, latencies, strict=True)
        if rate == 0 or (rate is not None and latency is not None)
    ]
    return sum(parts) if len(parts) == len(rates) else None


def _integrals(run: RunFigures, row: PhaseFigures, quantities: Sequence[Quantity]) -> list[dict[str, Integral]]:
    by_vm = samples_of(run.run, quantities)
    return [integrate_all(by_vm[quantity], row.phase) for quantity in quantities]


def _blocks(kib: float) -> int:
    return max(1, round(kib * 1024 / _BLOCK)) * _BLOCK


_SECONDS, _WARM_UP_S = 300, 30
# GiB of the test file: one for each desktop, with a minimum so a storage cache cannot hold all of it.
_LEAST_GIB, _MOST_GIB = 20, 1024
# More I/Os in flight than this are divided among several jobs or threads.
_MOST_DEPTH = 256
# I/Os in flight at full speed: at least this many times those of the desktops, and at least this number; no job fits
# beyond the maximum.
_FULL_SPEED = ((4, 16), (16, 64), (64, 256))
_MOST_IN_FLIGHT = 64 * _MOST_DEPTH


class _Step(NamedTuple):
    """One test of the job: `percent` of the rate (None: full speed), and the I/Os in flight of each of `jobs`."""

    name: str
    percent: int | None
    depth: int
    jobs: int


def fio_job(mix: Mix) -> str:
    """The text of a job file; `fio --output-format=json --output=FILE.json` writes a file that VDI Workbench reads."""
    lines = [
        *(f"; {line}" for line in _head(mix)),
        "; On Windows use ioengine=windowsaio. fio uses a test file in the current folder: start fio on the storage.",
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
        # Repeated data would be deduplicated or compressed.
        "refill_buffers=1",
        "group_reporting=1",
    ]
    for step in _steps(mix):
        lines += ["", f"[{step.name}]", "stonewall", f"iodepth={step.depth}", f"numjobs={step.jobs}"]
        if step.percent is not None:
            rate = mix.total_iops * step.percent / 100 / step.jobs
            halves = (rate * _reads(mix) / 100, rate * (100 - _reads(mix)) / 100)
            # A limit of 0 means no limit; a direction without I/O needs none.
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
    """Each number of the load on a line: name, value, measured or assumed, origin."""
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
        f"The load of {mix.desktop_words} {in_phase(mix.phase)}: at 100 %, at 200 % and at full speed.",
        "The limit is reached when more I/Os in flight add no IOPS.",
        *mix_lines(mix),
        "Assumed: random I/O, sizes rounded to 4 KiB, 5 minutes per step after a warm-up of 30 s.",
        f"Assumed: a test file of {_gib(mix)} GiB. If the storage has a larger cache, use a larger file.",
    ]
    # A name with a line break must not become a line of the script.
    return [" ".join(line.split()) for line in lines]


def _plain(line: str) -> str:
    """The line without characters that have a meaning in a batch file, even in a remark."""
    return line.replace("%", "percent").translate({ord(mark): "_" for mark in '&|<>^!"~'})


def _reads(mix: Mix) -> int:
    return min(100, max(0, round(mix.read_percent.value)))


def _number(value: Value) -> str:
    return f"{value.value:.4g} {value.unit}".rstrip()


def _safe(phase: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in phase)
