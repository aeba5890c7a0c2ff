"""One look per configuration, the same on every page: hue by provisioning, tint by cache size, own dash and marker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.charts.figure import Dash, Look, Marker
from workbench.measures.configurations import Group

_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: dict[str, tuple[Marker, ...]] = {
    "MCS": ("circle", "cross", "square", "triangle", "diamond"),
    "MCSIO": ("square", "diamond", "circle", "triangle", "cross"),
    "PVS": ("triangle", "circle", "diamond", "square", "cross"),
    "other": ("diamond", "triangle", "square", "circle", "cross"),
}


def looks(groups: Sequence[Group]) -> dict[str, Look]:
    """Label -> Look for the groups of a study, in the order they are shown."""
    sizes = Counter(group.configuration.provisioning.value for group in groups)
    seen: Counter[str] = Counter()
    by_label: dict[str, Look] = {}
    for group in groups:
        hue = group.configuration.provisioning.value
        index, count = seen[hue], sizes[hue]
        seen[hue] += 1
        tint = index / (count - 1) if count > 1 else 0.0
        by_label[group.label] = Look(hue, tint, _DASHES[index % 4], _MARKERS[hue][index % 5])
    return by_label
