"""The files of a Login VSI share: each is the start or the end of a session, recognised by name and folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import T0
from tests.readers.login_files import codes, read_as
from workbench.model.reading import Reading
from workbench.model.session import Session
from workbench.readers.login_vsi import share as login_vsi_share
from workbench.readers.registry import recognise


def read(folder: Path, name: str, at: float = T0, content: bytes = b"") -> Reading:
    read_as("login-vsi-share", folder, content, name)
    os.utime(folder / name, (at, at))
    return login_vsi_share.READER.read(folder / name, f"test/{name}", folder / "columns")


def test_that_a_launched_file_is_the_start_of_the_session_of_its_user(tmp_path: Path) -> None:
    reading = read(tmp_path, "Monitor/LaunchedSessions/L01##VDI-001_#17.txt", T0 + 5)
    assert reading.sessions == (Session("VDI-001", logon_start=T0 + 5, state="launched"),)
    assert (reading.report.rows, reading.report.first, reading.report.utc_offset_minutes) == (
        1,
        "2016-05-10T08:00:05Z",
        0,
    )


def test_that_an_active_file_is_the_end_of_a_logon_on_its_desktop(tmp_path: Path) -> None:
    reading = read(tmp_path, "Monitor/ActiveSessions/VDI-001@W10-001.log", T0 + 30, b"anything")
    assert reading.sessions == (Session("VDI-001", "W10-001", logon_end=T0 + 30, state="active"),)
    assert reading.report.hosts == ("W10-001",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("!!!_mcs_run1.IsActiveTest", b""),
        ("Global.ini", b"[Global]\r\nTest=x\r\n"),
        ("VSILauncher.ini", "\ufeff; made by\r\n[Launcher]\r\n".encode("utf-16-le")),
    ],
)
def test_that_marker_files_are_recognised_and_have_no_data(tmp_path: Path, name: str, content: bytes) -> None:
    reading = read(tmp_path, name, content=content)
    assert (reading.report.recognised, reading.report.rows, codes(reading)) == (True, 0, ["share-mark"])


@pytest.mark.parametrize(
    "name", ["VDI-001@W10-001.log", "LaunchedSessions/VDI-001@W10-001.log", "L01##VDI-001_#17.txt"]
)
def test_that_a_file_outside_its_folder_is_skipped_with_the_reason(tmp_path: Path, name: str) -> None:
    reading = read(tmp_path, name)
    assert (reading.report.recognised, reading.sessions, codes(reading)) == (False, (), ["not-recognised"])


@pytest.mark.parametrize(
    ("name", "content"), [("notes.txt", b""), ("global.ini", b"no section"), ("a.log", b""), ("##_#.txt.bak", b"")]
)
def test_that_other_names_are_not_recognised(name: str, content: bytes) -> None:
    assert login_vsi_share.identify(content, name) == 0.0


def test_that_the_content_overrides_the_name() -> None:
    reader = recognise(b"time,event,vm,user\n2016-05-10T08:00:00Z,marker,,\n", "VDI-001@W10-001.log")
    assert reader is not None
    assert reader.label == "events"


def test_that_an_unset_clock_gives_no_time(tmp_path: Path) -> None:
    reading = read(tmp_path, "Monitor/ActiveSessions/VDI-001@W10-001.log", 0.0)
    assert (reading.sessions, reading.report.rejected_rows, codes(reading)) == ((), 1, ["no-file-time"])
