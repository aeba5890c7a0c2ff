"""Runs, configurations and studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from workbench.model.benchmark import Benchmark
from workbench.model.metric import Side
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.recording import FileReport, Recording
from workbench.model.session import EuxSummary, Event, Measurement, Session, VsiSummary


class Provisioning(StrEnum):
    """How the desktops get their disk."""

    MCS = "MCS"
    MCSIO = "MCSIO"
    PVS = "PVS"
    INSTANT_CLONE = "instant clone"
    EPHEMERAL_OS_DISK = "ephemeral OS disk"
    PERSISTENT_WRITE_BACK = "persistent write-back"
    AVD_POOLED = "AVD pooled"
    OTHER = "other"


# Those that always write to a cache of their own driver first. Of others a stated size or a counter tells a cache.
CACHED = (Provisioning.MCSIO, Provisioning.PVS)


class BaselineEvidence(StrEnum):
    """Why a configuration is the baseline of its study, the strongest reason first."""

    OPTION = "option"  # --baseline on the command line
    CHOICE = "choice"  # the user's choice in the window, kept in the workspace file
    RUN_TOML = "run.toml"  # baseline = true
    ONLY_MCS = "only-mcs"  # the only MCS configuration
    ONLY = "only"  # the only configuration
    GUESSED = "guessed"  # the first MCS configuration, else the first configuration


class SessionType(StrEnum):
    """`vdi`: one session per VM; `rds`: many sessions per VM."""

    VDI = "vdi"
    RDS = "rds"


@dataclass(frozen=True, slots=True)
class Guess:
    """A fact about a run that no manifest states: what was taken, and why."""

    field: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is compared."""

    name: str
    provisioning: Provisioning = Provisioning.OTHER
    write_cache: str | None = None
    ram_cache_mb: int | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """One execution of a test under one configuration.

    `vms` and `users` are the counts the tester states or the recordings show (None: unknown). `excluded` is the
    tester's reason to keep the run out of every figure. `primary` are the keys of the measures that a phase is
    judged by, by phase, where run.toml states them; `preferred` those that the user prefers. `left_out` and
    `counted` are machines that the user has left out, or counts, by hand; `split_from` is the folder that the user
    has split into this run and others. `guest_counters` is the side of the write cache that the tester says the guests'
    disk counters see (None: not stated). `build` names the image or patch level that was tested, `date` is the day or
    moment of the test as ISO-8601 text (None: not stated). `session` is the tester's name of the session that it
    was run in (None: not stated). `running`: its files are followed while they are written,
    so its figures change until the test ends. `baseline`: its run.toml states baseline = true; `baseline_by` is set
    where an option or the user chose its configuration as the baseline. `read_as` is the name of the configuration
    before the user renamed it (empty: not renamed). If the configuration is named after the folder,
    `other_configuration` is its name with the last number read the other way (part of the name or number of a run), and
    `earlier_configuration` the one that workspace files of version 2 showed; empty if it is the same. `zone_guessed`:
    not all files of the run say how far their clocks are from UTC.
    """

    name: str
    folder: str
    configuration: Configuration
    session_type: SessionType
    vms: int | None
    users: int | None
    recordings: tuple[Recording, ...]
    events: tuple[Event, ...]
    stated_phases: tuple[Phase, ...]
    benchmarks: tuple[Benchmark, ...] = ()
    workload: str | None = None
    hypervisor: str | None = None
    guest_os: str | None = None
    time_zone: str | None = None
    baseline: bool = False
    primary: tuple[tuple[str, tuple[str, ...]], ...] = ()
    preferred: tuple[tuple[str, tuple[str, ...]], ...] = ()
    excluded: str | None = None
    guesses: tuple[Guess, ...] = ()
    sessions: tuple[Session, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    summaries: tuple[VsiSummary, ...] = ()
    eux_summaries: tuple[EuxSummary, ...] = ()
    guest_counters: Side | None = None
    left_out: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    split_from: str = ""
    build: str | None = None
    date: str | None = None
    session: str | None = None
    running: bool = False
    baseline_by: BaselineEvidence | None = None
    read_as: str = ""
    other_configuration: str = ""
    earlier_configuration: str = ""
    zone_guessed: bool = False

    @property
    def sample_ends(self) -> tuple[float, ...]:
        """The last sample of each recording that a clock places, in seconds since 1970 UTC."""
        return tuple(recording.span_s[1] for recording in self.recordings if not recording.relative)


@dataclass(frozen=True, eq=False)
class Study:
    """A folder of runs, every file in it, and every problem met on the way.

    `loose` are recordings that make no run, such as the logs of a storage benchmark, by the folder they lie in: no
    figure is made of them, only the timeline offers them. `limits` are the acceptance limits of its limits.toml.
    """

    name: str
    folder: str
    runs: tuple[Run, ...]
    files: tuple[FileReport, ...] = ()
    problems: tuple[Problem, ...] = ()
    benchmarks: tuple[Benchmark, ...] = ()
    loose: tuple[Run, ...] = ()
    limits: LimitsText | None = None


def configurations_stated_baseline(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The first run of each configuration that a run.toml states as the baseline. More than one is a contradiction."""
    found: dict[tuple[str, Provisioning], Run] = {}
    for run in runs:
        if run.baseline and run.excluded is None:
            found.setdefault((run.configuration.name, run.configuration.provisioning), run)
    return tuple(found.values())


def baseline_twice(stated: Iterable[Run], labels: Mapping[str, str], file: str) -> Problem:
    """The problem of runs of several configurations that state the baseline; `labels` are their names by folder."""
    names = [f"{labels[run.folder]} ({run.configuration.name})" for run in stated]
    message = (
        f"run.toml states baseline = true for {len(names)} configurations: {' and '.join(names)}. "
        "A study has one baseline."
    )
    action = "none of them counts, the next rule decides; keep one, or choose the baseline in the tree"
    return Problem(Severity.WARNING, file, "baseline-twice", message, action)


@dataclass(frozen=True, slots=True)
class LimitsText:
    """The text of a limits.toml that users know as `file`, or the `problem` why it could not be read."""

    file: str
    text: str = ""
    problem: Problem | None = None
