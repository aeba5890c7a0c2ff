"""Formulas as text with names in braces, `{iops_disks} / {disk_iops}`: evaluated here, and live in a spreadsheet.

Allowed are numbers, names, + - * /, brackets and the functions `ceil`, `floor`, `max`, `min` and `sqrt`. If a value is
not available, the result is not available. `max` and `min` ignore missing values, as Excel ignores text and empty
cells. Rounding ignores anything below 10^-9, so 10.000000000000002 hosts are 10.
"""

from __future__ import annotations

import ast
import math
import string
from collections.abc import Callable, Mapping
from functools import lru_cache

_DIGITS = 9
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_SIGNS = {
    " * ": " × ",
    " / ": " ÷ ",
    " - ": " − ",
    "ceil(": "round up(",
    "floor(": "round down(",
    "max(": "maximum of (",
    "min(": "minimum of (",
    "sqrt(": "√(",
}


class FormulaError(ValueError):
    """The text is not a valid formula; the message gives the reason."""


def round_up(value: float) -> float:
    """The next whole number, ignoring rounding errors."""
    return float(math.ceil(round(value, _DIGITS)))


def round_down(value: float) -> float:
    """The whole number below, ignoring rounding errors."""
    return float(math.floor(round(value, _DIGITS)))


def keys(template: str) -> tuple[str, ...]:
    """The names in a formula, each once, in order of appearance."""
    return tuple(dict.fromkeys(key for _, key, _, _ in string.Formatter().parse(template) if key))


def evaluate(template: str, values: Mapping[str, float | None]) -> float | None:
    """The value of a formula. None if an input is not available or it divides by zero.

    Raises `FormulaError` if the text is not a formula, `KeyError` for a name without an entry in `values`.
    """
    value = _value(_tree(template), values)
    return value if value is None or math.isfinite(value) else None


def arguments(template: str) -> tuple[str, ...]:
    """The names that a formula `max({a}, {b})` compares; empty for any other formula."""
    tree = _tree(template)
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "max"):
        return ()
    return tuple(arg.id for arg in tree.args if isinstance(arg, ast.Name))


def written(template: str, texts: Mapping[str, str]) -> str:
    """The formula for people, with × and ÷, and a text (a label or a number) instead of each name."""
    parts = []
    for literal, key, _, _ in string.Formatter().parse(template):
        for sign, shown in _SIGNS.items():
            literal = literal.replace(sign, shown)
        parts += [literal, texts[key] if key else ""]
    return "".join(parts)


def as_excel(template: str, cells: Mapping[str, str]) -> str:
    """The formula for a spreadsheet, without its `=`, with a cell instead of each name."""
    return _excel(_tree(template), cells)


@lru_cache(maxsize=256)
def _tree(template: str) -> ast.expr:
    try:
        tree = ast.parse(template.format(**{name: name for name in keys(template)}), mode="eval").body
    except (SyntaxError, ValueError, KeyError, IndexError) as error:
        raise FormulaError(f"'{template}' is not a formula.") from error
    _check(tree, template)
    return tree


def _check(node: ast.expr, template: str) -> None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return
    if isinstance(node, ast.Name):
        return
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        _check(node.left, template)
        _check(node.right, template)
        return
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _FUNCTIONS
        and node.args
        and not node.keywords
    ):
        for arg in node.args:
            _check(arg, template)
        return
    raise FormulaError(f"'{template}' contains more than names, numbers, + - * /, ceil, floor, max, min and sqrt.")


def _value(node: ast.expr, values: Mapping[str, float | None]) -> float | None:
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, values), _value(node.right, values)
        return None if left is None or right is None else _combined(node.op, left, right)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    known = [value for arg in node.args if (value := _value(arg, values)) is not None]
    return _FUNCTIONS[node.func.id](known) if known else None


def _combined(operator: ast.operator, left: float, right: float) -> float | None:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    return None if right == 0 else left / right


_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "ceil": lambda known: round_up(known[0]),
    "floor": lambda known: round_down(known[0]),
    "max": max,
    "min": min,
    "sqrt": lambda known: math.sqrt(known[0]) if known[0] >= 0 else math.nan,
}


def _excel(node: ast.expr, cells: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Name):
        return cells[node.id]
    if isinstance(node, ast.BinOp):
        return f"({_excel(node.left, cells)}{_OPERATORS[type(node.op)]}{_excel(node.right, cells)})"
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    inner = [_excel(arg, cells) for arg in node.args]
    if node.func.id in ("ceil", "floor"):
        name = "ROUNDUP" if node.func.id == "ceil" else "ROUNDDOWN"
        return f"{name}(ROUND({inner[0]},{_DIGITS}),0)"
    return f"{node.func.id.upper()}({','.join(inner)})"
