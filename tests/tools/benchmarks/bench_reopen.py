"""The second opening of a study compared with the first: everything comes from the column store."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

GENERATOR = Path(__file__).parents[3] / "sample_data" / "generate.py"
# Limit of a second opening, as a share of the first.
TARGET = 0.25


def run() -> list[dict[str, Any]]:
    """One row: three runs of 150 VMs x 4,000 samples, first opening compared with the second."""
    with tempfile.TemporaryDirectory() as folder:
        study, store = Path(folder, "study"), Store(Path(folder, "store"))
        size = ("--configurations", "3", "--vms", "150", "--samples", "4000")
        subprocess.run([sys.executable, GENERATOR, "large", study, *size], check=True, capture_output=True)
        megabytes = sum(file.stat().st_size for file in study.rglob("*.csv")) / 1e6
        first, second = _opened(study, store), _opened(study, store)
    return [
        {
            "what": f"Opening a study of {megabytes:.0f} MB again (comparison: the first import)",
            "ours_s": second,
            "baseline_s": first,
            "ratio": second / first,
            "target": TARGET,
        }
    ]


def _opened(study: Path, store: Store) -> float:
    start = time.perf_counter()
    found = find_sources([study])
    job = ImportJob(found.sources, store)
    job.start()
    readings = job.poll()
    while not job.finished:
        time.sleep(0.005)
        readings += job.poll()
    build_studies(found, readings)
    return time.perf_counter() - start
