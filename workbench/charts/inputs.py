"""Inputs: the numbers and choices of an answer that the user may change, each with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Empty for a choice of how something is shown: no number comes from it.
Origin = Literal["measured", "documented", "assumed", "guessed", "yours", ""]
Value = float | str


class Form:
    """What a page asks before it writes something. The page's own answer says what it holds."""


@dataclass(frozen=True, slots=True)
class Input:
    """`key` names it (`sizing.desktops`); with `choices` it is one of those words, else a number in `unit`
    between `minimum` and `maximum`. `origin` says where the value stands from, `tip` the source in full;
    inputs of one `group` stand under its heading. With a `step` it has a slider under the figure, whose x axis it
    shares; `ticks` name values on it, and a `ring` marks one."""

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
