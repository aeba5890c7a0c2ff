"""`vdiwb findings --explain`: the sources of a sentence, with the numbers in its text."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.raw import MB, answered, cells_of
from workbench.model.phase import STEADY

SAMPLE = Path(__file__).parents[2] / "sample_data"
CACHED = "mcsio-512-r1"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    for name in ("mcs-r1", CACHED):
        shutil.copytree(SAMPLE / "rds-mcsio-cache-sweep" / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def found(lab: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = answered("findings", str(lab), "--explain")["findings"]
    return rows


def test_that_the_source_of_a_comparison_is_the_figure_of_both_runs(found: list[dict[str, Any]]) -> None:
    one = next(row for row in found if row["kind"] == "compare" and row["phase"] == STEADY)
    ways = [way for way in one["explain"] if way["figure"] == one["metric"]]
    values = {way["run"]: way["value"] for way in ways}
    assert set(values) == {"mcs-r1", CACHED}
    assert 100 * (values[CACHED] / values["mcs-r1"] - 1) == pytest.approx(one["change_percent"])


def test_that_the_saved_shared_storage_io_is_computed_from_its_sources(found: list[dict[str, Any]]) -> None:
    (one,) = [row for row in found if row["metric"] == "shared_iops"]
    values = {way["run"]: way["value"] for way in one["explain"] if way["figure"] == "shared_iops"}
    assert 100 * (values[CACHED] / values["mcs-r1"] - 1) == pytest.approx(one["change_percent"])


def test_that_the_source_of_an_overflow_is_the_readings_of_the_cache_disk(
    lab: Path, found: list[dict[str, Any]]
) -> None:
    (one,) = [row for row in found if row["metric"] == "overflow"]
    (way,) = [way for way in one["explain"] if way["figure"] == "cache_disk_used_mb_peak_highest"]
    highest = max(float(np.nanmax(cells_of(lab, source))) for source in way["sources"]) / MB
    assert way["value"] == highest
    assert f"{highest:,.0f}"[-3:] in one["text"]


def test_that_every_finding_on_runs_has_a_source(found: list[dict[str, Any]]) -> None:
    alone = [row["text"] for row in found if not row["explain"] and row["kind"] != "sizing"]
    assert alone == []


def test_that_the_source_of_findings_on_logons_and_benchmarks_is_lines() -> None:
    for study in ("vdi-login-storm", "storage-benchmarks"):
        every = answered("findings", str(SAMPLE / study), "--explain")["findings"]
        # A value without a counter has no source.
        rows = [row for row in every if row["kind"] in ("logons", "benchmarks")]
        assert rows
        for row in rows:
            sources = [source for way in row["explain"] for source in way["sources"]]
            assert sources, row["text"]
            assert all(source["first_line"] is not None for source in sources)


def test_that_findings_are_not_explained_without_the_option(lab: Path, found: list[dict[str, Any]]) -> None:
    plain = answered("findings", str(lab))["findings"]
    assert plain == [{key: value for key, value in row.items() if key != "explain"} for row in found]
