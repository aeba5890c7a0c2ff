"""The size of the file of a write cache, as a script logs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import perfmon_csv
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.study.store.column_store import Store

PHASE = '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:03:00+01:00\n'


@pytest.mark.parametrize(("folder", "file"), [("mcsio-512", "mcsdif.vhdx"), ("pvs-512", "vdiskdif.vhdx")])
def test_that_the_size_of_the_file_is_the_used_size_of_the_cache_disk(tmp_path: Path, folder: str, file: str) -> None:
    sizes = [4.0 * 2**20 + n * 2**20 for n in range(16)]
    perfmon_csv(tmp_path / folder / "size.csv", {rf"\\W11-001\Write cache file(D:)\{file}": sizes})
    (tmp_path / folder / "run.toml").write_text(PHASE, encoding="utf-8")
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / folder], store)
    row = run_figures(study.runs[0]).phase("steady")
    assert row is not None
    # Rows are 15 s apart: the last one before its end is the eleventh after the first.
    assert row.cache_disk_used_mb_end == pytest.approx(4 + 11)
