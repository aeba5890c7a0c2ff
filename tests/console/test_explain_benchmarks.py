"""`vdiwb benchmarks --explain`: the named line or place contains the number, read again with other code."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.raw import answered

FOLDER = Path(__file__).parents[2] / "sample_data" / "storage-benchmarks"
MIB = 1.048576


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    # According to the contract only rows have a list, because each row has separate sources.
    found: Any = answered("benchmarks", str(FOLDER), "--explain")
    assert isinstance(found, list)
    return found


def ways(rows: list[dict[str, Any]], tool: str, figure: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each row of a tool with the figure, and the only source of the row."""
    found = []
    for row in rows:
        for one in row["explain"]:
            if row["tool"] == tool and one["figure"] == figure:
                (source,) = one["sources"]
                assert one["value"] == row[figure] == source["contribution"]
                found.append((row, source))
    assert found, (tool, figure)
    return found


def line_of(source: dict[str, Any]) -> str:
    lines = (FOLDER / source["file"]).read_text(encoding="utf-8").splitlines()
    return str(lines[int(source["first_line"]) - 1])


def test_that_the_source_in_fio_json_has_iops_and_bandwidth(rows: list[dict[str, Any]]) -> None:
    for figure, key, scale in (("iops", "iops", 1.0), ("mb_per_s", "bw", 1024 / 1e6)):
        checked = 0
        for row, source in ways(rows, "fio", figure):
            place = re.fullmatch(r"jobs\[(\d+)\]\.(read|write)", source["counter"])
            if place is None:
                assert row["op"] == "total"
                continue
            text = (FOLDER / source["file"]).read_text(encoding="utf-8")
            section = json.loads(text[text.index("{") :])["jobs"][int(place[1])][place[2]]
            # Newer versions also state bytes, which are more precise.
            known = section.get("bw_bytes", section[key] * 1024) / 1e6 if scale != 1 else section[key]
            assert row[figure] == pytest.approx(known)
            checked += 1
        assert checked >= 7


def test_that_the_source_line_of_sqlio_has_its_iops(rows: list[dict[str, Any]]) -> None:
    for row, source in ways(rows, "sqlio", "iops"):
        numbers = [float(one) for one in re.findall(r"\d+\.\d+", line_of(source))]
        assert row["iops"] in numbers


def test_that_the_source_line_of_iometer_has_iops_and_response_time(rows: list[dict[str, Any]]) -> None:
    for figure, column in (("iops", "IOps"), ("latency_mean_ms", "Average Response Time")):
        for row, source in ways(rows, "iometer", figure):
            lines = (FOLDER / source["file"]).read_text(encoding="utf-8").splitlines()
            header = next(line for line in lines if line.startswith("'Target Type"))
            cells = dict(zip(header[1:].split(","), next(csv.reader([line_of(source)])), strict=False))
            prefix = {"read": "Read ", "write": "Write ", "total": ""}[row["op"]]
            name = f"Average {prefix}Response Time" if figure != "iops" else f"{prefix}{column}"
            assert float(cells[name]) == row[figure]


def test_that_a_mean_over_runs_equals_the_mean_of_its_source_lines() -> None:
    table = answered("benchmarks", str(FOLDER), "--repeats", "--explain")
    (ten,) = [one for one in table["tests"] if one["n"] == 10]
    (found,) = [
        one
        for one in table["explain"]
        if one["figure"] == "iops" and len(one["sources"]) == 10 and one["value"] == ten["iops"]["mean"]
    ]
    read = [max(float(one) for one in re.findall(r"\d+\.\d+", line_of(source))) for source in found["sources"]]
    assert found["value"] == pytest.approx(mean(read))
    assert [10 * source["contribution"] for source in found["sources"]] == pytest.approx(read)


def test_that_each_step_of_a_sweep_has_a_source_line() -> None:
    table = answered("benchmarks", str(FOLDER), "--sweeps", "--explain")
    steps = [step["iops"] for one in table["sweeps"] for step in one["steps"]]
    told = [one for one in table["explain"] if one["figure"] == "iops"]
    assert [one["value"] for one in told] == steps
    knees = [one["knee"]["iops"] for one in table["sweeps"]]
    for knee in knees:
        (source,) = next(one for one in told if one["value"] == knee)["sources"]
        assert f"{knee:.2f}" in line_of(source)


def test_that_rows_are_not_explained_without_the_option(rows: list[dict[str, Any]]) -> None:
    plain: Any = answered("benchmarks", str(FOLDER))
    assert plain == [{key: value for key, value in row.items() if key != "explain"} for row in rows]
