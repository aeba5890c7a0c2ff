"""A register of kinds of pollution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.pollution.drafts import Draft
from tests.pollution.sheets import Sheet

Pollute = Callable[[Draft], None]
Everywhere = ("perfmon", "resaved", "esxtop", "login-vsi-logon", "login-vsi-appstart", "generic-csv")
PDH = ("perfmon", "resaved", "esxtop")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: its name, its description, its effect on a draft, and the formats that it applies to."""

    name: str
    words: str
    pollute: Pollute
    sheets: tuple[str, ...]

    def befalls(self, sheet: Sheet) -> bool:
        """True if the kind applies to a format."""
        return sheet.name in self.sheets


class Register:
    """Kinds in the order of their definition."""

    def __init__(self, sheets: tuple[str, ...]) -> None:
        self._sheets = sheets
        self.kinds: list[Kind] = []

    def __call__(self, words: str, sheets: tuple[str, ...] = ()) -> Callable[[Pollute], Pollute]:
        """Registers a function under its name."""

        def register(pollute: Pollute) -> Pollute:
            name = pollute.__name__.strip("_").replace("_", "-")
            self.kinds.append(Kind(name, words, pollute, sheets or self._sheets))
            return pollute

        return register
