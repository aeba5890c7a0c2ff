"""`vdiwb benchmarks` with its options, on small generated files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.cli import main

LINES = {1: 1000.0, 2: 1900.0, 4: 3000.0, 8: 3010.0}


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    folder.mkdir()
    sweep = [
        f"-kR -frandom -b8 -t 2 -o {depth}, {iops:.2f} iops, {iops / 128:.2f} MB/sec, 0 ms"
        for depth, iops in LINES.items()
    ]
    (folder / "raw.txt").write_text("\n".join(sweep) + "\n")
    runs = [f"Run {n} = {1000 + n:.2f} IOPs, 8.00 MB/sec, 1 ms" for n in range(1, 5)]
    (folder / "runs.txt").write_text("\n".join(runs) + "\n")
    cache = ["-kR -frandom -b8 -t 2 -o 4, 9000.00 iops, 70.31 MB/sec, 0 ms"]
    (folder / "cache.txt").write_text("\n".join(cache) + "\n")
    return folder


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["benchmarks", *arguments]) == 0
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(asked(capsys, *arguments, "--format", "json"))


def test_that_the_list_without_options_has_the_keys_of_the_contract_and_histograms(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = as_json(capsys, str(lab))
    assert len(rows) == 9
    assert list(rows[0])[:3] == ["path", "tool", "tool_version"]
    assert list(rows[0])[-3:] == ["histogram", "slices", "method"]
    assert {"error", "latency_kind", "part", "curve", "load_percent", "is_knee"} <= set(rows[0])
    assert rows[0]["histogram"] is None
    header = asked(capsys, str(lab), "--format", "csv").splitlines()[0]
    assert header.endswith(",error,latency_kind,curve,load_percent,part,is_knee,method")


def test_that_the_column_of_block_sizes_names_bytes(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = next(line for line in asked(capsys, str(lab)).splitlines() if "IOPS" in line)
    assert "Block (B)" in header


def test_that_sweeps_report_their_knee(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    found = as_json(capsys, str(lab), "--sweeps")
    assert (found["schema"], found["knee_gain_percent"]) == ("vdi-workbench/sweeps/1", 10.0)
    (sweep,) = found["sweeps"]
    assert (sweep["varies"], sweep["holds"], sweep["held"], sweep["still_rising"]) == (
        "queue_depth",
        "threads",
        2,
        False,
    )
    assert (sweep["knee"]["queue_depth"], sweep["knee"]["iops"], sweep["best"]["queue_depth"]) == (4, 3000.0, 8)
    assert [step["outstanding"] for step in sweep["steps"]] == [2, 4, 8, 16]
    rows = list(csv.DictReader(io.StringIO(asked(capsys, str(lab), "--sweeps", "--format", "csv"))))
    assert [row["is_knee"].casefold() for row in rows] == ["false", "false", "true", "false"]
    assert asked(capsys, str(lab), "--sweeps") == snapshot


def test_that_repeated_tests_have_mean_and_interval_and_values(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, str(lab), "--repeats")
    assert found["schema"] == "vdi-workbench/repeats/1"
    (test,) = found["tests"]
    assert (test["n"], test["iops"]["mean"], test["iops"]["basis"]) == (4, 1002.5, "interval")
    # t(0.975, 3) = 3.182446, s = 1.290994
    reach = 3.182446 * 1.290994 / 2
    assert test["iops"]["low"] == pytest.approx(1002.5 - reach, abs=1e-4)
    assert test["iops"]["values"] == [1001.0, 1002.0, 1003.0, 1004.0]
    rows = list(csv.DictReader(io.StringIO(asked(capsys, str(lab), "--repeats", "--format", "csv"))))
    assert [row["run"] for row in rows] == ["1", "2", "3", "4"]
    assert "The mean of 4 runs" in asked(capsys, str(lab), "--repeats")


@pytest.mark.parametrize("name", ["guess", "raw", "raw.txt", "RAW"])
def test_that_each_row_is_compared_with_the_raw_disk(name: str, lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {(row["test"], row["queue_depth"]): row for row in as_json(capsys, str(lab), "--raw", name)}
    cache = rows[("cache", 4)]
    # the raw disk had 3,000 at the same queue depth
    assert (cache["raw_test"], cache["iops_ratio_to_raw"]) == ("raw", 3.0)
    assert (cache["raw_test_guessed"], cache["iops_ratio_basis"]) == (name == "guess", "single")
    assert rows[("raw", 4)]["iops_ratio_to_raw"] is None
    # runs of a test without a block size are not compared with it
    assert rows[("runs", None)]["raw_test"] is None
    text = asked(capsys, str(lab), "--raw", name)
    assert "3.00" in text
    assert ("guessed" in text) == (name == "guess")


def test_that_an_unknown_raw_disk_is_an_error_that_lists_the_names(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["benchmarks", str(lab), "--raw", "tape"]) == 2
    said = capsys.readouterr().err
    assert said == snapshot
    assert all(name in said for name in ("cache", "raw", "runs"))


def test_that_an_empty_result_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.txt"
    one.write_text("-t 2 -o 4, 9000.00 iops, 70.31 MB/sec, 0 ms\n")
    assert "No sweep" in asked(capsys, str(one), "--sweeps")
    assert "No test was repeated" in asked(capsys, str(one), "--repeats")
    assert as_json(capsys, str(one), "--sweeps")["sweeps"] == []


@pytest.mark.parametrize("more", [(), ("--raw", "x")])
def test_that_results_without_benchmarks_are_reported_as_such(
    more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disk_csv(tmp_path / "lab" / "run" / "A.csv", "A", [1.0] * 9, [2.0] * 9)
    main(["benchmarks", str(tmp_path / "lab"), *more])
    told = capsys.readouterr()
    assert (told.out + told.err).startswith("There are no storage benchmark results")
