r"""The files of Login VSI 3.x and 4.x on a results share (`_VSI_Logfiles\<test>`), except tables.

    Monitor\LaunchedSessions\…##<user>_#….txt   written by the launcher when it starts a session
    Monitor\ActiveSessions\<user>@<desktop>.log  written by the desktop when its workload begins
    !!!_<test>.IsActiveTest, Global.ini, VSILauncher.ini   marks of a share, without results

A logon lasts from the file time of the first to the file time of the second. A copy that does not keep file times
destroys it. Each file is one half of a session; `study.importing.sessions` joins the halves by user and reports it.
Source: scripts in public use that compute logon times this way. The content of the files is not documented and not
read, so the files are recognised by their names and folders.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.session import Session

LABEL = "login-vsi-share"
_LAUNCHED = re.compile(r"(?>.*?##)(?>(?P<user>.+?)_#).*\.txt", re.IGNORECASE)
_ACTIVE = re.compile(r"(?P<user>[^@]+)@(?P<vm>[^@]*)\.log", re.IGNORECASE)
_ACTIVE_TEST = re.compile(r"!!!_(?P<test>.+)\.IsActiveTest", re.IGNORECASE)
_SETTINGS = frozenset(("global.ini", "vsilauncher.ini"))
# Possessive: a semicolon within a comment may begin another one, which gives too many combinations to try.
_INI = re.compile(r"\s*+(?:;[^\r\n]*+\s*+)*+\[[^\]\r\n]+\]")
_LAUNCHED_FOLDER, _ACTIVE_FOLDER = "launchedsessions", "activesessions"
# A reader that recognises the content is more certain than this.
_BY_NAME = 0.05


def identify(head: bytes, name: str) -> float:
    """Returns a small certainty for the file names of a share: their content is not documented."""
    lowered = name.lower()
    if lowered in _SETTINGS:
        return _BY_NAME if _INI.match(head.decode("latin-1").replace("\x00", "").lstrip("ÿþï»¿")) else 0.0
    if _ACTIVE_TEST.fullmatch(name):
        return _BY_NAME
    return _BY_NAME if _LAUNCHED.match(name) or _ACTIVE.fullmatch(name) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns half a session, or, for a mark, only that it was recognised."""
    file = PurePosixPath(name)
    folder, own = (file.parent.name or path.parent.name).lower(), file.name
    if own.lower() in _SETTINGS or _ACTIVE_TEST.fullmatch(own):
        return _mark(name)
    launched, active = _LAUNCHED.match(own), _ACTIVE.fullmatch(own)
    if launched is not None and folder == _LAUNCHED_FOLDER:
        moment = _file_time(path)
        session = Session(user=launched["user"], logon_start=moment, state="launched", product="Login VSI")
    elif active is not None and folder == _ACTIVE_FOLDER:
        moment = _file_time(path)
        session = Session(user=active["user"], vm=active["vm"], logon_end=moment, state="active", product="Login VSI")
    else:
        return _elsewhere(name)
    if moment is None:
        problem = Problem(
            Severity.WARNING,
            name,
            "no-file-time",
            "The modification time of this file cannot be read.",
            "file ignored, so one of the two files of its session is missing; copy the file again",
        )
        return Reading(FileReport(path=name, reader=LABEL, recognised=True, rejected_rows=1), (problem,))
    shown = f"{datetime.fromtimestamp(moment, UTC).isoformat(timespec='seconds').removesuffix('+00:00')}Z"
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=1,
        hosts=(session.vm,) if session.vm else (),
        first=shown,
        last=shown,
        utc_offset_minutes=0,
    )
    return Reading(report, sessions=(session,))


READER = Reader(LABEL, identify, read, by_place=True)


def _file_time(path: Path) -> float | None:
    """Returns seconds since 1970 UTC of the last write, or None if the clock was never set."""
    try:
        moment = path.stat().st_mtime
        return moment if 1980 <= datetime.fromtimestamp(moment, UTC).year < 2200 else None
    except (OSError, ValueError, OverflowError):
        return None


def _mark(name: str) -> Reading:
    problem = Problem(
        Severity.INFO,
        name,
        "share-mark",
        "This file marks a Login VSI share and contains no results.",
        "nothing imported",
    )
    return Reading(FileReport(path=name, reader=LABEL, recognised=True), (problem,))


def _elsewhere(name: str) -> Reading:
    problem = Problem(
        Severity.INFO,
        name,
        "not-recognised",
        "The file is named like a Login VSI file, but is not in Monitor/LaunchedSessions or Monitor/ActiveSessions.",
        "file not imported; keep the folder structure of the share",
    )
    return Reading(FileReport(path=name), (problem,))
