"""The mutation run itself: what it changes and leaves alone, which tests it asks, and what it says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from scipy.stats import binomtest

from tests.mutation import judging
from tests.mutation.__main__ import PROJECT, SCOPE, all_mutants, drawn
from tests.mutation.judging import Tree, Verdict
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.nearest import Imports
from tests.mutation.report import kept, known, summary, wilson

SUM = '''"""Adds 1 to numbers below 10 and says so."""


def more(value: int) -> int:
    if value < 10:
        value += 1
    return value
'''
TEST_SUM = """from workbench.adding import more


def test_that_it_adds() -> None:
    assert (more(3), more(20)) == (4, 20)
"""
PAIRS = [
    ("a < b", {"a <= b", "a >= b"}),
    ("a not in b", {"a in b"}),
    ("a is b", {"a is not b"}),
    ("a <= b == c", {"a < b == c", "a > b == c", "a <= b != c"}),
    ("a and b", {"a or b"}),
    ("not a", {"a"}),
    ("(a) + (b)", {"(a) - (b)"}),
    ("a // b", {"a / b"}),
    ("a ** b", {"a * b"}),
    ("max(a, b)", {"min(a, b)"}),
    ("a[1]", {"a[2]"}),
    ("a * 0.5", {"a / 0.5", "a * 1.0"}),
    ("not (a)", {"(a)"}),
    ("True", {"False"}),
    ("a == 'ä' < b", {"a != 'ä' < b", "a == 'ä' <= b", "a == 'ä' >= b"}),
    ("a if b else c", {"a if (not (b)) else c"}),
    ("[a for a in b if c]", {"[a for a in b if (not (c))]"}),
]


def changed(source: str) -> set[str]:
    """The texts of all mutants."""
    return {mutant.of(source) for mutant in mutants_of("a.py", source)}


@pytest.mark.parametrize(("code", "mutants"), PAIRS)
def test_that_code_has_these_mutants_and_no_others(code: str, mutants: set[str]) -> None:
    assert changed(f"x = {code}\n") == {f"x = {mutant}\n" for mutant in mutants}


def test_that_statements_have_mutants() -> None:
    source = "def f(a):\n    a.sort()\n    a += b\n    for c in a:\n        break\n    return a\n"
    assert changed(source) == {
        source.replace("a.sort()", "pass"),
        source.replace("+=", "-="),
        source.replace("break", "continue"),
        source.replace("return a", "return None"),
    }


@pytest.mark.parametrize(
    "code",
    [
        '"""Adds 1 < 2."""\n',
        "x = 'a < 1 and b'\n",
        "x = f'{a + 1} of {b < 2}'\n",
        "x: int | None\n",
        "# a < 1\n",
        "def f(a: int | str = None) -> int | None:\n    '''At least 1 and at most 2.'''\n",
        "raise ValueError('no', 1 + 2)\n",
        "x = 'a' + b\n",
        "x = Problem(a, 1 + 2)\n",
        "@dataclass(frozen=True)\nclass A:\n    '''1 < 2'''\n",
        "import a\n",
    ],
)
def test_that_strings_messages_annotations_and_docstrings_are_left_alone(code: str) -> None:
    assert mutants_of("a.py", code) == []


def test_that_a_mutant_is_one_change_at_the_line_that_it_names() -> None:
    (mutant,) = mutants_of("a.py", "x = 'ä€'\n\ny = (a  # or\n     and b)\n")
    assert (mutant.line, mutant.before, mutant.after) == (4, "and", "or")
    assert mutant.of("x = 'ä€'\n\ny = (a  # or\n     and b)\n") == "x = 'ä€'\n\ny = (a  # or\n     or b)\n"


def test_that_the_same_seed_draws_the_same_mutants_and_another_others() -> None:
    mutants = all_mutants(PROJECT, SCOPE[:1])
    assert len(mutants) > 100
    assert drawn(mutants, 1, 50) == drawn(all_mutants(PROJECT, SCOPE[:1]), 1, 50)
    assert drawn(mutants, 1, 50) != drawn(mutants, 2, 50)
    assert len(set(drawn(mutants, 1, 50))) == 50
    assert sorted(drawn(mutants, 1, 10**6)) == mutants


def test_that_mutants_are_code_that_python_can_compile() -> None:
    mutants = drawn(all_mutants(PROJECT), 3, 300)
    for mutant in mutants:
        ast.parse(mutant.of((PROJECT / mutant.file).read_text(encoding="utf-8")), mutant.file)


def test_that_every_folder_that_computes_is_in_the_sample() -> None:
    files = {mutant.file for mutant in all_mutants(PROJECT)}
    assert {"workbench/phases", "workbench/readers"} <= {str(Path(file).parent) for file in files}
    assert len(files) > 80


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of three modules and their tests."""
    texts = {
        "workbench/__init__.py": "",
        "workbench/adding.py": SUM,
        "tests/__init__.py": "",
        "tests/test_sum.py": TEST_SUM,
        "workbench/using.py": "from workbench import adding\n",
        "workbench/alone.py": "x = 1\n",
        "tests/test_adding.py": TEST_SUM,
        "tests/test_using.py": "import workbench.using\n\n\ndef test_it(): pass\n",
        "tests/gui/test_window.py": TEST_SUM,
    }
    for name, text in texts.items():
        (tmp_path / "here" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "here" / name).write_text(text)
    return tmp_path / "here"


