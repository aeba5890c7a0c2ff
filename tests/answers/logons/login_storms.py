"""Generated logon storms and timer samples, with the figures that their sources published."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from tests.builders import T0, FloatArray, run
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Run
from workbench.model.session import Measurement, MeasurementKind, Session


def storm_seconds(count: int, low: float, mean: float, high: float, seed: int = 7) -> FloatArray:
    """Logon times with exactly this lowest and highest value and, to a millisecond, this mean."""
    share = np.random.default_rng(seed).random(count)
    share[[count // 3, count // 2]] = 0.0, 1.0
    least, most = 0.01, 100.0
    for _ in range(200):
        power = (least + most) / 2
        above = (low + (high - low) * share**power).mean() > mean
        least, most = (power, most) if above else (least, power)
    return np.asarray(low + (high - low) * share**power)


def logon_csv(path: Path, seconds: FloatArray, step_s: float = 2.0) -> Path:
    """Login VSI's table of logon times: a session every `step_s` seconds, without an offset, on 13 May:
    the day cannot be read as a month."""
    lines = ["DateTime,User,LogonTime"]
    for place, value in enumerate(seconds):
        at = datetime.fromtimestamp(T0 + 3 * 86_400 + place * step_s, UTC)
        lines.append(f"{at:%m/%d/%Y %H:%M:%S},LoginVSI{place + 1:04d},{value:.3f}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def sessions(seconds: FloatArray, step_s: float = 2.0, length_s: float = 3_600.0) -> tuple[Session, ...]:
    """A session every `step_s` seconds from T0 on; each lasts `length_s` seconds."""
    return tuple(
        Session(
            f"user{place + 1}",
            f"VM{place % 4 + 1}",
            T0 + place * step_s,
            T0 + place * step_s + value,
            T0 + place * step_s + value + 10,
            T0 + place * step_s + length_s,
            float(value),
        )
        for place, value in enumerate(seconds)
    )


def group(*runs: Run, label: str = "MCS") -> Group:
    """The runs as runs of one configuration."""
    first = runs[0]
    kept = tuple(RunFigures(one, (), ()) for one in runs)
    return Group(label, first.configuration, first.session_type, first.vms, kept)


def timer(at: float, name: str, value: float, session: str = "1", active: int | None = None) -> Measurement:
    """One sample of a timer (ms), `at` seconds after T0."""
    return Measurement(T0 + at, MeasurementKind.TIMER, name, value, "ms", session, active)


def app_start(at: float, name: str, value: float, active: int | None = None, unit: str = "ms") -> Measurement:
    """One start of an application, `at` seconds after T0."""
    return Measurement(T0 + at, MeasurementKind.APP_START, name, value, unit, "", active)


def storm_run(seconds: FloatArray, **facts: object) -> Run:
    """A run with these logons."""
    return run(sessions=sessions(seconds), **facts)
