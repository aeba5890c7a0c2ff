"""A field for a number, in the number format of the window: thin spaces between groups, the chosen decimal mark.

It accepts what people type: either decimal mark, and spaces, commas, points or apostrophes between groups.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from workbench.gui.services.theme import freed_whole
from workbench.words.numbers import MINUS, MISSING, decimal_mark, fixed, marked

_BETWEEN_GROUPS = re.compile("[\\s\u2009\u202f\u00a0'’_]")
_BEGUN = re.compile(r"[+-]?[\d.,]*")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
# The significant digits of a double, and at most as many decimals.
_DIGITS = 15
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")


def typed_number(text: str) -> float | None:
    """The number in a typed text, None if the text is not a number.

    Of two kinds of marks, the last one is the decimal mark. One kind that occurs twice separates groups. A mark that
    occurs once is the decimal mark, except if it is not the chosen decimal mark and exactly three digits follow.
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
    """A spin box for numbers with a unit. It emits its value when it loses the focus, or on Return."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: int | None = None
        self._missing = False
        self.setKeyboardTracking(False)
        freed_whole(self)

    def show_decimals(self, shown: int, kept: int = 0) -> None:
        """Shows this many decimals from now on (negative: rounds to tens or more). Keeps `kept` if these are more."""
        self._shown = shown
        self.setDecimals(max(0, shown, kept))

    def show_missing(self, missing: bool) -> None:
        """With the next `setValue`, a dash replaces the lowest number, or no longer does."""
        self._missing = missing

    def textFromValue(self, value: float) -> str:
        """The number formatted as on cards and in tables."""
        if self._missing and value == self.minimum():
            return MISSING
        decimals = self.decimals() if self._shown is None else self._shown
        return fixed(round(value, decimals), max(0, decimals))

    def valueFromText(self, text: str) -> float:
        """The typed number, or the previous value if the text is not a number or is the text of that value."""
        if self._bare(text) == self.textFromValue(self.value()):
            return self.value()
        value = typed_number(self._bare(text))
        return self.value() if value is None else value

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Returns whether the text is a number in range, the beginning of one, or invalid."""
        bare = self._bare(text)
        value = typed_number(bare)
        if value is not None and math.isfinite(value) and self.minimum() <= value <= self.maximum():
            return QValidator.State.Acceptable, text, at
        begun = _BEGUN.fullmatch(_BETWEEN_GROUPS.sub("", bare.replace(MINUS, "-")))
        return QValidator.State.Intermediate if begun else QValidator.State.Invalid, text, at

    def _bare(self, text: str) -> str:
        return text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip().removeprefix(MISSING)


class ExactField(NumberField):
    """A field that shows all decimals of its number without rounding."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(_DIGITS)

    def textFromValue(self, value: float) -> str:
        """Every digit of the number."""
        return marked(f"{Decimal(f'{value or 0.0:.{_DIGITS}g}'):,f}").replace("-", MINUS)
