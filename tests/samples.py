"""The sample studies: read once for all processes of the suite, and opened once in each of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[1] / "sample_data"
# Names the folder that all processes of one run of the suite share; tests/conftest.py makes and removes it.
SHARED = "VDI_WORKBENCH_SHARED_BY_TESTS"


def shared() -> Path:
    """The folder that all processes of this run of the suite share."""
    return Path(os.environ[SHARED])


def shared_store() -> Path:
    """The column store of every test without a separate one; a test that inspects or changes the store has a separate
    one."""
    return shared() / "store"


@cache
def sample(*names: str) -> Library:
    """These studies of the sample with their figures. Tests share it and do not change it."""
    studies = load_studies([SAMPLE / name for name in names], Store(shared_store()))
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def read_once(*unchanged: Path, store: Path | None = None) -> Callable[..., tuple[Study, ...]]:
    """`load_studies`, which reads paths in these folders once, because nothing changes them. Computed values are cached
    with their run, so later commands need not compute them again. Other paths, other stores than `store` (the
    shared one), clusters and a thorough check are read each time."""
    known: dict[tuple[Path, ...], tuple[Study, ...]] = {}
    folders, root = [folder.resolve() for folder in unchanged], store or shared_store()

    def load(paths: list[Path], store: Store, *more: object) -> tuple[Study, ...]:
        inside = all(any(path.resolve().is_relative_to(folder) for folder in folders) for path in paths)
        if any(more) or store.root != root or not inside:
            return load_studies(paths, store, *more)  # type: ignore[arg-type]
        # Relative paths name files of another folder after a change of folder.
        key = (Path.cwd(), *paths)
        if key not in known:
            known[key] = load_studies(paths, store)
        return known[key]

    return load
