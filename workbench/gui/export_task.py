"""Export from the window: in a process of its own, because writing a workbook would hold up the window."""

from __future__ import annotations

from multiprocessing import get_context

from pebble import ProcessPool

from workbench.exporters.export import export
from workbench.exporters.job import Written
from workbench.pages.export import Wanted, job_of
from workbench.session.library import Library
from workbench.session.state import State

_PAINTED = (".png", ".svg", ".pdf")


def export_in_process(library: Library, state: State, wanted: Wanted) -> Written:
    """What `export` returns; raises what it raises."""
    with ProcessPool(1, context=get_context("spawn")) as pool:
        written = pool.schedule(_export, args=(library, state, wanted)).result()
        assert isinstance(written, Written)
        return written


def _export(library: Library, state: State, wanted: Wanted) -> Written:
    """In the process: the answers are made anew from the same state, so that nothing large has to cross over."""
    painter = None
    if wanted.path.suffix.lower() in _PAINTED:
        from workbench.gui.pictures.painter import load_painter

        painter = load_painter()
    return export(job_of(library, state, wanted), painter)
