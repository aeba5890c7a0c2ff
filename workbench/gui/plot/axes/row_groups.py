"""The rows of a heatmap that name a VM and its run: in joined columns each run is named once, beside its VMs."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from workbench.gui.plot.axes.names import LETTERS
from workbench.gui.plot.geometry import Place
from workbench.gui.plot.ink import Ink, line_height, widest

_APART = " · "


@lru_cache(maxsize=64)
def groups_of(names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The runs of the rows of a heatmap, each with its first row and the one behind its last; none where the names do
    not say them."""
    parts = [name.rpartition(_APART) for name in names]
    if len(names) < 2 or not all(vm and run for vm, _, run in parts):
        return []
    groups, first = [], 0
    for run, members in groupby(run for _, _, run in parts):
        count = len(list(members))
        groups.append((run, first, first + count))
        first += count
    # A run that comes twice is no group.
    return groups if len({run for run, _, _ in groups}) == len(groups) < len(names) else []


def names_apart(place: Place, ink: Ink) -> bool:
    """Whether runs and VMs are named apart from each other: the run once, each VM in its row."""
    heat = place.scales.heatmap
    if heat is None or not place.joined or not groups_of(heat.rows):
        return False
    if place.plot.height() / len(heat.rows) < line_height(ink.small) * LETTERS:
        return False
    runs = widest(ink.strong, (run for run, _, _ in groups_of(heat.rows)))
    vms = widest(ink.small, map(row_name, heat.rows))
    return not place.names_y or runs + vms + ink.px(34) <= place.plot.left() - place.card.left()


def row_name(name: str) -> str:
    """The VM of a row whose run is named apart."""
    return name.rpartition(_APART)[0]
