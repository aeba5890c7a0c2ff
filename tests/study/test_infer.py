"""Guesses of unstated run properties, and their reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, event, recording
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, SessionType
from workbench.model.session import EventKind
from workbench.study.discovery.infer import Facts, infer
from workbench.study.discovery.manifest import Manifest

MB = 2**20


def named(name: str, study: str = "results", **stated: object) -> Facts:
    return infer(name, study, Manifest(stated), (), ())


def reason(facts: Facts, field: str) -> str:
    return next(guess.reason for guess in facts.guesses if guess.field == field)


@pytest.mark.parametrize(
    ("name", "provisioning", "size", "configuration"),
    [
        ("mcs-5vm", "MCS", None, "MCS"),
        ("mcs-1vm", "MCS", None, "MCS"),
        ("pvs-256", "PVS", 256, "PVS 256 MB"),
        ("pvs-256-bloated", "PVS", 256, "PVS 256 MB bloated"),
        ("pvs-256vm", "PVS", None, "PVS"),
        ("MCSIO_512MB_run2", "MCSIO", 512, "MCSIO 512 MB"),
        ("mcsio-512-r3", "MCSIO", 512, "MCSIO 512 MB"),
        ("MCSIO512", "MCSIO", 512, "MCSIO 512 MB"),
        ("mcs_io-1gb-r3", "MCSIO", 1024, "MCSIO 1 GB"),
        ("MCS IO 1.5 GB (2)", "MCSIO", 1536, "MCSIO 1536 MB"),
        ("mcs-iops-baseline", "MCS", None, "MCS iops baseline"),
        ("win10-mcs-r3", "MCS", None, "MCS win10"),
        ("mcs-2016-05-10", "MCS", None, "MCS"),
        ("mcs-8gb", "MCS", None, "MCS 8gb"),
        ("mcs-1024", "MCS", None, "MCS 1024"),
        ("mcsio-512-2048", "MCSIO", 512, "MCSIO 512 MB 2048"),
        ("pvs-512mb-16gb", "PVS", 512, "PVS 512 MB 16gb"),
        ("MCS_20160511-093000_run1", "MCS", None, "MCS"),
        ("pvs-1024-desktops", "PVS", None, "PVS"),
        ("pvs-64-02", "PVS", 64, "PVS 64 MB"),
        ("baseline-3", "other", None, "baseline-3"),
        ("baseline-run3", "other", None, "baseline"),
        ("mcs-vs-pvs", "other", None, "mcs-vs-pvs"),
        ("amcsx", "other", None, "amcsx"),
        ("instant-clone-r2", "instant clone", None, "instant clone"),
        ("w11 Instant Clones 3", "instant clone", None, "instant clone w11"),
        ("azure-ephemeral-os-disk", "ephemeral OS disk", None, "ephemeral OS disk azure"),
        ("persistent-wbc-run1", "persistent write-back", None, "persistent write-back"),
        ("avd-pooled-2", "AVD pooled", None, "AVD pooled"),
        ("avd-desktops", "other", None, "avd-desktops"),
        ("mcs-ephemeral", "other", None, "mcs-ephemeral"),
    ],
)
def test_that_folder_names_give_the_configuration(
    name: str, provisioning: str, size: int | None, configuration: str
) -> None:
    assert named(name).configuration == Configuration(configuration, Provisioning(provisioning), None, size)


def test_that_every_guess_has_its_reason(snapshot: SnapshotAssertion) -> None:
    facts = named("MCSIO_512MB_run2")
    assert reason(facts, "provisioning") == snapshot
    assert reason(facts, "ram_cache_mb") == snapshot
    assert reason(facts, "configuration") == snapshot
    assert reason(named("pvs-256"), "ram_cache_mb") == snapshot


def test_that_runs_of_one_configuration_get_one_name() -> None:
    names = {named(f"mcsio-512{end}").configuration.name for end in ("-r1", "_run2", " test 3", "-04", "-2016-05-10")}
    assert names == {"MCSIO 512 MB"}


def test_that_the_name_of_the_study_is_used_if_that_of_the_run_has_no_information(snapshot: SnapshotAssertion) -> None:
    facts = named("run-1", "rds-mcsio-sweep")
    assert (facts.configuration.provisioning, facts.session_type) == (Provisioning.MCSIO, SessionType.RDS)
    assert reason(facts, "provisioning") == snapshot
    assert named("run-1", "windows-7-mcs-and-pvs").configuration.provisioning is Provisioning.OTHER


def test_that_a_stated_value_is_not_guessed() -> None:
    facts = named("pvs-256", configuration="Gold", provisioning="MCS", session_type="rds", vms=3, users=90)
    assert facts.configuration == Configuration("Gold", Provisioning.MCS)
    assert (facts.session_type, facts.vms, facts.users, facts.guesses) == (SessionType.RDS, 3, 90, ())


def test_that_a_stated_configuration_overrides_the_folder() -> None:
    facts = named("mcs-rerun", configuration="PVS 512 MB")
    assert facts.configuration == Configuration("PVS 512 MB", Provisioning.PVS, None, 512)


@pytest.mark.parametrize("name", ["rds-xenapp-3gb", "XenApp65_1", "terminal-servers"])
def test_that_session_hosts_are_recognised_by_name(name: str) -> None:
    assert named(name).session_type is SessionType.RDS


def test_that_dashboards_are_not_session_hosts(snapshot: SnapshotAssertion) -> None:
    facts = named("boards-mcs")
    assert facts.session_type is SessionType.VDI
    assert reason(facts, "session_type") == snapshot


def test_that_counters_alone_give_mcsio_and_cache_size_and_vms(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    columns = [(counter(vm, Quantity.CACHE_RAM_SIZE), [512.0 * MB] * 2) for vm in ("A", "a", "B")]
    facts = infer("run-1", "lab", Manifest(), (recording(tmp_path, "a.csv", [T0, T0 + 1], columns),), ())
    assert facts.configuration == Configuration("MCSIO 512 MB", Provisioning.MCSIO, None, 512)
    assert (facts.vms, facts.users) == (2, 2)
    assert reason(facts, "provisioning") == snapshot
    assert reason(facts, "ram_cache_mb") == snapshot
    assert reason(facts, "vms") == snapshot


def test_that_several_sessions_on_a_vm_mean_a_session_host(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    columns = [(counter("A", Quantity.ACTIVE_SESSIONS), [0.0, 28.0])]
    facts = infer("run", "lab", Manifest(), (recording(tmp_path, "a.csv", [T0, T0 + 1], columns),), ())
    assert (facts.session_type, facts.users) == (SessionType.RDS, None)
    assert reason(facts, "session_type") == snapshot


def test_that_more_users_than_vms_mean_session_hosts() -> None:
    events = tuple(event(EventKind.LOGON_START, n, "A", f"u{n}") for n in range(30))
    facts = infer("run", "lab", Manifest({"vms": 2}), (), events)
    assert (facts.session_type, facts.users) == (SessionType.RDS, 30)


def test_that_the_name_gives_the_number_of_vms_only_without_a_recording() -> None:
    assert named("mcs-150vms").vms == 150
    assert named("mcs").vms is None
