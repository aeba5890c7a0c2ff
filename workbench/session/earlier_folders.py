"""Migrates the state of earlier versions: a baseline kept by name, and folders that are no longer studies or runs.

Opening the folder above `results` or `raw` once created one study for each of these, and a run of the opened folder if
`raw` was next to other runs. Edits of these now belong to the study above, and to the run in `raw`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from workbench.answers.common.names import BASELINE
from workbench.answers.findings.edits import OWN
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study
from workbench.session.state import State
from workbench.study.discovery.folders import is_part
from workbench.study.overrides import edited
from workbench.study.splitting import split_studies

_Names = Mapping[str, str]


def of_today(state: State, studies: Sequence[Study]) -> State:
    """The state in the form of this version, for these studies."""
    return _with_chosen_baseline(in_folders_of(state, studies), studies)


def _with_chosen_baseline(state: State, studies: Sequence[Study]) -> State:
    """The state with the baseline that an earlier version kept by configuration name. It is stored with the runs now,
    so renaming does not change it. A name that is not open stays unchanged."""
    name = state.input(BASELINE, "")
    if not name:
        return state
    before = state
    for study in split_studies(studies, state.edits):
        # Metrics and clocks are not needed to name configurations.
        runs = (
            edited(run, replace(state.edits_of(run.folder), time_zone=None, left_out=(), phases=()))
            for run in study.runs
        )
        groups = group_runs([RunFigures(run, (), ()) for run in runs])
        found = [group for group in groups if group.label == name]
        if found:
            members = (member for group in found for member in (*group.runs, *group.excluded))
            state = state.with_baseline(study, [member.run.folder for member in members])
    return state if state is before else state.without_inputs(frozenset((BASELINE,)))


def in_folders_of(state: State, studies: Sequence[Study]) -> State:
    """The state with the current folders of studies and runs instead of those of an earlier version. Entries that do
    not belong to an open study stay unchanged."""
    state = _with_earlier_names(state, studies)
    folders = {study.folder for study in studies}
    runs = {run.folder for study in studies for run in (*study.runs, *study.loose)}
    raw = msgspec.to_builtins(state)
    named: dict[str, set[str]] = {"study": set(), "run": set()}
    _collect(raw, named)
    study_names = {name: above for name in named["study"] - folders if (above := _above(name, folders))}
    run_names = {name: part for name in named["run"] - runs if (part := _only_part(name, runs))}
    if not study_names and not run_names:
        return state
    return msgspec.convert(_renamed(raw, study_names, run_names), State)


def _with_earlier_names(state: State, studies: Sequence[Study]) -> State:
    """The state with configuration names of an earlier version as edits, if they differ from the current names."""
    if not state.earlier_names or not studies:
        return state
    renamed = [
        replace(edits, configuration=run.earlier_configuration)
        for study in studies
        for run in study.runs
        if run.earlier_configuration and (edits := state.edits_of(run.folder)).configuration is None
    ]
    return replace(state.with_edits(*renamed), earlier_names=False)


def _above(name: str, folders: set[str]) -> str | None:
    """The study that contains a folder."""
    place = Path(name)
    while place.is_absolute() and is_part(place.name.lower()) and place != place.parent:
        place = place.parent
        if str(place) in folders:
            return str(place)
    return None


def _only_part(name: str, runs: set[str]) -> str | None:
    """The run inside this folder. None if there are several, because it is unknown which one is meant."""
    parts = [run for run in runs if Path(run).parent == Path(name) and is_part(Path(run).name.lower())]
    return parts[0] if len(parts) == 1 else None


def _collect(value: Any, named: Mapping[str, set[str]]) -> None:
    """Add the folders found under the keys of `named`."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in named and isinstance(item, str):
                named[key].add(item)
            _collect(item, named)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            _collect(item, named)


def _renamed(value: Any, studies: _Names, runs: _Names, key: str = "") -> Any:
    if isinstance(value, str):
        if key == "key" and f"/{OWN}:" in value:
            study, _, number = value.rpartition(f"/{OWN}:")
            return f"{studies.get(study, study)}/{OWN}:{number}"
        return (studies if key == "study" else runs if key == "run" else {}).get(value, value)
    if isinstance(value, dict):
        return {name: _renamed(item, studies, runs, name) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_renamed(item, studies, runs) for item in value]
    return value
