"""The import report: every file, and every problem."""

from __future__ import annotations

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.charts.tables import file_table, problem_table
from workbench.model.problem import Severity


def import_report(library: Library, _state: Choices) -> Content:
    """Every file and every problem."""
    question = "What was read, and what was not?"
    if not library.files and not library.problems:
        return without_answer(question, library)
    problems = sorted(library.all_problems, key=lambda problem: -list(Severity).index(problem.severity))
    known = sum(report.recognised for report in library.files)
    counts = [sum(p.severity is severity for p in problems) for severity in Severity]
    caption = (
        f"{known} of {len(library.files)} files recognised · {counts[2]} refused · {counts[1]} warnings · "
        f"{counts[0]} notes, such as what was inferred and why"
    )
    return Content(
        question,
        caption,
        tables=(
            problem_table(problems),
            file_table(sorted(library.files, key=lambda report: (not report.recognised, report.path))),
        ),
    )
