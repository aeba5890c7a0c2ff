"""What a state of the workspace showed, as a workspace file keeps it: figures, verdicts, findings, capacity plans.

A figure that was not available has no entry; it is never 0. Verdicts, findings and plans are None where they were not
known when the state was kept, which is another thing than none at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.answers.common.choices import Choices, KeptVerdict

# By the name of a file its size in bytes and its time of change in ns.
Files = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class KeptPhase:
    """A phase with its measures by their keys, in the units of the catalogue."""

    phase: str
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run: its folder and name, the label of its configuration, the reason that keeps it out (None: it counts), its
    phases, and the names of its files."""

    folder: str
    name: str
    configuration: str
    excluded: str | None = None
    phases: tuple[KeptPhase, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """The results of a configuration's capacity plan by the keys of their steps; `phase` is that of desktops at
    work."""

    configuration: str
    phase: str
    results: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """A finding as it was read."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class KeptStudy:
    """A study by its folder."""

    folder: str
    name: str
    runs: tuple[KeptRun, ...] = ()
    plans: tuple[KeptPlan, ...] | None = None
    verdicts: tuple[KeptVerdict, ...] | None = None
    findings: tuple[KeptSentence, ...] | None = None


@dataclass(frozen=True, slots=True)
class KeptFigures:
    """All of a state. `rules` are the versions of what the figures were made with, by name."""

    rules: dict[str, str] = field(default_factory=dict)
    studies: tuple[KeptStudy, ...] = ()


@dataclass(frozen=True)
class Before:
    """A state to compare with: what was chosen then, what it showed (None: not kept), and the files it was made of."""

    choices: Choices
    figures: KeptFigures | None = None
    files: Files = field(default_factory=dict)
