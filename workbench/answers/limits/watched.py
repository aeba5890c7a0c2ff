"""Whether the gauge that shows an overflow was read throughout every phase of every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.measures.configurations import Group, phase_names
from workbench.measures.judging.opposing import LEAST_MEASURED, by_run, lack_words
from workbench.measures.measure import Measure
from workbench.measures.partial.bounds import lacks
from workbench.measures.phase_table import RunFigures
from workbench.words.metrics import phase_words


def unwatched(group: Group, phase: str, gauges: Mapping[str, Measure]) -> str:
    """What the gauge of each run (by its folder) lacks of the phase, or of any where `phase` is empty; empty where all
    were read throughout. A phase without any reading lacks all of it."""
    phases = [name for name in phase_names([group]) if phase in ("", name)]
    judged = [run for run in group.runs if run.run.folder in gauges]
    lacking = {run: _lacking(group, run, phases, gauges[run.run.folder]) for run in judged}
    return by_run([f"{run.run.name}: {', '.join(words)}" for run, words in lacking.items() if words])


def _lacking(group: Group, run: RunFigures, phases: Sequence[str], gauge: Measure) -> list[str]:
    """`in boot A lacks 48 % of the phase`, `no reading in logon and steady state`."""
    rows = [(phase, run.phase(phase)) for phase in phases]
    blank = [phase_words(phase) for phase, row in rows if row is not None and getattr(row, gauge.key) is None]
    short = [
        f"in {phase_words(phase)} {lack_words(lack)}"
        for phase in phases
        for lack in lacks(group, phase, gauge)
        if lack.folder == run.run.folder and lack.share < LEAST_MEASURED
    ]
    return [*short, *([f"no reading in {' and '.join(blank)}"] if blank else [])]
