"""Runs, configurations and studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from workbench.model.benchmark import Benchmark
from workbench.model.metric import Side
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.recording import FileReport, Recording
from workbench.model.session import EuxSummary, Event, Measurement, Session, VsiSummary


class Provisioning(StrEnum):
    """The way in which the desktops get their disks."""

    MCS = "MCS"
    MCSIO = "MCSIO"
    PVS = "PVS"
    INSTANT_CLONE = "instant clone"
    EPHEMERAL_OS_DISK = "ephemeral OS disk"
    PERSISTENT_WRITE_BACK = "persistent write-back"
    AVD_POOLED = "AVD pooled"
    OTHER = "other"


# These types always write to the cache of their own driver first. Other types have a cache if a size is stated or a
# counter shows one.
CACHED = (Provisioning.MCSIO, Provisioning.PVS)


class BaselineEvidence(StrEnum):
    """The reason why a configuration is the baseline of its study, strongest reason first."""

    OPTION = "option"  # --baseline on the command line
    CHOICE = "choice"  # the user's choice in the window, kept in the workspace file
    RUN_TOML = "run.toml"  # baseline = true
    ONLY_MCS = "only-mcs"  # the only MCS configuration
    ONLY = "only"  # the only configuration
    GUESSED = "guessed"  # the first MCS configuration, otherwise the first configuration


class SessionType(StrEnum):
    """`vdi`: one session per VM; `rds`: many sessions per VM."""

    VDI = "vdi"
    RDS = "rds"


@dataclass(frozen=True, slots=True)
class Guess:
    """A property of a run that no manifest states: the value used, and the reason."""

    field: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The properties that are compared."""

    name: str
    provisioning: Provisioning = Provisioning.OTHER
    write_cache: str | None = None
    ram_cache_mb: int | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """One execution of a test with one configuration.

    `vms` and `users` are counts that the tester states or the recordings show (None: unknown). `excluded` is the reason
    of the tester to exclude the run from all results. `primary` are the keys of the metrics that judge a phase, by
    phase, if run.toml states them; `preferred` are those that the user prefers. `left_out` and `counted` are machines
    that the user excludes or includes. `split_from` is the folder that the user split into this run and others.
    `guest_counters` is the side of the write cache that the disk counters of the guests measure, as the tester states
    it (None: not stated). `build` names the tested image or patch level. `date` is the day or moment of the test as
    ISO-8601 text (None: not stated). `session` is the name that the tester gave to the test day (None: not stated).
    `running`: its files are still being written, so its results change until the test ends. `baseline`: its run.toml
    states baseline = true; `baseline_by` is set if an option or the user chose its configuration as the baseline.
    `read_as` is the name of the configuration before the user renamed it (empty: not renamed). If the configuration is
    named after the folder, two more names are kept; each is empty if it is the same. `other_configuration` is the name
    under the other reading of the last number (part of the name, or number of the run). `earlier_configuration` is the
    name in workspace files of version 2. `zone_guessed`: not all files of the run state their UTC offset.
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
        """The time of the last sample of each recording with a clock time, in seconds since 1970 UTC."""
        return tuple(recording.span_s[1] for recording in self.recordings if not recording.relative)


@dataclass(frozen=True, eq=False)
class Study:
    """A folder of runs, with every file in it and every problem found in it.

    `loose` are recordings that belong to no run, by folder, such as the logs of a storage benchmark. Only the timeline
    shows them; no results are computed from them. `limits` are the acceptance limits of its limits.toml.
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
    """The first run of each configuration that a run.toml declares as the baseline. More than one contradict each
    other."""
    found: dict[tuple[str, Provisioning], Run] = {}
    for run in runs:
        if run.baseline and run.excluded is None:
            found.setdefault((run.configuration.name, run.configuration.provisioning), run)
    return tuple(found.values())


def baseline_twice(stated: Iterable[Run], labels: Mapping[str, str], file: str) -> Problem:
    """The problem if runs of several configurations declare the baseline. `labels` are the configuration names by
    folder."""
    names = [f"{labels[run.folder]} ({run.configuration.name})" for run in stated]
    message = f"run.toml states baseline = true for {len(names)} configurations: {few_named(names, 2)}."
    action = "these entries ignored; keep one, or choose the baseline in the tree"
    return Problem(Severity.WARNING, file, "baseline-twice", message, action)


@dataclass(frozen=True, slots=True)
class LimitsText:
    """The text of a limits.toml, which users see as `file`, or the `problem` with the reason why it could not be
    read.
    """

    file: str
    text: str = ""
    problem: Problem | None = None
