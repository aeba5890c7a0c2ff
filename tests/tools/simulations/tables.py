"""The tables of the verdicts as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.tools.simulations.cells import Cell, heads, joined, line
from tests.tools.simulations.verdicts import NARROW, RUNS, SCATTERS

_VERDICTS = (
    "n, variation, false primary verdicts in studies *none*, false primary verdicts in studies *half*, "
    "false other verdicts in studies *none*, false other verdicts in studies *half*, interval contains the truth, "
    "change of −30 % found in primary metrics, change of −30 % found in other metrics"
)
_SAME = "n, variation, false *same* at the margin, studies with a false *same*, *same* found for equal pairs"


def verdict_table(cells: dict[str, Cell]) -> Iterator[str]:
    """The shares of false, covered and found differences, for each number of runs and scatter."""
    yield from heads(*_VERDICTS.split(", "))
    for label, none, half in _rows(cells, SCATTERS, "none", "half"):
        false = [cell[name] for name in ("false primary", "false others") for cell in (none, half)]
        yield line(
            *label, *false, none.get("covered", []) + half.get("covered", []), half["found"], half["found others"]
        )


def same_table(cells: dict[str, Cell]) -> Iterator[str]:
    """How often "the same" is false if the truth is at the margin, and shown if the true difference is zero."""
    yield from heads(*_SAME.split(", "))
    for label, at, same in _rows(cells, NARROW, "margin", "same"):
        yield line(*label, at["same"], at["false primary"], same["same"])


def agreement(cells: dict[str, Cell]) -> str:
    """The number of studies with equal answers through files and the command."""
    agree = cells["command"]["agree"]
    return f"{sum(agree):.0f} of {len(agree)} studies have the same verdicts if `vdiwb compare` reads them from files."


def _rows(
    cells: dict[str, Cell], scatters: Sequence[float], first: str, second: str
) -> Iterator[tuple[tuple[str, str], Cell, Cell]]:
    """Each cell of both kinds of studies, and all from three runs on together."""
    for runs in RUNS:
        for scatter in scatters:
            one, other = (cells[f"{name} {runs} {scatter}"] for name in (first, second))
            yield (str(runs), f"{100 * scatter:g} %"), one, other
    whole = (
        joined(cells[f"{name} {runs} {scatter}"] for runs in RUNS if runs > 2 for scatter in scatters)
        for name in (first, second)
    )
    yield (("3 to 10", "all"), *whole)  # type: ignore[misc]
