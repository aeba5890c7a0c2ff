"""Reply: the answer of a command, as data for each output format of the command line."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.answers.common.causes import Alike
from workbench.answers.common.document import Table, iso
from workbench.charts.tables import TableData
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.problem import Problem, Severity
from workbench.model.source import Explanation, SourceRows, WithinRun
from workbench.words.numbers import plural

NO_RUNS = "These results contain no runs. To see the format of each file, use 'vdiwb inspect'."


@dataclass(frozen=True, slots=True)
class PhaseTable:
    """The phase table of these runs with the worst of these problems, arranged for a terminal."""

    figures: Sequence[RunFigures]
    problems: Sequence[Problem]


# A sentence, a table, problems of one cause on one line, or the source of a number.
Block = str | TableData | Alike | Explanation | PhaseTable
Text = Sequence[Sequence[Block]]


def _no_rows() -> Sequence[Table]:
    return ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a command. Each form is computed when it is requested: `text` is a list of paragraphs of blocks,
    `json` a value of the documented schema, `rows` the rows of a CSV file, and `others` the whole text of further
    formats by name. The command ends with `status` if it is not 0. `complaints` and `notes` go to standard error."""

    text: Callable[[], Text]
    json: Callable[[], Any] = dict
    rows: Callable[[], Sequence[Table]] = _no_rows
    others: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    status: int = 0
    complaints: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def with_sources(reply: Reply, explanations: Sequence[Explanation], below: bool) -> Reply:
    """The reply with the sources of its numbers: in JSON under `explain`, in CSV instead of its rows, in text `below`
    it or instead of it."""
    listing = [[explanation] for explanation in explanations]
    return replace(
        reply,
        text=lambda: [*reply.text(), *listing] if below else listing,
        json=lambda: reply.json() | {"explain": [explain_table(explanation) for explanation in explanations]},
        rows=lambda: explain_rows(explanations),
    )


def nothing_counts(groups: Sequence[Group]) -> str:
    """The sentence for a question without any run that counts."""
    if not groups:
        return NO_RUNS
    return "All runs are excluded. Include at least one run."


def problem_count(problems: Sequence[Problem]) -> str:
    """The number of problems of each severity, in a sentence."""
    counts = {severity: sum(p.severity is severity for p in problems) for severity in Severity}
    warnings, notes = counts[Severity.WARNING], counts[Severity.INFO]
    refused = plural(counts[Severity.REFUSED], "file")
    return f"{refused} not imported, {plural(warnings, 'warning')}, {plural(notes, 'info message')}."


def explain_table(explanation: Explanation) -> Table:
    """One value with its formula and sources: null = not available; times ISO-8601 UTC."""
    return {**_head(explanation), "sources": [_source(source) for source in explanation.sources]}


def explain_rows(explanations: Iterable[Explanation]) -> list[Table]:
    """The explanation as flat rows: one per source."""
    return [_head(explanation) | _source(source) for explanation in explanations for source in explanation.sources]


def _head(explanation: Explanation) -> Table:
    named = bool(explanation.phase.name)
    return {
        "run": explanation.run,
        "configuration": explanation.configuration,
        "phase": explanation.phase.name or None,
        "start": iso(explanation.phase.start) if named else None,
        "end": iso(explanation.phase.end) if named else None,
        "figure": explanation.figure,
        "value": iso(explanation.value)
        if explanation.moment and explanation.value is not None
        else _finite(explanation.value),
        "formula": explanation.formula,
        "rule": explanation.rule or None,
        "adds_up": explanation.adds_up,
        "note": explanation.note or None,
        **_within(explanation.within),
    }


def _within(within: WithinRun | None) -> Table:
    """The interval of a percentile within its run, in its unit, and how many samples are above it."""
    names = ("low", "high", "above", "samples", "block_s")
    return {f"within_run_{name}": None if within is None else getattr(within, name) for name in names}


def _source(source: SourceRows) -> Table:
    return {key: _finite(value) for key, value in dataclasses.asdict(source).items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
