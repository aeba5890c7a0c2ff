"""A field for a number, written as numbers stand everywhere else: thin spaces between groups, the chosen decimal mark.

What is typed is taken as people type it: with either mark, with spaces, commas, points or apostrophes between groups.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from workbench.gui.services.theme import freed_whole
from workbench.words.numbers import MINUS, decimal_mark, fixed, marked

_BETWEEN_GROUPS = re.compile("[\\s\u2009\u202f\u00a0'’_]")
_BEGUN = re.compile(r"[+-]?[\d.,]*")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
# What a double holds, and as many decimals.
_DIGITS = 15
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")


def typed_number(text: str) -> float | None:
    """The number that somebody typed, None where it is none.

    Of two kinds of marks the last is the decimal one; one kind that comes twice parts groups. A mark that comes once
    is the decimal one, unless it is not the one that numbers are written with here and exactly three digits follow.
    """
    plain = _BETWEEN_GROUPS.sub("", text.replace(MINUS, "-"))
    marks = [char for char in plain if char in ".,"]
    decimal = marks[-1] if marks else decimal_mark()
    if (len(marks) > 1 and len(set(marks)) == 1) or (decimal != decimal_mark() and _GROUPED.fullmatch(plain)):
        decimal = ""
    elif marks.count(decimal) > 1:
        return None
    bare = "".join("." if char == decimal else char for char in plain if char == decimal or char not in ".,")
    return float(bare) if _NUMBER.fullmatch(bare) else None


class NumberField(QDoubleSpinBox):
    """A spin box of numbers with a unit behind them; it signals its value when it is left or on Return."""

    def __init__(self) -> None:
        super().__init__()
        self.setKeyboardTracking(False)
        freed_whole(self)

    def textFromValue(self, value: float) -> str:
        """The number as it stands on cards and in tables."""
        return fixed(value, self.decimals())

    def valueFromText(self, text: str) -> float:
        """The number typed; what it was before where it is none."""
        value = typed_number(self._bare(text))
        return self.value() if value is None else value

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Whether the text is a number in range, the beginning of one, or none."""
        bare = self._bare(text)
        value = typed_number(bare)
        if value is not None and math.isfinite(value) and self.minimum() <= value <= self.maximum():
            return QValidator.State.Acceptable, text, at
        begun = _BEGUN.fullmatch(_BETWEEN_GROUPS.sub("", bare.replace(MINUS, "-")))
        return QValidator.State.Intermediate if begun else QValidator.State.Invalid, text, at

    def _bare(self, text: str) -> str:
        return text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()


class ExactField(NumberField):
    """A field that shows as many decimals as its number has, and rounds none away."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(_DIGITS)

    def textFromValue(self, value: float) -> str:
        """Every digit that it has."""
        return marked(f"{Decimal(f'{value or 0.0:.{_DIGITS}g}'):,f}").replace("-", MINUS)
