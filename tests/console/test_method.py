"""Every machine-readable answer states the version of the rules for verdicts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.readers.fio_results import result, text_of
from workbench.cli import main
from workbench.measures.significance.method import METHOD

STEADY = """
configuration = "{name}"
[[phases]]
name = "steady"
start = 2016-05-10T09:01:00+01:00
end = 2016-05-10T09:04:00+01:00
"""
PLAIN = ("summary", "inspect", "findings", "compare", "cache", "logons", "plan")
SIZING = ("sizing", "--desktops", "100")
COMMANDS = [*((name,) for name in PLAIN), SIZING, ("what-if", "--desktops", "100", "--minutes", "30")]
COMMANDS += [("benchmarks", "--sweeps"), ("benchmarks", "--repeats")]


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    for name, rate in (("MCS", 8.0), ("MCSIO 512 MB", 2.0)):
        disk_csv(folder / name / "guest" / "W10-001.csv", "W10-001", [rate] * 24, [2 * rate] * 24)
        (folder / name / "run.toml").write_text(STEADY.format(name=name))
    (folder / "fio.json").write_text(text_of(result()))
    return folder


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_that_the_json_of_a_command_states_the_method_once(
    lab: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    table = json.loads(asked(capsys, *arguments, str(lab), "--format", "json"))
    assert table["method"] == METHOD


def test_that_the_list_of_benchmarks_states_the_method_in_each_row(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (row,) = json.loads(asked(capsys, "benchmarks", str(lab), "--format", "json"))
    assert (row["method"], row["latency_kind"]) == (METHOD, "total")


@pytest.mark.parametrize("arguments", [("summary",), ("compare",), SIZING, ("benchmarks",)], ids=" ".join)
def test_that_a_csv_states_the_method_in_its_last_column(
    lab: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    header, *rows = csv.reader(io.StringIO(asked(capsys, *arguments, str(lab), "--format", "csv")))
    assert header[-1] == "method"
    assert rows
    assert {row[-1] for row in rows} == {str(METHOD)}
