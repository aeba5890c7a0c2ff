"""Import on a Dask cluster: its workers fill a store on a share, as worker processes on this machine fill a local
store.

Result folders and store must have the same paths on every worker, and the workers must have this version of VDI
Workbench. Dask is an optional extra (`dask[distributed]`) and is loaded only if a cluster is requested.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any

from workbench import __version__
from workbench.model.mapping import ColumnMapping
from workbench.model.reading import Reading
from workbench.model.resources import install_dask
from workbench.study.importing import spool
from workbench.study.importing.engines import SCHEME
from workbench.study.importing.pool import folder_of, send_each, size_of, stored_reading
from workbench.study.importing.sending import Receiver, Sent, columns_of
from workbench.study.importing.source import ImportSource, Mappings, failed, read_source
from workbench.study.importing.workers import batches
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.pack_file import file_of
from workbench.study.store.packs import Packs

_CONNECT_S = 10
# An import waits this long for a worker, at its start and later.
WORKERS_S = 30.0
_LOOK_S = 0.5
# Packages whose versions must match: they read, pack and send files.
_ALIKE = ("polars", "numpy", "msgspec", "distributed")
_DASK = ("distributed", "asyncio", "concurrent", "tornado", "dask")
# The threads of a worker run in turn: readers are designed for one process each.
_TURN = Lock()


class ClusterError(Exception):
    """An unusable cluster; the message is a sentence for the user."""


class ClusterStoppedError(ClusterError):
    """A cluster that was reachable but did not do the work."""


class _OtherVersionError(ImportError):
    """A worker has other versions than this machine."""


def read_on_cluster(
    address: str,
    sources: tuple[ImportSource, ...],
    store: Store,
    mappings: Mapping[Any, ColumnMapping],
    tell: Callable[[int], None] = lambda _files: None,
    thorough: bool = False,
) -> list[tuple[ImportSource, Reading]]:
    """Returns every file's reading; its columns are in the store. `address` is `dask://HOST:PORT`; `tell` is called
    with the number of files done. A failed file does not affect others. `thorough` checks every stored column.
    Raises ClusterError."""
    client = _connected(address)
    known, alike = dict(mappings), _versions()
    watch = _Watch(client, address)
    try:
        watch.wait_for_worker()
        watch.start()
        stored_readings = _stored(sources, store, known, thorough)
        there = {source for source, _ in stored_readings}
        sizes = {source: size_of(source) for source in sources if source not in there}
        tell(len(stored_readings))
        todo = batches(sizes, max(1, sum(client.nthreads().values())), folder_of)
        receiver = Receiver(store)
        while todo:
            futures = {client.submit(_read, batch, store, known, alike, pure=False): batch for batch in todo}
            todo, sent = [], list[tuple[ImportSource, Sent]]()
            for future in import_module("distributed").as_completed(futures):
                watch.check()
                batch = futures[future]
                if len(batch) > 1 and _lost(future):
                    todo += [(source,) for source in batch]
                    continue
                sent += zip(batch, _outcome(future, batch, address), strict=True)
                tell(len(stored_readings) + len(sent))
            # Must run before anything is removed from it.
            _check_shared(sent, store)
            for source, result in sent:
                reading = receiver.reading(result)
                if reading is None:
                    todo.append((source,))
                else:
                    stored_readings.append((source, reading))
        return stored_readings
    except (ClusterError, KeyboardInterrupt):
        raise
    except BaseException as error:
        watch.check()
        # Exceptions that Dask raises without its scheduler: errors of connections, timeouts and cancelled tasks.
        if isinstance(error, OSError | TimeoutError) or type(error).__module__.partition(".")[0] in _DASK:
            raise watch.lost() from error
        raise
    finally:
        watch.stop()
        with suppress(Exception):
            client.close()
        for source in sources:
            if source.member is not None and source.member.spooled:
                spool.remove(source.member.spooled)
        column_store.prune(store)


def _stored(
    sources: tuple[ImportSource, ...], store: Store, known: dict[Any, ColumnMapping], thorough: bool
) -> list[tuple[ImportSource, Reading]]:
    """Prepares and sweeps the store, and returns the readings that it already has."""
    store.prepare()
    spool.sweep(store)
    packs = Packs(store)
    return [
        (source, reading)
        for source in sources
        if (reading := stored_reading(source, store, known, thorough, packs)) is not None
    ]


class _Watch:
    """Watches the cluster while its tasks run: Dask waits forever for a worker, and for a scheduler that ended."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._ended = Event()
        self._reason: ClusterError | None = None
        self._thread = Thread(target=self._look, daemon=True)

    def wait_for_worker(self) -> None:
        """Returns when there is a worker. Raises ClusterStoppedError if none comes in time."""
        until = monotonic() + WORKERS_S
        while not self._workers():
            if monotonic() >= until:
                raise self._without_worker()
            sleep(min(_LOOK_S, WORKERS_S))

    def start(self) -> None:
        """Starts watching."""
        self._thread.start()

    def stop(self) -> None:
        """Stops watching."""
        self._ended.set()

    def check(self) -> None:
        """Raises ClusterStoppedError if the cluster has ended meanwhile."""
        if self._reason is not None:
            raise self._reason
        if getattr(self._client, "status", "running") != "running":
            raise self.lost()

    def lost(self) -> ClusterStoppedError:
        """Returns the sentence on a scheduler that ended."""
        return ClusterStoppedError(
            f"The Dask scheduler at {self._address} has stopped or cannot be reached. Data that was already read is "
            "still in the store. Restart the scheduler and its workers, then repeat the import."
        )

    def _without_worker(self) -> ClusterStoppedError:
        return ClusterStoppedError(
            f"The Dask scheduler at {self._address} has had no worker for {WORKERS_S:g} seconds. Start one with "
            f"'dask worker {self._address.removeprefix(SCHEME)}', or omit --engine to read on this machine."
        )

    def _workers(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except Exception as error:  # Dask has its own errors for a scheduler that ended.
            raise self.lost() from error

    def _look(self) -> None:
        """Ends the tasks that no worker will do, so waiting for them ends."""
        seen = monotonic()
        while not self._ended.wait(min(_LOOK_S, WORKERS_S)):
            try:
                if getattr(self._client, "status", "running") != "running":
                    raise self.lost()
                if self._workers():
                    seen = monotonic()
                elif monotonic() - seen >= WORKERS_S:
                    raise self._without_worker()
            except ClusterError as error:
                if self._ended.is_set():
                    return
                self._reason = error
                with suppress(Exception):
                    self._client.close()
                return


def _versions() -> dict[str, str]:
    """Returns the versions that this machine and its workers must share."""
    ours = {"Python": ".".join(map(str, sys.version_info[:2])), "VDI Workbench": __version__}
    ours["readers of VDI Workbench"] = str(column_store.READERS_VERSION)
    for name in _ALIKE:
        with suppress(PackageNotFoundError):
            ours[name] = version(name)
    return ours


def _connected(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise ClusterError(
            "Reading on a cluster needs Dask, which is not installed on this machine. To read on this machine, omit "
            f"--engine. {install_dask()}"
        ) from error
    # Failures are reported in a sentence; Dask's own log would disturb that. Some of its loggers set their own level.
    for name in ("distributed", "asyncio", "tornado", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        return distributed.Client(f"tcp://{address.removeprefix(SCHEME)}", timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"There is no Dask scheduler at {address}. Start one with 'dask "
            "scheduler', then start its workers; or omit "
            "--engine to read on this machine."
        ) from error


def _read(
    batch: tuple[ImportSource, ...], store: Store, mappings: Mappings, alike: Mapping[str, str] | None = None
) -> tuple[Sent, ...]:
    """Reads some files; runs on a worker. Raises _OtherVersionError before anything is written."""
    here = _versions()
    if unlike := [
        f"{name} {here.get(name, 'missing')}, not {stated}"
        for name, stated in (alike or here).items()
        if here.get(name) != stated
    ]:
        raise _OtherVersionError("; ".join(unlike))
    with _TURN:
        return send_each(batch, store, read_source, mappings)


def _lost(future: Any) -> bool:
    """True if a file of a task crashed its worker, and so lost the task's other files. Read one by one, only the faulty
    file fails."""
    error = future.exception()
    return error is not None and not isinstance(error, ImportError) and not _unreadable(error)


def _unreadable(error: BaseException) -> bool:
    """True if a worker could not even decode its input, as with another version of Python or Dask."""
    return "deserializ" in str(error).lower() or isinstance(error, AttributeError)


def _outcome(future: Any, batch: tuple[ImportSource, ...], address: str) -> tuple[Sent, ...]:
    error = future.exception()
    if error is None:
        sent: tuple[Sent, ...] = future.result()
        return sent
    if isinstance(error, _OtherVersionError) or _unreadable(error):
        raise ClusterStoppedError(
            f"A worker of {address} has different software versions from this machine ({error}). Nothing was imported. "
            "Install the same versions and import again."
        )
    if isinstance(error, ImportError):
        raise ClusterError(
            f"The workers of {address} lack a package or module that this version needs ({error}). Install "
            "the same version there."
        ) from error
    return tuple(failed(source.name, error) for source in batch)


def _check_shared(sent: list[tuple[ImportSource, Sent]], store: Store) -> None:
    """Raises ClusterError if the workers wrote to another folder than the one seen here."""
    for source, result in sent:
        columns = columns_of(result, store)
        if columns is not None and not file_of(columns).exists():
            raise ClusterError(
                f"The columns of {source.name} were written, but are not visible in {store.root} on this machine. "
                "Use a store that all workers see under the same path."
            )
