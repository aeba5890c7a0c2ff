"""One look per configuration, equal on every page: hue by provisioning; tint, dash and marker by its place.

The place belongs to the configuration's runs: it stays when anything is hidden, excluded, renamed or added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise

from workbench.answers.common.choices import KeptLook
from workbench.charts.figure import Dash, Look, Marker
from workbench.measures.configurations import Group

_Place = tuple[int, float]
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: dict[str, tuple[Marker, ...]] = {
    "MCS": ("circle", "cross", "square", "triangle", "diamond"),
    "MCSIO": ("square", "diamond", "circle", "triangle", "cross"),
    "PVS": ("triangle", "circle", "diamond", "square", "cross"),
    "other": ("diamond", "triangle", "square", "circle", "cross"),
}


def looks(groups: Iterable[Group]) -> dict[str, Look]:
    """Label -> Look of these groups. Groups of a library have their places in their study, and so equal looks in any
    selection. Groups without a place get one among those given."""
    by_label: dict[str, Look] = {}
    for group in placed(groups):
        hue, (index, tint) = _hue(group), group.place or (0, 0.0)
        by_label[group.label] = Look(hue, tint, _DASHES[index % 4], _MARKERS[hue][index % 5])
    return by_label


def placed(groups: Iterable[Group], kept: Sequence[KeptLook] = ()) -> tuple[Group, ...]:
    """The groups of a study with their places.

    A configuration has the place that its runs had under its name, or otherwise under another name: a renamed one keeps
    it. If two have one place (a run was renamed away from the others), the one with the name keeps it. If no
    configuration of a provisioning has a place yet, they get places in their order, evenly tinted. Later ones get the
    first free place, and the middle of the widest gap between tints.
    """
    given = tuple(groups)
    places: dict[str, _Place] = {}
    by_run: dict[str, list[KeptLook]] = defaultdict(list)
    for look in kept:
        by_run[look.run].append(look)
    for hue in dict.fromkeys(map(_hue, given)):
        places |= _places([group for group in given if _hue(group) == hue], by_run, hue)
    groups = [replace(group, place=places[group.label]) for group in given]
    base = next((group for group in groups if group.baseline_by is not None), None)
    # A hidden baseline keeps its look.
    return tuple(group if base is None or group is base else replace(group, against=base) for group in groups)


def kept_looks(groups: Iterable[Group], kept: Sequence[KeptLook]) -> tuple[KeptLook, ...]:
    """The looks `kept`, with the missing places of these groups added."""
    known = {(look.run, look.configuration, look.hue) for look in kept}
    fresh = (
        KeptLook(run, group.label, _hue(group), *group.place)
        for group in groups
        for run in group.folders
        if group.place is not None and (run, group.label, _hue(group)) not in known
    )
    return (*kept, *fresh)


def _hue(group: Group) -> str:
    return group.configuration.provisioning.value


def _places(groups: Sequence[Group], by_run: Mapping[str, Sequence[KeptLook]], hue: str) -> dict[str, _Place]:
    """The places of the configurations of one provisioning, by label."""
    places = {group.label: group.place for group in groups if group.place is not None}
    for own_name in (True, False):
        for group in groups:
            had = [look for run in group.folders for look in by_run.get(run, ()) if look.hue == hue]
            free = [look for look in had if look.index not in {index for index, _ in places.values()}]
            named = [look for look in free if not own_name or look.configuration == group.label]
            if group.label not in places and named:
                ((place, _),) = Counter((look.index, look.tint) for look in named).most_common(1)
                places[group.label] = place
    if not places and len(groups) > 1:
        return {group.label: (index, index / (len(groups) - 1)) for index, group in enumerate(groups)}
    for group in groups:
        if group.label not in places:
            used = {index for index, _ in places.values()}
            index = next(number for number in count() if number not in used)
            places[group.label] = (index, _free_tint([tint for _, tint in places.values()]))
    return places


def _free_tint(tints: Sequence[float]) -> float:
    """The tint that differs most from those in use; 0 if none is in use."""
    if not tints:
        return 0.0
    known = sorted(tints)
    middles = [((below + above) / 2, (above - below) / 2) for below, above in pairwise(known)]
    return max([(1.0, 1.0 - known[-1]), (0.0, known[0]), *middles], key=lambda tint: tint[1])[0]
