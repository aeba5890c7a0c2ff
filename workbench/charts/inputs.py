"""Inputs: numbers and choices of an answer that the user may change, each with its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

# Empty for a choice of presentation, which affects no number.
Origin = Literal["measured", "documented", "assumed", "guessed", "yours", ""]
Value = float | str
# A unit that is a noun in the plural: `VMs`, `ports`; not `ms`.
_PLURAL = re.compile(r"[A-Za-z]{2,}s")


class Form:
    """The questions of a page before it writes something. The answer of the page defines the fields."""


@dataclass(frozen=True, slots=True)
class Input:
    """`key` identifies it (`sizing.desktops`). With `choices` it is one of those words, otherwise a number in `unit`
    between `minimum` and `maximum`, shown with `decimals` (negative: rounded to tens or more). A typed one keeps `kept`
    decimals if these are more. `names` are the choices as shown to users (empty: the choices). `missing`: there is no
    number yet, and `value` only fills its place.

    `origin` is the kind of source, `tip` the full source. Inputs of one `group` are listed under its heading. With a
    `step` it has a slider under the figure on the same x axis; `ticks` names values on it, and a `ring` marks one.
    """

    key: str
    label: str
    value: Value
    unit: str = ""
    choices: tuple[str, ...] = ()
    minimum: float = 0.0
    maximum: float = 1e9
    decimals: int = 0
    origin: Origin = "assumed"
    tip: str = ""
    group: str = ""
    step: float = 0.0
    ticks: tuple[tuple[float, str], ...] = ()
    ring: float | None = None
    names: tuple[str, ...] = ()
    kept: int = 0
    missing: bool = False

    @property
    def counted(self) -> str:
        """The unit after the value: `1 port`, `2 ports`."""
        return unit_of(self.value, self.unit)

    @property
    def name(self) -> str:
        """The chosen word as shown to users."""
        return dict(zip(self.choices, self.names, strict=False)).get(str(self.value), str(self.value))


def unit_of(value: Value | None, unit: str) -> str:
    """The unit after a value, in the singular for 1."""
    return unit[:-1] if value == 1 and _PLURAL.fullmatch(unit) else unit
