"""Formulas as text: their values, their display, the form for spreadsheets, and rejected formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.measures.formulas import FormulaError, arguments, as_excel, evaluate, keys, round_down, round_up, written


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{a} + {b} * {c}", 14.0),
        ("({a} + {b}) * {c}", 20.0),
        ("{a} - {b} - {c}", -5.0),
        ("{b} / {a}", 1.5),
        ("ceil({b} / {a})", 2.0),
        ("floor({b} / {a})", 1.0),
        ("max({a}, {b}, {c})", 4.0),
        ("min({a}, {b})", 2.0),
        ("100 * {a} / 0.5", 400.0),
    ],
)
def test_that_a_formula_is_computed(template: str, expected: float) -> None:
    assert evaluate(template, {"a": 2.0, "b": 3.0, "c": 4.0}) == expected


def test_that_a_missing_operand_gives_a_missing_result_and_max_ignores_it() -> None:
    values = {"a": None, "b": 3.0}
    assert evaluate("{a} + {b}", values) is None
    assert evaluate("max({a}, {b})", values) == 3.0
    assert evaluate("max({a}, {a})", values) is None
    assert evaluate("ceil({a})", values) is None


def test_that_a_division_by_zero_is_missing() -> None:
    assert evaluate("{a} / {b}", {"a": 1.0, "b": 0.0}) is None


@pytest.mark.parametrize(
    "template",
    [
        "__import__('os')",
        "{a}.real",
        "{a}[0]",
        "{a} ** 9",
        "'x' * {a}",
        "{a} if {a} else 1",
        "sum({a})",
        "ceil()",
        "{a} +",
        "max({a}, key=1)",
        "True",
        "{",
        "-{a}",
    ],
)
def test_that_a_formula_with_more_than_arithmetic_is_rejected(template: str) -> None:
    with pytest.raises(FormulaError):
        evaluate(template, {"a": 1.0})


def test_that_a_rounding_error_is_not_rounded_up() -> None:
    assert round_up(10.000000000000002) == 10.0
    assert round_down(49.99999999999999) == 50.0
    assert round_up(10.001) == 11.0
    assert round_down(9.999) == 9.0


def test_that_a_formula_is_displayed_in_common_notation() -> None:
    assert keys("{a} * {b} / {a}") == ("a", "b")
    assert written("{a} * {b} / {c} - 1", {"a": "500", "b": "30", "c": "140"}) == "500 × 30 ÷ 140 − 1"
    assert arguments("max({a}, {b})") == ("a", "b")
    assert arguments("{a} + {b}") == ()


def test_that_a_spreadsheet_gets_the_same_formula() -> None:
    cells = {"a": "B2", "b": "$C$3"}
    assert as_excel("ceil({a} * 1.5 / {b})", cells) == "ROUNDUP(ROUND(((B2*1.5)/$C$3),9),0)"
    assert as_excel("max({a}, floor({b}))", cells) == "MAX(B2,ROUNDDOWN(ROUND($C$3,9),0))"
    assert as_excel("{a} - ({b} - {a})", cells) == "(B2-($C$3-B2))"


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6), st.floats(-1e6, 1e6))
def test_that_the_values_equal_those_of_python(a: float, b: float, c: float) -> None:
    found = evaluate("({a} - {c}) / {b} + max({a}, {c}) * 2", {"a": a, "b": b, "c": c})
    assert found == (a - c) / b + max(a, c) * 2
