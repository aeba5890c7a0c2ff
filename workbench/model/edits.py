"""Edits: what the user states by hand about a run, notes pinned to moments, and findings made the user's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from workbench.model.run import BaselineEvidence, Provisioning, SessionType


@dataclass(frozen=True, slots=True)
class PhaseEdit:
    """Edges set by hand: `[start, end)` in seconds since 1970 UTC."""

    name: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class RunEdits:
    """What the user changed about the run in the folder `run`; None leaves what was read.

    `excluded` is the reason to keep the run out of every figure; empty counts a run in that its run.toml
    keeps out. `ram_cache_mb` below 0 means that the run has no RAM cache. `dropped` names phases that run.toml
    states and the user does not want, `left_out` machines that are no desktops, `counted` those that are, whatever they
    look like. `split`: the folder mixes several runs, and each of its parts is a run of its own. `date` is ISO-8601
    text. `baseline`: the study is compared with the configuration of this run, by the user's choice or by an option.
    `date_order` is the order of day and month of those files whose dates were guessed.
    Empty `guest_counters`, `build` and `date` take back what run.toml states.
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
        """The part of the edits that the figures of the run must be computed again for."""
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
        """Whether the run is as it was read."""
        return self == RunEdits(self.run)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence pinned to a moment (seconds since 1970 UTC) of a run's folder, or of a configuration's phase.

    `key` tells notes apart. With `run` empty the note speaks of the phase's own clock: `at` is then seconds
    after the start of `phase` in every run.
    """

    key: str
    text: str
    at: float
    run: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run by its folder, and a phase of it in seconds after its first sample (None: of no phase, or it has none)."""

    run: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Members:
    """A configuration by its runs that count, and what it is called."""

    label: str
    runs: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class About:
    """What a finding is about: its question (`compare/iops_per_vm`), the folder of the study, the configurations that
    it speaks of and the one they are compared with, and the phase where another one would be another finding."""

    question: str
    study: str
    configurations: tuple[Members, ...] = ()
    baseline: Members | None = None
    phase: str = ""


@dataclass(frozen=True, slots=True)
class FindingEdit:
    """What the user did to the finding `key`: another text, dropped, or written by the user (`own`).

    `was` is the sentence that the text stands in for, or that was dropped, as it was generated then; `ordered`: the
    user has put the finding in its place. By `about` the edit finds its finding again, which may have another key by
    then; None in what an earlier program has saved. Two edits that say the same are the same edit.
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
        """Whether the finding is as it was computed."""
        return self.text is None and not (self.dropped or self.own or self.ordered)
