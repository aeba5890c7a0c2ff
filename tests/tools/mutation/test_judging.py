"""How mutants are judged: by the tests that run them, in a running process, which must not change the verdicts."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.tools.mutation.__main__ import recorded
from tests.tools.mutation.judging import Judge
from tests.tools.mutation.mutants import Mutant
from tests.tools.mutation.record import MOST_S, Record
from tests.tools.mutation.statements import Marks

CODE = '''"""A module with most kinds of code."""
from functools import cache

LIMIT = 10
seen = []


def doubled(value):
    return value * 2


TWICE_TWO = doubled(2)


class Sum:
    def __init__(self, value):
        self.value = value

    @property
    def more(self):
        """One more below the limit."""
        if self.value < LIMIT:
            return self.value + 1
        return self.value

    @staticmethod
    @cache
    def less(value):
        def inner():
            return value - 1

        return inner()


def count(end):
    number = 0
    while number < end:
        number += 1
    return number


def noted(value):
    seen.extend([value] * 1)
    return len(seen) == 1
'''
TESTS = """
import pytest
from workbench.readers import adding


@pytest.fixture(scope="module")
def less():
    return adding.Sum.less(7)


def test_more():
    assert (adding.Sum(3).more, adding.Sum(20).more) == (4, 20)


def test_less(less):
    assert less == 6


def test_less_again(less):
    assert less == 6


def test_count():
    assert adding.count(3) == 3


def test_twice():
    assert (adding.TWICE_TWO, adding.LIMIT, adding.doubled(0)) == (4, 10, 0)


def test_noted():
    assert adding.noted(1)
    adding.seen.pop()


def test_that_fails():
    assert adding.count(1) == 2
"""
# The garbage collection does not list frozen objects: the judge finds the functions anyway.
CONFTEST = """
import gc


def pytest_collection_finish():
    gc.freeze()
"""
FILE = "workbench/readers/adding.py"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of one module and its tests."""
    root = tmp_path_factory.mktemp("project")
    files = {
        "workbench/__init__.py": "",
        "workbench/readers/__init__.py": "",
        FILE: CODE,
        "tests/conftest.py": CONFTEST,
        "tests/readers/test_adding.py": TESTS,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def record(project: Path) -> Record:
    """The statements that each of these tests runs."""
    return recorded(project, 1, 1, None)


@pytest.fixture(scope="module")
def judge(project: Path, record: Record) -> Iterator[Judge]:
    """A judge of this project's mutants."""
    with Judge(project, 1, record) as judge:
        yield judge


def changed(before: str, after: str, file: str = FILE) -> Mutant:
    start = CODE.index(before)
    return Mutant(file, start, start + len(before), CODE.count("\n", 0, start) + 1, before, after)


def test_that_the_record_has_the_tests_of_each_statement_and_the_import_time_statements(record: Record) -> None:
    line = CODE.count("\n", 0, CODE.index("return self.value\n")) + 1
    assert record.tests[FILE, line] == ["tests/readers/test_adding.py::test_more"]
    assert record.tests[FILE, line - 1] == ["tests/readers/test_adding.py::test_more"]
    doubled = CODE.count("\n", 0, CODE.index("return value * 2")) + 1
    assert record.early == {(FILE, doubled)}
    assert "tests/readers/test_adding.py::test_that_fails" not in record.seconds
    inner = CODE.count("\n", 0, CODE.index("return value - 1")) + 1
    assert sorted(record.tests[FILE, inner]) == [
        "tests/readers/test_adding.py::test_less",
        "tests/readers/test_adding.py::test_less_again",
    ]


def test_that_tests_that_timed_out_are_recorded_next_time(project: Path, record: Record, tmp_path: Path) -> None:
    results = tmp_path / "mutants.jsonl"
    assert recorded(project, 1, 1, results, end=0.0) == Record()
    assert recorded(project, 1, 1, results).tests == record.tests
    assert recorded(project, 1, 1, results, end=0.0).tests == record.tests


@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        ("self.value + 1", "self.value - 1", "tests/readers/test_adding.py::test_more"),
        ("self.value < LIMIT", "self.value <= LIMIT", ""),
        ("value - 1", "value + 1", "tests/readers/test_adding.py::test_less"),
        ("LIMIT = 10", "LIMIT = 11", "tests/readers/test_adding.py::test_twice"),
        ("value * 2", "value + 2", "tests/readers/test_adding.py::test_twice"),
        ("[value] * 1", "[value] * 2", "tests/readers/test_adding.py::test_noted"),
    ],
)
def test_that_a_mutant_is_killed_by_a_test_that_runs_it(judge: Judge, before: str, after: str, how: str) -> None:
    verdict = judge.judge(changed(before, after))
    assert verdict.killed == bool(how)
    assert verdict.how.startswith(how)


