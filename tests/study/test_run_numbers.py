"""Run numbers in folder names: which runs are merged, which stay separate, and what is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.test_build import opened
from workbench.model.run import Run, Study
from workbench.study.discovery.infer import APART, MERGED, of_one_name


def study_of(folder: Path, *names: str, stated: str = "") -> Study:
    for name in names:
        disk_csv(folder / name / "VM01.csv", "VM01", [10.0, 20.0], [1.0, 2.0])
        if stated:
            (folder / name / "run.toml").write_text(f'configuration = "{stated}"\n')
    (study,) = opened(folder)
    assert len(study.runs) == len(names)
    return study


def configurations(runs: tuple[Run, ...]) -> set[str]:
    return {run.configuration.name for run in runs}


def numbers_told(study: Study) -> list[str]:
    return [problem.code for problem in study.problems if problem.code in (MERGED, APART)]


@pytest.mark.parametrize(
    "names",
    [
        ("pilot-r1", "pilot_run2", "pilot#3", "pilot (4)", "pilot run 5", "pilot-Run-06", "pilot_r07", "pilot-R8"),
        ("pilot-run-1", "pilot(2)", "pilot.run3", "pilot rep 4", "pilot-trial-5", "pilot #6", "pilot-lauf-7"),
        ("windows-10-r1", "windows-10-r2"),
        ("mcs-1", "mcs-3"),
        ("MCS 1", "mcs_2", "mcs-12"),
        ("win10-mcs-1", "win10-mcs-2"),
        ("mcsio-512-1", "mcsio-512-2", "mcsio-512-r3"),
        ("pvs-ram-1024-3", "pvs-ram-1024-4"),
        ("MCSIO 4GB 2", "MCSIO 4 GB 3"),
        ("mcs-20240501", "mcs-20240502"),
        ("run-1", "run-2"),
        ("mcs-50vms-1", "mcs-50vms-2"),
        ("mcsio-256-50vms-1", "mcsio-256-50vms-2"),
    ],
)
def test_that_folders_that_differ_in_their_last_number_are_runs_of_one_configuration_and_a_guess(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    study = study_of(tmp_path / "lab", *names)
    assert len(configurations(study.runs)) == 1
    assert numbers_told(study) == [MERGED]
    together = of_one_name(study.runs, study.runs[0].folder)
    assert len(together) == len(names)
    assert len({run.other_configuration for run in together}) == len(names)


@pytest.mark.parametrize(
    "names",
    [
        ("windows-10", "windows-11"),
        ("office-16", "office-19"),
        ("cache-1", "cache-2", "cache-4"),
        ("vm-50", "vm-99"),
        ("vsan-7", "vsan-8"),
        ("gpu-1", "gpu-2"),
        ("mcs-windows-10", "mcs-windows-11"),
        ("mcs-office 16", "mcs-office 19"),
        ("mcsio-1", "mcsio-2"),
        ("pvs-ram-2", "pvs-ram-4"),
        ("baseline-1", "baseline-2"),
        ("mcs-profile-10", "mcs-profile-50"),
        ("mcs-chrome-98", "mcs-chrome-99"),
        ("mcs-lun-1", "mcs-lun-2"),
        ("mcsio-512-nfs-3", "mcsio-512-nfs-4"),
        ("mcs-2024-05", "mcs-2024-06"),
    ],
)
def test_that_other_numbers_separate_folders_and_the_program_offers_to_join_them(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    study = study_of(tmp_path / "lab", *names)
    assert len(configurations(study.runs)) == len(names)
    assert numbers_told(study) == [APART]
    together = of_one_name(study.runs, study.runs[0].folder)
    assert len(together) == len(names)
    assert len({run.other_configuration for run in together}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("mcsio-256", "mcsio-512"),
        ("vm-50", "vm-100"),
        ("server-2012-r2", "server-2016"),
        ("dell-r640", "dell-r740"),
        ("win10", "win11"),
    ],
)
def test_that_numbers_in_the_middle_separate_folders(tmp_path: Path, names: tuple[str, ...]) -> None:
    study = study_of(tmp_path / "lab", *names)
    assert len(configurations(study.runs)) == len(names)
    assert numbers_told(study) == []


def test_that_a_stated_configuration_overrides_every_number(tmp_path: Path) -> None:
    study = study_of(tmp_path / "lab", "windows-10", "windows-11", stated="Gold")
    assert configurations(study.runs) == {"Gold"}
    assert numbers_told(study) == []
    assert {run.other_configuration for run in study.runs} == {""}


@pytest.mark.parametrize("names", [("mcs", "mcs (2)"), ("pvs-4gb", "pvs-4gb_2", "pvs-4gb_3"), ("pilot", "pilot-r2")])
def test_that_a_folder_without_a_number_is_reported_with_the_runs_of_its_name(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    study = study_of(tmp_path / "lab", *names)
    assert len(configurations(study.runs)) == 1
    (told,) = [problem for problem in study.problems if problem.code == MERGED]
    assert all(f"'{name}'" in told.message for name in names)
    assert of_one_name(study.runs, told.run or "")
