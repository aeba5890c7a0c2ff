"""`vdiwb logons --explain`: the named lines contain the times, read again with the csv module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.raw import answered, lines_of

STORM = Path(__file__).parents[2] / "sample_data" / "vdi-login-storm"


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return answered("logons", str(STORM), "--explain")


def ways(table: dict[str, Any], run: str, figure: str) -> list[dict[str, Any]]:
    found = [one for one in table["explain"] if one["run"] == run and one["figure"] == figure]
    assert found, figure
    return found


def run_of(table: dict[str, Any], name: str) -> dict[str, Any]:
    runs = [run for one in table["studies"][0]["configurations"] for run in one["runs"]]
    found = next(run for run in runs if run["run"] == name)
    assert isinstance(found, dict)
    return found


def column_of(source: dict[str, Any], title: str) -> list[str]:
    """The cells below a title in the lines that a source names."""
    lines = lines_of(STORM, source["file"])
    place = lines[0].index(title)
    return [line[place] for line in lines[source["first_line"] - 1 : source["last_line"]]]


@pytest.mark.parametrize("run", ["mcs", "mcsio-512"])
def test_that_the_spread_of_logons_equals_that_of_its_source_lines(table: dict[str, Any], run: str) -> None:
    spread = run_of(table, run)["logon_s"]
    (found,) = ways(table, run, "logon_s_mean")
    times = np.array([float(text) for source in found["sources"] for text in column_of(source, "LogonTime") if text])
    assert sum(source["samples"] for source in found["sources"]) == times.size == spread["n"]
    assert found["value"] == spread["mean"] == pytest.approx(times.mean())
    assert sum(source["contribution"] for source in found["sources"]) == pytest.approx(times.mean())
    (p95,) = ways(table, run, "logon_s_p95")
    assert p95["value"] == spread["p95"] == pytest.approx(np.percentile(times, 95))
    assert {source["contribution"] for source in p95["sources"]} == {None}


@pytest.mark.parametrize("end", ["min", "max"])
def test_that_the_source_lines_of_the_shortest_and_longest_logon_contain_them(table: dict[str, Any], end: str) -> None:
    (found,) = ways(table, "mcs", f"logon_s_{end}")
    (source,) = found["sources"]
    assert found["value"] == run_of(table, "mcs")["logon_s"][end]
    assert [float(text) for text in column_of(source, "LogonTime")] == [found["value"]]


def test_that_the_two_sessions_without_logon_are_named_by_their_lines(table: dict[str, Any]) -> None:
    (found,) = ways(table, "mcs", "stuck")
    assert found["value"] == len(found["sources"]) == 2
    for source in found["sources"]:
        assert column_of(source, "LogonTime") == [""]
        assert column_of(source, "User") == [source["vm"]]


def test_that_the_source_line_of_the_analyzer_vsimax_contains_it(table: dict[str, Any]) -> None:
    told = [one for one in ways(table, "mcs", "vsimax") if one["formula"] == "as reported by the tool"]
    (source,) = told[0]["sources"]
    assert [float(text) for text in column_of(source, "VSIMax")] == [told[0]["value"]] == [92.0]


def test_that_the_source_of_a_computed_vsimax_is_every_response_time(table: dict[str, Any]) -> None:
    shown = run_of(table, "mcs")["vsimax"]
    (ours,) = [one for one in ways(table, "mcs", "vsimax") if "VSImax 4.1" in one["formula"]]
    (source,) = ours["sources"]
    assert ours["value"] == shown["vsimax"]
    lines = lines_of(STORM, source["file"])
    assert (source["first_line"], source["last_line"]) == (2, len(lines))
    assert source["samples"] == len(lines) - 1


def test_that_the_start_time_of_an_application_is_the_mean_over_its_source_lines(table: dict[str, Any]) -> None:
    starts = {
        app["application"]: run["start_s"]
        for app in table["studies"][0]["configurations"][0]["applications"]
        for run in app["runs"]
    }
    run = table["studies"][0]["configurations"][0]["runs"][0]["run"]
    for found in ways(table, run, "app_start_s_mean"):
        (source,) = found["sources"]
        label = source["part"].removeprefix("start times of ")
        pairs = zip(column_of(source, "Label"), column_of(source, "Value"), strict=True)
        values = [float(value) / 1000 for name, value in pairs if name == label]
        assert (source["samples"], found["value"]) == (len(values), starts[label]["mean"])
        assert found["value"] == pytest.approx(np.mean(values))


def test_that_logons_are_not_explained_without_the_option(table: dict[str, Any]) -> None:
    plain = answered("logons", str(STORM))
    assert plain == {key: value for key, value in table.items() if key != "explain"}
