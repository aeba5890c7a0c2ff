"""What the tests of fio's JSON ask of a reading."""

from __future__ import annotations

from tests.readers.fio_results import result, text_of
from workbench.model.problem import Severity
from workbench.model.reading import Reading

FIO = text_of(result())


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def refusal(reading: Reading) -> tuple[str, int | None, str]:
    (problem,) = reading.problems
    assert problem.severity is Severity.REFUSED
    assert not reading.benchmarks
    return problem.code, problem.line, problem.message
