"""Export from the window in a separate process. Writing there does not block the window, and the process can be ended
at any moment without a trace: the target file is replaced in one step at the very end.
"""

from __future__ import annotations

import gc
import io
import pickle
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from workbench.answers.common.library import Library
from workbench.cancellation import leave_behind
from workbench.exporters.anonymous import with_names, write_key_of
from workbench.exporters.assemble import NEEDS_QT, job_of
from workbench.exporters.export import export, export_each_study
from workbench.exporters.job import Written
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.model.problem import failures
from workbench.model.run import Study
from workbench.session.state import State
from workbench.study.importing.workers import DEAF_CONTEXT, ENDS_S, interrupts_ignored
from workbench.study.store.columns import ColumnsError
from workbench.study.store.temporary import sweep
from workbench.windows_paths import place_to_write

Tell = Callable[[str, float], None]
_POLL_S = 0.05


class ExportTask:
    """One export. `opened` are the studies as they were opened. `run` blocks and must be called on a thread; `cancel`
    may be called from any thread."""

    def __init__(self, library: Library, state: State, request: Wanted, opened: Sequence[Study] = ()) -> None:
        self._library, self._state, self._wanted, self._opened = library, state, request, opened
        self._cancel = threading.Event()

    def cancel(self) -> None:
        """Ends the process; an earlier file does not change."""
        self._cancel.set()

    def run(self, tell: Tell) -> Written:
        """The return value of `export`. Raises `ExportError`. `tell` receives the current step and the finished
        share.
        """
        ours, theirs = DEAF_CONTEXT.Pipe()
        process = DEAF_CONTEXT.Process(target=_work, args=(theirs,), name="export", daemon=True)
        with interrupts_ignored():
            process.start()
        theirs.close()
        try:
            request = with_names(self._wanted, self._opened, self._state)
            ours.send_bytes(_politely_pickled((self._library, self._state, request)))
            written = self._answer(ours, process, tell)
            write_key_of(request)
            return written
        except (EOFError, OSError) as error:
            raise ExportError(
                f"{self._wanted.path.name} was not written: the process that wrote it was stopped.{self._kept()}"
            ) from error
        finally:
            process.kill()
            process.join(ENDS_S)
            if process.is_alive():
                leave_behind(process)
            else:
                process.close()
            ours.close()
            sweep(place_to_write(self._wanted.path).parent)

    def _answer(self, ours: Connection, process: BaseProcess, tell: Tell) -> Written:
        while True:
            if self._cancel.is_set():
                # Checked first, because a share may respond slowly about the earlier file.
                process.kill()
                raise ExportError(f"Cancelled: {self._wanted.path.name} was not written.{self._kept()}")
            if not ours.poll(_POLL_S):
                continue
            written = ours.recv()
            if isinstance(written, Written):
                return written
            if isinstance(written, Exception):
                raise written
            tell(*written)

    def _kept(self) -> str:
        return " The earlier file is unchanged." if self._wanted.path.exists() else ""


class _PolitePickler(pickle.Pickler):
    """A pickler that lets other threads run in between: pickle alone would block the window while it walks a large
    study."""

    def persistent_id(self, _found: object) -> None:
        """Always None: nothing is stored by reference."""
        return


def _politely_pickled(value: object) -> bytes:
    whole = io.BytesIO()
    _PolitePickler(whole, pickle.HIGHEST_PROTOCOL).dump(value)
    return whole.getvalue()


def _work(theirs: Connection) -> None:
    """Runs in the process. The process computes the answers again from the state, so no large data has to be sent."""
    # As on the command line: most objects live until the process ends.
    gc.set_threshold(50_000, 20, 20)
    library, state, request = pickle.loads(theirs.recv_bytes())
    try:
        theirs.send(_export(library, state, request, lambda text, share: theirs.send((text, share))))
    except failures() as error:
        theirs.send(error if isinstance(error, ExportError) else _sentence(request, error))


def _sentence(request: Wanted, error: BaseException) -> ExportError:
    kept = " The earlier file is unchanged." if request.path.exists() else ""
    if isinstance(error, ColumnsError):
        return ExportError(f"{request.path.name} was not written. {error}{kept}")
    return ExportError(f"{request.path.name} was not written: {type(error).__name__}: {error}.{kept}")


def _export(library: Library, state: State, request: Wanted, tell: Tell) -> Written:
    painter = None
    tell("Answering", 0.0)
    job = job_of(library, state, request, tell)
    if request.path.suffix.lower() in NEEDS_QT:
        from workbench.gui.pictures.painter import load_painter

        painter = load_painter()
    tell(f"Writing {request.path.name}", 0.5)
    return (export_each_study if request.each_study else export)(job, painter)
