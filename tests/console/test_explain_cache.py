"""`vdiwb cache --explain`: the named rows contain the numbers, read again with the csv module."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.raw import MB, answered, cells_of, lines_of, seconds_of

SWEEP = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"
RUN = "mcsio-512-r1"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    for name in ("mcs-r1", RUN):
        shutil.copytree(SWEEP / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def table(lab: Path) -> dict[str, Any]:
    found = answered("cache", str(lab), "--explain")
    assert found["schema"] == "vdi-workbench/cache/1"
    return found


def way(table: dict[str, Any], figure: str) -> dict[str, Any]:
    (found,) = [one for one in table["explain"] if one["run"] == RUN and one["figure"] == figure]
    assert isinstance(found, dict)
    return found


def own(table: dict[str, Any], key: str) -> dict[str, float]:
    return {row["vm"]: row[key] for row in table["vms"] if row["run"] == RUN}


@pytest.mark.parametrize(
    "figure",
    [
        "ram_cache_mb",
        "cache_ram_used_mb_peak",
        "cache_ram_used_mb_end",
        "cache_disk_used_mb_peak",
        "cache_disk_used_mb_end",
        "cache_disk_levels_off_mb",
    ],
)
def test_that_the_source_cell_of_each_vm_contains_its_value(lab: Path, table: dict[str, Any], figure: str) -> None:
    found, vms = way(table, figure), own(table, figure)
    read = {source["vm"]: cells_of(lab, source) for source in found["sources"]}
    assert {vm: [value / MB for value in values] for vm, values in read.items()} == {
        vm: [pytest.approx(value)] for vm, value in vms.items()
    }
    assert found["value"] == pytest.approx(np.mean([values[0] for values in read.values()]) / MB)
    assert sum(source["contribution"] for source in found["sources"]) == pytest.approx(found["value"])


def test_that_a_peak_is_the_highest_value_of_the_whole_column(lab: Path, table: dict[str, Any]) -> None:
    for source in way(table, "cache_ram_used_mb_peak")["sources"]:
        whole = source | {"first_row": 1, "last_row": len(lines_of(lab, source["file"])) - 1}
        assert np.nanmax(cells_of(lab, whole)) == cells_of(lab, source)[0]


def test_that_the_fill_rate_is_computed_from_its_source_rows(lab: Path, table: dict[str, Any]) -> None:
    found, vms = way(table, "fill_rate_mb_per_min"), own(table, "fill_rate_mb_per_min")
    for source in found["sources"]:
        whole = source | {"first_row": 1, "last_row": len(lines_of(lab, source["file"])) - 1}
        column = cells_of(lab, whole) / MB
        top = min(0.95 * 512, float(np.nanmax(column)))
        lowest = float(np.nanmin(column[: int(np.argmax(column >= top)) + 1]))
        low, high = lowest + 0.05 * (top - lowest), lowest + 0.95 * (top - lowest)
        used, at = cells_of(lab, source) / MB, seconds_of(lab, source)
        assert used[0] <= low <= used[1]
        assert used[-2] <= high <= used[-1]
        first = np.interp(low, used[:2], at[:2])
        last = np.interp(high, used[-2:], at[-2:])
        assert 60 * (high - low) / (last - first) == pytest.approx(vms[source["vm"]])


def test_that_the_source_row_of_the_overflow_is_the_first_growth_of_the_cache_disk(
    lab: Path, table: dict[str, Any]
) -> None:
    found = way(table, "overflow_start_s")
    first, *others = found["sources"]
    assert first["contribution"] == found["value"]
    assert {source["contribution"] for source in others} == {None}
    for source in (first, *others):
        before = cells_of(lab, source | {"first_row": 1})
        assert before[-1] - np.nanmin(before) > MB
        assert np.nanmax(before[:-1]) - np.nanmin(before) <= MB


def test_that_the_growth_at_the_end_is_between_its_source_readings(lab: Path, table: dict[str, Any]) -> None:
    vms = own(table, "cache_disk_growth_at_end_mb_per_min")
    for source in way(table, "cache_disk_growth_at_end_mb_per_min")["sources"]:
        used, at = cells_of(lab, source) / MB, seconds_of(lab, source)
        window = 300.0
        assert at[0] <= at[-1] - window <= at[1]
        grown = used[-1] - np.interp(at[-1] - window, at, used)
        assert 60 / window * grown == pytest.approx(vms[source["vm"]])


@pytest.mark.parametrize("figure", ["shared_read_iops", "cache_disk_write_iops"])
def test_that_the_rate_of_a_tier_is_the_sum_over_the_rows_of_its_disk(
    lab: Path, table: dict[str, Any], figure: str
) -> None:
    found = way(table, figure)
    (shown,) = [row for row in table["configurations"] if row["configuration"] == "MCSIO 512 MB"]
    assert found["value"] == pytest.approx(shown[figure])
    disk = "C:" if figure.startswith("shared") else "D:"
    rates = []
    for source in found["sources"]:
        assert f"{disk})" in source["counter"]
        rates.append(np.nanmean(cells_of(lab, source)))
    # The samples at the edges count in part, and a blank one does not count.
    assert sum(rates) == pytest.approx(found["value"], rel=0.02)
    assert sum(source["contribution"] for source in found["sources"]) == pytest.approx(found["value"])


def test_that_the_source_of_a_dip_is_the_samples_before_it_and_its_lowest(tmp_path: Path) -> None:
    study = SWEEP.parent / "xenapp-pvs-ram-cache"
    table = answered("cache", str(study), "--explain")
    dips = [one for one in table["dips"] if one["found"]]
    told = {one["figure"]: one for one in table["explain"] if one["figure"].startswith("iops_")}
    assert bool(dips) == bool(told)


def test_that_the_answer_is_unchanged_without_the_option(lab: Path, table: dict[str, Any], tmp_path: Path) -> None:
    plain = answered("cache", str(lab))
    assert "explain" not in plain
    assert plain == {key: value for key, value in table.items() if key != "explain"}
