"""The sample studies: read once for all processes of the suite, and opened once in each of them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
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
