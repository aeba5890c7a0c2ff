"""Loose recordings: time series of folders that hold no run, such as the logs of a storage benchmark.

They count from the start of a test whose date is not known, so no phase and no figure can be made of them; the
timeline draws them, and wants to know where each comes from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

import msgspec

from workbench.model.recording import Recording
from workbench.model.run import Configuration, Run

NAME = "Time series"


def loose_run(run: Run, label: str) -> Run:
    """A folder's recordings as the timeline names them; nothing is inferred of them. `label` is the folder as the
    user sees it from where it was opened."""
    return replace(
        run, name=f"{label} (time series)", configuration=Configuration(NAME), vms=None, users=None, guesses=()
    )


def hosted(recordings: Iterable[Recording], folder: str) -> tuple[Recording, ...]:
    """The recordings with the folder of their file as the host of time series that name none; `folder` is that of
    files without one in their name."""
    return tuple(_hosted(recording, folder) if recording.relative else recording for recording in recordings)


def _hosted(recording: Recording, folder: str) -> Recording:
    host = PurePosixPath(recording.file).parent.name or folder
    return replace(
        recording, series=tuple(s if s.host else msgspec.structs.replace(s, host=host) for s in recording.series)
    )
