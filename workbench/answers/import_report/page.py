"""The import report: the causes that need attention, and every file and every problem."""

from __future__ import annotations

from collections import Counter

from workbench.answers.common.causes import refused_files
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.import_report.causes import causes
from workbench.answers.import_report.spec import BY_CAUSE
from workbench.charts.content import Content
from workbench.charts.tables import file_table, problem_table
from workbench.model.problem import Cause, CauseGroup, Severity
from workbench.words.captions import captioned
from workbench.words.numbers import plural


def import_report(library: Library, choices: Choices) -> Content:
    """Every cause, or every problem and every file."""
    question = "What needs a decision after the import?"
    if not library.files and not library.problems:
        return without_answer(question, library)
    problems = sorted(library.all_problems, key=lambda problem: -list(Severity).index(problem.severity))
    every = causes(library, choices)
    shown = every if choices.page_view(IMPORT_REPORT) in ("", BY_CAUSE) else ()
    files = file_table(sorted(library.files, key=lambda report: (not report.recognised, report.path)))
    caption, method = _captions(library, every)
    return Content(question, caption, tables=(problem_table(problems), files), causes=shown, method=method)


def _captions(library: Library, every: tuple[Cause, ...]) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    known = sum(report.recognised for report in library.files)
    refused = refused_files(problem for cause in every for problem in cause.problems)
    # Problems, as counted by the badge and the tree: a cause may have several.
    numbers = Counter(cause.group for cause in every for _ in cause.problems)
    kinds = sum(cause.group is CauseGroup.NOTE for cause in every)
    needed = numbers[CauseGroup.NEEDS_YOU] + numbers[CauseGroup.REFUSED]
    mended = numbers[CauseGroup.MENDED]
    counts = (
        f"{plural(needed, 'problem')} need{'s' * (needed == 1)} a decision" if needed else "",
        f"{mended} fixed automatically" if mended else "",
        f"{plural(kinds, 'kind')} of note{'s' * (kinds > 1)}" if kinds else "",
    )
    facts = (
        ", ".join(filter(None, counts)) or "No problems and no notes",
        f"{len(refused)} not imported" if refused else "",
        f"{known} of {len(library.files)} files were read",
    )
    return captioned(facts)
