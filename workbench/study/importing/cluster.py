"""Import on a Dask cluster: its workers fill a store on a share as the processes of this machine fill theirs.

Result folders and store must lie at the same place for every worker, and the workers must have this version of the
workbench. Dask itself is an extra (`dask[distributed]`) and is loaded only when a cluster is asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Lock
from typing import Any

from workbench.model.installed import install_dask
from workbench.model.mapping import ColumnMapping
from workbench.model.reading import Reading
from workbench.study.importing import spool
from workbench.study.importing.engines import SCHEME
from workbench.study.importing.pool import folder_of, send_each, size_of, stored_reading
from workbench.study.importing.sending import Receiver, Sent, columns_of
from workbench.study.importing.source import Mappings, Source, failed, read_source
from workbench.study.importing.workers import batches
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.pack_place import file_of
from workbench.study.store.packs import Packs

_CONNECT_S = 10
# The threads of a worker take turns: readers are made for a process each.
_TURN = Lock()


class ClusterError(Exception):
    """A cluster that cannot be used; the message is a sentence for the user."""


def read_on_cluster(
    address: str,
    sources: tuple[Source, ...],
    store: Store,
    mappings: Mapping[Any, ColumnMapping],
    tell: Callable[[int], None] = lambda _files: None,
    thorough: bool = False,
) -> list[tuple[Source, Reading]]:
    """Every file's reading, its columns in the store; `address` is `dask://HOST:PORT`, `tell` hears how many files
    are done. A file that fails costs itself. `thorough` checks every column that is stored. Raises ClusterError."""
    client = _connected(address)
    known = dict(mappings)
    try:
        store.prepare()
        spool.sweep(store)
        packs = Packs(store)
        stored_readings = [
            (source, reading)
            for source in sources
            if (reading := stored_reading(source, store, known, thorough, packs)) is not None
        ]
        there = {source for source, _ in stored_readings}
        sizes = {source: size_of(source) for source in sources if source not in there}
        workers = max(1, sum(client.nthreads().values()))
        tell(len(stored_readings))
        todo = batches(sizes, workers, folder_of)
        receiver = Receiver(store)
        while todo:
            futures = {client.submit(_read, batch, store, known, pure=False): batch for batch in todo}
            todo, sent = [], list[tuple[Source, Sent]]()
            for future in import_module("distributed").as_completed(futures):
                batch = futures[future]
                if len(batch) > 1 and _lost(future):
                    todo += [(source,) for source in batch]
                    continue
                sent += zip(batch, _outcome(future, batch, address), strict=True)
                tell(len(stored_readings) + len(sent))
            # Before anything is taken out of it.
            _check_shared(sent, store)
            for source, result in sent:
                reading = receiver.reading(result)
                if reading is None:
                    todo.append((source,))
                else:
                    stored_readings.append((source, reading))
        return stored_readings
    finally:
        client.close()
        for source in sources:
            if source.member is not None and source.member.spooled:
                spool.remove(source.member.spooled)
        column_store.prune(store)


def _connected(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise ClusterError(
            f"Reading on a cluster needs Dask, which is not installed here. {install_dask()}. "
            "Or leave --engine out to read on this machine."
        ) from error
    # What goes wrong is reported in a sentence; Dask's own log would stand in the way of it.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return distributed.Client(f"tcp://{address.removeprefix(SCHEME)}", timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"There is no Dask scheduler at {address}. Start one with: dask scheduler, and its workers; or leave "
            "--engine out to read on this machine."
        ) from error


def _read(batch: tuple[Source, ...], store: Store, mappings: Mappings) -> tuple[Sent, ...]:
    """Reads some files on a worker; runs there."""
    with _TURN:
        return send_each(batch, store, read_source, mappings)


def _lost(future: Any) -> bool:
    """Whether one of a task's files has cost the others their worker: read one by one it costs itself alone."""
    error = future.exception()
    return error is not None and not isinstance(error, ImportError)


def _outcome(future: Any, batch: tuple[Source, ...], address: str) -> tuple[Sent, ...]:
    error = future.exception()
    if error is None:
        sent: tuple[Sent, ...] = future.result()
        return sent
    if isinstance(error, ImportError):
        raise ClusterError(
            f"The workers of {address} lack something that this version of the workbench needs ({error}). Install "
            "the same version there."
        ) from error
    return tuple(failed(source.name, error) for source in batch)


def _check_shared(sent: list[tuple[Source, Sent]], store: Store) -> None:
    """Raises ClusterError where the workers have written into another folder than the one seen here."""
    for source, result in sent:
        columns = columns_of(result, store)
        if columns is not None and not file_of(columns).exists():
            raise ClusterError(
                f"The columns of {source.name} were written, but are not in {store.root} as seen from here. Name a "
                "store that all workers see at the same place."
            )
