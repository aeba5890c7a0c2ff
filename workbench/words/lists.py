"""Names side by side, as sentences list them."""

from __future__ import annotations

from collections.abc import Sequence


def all_named(names: Sequence[str]) -> str:
    """`a, b and c`; empty for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def first_named(names: Sequence[str], most: int, count: int | None = None) -> str:
    """`a, b and 2 more`: the first `most` of `count` names, of those given where no count is."""
    shown = names[:most]
    more = (len(names) if count is None else count) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def listed(names: Sequence[str], most: int = 4) -> str:
    """`a, b and c`; beyond `most` the first of them and how many more."""
    return first_named(names, most) if len(names) > most else all_named(names)
