"""The plan of a run before any sample is drawn: its machines, sessions, phases and file shape."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np


@dataclass(frozen=True)
class PhasePlan:
    """A phase `[start, end)` in seconds after the run's zero, and its I/O over all VMs.

    `io` maps (disk, operation) to a count: disk `C` or `D`, operation `read` or `write`.
    """

    name: str
    start: float
    end: float
    io: dict[tuple[str, str], float]


@dataclass(frozen=True)
class Boot:
    """One machine's start, in seconds after the run's zero."""

    vm: str
    power_on: float
    registered: float


@dataclass(frozen=True)
class Session:
    """One user's session, in seconds after the run's zero."""

    vm: str
    user: str
    logon_start: float
    logon_end: float
    apps_started: float
    logoff: float


@dataclass(frozen=True)
class CacheGrowth:
    """The data that one VM writes (MB): at the start, while booting, per logon, in steady state.

    In steady state the amount levels off with the time constant `settle_s`.
    """

    start: float
    boot: float
    per_logon: float
    steady: float
    settle_s: float


@dataclass(frozen=True)
class FileShape:
    """The files of the counters: how they are split and written."""

    layout: str = "per-vm"  # per-vm | all-hosts | segments
    delimiter: str = ","
    language: str = "en"
    zone: str = "GMT Daylight Time"
    bias_minutes: int = -60
    digits: int = 8


@dataclass(frozen=True)
class RunPlan:
    """All data of a run for the sample writer."""

    study: str
    name: str
    manifest: dict[str, str | int | bool]
    zero: datetime
    vm_names: tuple[str, ...]
    boots: tuple[Boot, ...]
    sessions: tuple[Session, ...]
    phases: tuple[PhasePlan, ...]
    log_start: float
    log_end: float
    run_end: float
    interval_s: float
    disks: tuple[str, ...]
    growth: CacheGrowth | None = None
    ram_cache_mb: int = 0
    mcs_driver: bool = False
    terminal_server: bool = False
    cpu_steady: float = 30.0
    memory_mb: int = 2560
    seek_ms: float = 9.0
    odd_vm: int | None = None
    states_phases: bool = False
    apps_logged: bool = True
    blanks_in_phase: int = 0
    shape: FileShape = field(default_factory=FileShape)

    @property
    def vms(self) -> int:
        """The number of machines."""
        return len(self.vm_names)

    def phase(self, name: str) -> PhasePlan | None:
        """The phase of that name."""
        return next((phase for phase in self.phases if phase.name == name), None)


def random_state(name: str) -> np.random.RandomState:
    """A run's own random numbers. `RandomState` is frozen by NumPy: its stream never changes again."""
    return np.random.RandomState(zlib.crc32(name.encode("ascii")))
