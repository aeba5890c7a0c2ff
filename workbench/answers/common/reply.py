"""Reply: the answer of a command, as data in each of the forms that the console prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.answers.common.causes import Alike
from workbench.answers.common.document import Table
from workbench.answers.common.source_rows import explain_rows, explain_table
from workbench.charts.tables import TableData
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.problem import Problem, Severity
from workbench.model.source import Explanation

NO_RUNS = "There are no runs in these results; 'vdiwb inspect' names each file's format."


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
    """The answer of a command. Each form is computed when it is requested: `text` is paragraphs of blocks, `json` a
    value of the documented schema, `rows` those of a CSV file, `others` the whole text of further formats by name.
    The command ends with `status` if it is not 0. `complaints` and `notes` go to standard error."""

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
    """The sentence if no run of a question counts."""
    if not groups:
        return NO_RUNS
    return "All runs are excluded."


def problem_count(problems: Sequence[Problem]) -> str:
    """The number of problems of each severity."""
    counts = {severity: sum(p.severity is severity for p in problems) for severity in Severity}
    warnings, notes = counts[Severity.WARNING], counts[Severity.INFO]
    return (
        f"{counts[Severity.REFUSED]} refused, {warnings} warning{'s' * (warnings != 1)}, "
        f"{notes} note{'s' * (notes != 1)}"
    )
