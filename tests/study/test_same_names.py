"""One configuration name for two set-ups is reported when the runs are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv, run
from workbench.cli import OK, main
from workbench.model.run import Configuration, Provisioning, Run
from workbench.study.discovery.same_names import same_name_problems

MCS, MCSIO, PVS = Provisioning.MCS, Provisioning.MCSIO, Provisioning.PVS


def pilot(provisioning: Provisioning, ram: int | None = None, write_cache: str | None = None) -> Run:
    return run(configuration=Configuration("pilot", provisioning, write_cache, ram))


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([pilot(MCS), pilot(PVS), pilot(MCS)], "MCS and PVS"),
        ([pilot(MCSIO, 256), pilot(MCSIO, 512)], "256 MB and 512 MB"),
        ([pilot(PVS, None, "server"), pilot(PVS, None, "device-ram")], "device-ram and server"),
    ],
)
def test_that_runs_with_one_name_and_different_set_ups_are_reported(
    runs: list[Run], words: str, snapshot: SnapshotAssertion
) -> None:
    (problem,) = same_name_problems("lab", runs)
    assert problem.message == snapshot
    assert problem.file == "lab"


@pytest.mark.parametrize(
    "runs",
    [
        [pilot(MCS), pilot(MCS)],
        [pilot(MCSIO, 512), pilot(MCSIO, 511), pilot(Provisioning.OTHER)],
        [pilot(MCSIO, 512), pilot(MCSIO)],
        [],
    ],
)
def test_that_runs_with_one_name_and_equal_set_ups_are_not_reported(runs: list[Run]) -> None:
    assert same_name_problems("lab", runs) == []


def test_that_the_console_reports_and_separates_runs_with_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    lab = tmp_path / "lab"
    for kind in ("MCS", "PVS"):
        disk_csv(lab / kind.lower() / "vm.csv", f"{kind}-1", [10.0] * 60, [5.0] * 60)
        (lab / kind.lower() / "run.toml").write_text(
            f'configuration = "pilot"\nprovisioning = "{kind}"\n[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:10:00+01:00\n"
        )
    assert main(["summary", str(lab)]) == OK
    assert "Runs of configuration 'pilot' have different provisioning: MCS and PVS." in capsys.readouterr().out
    assert main(["compare", str(lab), "--format", "json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert [one["baseline"] for one in found["baselines"]] == ["pilot, MCS"]
    assert {one["configuration"] for one in found["differences"]} == {"pilot, PVS"}
    assert {one["code"] for one in found["problems"]} >= {"same-name", "compare-name"}
