"""The lines of the Sources sheet that lead the numbers of the answers back to files, counters and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from workbench.answers.answer_sources import explain_answers
from workbench.answers.common.sources.table import rows_words
from workbench.exporters.workbook.cells import Value
from workbench.exporters.workbook.columns import utc
from workbench.exporters.workbook.rows import StudyGroups
from workbench.model.source import Explanation, SourceRows
from workbench.words.metrics import figure_words

WAY_HEADS = (
    "Study",
    "Run",
    "File",
    "Figure",
    "Value",
    "VM or session",
    "Counter or place",
    "What",
    "Rows",
    "Line",
    "Column",
    "Contribution",
)
WAY_TEXT = frozenset((0, 1, 2, 3, 5, 6, 7, 8))
FORMULA_HEADS = ("Figure", "Formula")
# Nobody reads more of them in a workbook; the console has them all.
MOST_WAYS = 5_000
MORE_WAYS = "more lines may follow; 'vdiwb cache, logons, benchmarks or sizing … --explain' has all of them."

Line = tuple[Value, ...]


def ways_back(studies: Sequence[StudyGroups]) -> tuple[list[Line], list[Line]]:
    """A line for each source of each figure, at most MOST_WAYS of them, and the formula of each figure in it."""
    formulas: dict[str, str] = {}
    lines = list(islice(_lines(studies, formulas), MOST_WAYS))
    return lines, sorted((figure_words(key), formula) for key, formula in formulas.items())


def _lines(studies: Sequence[StudyGroups], formulas: dict[str, str]) -> Iterator[Line]:
    for study in studies:
        for explanation in explain_answers(study.study, study.groups):
            if explanation.value is None:
                continue
            formulas.setdefault(explanation.figure, explanation.formula)
            for source in explanation.sources:
                yield _line(study.study.name, explanation, source)


def _line(study: str, explanation: Explanation, source: SourceRows) -> Line:
    value: Value = utc(explanation.value) if explanation.moment and explanation.value is not None else explanation.value
    return (
        study,
        explanation.run,
        source.file,
        figure_words(explanation.figure),
        value,
        source.vm,
        source.counter,
        source.part,
        rows_words(source),
        source.first_line,
        source.column,
        source.contribution,
    )
