"""Edits by the user: corrected properties of a run, notes at a moment, and changed findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from workbench.model.run import BaselineEvidence, Provisioning, SessionType


@dataclass(frozen=True, slots=True)
class PhaseEdit:
    """Phase edges that the user set: `[start, end)` in seconds since 1970 UTC."""

    name: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class RunEdits:
    """The user's changes to the run in the folder `run`. None keeps the value that was read.

    `excluded` is the reason to exclude the run from all results; an empty text includes a run that its run.toml
    excludes. `ram_cache_mb` below 0 means that the run has no RAM cache. `dropped` names phases of run.toml that the
    user removed. `left_out` are machines that are not desktops; `counted` are machines that are desktops although they
    look different. `split`: the folder mixes several runs, and each part becomes a separate run. `date` is ISO-8601
    text. `baseline`: the user or an option made the configuration of this run the baseline of the study. `date_order`
    is the order of day and month in the files whose dates were guessed. Empty `guest_counters`, `build` and `date`
    cancel the values of run.toml.
    """

    run: str
    configuration: str | None = None
    provisioning: Provisioning | None = None
    write_cache: str | None = None
    ram_cache_mb: int | None = None
    time_zone: str | None = None
    excluded: str | None = None
    phases: tuple[PhaseEdit, ...] = ()
    session_type: SessionType | None = None
    vms: int | None = None
    users: int | None = None
    dropped: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    guest_counters: Literal["", "above-cache", "below-cache"] | None = None
    counted: tuple[str, ...] = ()
    split: bool = False
    build: str | None = None
    date: str | None = None
    baseline: BaselineEvidence | None = None
    date_order: Literal["mdy", "dmy"] | None = None

    @property
    def changes_figures(self) -> tuple[object, ...]:
        """The edits after which the values of the run must be computed again."""
        return (
            self.provisioning,
            self.write_cache,
            self.ram_cache_mb,
            self.time_zone,
            self.phases,
            self.session_type,
            self.vms,
            self.users,
            self.dropped,
            self.left_out,
            self.guest_counters,
            self.counted,
            self.date_order,
        )

    @property
    def nothing(self) -> bool:
        """True if the edits change nothing."""
        return self == RunEdits(self.run)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence pinned to a moment of the run in the folder `run`, or to a moment of a phase in every run.

    `key` identifies the note. `at` is seconds since 1970 UTC. If `run` is empty, `at` is seconds after the start of
    `phase` in every run.
    """

    key: str
    text: str
    at: float
    run: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run, by its folder, and one phase of it in seconds after the first sample. `start` and `end` are None if no
    phase is meant or the run lacks it."""

    run: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Members:
    """A configuration: its label and those of its runs that count."""

    label: str
    runs: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class About:
    """The subject of a finding: its question (`compare/iops_per_vm`), the folder of the study, its configurations, and
    the baseline. `phase` is set only if another phase would make a different finding."""

    question: str
    study: str
    configurations: tuple[Members, ...] = ()
    baseline: Members | None = None
    phase: str = ""


@dataclass(frozen=True, slots=True)
class FindingEdit:
    """The user's action on the finding `key`: changed its text, removed it (`dropped`), or wrote it (`own`).

    `was` is the generated headline at the time of the edit. `ordered`: the user moved the finding. `about` finds the
    finding again after its key has changed; it is None in edits that an earlier version saved. `about` is ignored when
    edits are compared for equality.
    """

    key: str
    text: str | None = None
    dropped: bool = False
    own: bool = False
    was: str = ""
    ordered: bool = False
    about: About | None = field(default=None, compare=False)

    @property
    def nothing(self) -> bool:
        """True if the edit changes nothing."""
        return self.text is None and not (self.dropped or self.own or self.ordered)
