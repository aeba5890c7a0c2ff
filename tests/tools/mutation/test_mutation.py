"""The mutants of a mutation run, unchanged code, and its report."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from scipy.stats import binomtest

from tests.tools.mutation.__main__ import PROJECT, SCOPE, all_mutants, drawn
from tests.tools.mutation.judging import Verdict
from tests.tools.mutation.mutants import Mutant, mutants_of
from tests.tools.mutation.report import kept, known, summary, wilson

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
    ("zip(a, b, strict=True)", set()),
    ("zip(a, b, strict=False)", {"zip(a, b, strict=True)"}),
    ("loads(a, strict=True)", {"loads(a, strict=False)"}),
    ("[a for a in b if c]", {"[a for a in b if (not (c))]"}),
]


def changed(source: str) -> set[str]:
    """The texts of all mutants."""
    return {mutant.of(source) for mutant in mutants_of("a.py", source)}


@pytest.mark.parametrize(("code", "mutants"), PAIRS)
def test_that_code_has_exactly_these_mutants(code: str, mutants: set[str]) -> None:
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
def test_that_strings_and_messages_and_annotations_and_docstrings_are_not_changed(code: str) -> None:
    assert mutants_of("a.py", code) == []


def test_that_a_mutant_is_one_change_at_its_line() -> None:
    (mutant,) = mutants_of("a.py", "x = 'ä€'\n\ny = (a  # or\n     and b)\n")
    assert (mutant.line, mutant.before, mutant.after) == (4, "and", "or")
    assert mutant.of("x = 'ä€'\n\ny = (a  # or\n     and b)\n") == "x = 'ä€'\n\ny = (a  # or\n     or b)\n"


def test_that_a_seed_always_draws_the_same_mutants() -> None:
    mutants = all_mutants(PROJECT, SCOPE[:1])
    assert len(mutants) > 100
    assert drawn(mutants, 1, 50) == drawn(all_mutants(PROJECT, SCOPE[:1]), 1, 50)
    assert drawn(mutants, 1, 50) != drawn(mutants, 2, 50)
    assert len(set(drawn(mutants, 1, 50))) == 50
    assert sorted(drawn(mutants, 1, 10**6)) == mutants


def test_that_mutants_compile() -> None:
    mutants = drawn(all_mutants(PROJECT), 3, 60)
    for mutant in mutants:
        ast.parse(mutant.of((PROJECT / mutant.file).read_text(encoding="utf-8")), mutant.file)


def test_that_every_computing_folder_is_in_the_sample() -> None:
    files = {mutant.file for mutant in all_mutants(PROJECT)}
    assert {"workbench/phases", "workbench/readers"} <= {str(Path(file).parent) for file in files}
    assert len(files) > 80


@pytest.mark.parametrize(("killed", "judged"), [(0, 10), (7, 10), (10, 10), (850, 1000), (1, 1)])
def test_that_the_interval_equals_that_of_wilson(killed: int, judged: int) -> None:
    interval = binomtest(killed, judged).proportion_ci(0.95, method="wilson")
    assert wilson(killed, judged) == pytest.approx((interval.low, interval.high), abs=1e-6)


def test_that_the_report_has_the_share_and_its_interval_and_each_survivor_with_a_reason() -> None:
    mutant = Mutant("workbench/adding.py", 0, 1, 5, "<", "<=")
    verdicts = [Verdict(mutant, False, "tests/test_sum.py", 1.0)]
    verdicts += [Verdict(Mutant("b.py", 0, 1, place, "+", "-"), True, "t", 1.0) for place in range(9)]
    assert summary(verdicts, 12, 7).splitlines() == [
        "Killed: 9 of 10 mutants, 90.0 % [59.6, 98.2], seed 7; 2 more were drawn and not judged.",
        "workbench/adding.py:5: < -> <=",
        "    these tests pass with it: tests/test_sum.py",
    ]


def test_that_results_are_saved_and_read(tmp_path: Path) -> None:
    file = tmp_path / "mutants.jsonl"
    verdicts = [Verdict(Mutant("a.py", 3, 4, 1, "<", "<="), killed, "ä", 1.5) for killed in (True,)]
    assert known(file) == {}
    kept(file, verdicts)
    assert known(file) == {verdicts[0].mutant: verdicts[0]}
