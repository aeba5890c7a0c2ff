"""Deck: what a presentation says, as a plain value."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.charts.figure import Figure
from workbench.model.problem import Problem


@dataclass(frozen=True, eq=False)
class FindingSlide:
    """One finding: its sentence as `title`, the figure that shows it (None: words alone), and what it rests on.

    `evidence` goes into the footer (runs, n, interval, phase rule), `notes` are the speaker's notes (sources),
    `caveats` stand under the chart; `runs` are the folders of the runs.
    """

    title: str
    figure: Figure | None
    evidence: str
    notes: str = ""
    caveats: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Deck:
    """A whole presentation. Its agenda is made from the titles; `method` says how the figures are made, `sources`
    are the lines of its notes: what it was made from."""

    title: str
    subtitle: str
    slides: tuple[FindingSlide, ...]
    method: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """How many slides and charts were written, and in sentences what could not be shown in full."""

    slides: int
    charts: int
    left_out: tuple[str, ...] = ()
