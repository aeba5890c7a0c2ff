"""Where a number comes from: the formula of a figure, its phase, and every counter, file and row that it rests on.

`explain` computes the figure once more on its own way, row by row through `study.trace`, so that what the counters
contribute adds up to the figure of the phase table. Percentiles are of no single counter: their sources are listed
without a contribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from workbench.measures.configurations import Group
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.source_ways import WAYS, WORDS, Asked, Use
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study
from workbench.model.source import Explanation, SourceRows
from workbench.study.series.trace import Traced, TracedPart

FIGURES = tuple(WAYS)
Reports = Mapping[str, FileReport]

# Readers whose files have one line of header and then a line for each row.
_ONE_LINE_HEADER = frozenset(("perfmon",))


def of_run(
    run: Run,
    phase: Phase,
    figure: str,
    value: float | None,
    formula: str,
    sources: Sequence[SourceRows],
    adds_up: bool,
    note: str = "",
    moment: bool = False,
) -> Explanation:
    """The explanation of a figure of this run."""
    return Explanation(
        run.name,
        run.folder,
        run.configuration.name,
        phase,
        figure,
        value,
        formula,
        tuple(sources),
        adds_up,
        note,
        moment,
    )


def reports_of(studies: Iterable[Study]) -> dict[str, FileReport]:
    """The reports of all files by their path."""
    return {report.path: report for study in studies for report in study.files}


class UnknownFigureError(LookupError):
    """The sentence for the user: no such figure or phase, and which there are."""


def explain(
    figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport] | None = None
) -> Explanation:
    """Where `figure` (a field of PhaseFigures) of one phase comes from; `reports` by file tell line numbers.

    Raises UnknownFigureError when the run has no such phase, or no such figure can be explained.
    """
    row = figures.phase(phase)
    if row is None:
        names = ", ".join(one.phase.name for one in figures.phases) or "none"
        raise UnknownFigureError(f"{figures.run.name} has no phase '{phase}'. Its phases: {names}.")
    check_figures([figure])
    return _explained(Asked(figures.run, row, {}), figure, reports or {})


def explain_run(
    figures: RunFigures,
    names: Sequence[str] = FIGURES,
    reports: Mapping[str, FileReport] | None = None,
    phases: Sequence[str] = (),
) -> tuple[Explanation, ...]:
    """The named figures of every phase of a run (or of those in `phases`); each counter is read once."""
    check_figures(names)
    memo: dict[Quantity, dict[str, Traced]] = {}
    return tuple(
        _explained(Asked(figures.run, row, memo), name, reports or {})
        for row in figures.phases
        if not phases or row.phase.name in phases
        for name in names
    )


def check_figures(names: Sequence[str]) -> None:
    """Raises UnknownFigureError for a name that is no figure of the phase table."""
    for name in names:
        if name not in WAYS:
            raise UnknownFigureError(f"No figure is called '{name}'. There are: {', '.join(FIGURES)}.")


def _explained(asked: Asked, figure: str, reports: Mapping[str, FileReport]) -> Explanation:
    way, run, value = WAYS[figure], asked.run, getattr(asked.row, figure)
    uses = way.uses(asked) if value is not None else []
    sources = sources_of(uses, reports)
    return of_run(
        run,
        asked.phase,
        figure,
        None if value is None else float(value),
        way.formula,
        sources,
        any(one.contribution is not None for one in sources),
        _note(asked.row, value),
        figure == "overflow_start",
    )


def explain_group(
    group: Group, phase: str, figure: str, reports: Mapping[str, FileReport] | None = None
) -> tuple[Explanation, ...]:
    """The same for each run that counts in a configuration's mean and has the phase."""
    runs = (one for one in group.runs if one.phase(phase) is not None)
    return tuple(explain(one, phase, figure, reports) for one in runs)


def sources_of(uses: Iterable[Use], reports: Mapping[str, FileReport]) -> tuple[SourceRows, ...]:
    """The rows of every counter that something is taken of."""
    return tuple(one for use in uses for part in use.traced.parts for one in _source(use, part, reports))


def _note(row: PhaseFigures, value: float | None) -> str:
    if value is None:
        return "Not available: no counter of this run measures it in this phase."
    if row.lower_bound:
        return (
            f"Only {row.measured_percent:.1f} % of the phase has samples: totals and rates are lower bounds."
        )
    return ""


def _source(use: Use, part: TracedPart, reports: Mapping[str, FileReport]) -> Iterable[SourceRows]:
    chosen = use.used[part.places]
    if not chosen.any():
        return
    shares, rows = part.shares[chosen], part.rows[chosen]
    missing = int(np.isnan(shares).sum())
    contribution = None
    if use.weights is not None:
        contribution = float(np.nansum(shares * use.weights[part.places][chosen]))
    first, last = int(rows.min()) + 1, int(rows.max()) + 1
    header = _header_lines(part, reports)
    spans = use.traced.samples.span[part.places]
    yield SourceRows(
        part.recording.file,
        part.series.path,
        part.series.column + 2,
        use.vm,
        first,
        last,
        None if header is None else first + header,
        None if header is None else last + header,
        int(chosen.sum()) - missing,
        missing,
        float(np.median(spans[spans > 0])) if (spans > 0).any() else None,
        contribution,
        use.part or WORDS.get(part.quantity, ""),
    )


def _header_lines(part: TracedPart, reports: Mapping[str, FileReport]) -> int | None:
    """Lines above the first row, None where rows and lines need not go together."""
    report = reports.get(part.recording.file)
    if report is None or report.reader not in _ONE_LINE_HEADER or report.rejected_rows:
        return None
    return 1 if report.rows == part.recording.rows else None