def test_that_the_nearest_tests_are_asked_first_and_no_windows(project: Path) -> None:
    imports = Imports(project)
    assert imports.tests_of("workbench/adding.py") == [
        "tests/test_adding.py",
        "tests/test_sum.py",
        "tests/test_using.py",
    ]
    assert imports.tests_of("workbench/using.py") == ["tests/test_using.py"]
    assert imports.tests_of("workbench/alone.py") == []


def test_that_mutants_are_judged_in_a_copy_and_the_project_stays(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = Tree.copied(project, tmp_path / "there", 1)
    (project / "workbench" / "adding.py").write_text("not the copy")
    tests = tree.asked(["tests/test_adding.py", "tests/test_sum.py"], 1, ())
    assert tests == ["tests/test_adding.py"]
    mutants = {mutant.after: mutant for mutant in mutants_of("workbench/adding.py", SUM)}
    every = ["tests/test_adding.py", "tests/test_using.py"]
    noticed, unnoticed = (tree.judge_by_all(mutants[after], every, 5, ()) for after in ("-=", "<="))
    assert (noticed.killed, noticed.how) == (True, "tests/test_adding.py::test_that_it_adds")
    assert (unnoticed.killed, unnoticed.how) == (False, "tests/test_adding.py, tests/test_using.py")
    start = SUM.index("value += 1")
    endless = Mutant("workbench/adding.py", start, start + 10, 6, "value += 1", "while True: pass")
    monkeypatch.setattr(judging, "_SLOWER", 0.0)
    monkeypatch.setattr(judging, "_MORE_S", 2.0)
    stopped = tree.judge(endless, tests)
    assert (stopped.killed, stopped.how) == (True, "time")
    assert (tree.root / "workbench" / "adding.py").read_text() == SUM
    assert (project / "workbench" / "adding.py").read_text() == "not the copy"


def test_that_tests_that_fail_without_a_mutant_are_not_asked(project: Path, tmp_path: Path) -> None:
    (project / "tests" / "test_sum.py").write_text("def test_that_fails() -> None:\n    assert False\n")
    tree = Tree.copied(project, tmp_path / "there", 1)
    assert tree.asked(["tests/test_sum.py", "tests/test_adding.py"], 5, ()) == ["tests/test_adding.py"]


@pytest.mark.parametrize(("killed", "judged"), [(0, 10), (7, 10), (10, 10), (850, 1000), (1, 1)])
def test_that_the_interval_is_that_of_wilson(killed: int, judged: int) -> None:
    interval = binomtest(killed, judged).proportion_ci(0.95, method="wilson")
    assert wilson(killed, judged) == pytest.approx((interval.low, interval.high), abs=1e-6)


def test_that_the_report_has_the_share_its_interval_and_each_survivor_with_why() -> None:
    mutant = Mutant("workbench/adding.py", 0, 1, 5, "<", "<=")
    verdicts = [Verdict(mutant, False, "tests/test_sum.py", 1.0)]
    verdicts += [Verdict(Mutant("b.py", 0, 1, place, "+", "-"), True, "t", 1.0) for place in range(9)]
    assert summary(verdicts, 12, 7).splitlines() == [
        "Killed: 9 of 10 mutants, 90.0 % [59.6, 98.2], seed 7; 2 more were drawn and not judged.",
        "workbench/adding.py:5: < -> <=",
        "    these tests pass with it: tests/test_sum.py",
    ]


def test_that_verdicts_are_kept_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mutants.jsonl"
    verdicts = [Verdict(Mutant("a.py", 3, 4, 1, "<", "<="), killed, "ä", 1.5) for killed in (True,)]
    assert known(file) == {}
    kept(file, verdicts)
    assert known(file) == {verdicts[0].mutant: verdicts[0]}
