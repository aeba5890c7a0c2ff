"""Export from the window: in a process of its own, because writing a workbook would hold up the window."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

from pebble import ProcessPool

from workbench.analysis.phase_table import RunFigures
from workbench.exporters.export import export
from workbench.model.run import Study


def export_in_process(path: Path, studies: tuple[Study, ...], figures: list[RunFigures]) -> str:
    """The sentence that `export` returns; raises what it raises."""
    with ProcessPool(1, context=get_context("spawn")) as pool:
        return str(pool.schedule(export, args=(path, studies, figures)).result())
