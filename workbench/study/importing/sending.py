"""The data that a worker sends to the program: a reading or, for very many counters, its place in the store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.importing.source import failed
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.descriptions import is_wide


@dataclass(frozen=True, slots=True)
class InStore:
    """The place of a reading in the store, by its `key`, and the `name` that the user sees. Sending the reading itself
    between processes would keep three copies of a million counters in memory."""

    key: str
    name: str


Sent = Reading | InStore


def to_send(reading: Reading) -> Sent:
    """Returns the data that a worker sends for a reading."""
    recording = reading.recording
    if recording is None or recording.store_file is None or not is_wide(reading):
        return reading
    return InStore(Path(recording.store_file).stem, reading.report.path)


def columns_of(sent: Sent, store: Store) -> Path | None:
    """Returns the path of the columns of a sent reading in the store, or None if it has none."""
    if isinstance(sent, InStore):
        return store.columns(sent.key)
    recording = sent.recording
    return None if recording is None or recording.store_file is None else Path(recording.store_file)


class Receiver:
    """Makes readings from the data that workers sent."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lost: set[InStore] = set()

    def reading(self, sent: Sent) -> Reading | None:
        """Returns the reading. Returns None, once, if the store has lost it meanwhile: the file must be read again. A
        failure affects only this file."""
        if isinstance(sent, Reading):
            return sent
        try:
            reading = column_store.load(self._store, sent.key, sent.name)
        except Exception as error:  # Cancel and Ctrl+C pass
            return failed(sent.name, error)
        if reading is None and sent in self._lost:
            return _lost(sent.name)
        if reading is None:
            self._lost.add(sent)
        return reading


def _lost(name: str) -> Reading:
    problem = Problem(
        Severity.REFUSED,
        name,
        "store-lost",
        "The imported data of this file disappeared from the column store twice.",
        "file not imported; check which program deletes files in the store, then open the file again",
    )
    return Reading(FileReport(path=name), (problem,))
