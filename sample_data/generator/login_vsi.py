"""A storm of 100 logons in the tables of Login VSI, for two configurations; all data are invented.

The tables are logon times, application starts, timer samples and the analyzer's summary. The shared storage of `mcs`
becomes slow at about 85 sessions, and two of its sessions never log on; `mcsio-512` supports all of them.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np

from .plan import random_state

STUDY = "vdi-login-storm"
SESSIONS, STEP_S, END_S, LOOP_S = 100, 24.0, 2_700.0, 900.0
# Milliseconds of each timer on an idle system, and its time after the start of the loop.
TIMERS = (("NSLD", 700.0, 20.0), ("NFO", 500.0, 60.0), ("ZHC", 250.0, 95.0), ("ZLC", 60.0, 130.0), ("CPU", 90.0, 165.0))
APPS = (("Outlook", 2_400.0), ("WinWord1", 1_300.0), ("Excel1", 1_100.0))
_ZONE = timezone(timedelta(hours=1))


@dataclass(frozen=True)
class Storm:
    """A configuration: the number of sessions at which its storage needs twice as long, the sessions that never log on,
    and the analyzer's summary."""

    name: str
    zero: datetime
    doubles_at: float
    stuck: tuple[int, ...]
    summary: str


STORMS = (
    Storm("mcs", datetime(2016, 6, 14, 9, tzinfo=_ZONE), 85.0, (88, 95), "mcs,{at},990,92,94,,100,98,True"),
    Storm("mcsio-512", datetime(2016, 6, 15, 9, tzinfo=_ZONE), 150.0, (), "mcsio-512,{at},969,,,,100,100,False"),
)
SUMMARY = "TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,ActiveSessions,VSIMaxReached"


def write_all(folder: Path) -> None:
    """Writes the study without run.toml, so only names and files show what the runs are."""
    for storm in STORMS:
        target = folder / storm.name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for name, lines in _tables(storm).items():
            (target / name).write_bytes(("\r\n".join(lines) + "\r\n").encode("ascii"))


def _tables(storm: Storm) -> dict[str, list[str]]:
    draw = random_state(f"{STUDY} {storm.name}")
    logons, starts, samples = [], [], []
    for session in range(1, SESSIONS + 1):
        begun = (session - 1) * STEP_S
        slow = _slowness(storm, session)
        length = float((2.2 + 1.3 * slow) * np.exp(0.16 * draw.randn()))
        stuck = session in storm.stuck
        logons.append(f"{_stamp(storm, begun)},VSI{session:03d},{'' if stuck else f'{length:.1f}'}")
        if stuck:
            continue
        for place, (app, quiet) in enumerate(APPS):
            at, took = begun + length + 6 + 9 * place, quiet * slow * np.exp(0.12 * draw.randn())
            starts.append((at, f"{_stamp(storm, at)},{_active(storm, at)},{app},{took:.0f}"))
        samples += _loops(storm, session, begun + length, draw)
    return {
        "Logon_1.csv": ["DateTime,User,LogonTime", *logons],
        "AppStart.csv": ["DateTime,ActiveSessions,Label,Value", *(line for _, line in sorted(starts))],
        "VSI timers.csv": ["time,session,active_sessions,timer,value_ms", *(line for _, line in sorted(samples))],
        "Analyzer.csv": [SUMMARY, storm.summary.format(at=_stamp(storm, END_S))],
    }


def _loops(storm: Storm, session: int, begun: float, draw: np.random.RandomState) -> list[tuple[float, str]]:
    lines = []
    for loop in np.arange(begun, END_S - 200, LOOP_S):
        for timer, quiet, later in TIMERS:
            at = float(loop) + later
            active = _active(storm, at)
            took = quiet * _slowness(storm, active) * np.exp(0.05 * draw.randn())
            lines.append((at, f"{_stamp(storm, at)},{session},{active},{timer},{took:.0f}"))
    return lines


def _slowness(storm: Storm, sessions: int) -> float:
    return float(1 + (sessions / storm.doubles_at) ** 6)


def _active(storm: Storm, at: float) -> int:
    launched = min(SESSIONS, int(at // STEP_S) + 1)
    return launched - sum(session <= launched for session in storm.stuck)


def _stamp(storm: Storm, at: float) -> str:
    return (storm.zero + timedelta(seconds=round(at))).isoformat()