def test_that_code_without_a_test_survives(judge: Judge) -> None:
    assert judge.judge(Mutant(FILE, len(CODE), len(CODE), 99, "", "\n")).killed is False


@pytest.mark.slow
def test_that_results_do_not_depend_on_earlier_mutants(judge: Judge) -> None:
    """Three mutants: an endless one, one that changes a list so that its test fails later, and one with a cached
    result."""
    judge.judge(changed("number = 0", "number = 0 * 1"))
    process = judge._living
    endless = judge.judge(changed("number += 1", "number += 0"))
    assert endless.how == "tests/readers/test_adding.py::test_count"
    assert judge._living is process is not None
    for _ in range(2):
        assert judge.judge(changed("len(seen) == 1", "len(seen) == 2")).killed
        assert not judge.judge(changed("len(seen) == 1", "len(seen) <= 1")).killed
        assert judge.judge(changed("value - 1", "value + 1")).killed
        assert not judge.judge(changed("value - 1", "value - 1 * 1")).killed


def test_that_the_fastest_tests_run_first_and_few_of_many_cases() -> None:
    seconds = {"a.py::one": 0.3, "a.py::two[1]": 0.2, "a.py::two[2]": 0.25, "a.py::slow": MOST_S}
    record = Record(seconds, {("m.py", 2): list(seconds)})
    mutant = Mutant("m.py", 10, 11, 2, "1", "2")
    tests, alone = record.asked(mutant, "def f():\n    return 1\n")
    assert ([test for test, _ in tests], alone) == (["a.py::two[1]", "a.py::one", "a.py::two[2]"], False)
    record.early.add(("m.py", 2))
    assert record.asked(mutant, "def f():\n    return 1\n")[1]


def test_that_a_module_with_tables_is_tested_by_its_folder() -> None:
    record = Record(
        {"a.py::one": 0.3, "b.py::two": 0.2}, {("w/n/m.py", 2): ["a.py::one"], ("w/m.py", 2): ["b.py::two"]}
    )
    assert record.asked(Mutant("w/n/t.py", 4, 5, 1, "1", "2"), "x = 1\n") == ([("a.py::one", 0.3)], True)


def test_that_a_record_is_saved_and_read(record: Record, tmp_path: Path) -> None:
    record.write(tmp_path / "record")
    assert Record.read(tmp_path / "record") == record


def test_that_marks_show_the_executed_lines(tmp_path: Path) -> None:
    """Compared with the statements that Python's tracing reports."""
    source = (
        "def f(a):\n    'says'\n    for b in a:\n        if b:\n            continue\n        try:\n            b = 1\n"
    )
    source += "        except ValueError:\n            b = 2\n        finally:\n            c = b\n    return c\n"
    (tmp_path / "m.py").write_text(source)
    names: dict[str, Any] = {}
    marks = Marks(tmp_path, frozenset(("m.py",)))
    exec(marks.code_of(str(tmp_path / "m.py")) or "", names)
    names["f"]([0, 1])
    ran = {line for _, line in marks.ran()}
    lines: set[int] = set()
    exec(compile(source, "traced", "exec"), names)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        lines.update({frame.f_lineno} if event == "line" else ())
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    names["f"]([0, 1])
    sys.settrace(before)
    statements = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)}
    assert ran - {2} == lines & statements
    assert marks.ran() == frozenset()
