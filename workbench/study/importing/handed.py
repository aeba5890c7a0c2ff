"""What a worker hands to the program: a reading, or of very many counters the place in the store where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.descriptions import is_wide


@dataclass(frozen=True, slots=True)
class Kept:
    """A reading that the program takes out of the store by its `key`, under the `name` the user sees: sent from one
    process to the other a million counters would be in memory three times over."""

    key: str
    name: str


Handed = Reading | Kept


def handed(reading: Reading) -> Handed:
    """What a worker sends of a reading."""
    recording = reading.recording
    if recording is None or recording.store_file is None or not is_wide(reading):
        return reading
    return Kept(Path(recording.store_file).stem, reading.report.path)


def taken(sent: Handed, store: Store) -> Reading:
    """The reading that was sent; a refused one where the store has lost it meanwhile."""
    if isinstance(sent, Reading):
        return sent
    reading = column_store.load(store, sent.key, sent.name)
    return reading if reading is not None else _lost(sent.name)


def _lost(name: str) -> Reading:
    problem = Problem(
        Severity.REFUSED,
        name,
        "store-not-written",
        "What this file holds was written into the column store, and is no longer there.",
        "file left out; open it again",
    )
    return Reading(FileReport(path=name), (problem,))
