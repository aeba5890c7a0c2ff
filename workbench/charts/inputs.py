"""Inputs: numbers and choices of an answer that the user may change, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Empty for a choice of presentation, which affects no number.
Origin = Literal["measured", "documented", "assumed", "guessed", "yours", ""]
Value = float | str


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
    def name(self) -> str:
        """The chosen word as shown to users."""
        return dict(zip(self.choices, self.names, strict=False)).get(str(self.value), str(self.value))
