"""A small run without defects, until a defect is added, and the list of expected messages on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

import numpy as np
import numpy.typing as npt

from generator.plan import random_state

Floats = npt.NDArray[np.float64]

SUMMER_TIME = timezone(timedelta(hours=1))
BOOT, LOGON, STEADY = (0.0, 140.0), (240.0, 360.0), (360.0, 960.0)
RUN_END, LOG_START, LOG_END = 990.0, -15.0, 1020.0
READS, WRITES, TRANSFERS = (rf"PhysicalDisk(_Total)\Disk {name}/sec" for name in ("Reads", "Writes", "Transfers"))
BYTES = r"PhysicalDisk(_Total)\Disk Bytes/sec"
LATENCY = r"PhysicalDisk(_Total)\Avg. Disk sec/Read"
CPU = r"Processor(_Total)\% Processor Time"
LOGGED = "guest/DataCollector01.csv"
MIB = 2**20


@dataclass
class Log:
    """A file of counters: `times` in seconds after the run's zero, and for each (VM, counter) a value per time."""

    file: str
    times: Floats
    columns: dict[tuple[str, str], Floats]

    def row(self, seconds: float) -> int:
        """The row whose sample ends at that time, or the first row after it."""
        return int(np.searchsorted(self.times, seconds))


@dataclass(frozen=True)
class Expected:
    """An expected message on a run: the rule, its severity, and the place if there is one. `moment` is on the run's
    clock; `left_out` is the number of samples from then on that count as missing."""

    run: str
    code: str
    severity: str
    file: str = ""
    line: int | None = None
    vm: str = ""
    phase: str = ""
    moment: str = ""
    left_out: int = 0


@dataclass
class Lab:
    """A run. Events are (seconds, event, VM, user), stated phases (name, start, end) in seconds after `zero`."""

    name: str
    zero: datetime
    manifest: dict[str, str | int | bool]
    vms: list[str]
    logs: list[Log]
    events: list[tuple[float, str, str, str]]
    phases: list[tuple[str, float, float]] = field(default_factory=list)
    other_files: dict[str, bytes] = field(default_factory=dict)
    expected: list[Expected] = field(default_factory=list)

    @property
    def log(self) -> Log:
        """The file that is damaged."""
        return self.logs[0]

    def at(self, seconds: float) -> str:
        """A time on the run's clock."""
        return f"{self.zero + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}"

    def expect(self, code: str, severity: str = "warning", **place: str) -> None:
        """Adds an expected message on the run as a whole."""
        self.expected.append(Expected(self.name, code, severity, **place))

    def expect_row(self, code: str, row: int, vm: str, left_out: int = 0, severity: str = "warning") -> None:
        """Adds an expected message on a row of the damaged file; line 1 is its header."""
        moment = self.at(float(self.log.times[row]))
        self.expected.append(Expected(self.name, code, severity, self.log.file, row + 2, vm, "", moment, left_out))

    def without_events(self, unwanted: Callable[[str, str], bool]) -> None:
        """Removes the events for which the condition on (event, VM) is true."""
        self.events = [event for event in self.events if not unwanted(event[1], event[2])]

    def move(self, event: str, vm: str, seconds: float) -> None:
        """Changes the time of an event of the VM."""
        self.events = [(seconds, *rest) if rest[:2] == [event, vm] else (at, *rest) for at, *rest in self.events]


def whole(name: str, zero: datetime, configuration: str, step: float = 15.0, machines: int = 5) -> Lab:
    """A run without a defect: a boot, a logon and ten minutes of steady state; reads, writes and transfers."""
    vms = [f"W10-{number:03d}" for number in range(1, machines + 1)]
    rng = random_state(name)
    times = np.arange(LOG_START, LOG_END + step, step)
    manifest: dict[str, str | int | bool] = {"configuration": configuration, "provisioning": "MCS", "ram_cache_mb": 0}
    manifest |= {"session_type": "vdi", "vms": machines, "users": machines, "time_zone": "Europe/London"}
    return Lab(name, zero, manifest, vms, [Log(LOGGED, times, disks(rng, vms, times))], events(vms))


def disks(
    rng: np.random.RandomState, vms: Iterable[str], times: Floats, level: float = 1.0
) -> dict[tuple[str, str], Floats]:
    """Whole operations of each interval of a VM as rates; the first row has no interval before it."""
    columns = {}
    for vm in vms:
        read, write = (_rate(rng, times, level, share) for share in (READ_LOAD, WRITE_LOAD))
        columns |= {(vm, READS): read, (vm, WRITES): write, (vm, TRANSFERS): read + write}
    return columns


READ_LOAD, WRITE_LOAD = (45.0, 20.0, 4.0), (8.0, 16.0, 9.0)


def _rate(rng: np.random.RandomState, times: Floats, level: float, loads: tuple[float, float, float]) -> Floats:
    seconds, ends = np.diff(times), times[1:]
    mean = np.full(ends.size, 0.3)
    for (start, end), load in zip((BOOT, LOGON, STEADY), loads, strict=True):
        mean[(ends > start) & (ends <= end)] = load
    counts = rng.poisson(level * mean * seconds * np.exp(0.12 * rng.standard_normal(ends.size)))
    return np.concatenate([[np.nan], counts / seconds])


def events(vms: list[str]) -> list[tuple[float, str, str, str]]:
    """Each VM starts, registers, and has one session that stays to the end."""
    rows = [(RUN_END, "run_end", "", "")]
    for row, vm in enumerate(vms):
        user, back = f"user{row + 1}", len(vms) - 1 - row
        rows += [(2.0 * row, "power_on", vm, ""), (BOOT[1] - 7.0 * back, "registered", vm, "")]
        rows += logon(vm, user, LOGON[1] - 20.0 * back - 40.0)
        rows.append((STEADY[1] + 4.0 * row, "logoff", vm, user))
    rows.sort()
    return rows


def logon(vm: str, user: str, start: float) -> list[tuple[float, str, str, str]]:
    """A logon of 40 s, its applications included."""
    return [
        (start, "logon_start", vm, user),
        (start + 22.0, "logon_end", vm, user),
        (start + 40.0, "apps_started", vm, user),
    ]
