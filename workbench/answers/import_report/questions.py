"""What only the user can decide about what was read: each question once, for all runs that it is asked of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.model.problem import Problem, Severity


@dataclass(frozen=True, slots=True)
class Question:
    """`text` says what is odd and what is done until it is decided; `runs` are folders. Without `machines` the
    question is whether the folder is split into runs."""

    text: str
    runs: tuple[str, ...]
    machines: tuple[str, ...]


def questions(problems: Iterable[Problem]) -> tuple[Question, ...]:
    """The open questions among the problems; one about the same machines of several runs is one question."""
    groups: dict[tuple[object, ...], list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.run and problem.severity is Severity.WARNING:
            groups[(problem.code, problem.machines, problem.run if not problem.machines else "")].append(problem)
    return tuple(_question(group) for group in groups.values())


def _question(group: list[Problem]) -> Question:
    first, runs = group[0], tuple(dict.fromkeys(problem.run for problem in group))
    more = "" if len(runs) == 1 else f" The same holds for {len(runs) - 1} more run{'s' * (len(runs) > 2)}."
    until = "Until you decide, all are summed." if first.machines else "Until you decide, no average holds it."
    return Question(f"{first.file}: {first.message}{more} {until}", runs, first.machines)
