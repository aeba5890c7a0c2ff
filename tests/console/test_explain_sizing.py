"""`vdiwb sizing` and `what-if --explain`: inputs, constants with their lines, steps, and the samples below them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.raw import answered, cells_of
from workbench.model.resources import resource

SWEEP = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(SWEEP / "mcs-r1", folder / "mcs-r1")
    return folder


@pytest.fixture(scope="module")
def plan(lab: Path) -> dict[str, Any]:
    return answered("sizing", str(lab), "--desktops", "500", "--set", "disk_iops=180", "--explain")


def way(table: dict[str, Any], figure: str) -> dict[str, Any]:
    found = next(one for one in table["explain"] if one["figure"] == figure)
    assert isinstance(found, dict)
    return found


def test_that_the_measured_input_of_a_step_equals_that_of_its_source_rows(lab: Path, plan: dict[str, Any]) -> None:
    (given,) = [one for one in plan["plans"][0]["inputs"] if one["name"] == "iops_per_vm"]
    assert given["origin"] == "measured"
    samples = way(plan, "p95_iops_per_vm")
    by_vm: dict[str, np.ndarray] = {}
    for source in samples["sources"]:
        by_vm[source["vm"]] = by_vm.get(source["vm"], 0.0) + cells_of(lab, source)
    pooled = np.concatenate(list(by_vm.values()))
    # The intervals of the lab differ by milliseconds, and each sample is weighted by its interval.
    assert np.nanpercentile(pooled, 94.9) <= given["value"] == samples["value"] <= np.nanpercentile(pooled, 95.1)


def test_that_the_source_line_of_a_constant_states_its_value(plan: dict[str, Any]) -> None:
    lines = resource("sizing.toml").read_text(encoding="utf-8").splitlines()
    checked = 0
    for given in plan["plans"][0]["inputs"]:
        found = way(plan, given["name"])
        (source,) = found["sources"]
        if source["first_line"] is None or not isinstance(given["value"], float):
            continue
        stated = lines[source["first_line"] - 1].partition("=")[2].replace("_", "").split("#")[0]
        assert float(stated) == given["value"], given["name"]
        checked += 1
    assert checked >= 10


def test_that_a_step_lists_its_inputs_and_earlier_steps(plan: dict[str, Any]) -> None:
    found = way(plan, "disks_by_iops")
    values = {source["counter"]: source["contribution"] for source in found["sources"]}
    assert set(values) == {"disk_iops_total", "disk_iops"}
    assert values["disk_iops"] == 180.0
    assert found["value"] == pytest.approx(values["disk_iops_total"] / 180)
    assert way(plan, "disk_iops_total")["value"] == values["disk_iops_total"]
    # A value from the user has no file.
    (said,) = [source for source in found["sources"] if source["counter"] == "disk_iops"]
    assert (said["file"], said["first_line"]) == ("", None)
    assert "yours" in said["part"]


def test_that_the_source_of_a_what_if_is_the_total_io_of_each_run(lab: Path) -> None:
    table = answered("what-if", str(lab), "--desktops", "500", "--minutes", "4", "--phase", "logon", "--explain")
    (row,) = table["configurations"]
    total = way(table, "total_io_per_vm")
    assert sum(source["contribution"] for source in total["sources"]) == pytest.approx(total["value"])
    assert way(table, "total_io_per_start")["value"] == row["total_io_per_start"]
    # 60 users on 4 RDS machines.
    assert total["value"] / 15 == pytest.approx(row["total_io_per_start"])
    assert way(table, "iops_per_start")["value"] == pytest.approx(row["total_io_per_start"] / 240)


def test_that_the_plan_is_not_explained_without_the_option(lab: Path, plan: dict[str, Any]) -> None:
    plain = answered("sizing", str(lab), "--desktops", "500", "--set", "disk_iops=180")
    assert plain == {key: value for key, value in plan.items() if key != "explain"}
