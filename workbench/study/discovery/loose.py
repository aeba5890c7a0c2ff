"""Loose recordings: time series in folders without a run, such as the logs of a storage benchmark.

They count from the start of a test with an unknown date, so they have no phases and no metrics. The timeline draws them
and needs the origin of each.
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
    """Returns a folder's recordings with names for the timeline; nothing is inferred from them. `label` is the folder
    as the user sees it, relative to the opened path."""
    return replace(
        run, name=f"{label} (time series)", configuration=Configuration(NAME), vms=None, users=None, guesses=()
    )


def hosted(recordings: Iterable[Recording], folder: str) -> tuple[Recording, ...]:
    """Returns the recordings with the folder of their file as host of time series that name none; `folder` is used for
    files without a folder in their name."""
    return tuple(_hosted(recording, folder) if recording.relative else recording for recording in recordings)


def _hosted(recording: Recording, folder: str) -> Recording:
    host = PurePosixPath(recording.file).parent.name or folder
    return replace(
        recording, series=tuple(s if s.host else msgspec.structs.replace(s, host=host) for s in recording.series)
    )
