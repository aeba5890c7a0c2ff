"""Metrics of user sessions, compared with a separate computation from the lines of the log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import perfmon_csv
from workbench.console.loading import load_studies
from workbench.measures.phase_table import PhaseFigures, run_figures
from workbench.study.store.column_store import Store

ROWS, INSIDE = 24, slice(5, 17)
PHASE = '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n'
SESSIONS = ("RDP-Tcp 0", "RDP-Tcp 1")
LATER = 9  # the row from which the second session is there


def values(seed: int) -> np.ndarray:
    return np.round(np.random.default_rng(seed).uniform(1, 90, ROWS), 3)


def second(seed: int) -> np.ndarray:
    return np.where(np.arange(ROWS) < LATER, np.nan, values(seed))


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> PhaseFigures:
    folder = tmp_path_factory.mktemp("lab") / "mcs"
    columns = {
        r"User Input Delay per Process(1:4232 <x.exe>)\Max Input Delay": values(1),
        r"User Input Delay per Session(1)\Max Input Delay": values(2),
        r"User Input Delay per Session(Average)\Max Input Delay": values(3),
        r"User Input Delay per Session(Max)\Max Input Delay": values(4),
        r"Processor Information(_Total)\% Processor Utility": values(5) + 60,
        r"Processor Information(0,_Total)\% Processor Utility": values(6),
        r"Energy Meter(RAPL_Package0_PKG)\Power": values(7) * 1000,
        r"Energy Meter(RAPL_Package1_PKG)\Power": values(8) * 1000,
        r"Energy Meter(RAPL_Package0_PP0)\Power": values(9) * 1000,
        r"Energy Meter(_Total)\Power": values(10) * 1000,
    }
    for place, (name, make) in enumerate(zip(SESSIONS, (values, second), strict=True)):
        columns |= {
            rf"RemoteFX Network({name})\Current TCP RTT": make(20 + place),
            rf"RemoteFX Network({name})\Current UDP Bandwidth": make(30 + place) * 1000,
            rf"RemoteFX Network({name})\Loss Rate": make(40 + place),
            rf"RemoteFX Graphics({name})\Average Encoding Time": make(50 + place),
            rf"RemoteFX Graphics({name})\Frames Skipped/Second - Insufficient Network Resources": make(60 + place),
        }
    named = {rf"\\RDS-1\{name}": [None if np.isnan(v) else v for v in cells] for name, cells in columns.items()}
    perfmon_csv(folder / "guest" / "RDS-1.csv", named)
    (folder / "run.toml").write_text(f'users = 2\nsession_type = "rds"\n{PHASE}', encoding="utf-8")
    store = Store(folder.parent / "store")
    store.prepare()
    (study,) = load_studies([folder], store)
    found = run_figures(study.runs[0]).phase("steady")
    assert found is not None
    return found


def mean(seed: int) -> float:
    return float(values(seed)[INSIDE].mean())


def of_sessions(seed: int) -> float:
    """The mean over the rows; each row is the mean of the sessions with a value."""
    pairs = zip(values(seed)[INSIDE], second(seed + 1)[INSIDE], strict=True)
    return float(np.mean([np.mean([v for v in pair if not np.isnan(v)]) for pair in pairs]))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("input_delay_ms", mean(4)),
        ("cpu_utility_percent", mean(5) + 60),
        ("power_w", mean(7) + mean(8)),
        ("watts_per_user", (mean(7) + mean(8)) / 2),
        ("round_trip_ms", of_sessions(20)),
        ("bandwidth_udp_mbit_s", of_sessions(30)),
        ("packet_loss_percent", of_sessions(40)),
        ("encoding_ms", of_sessions(50)),
        ("skipped_network_per_s", of_sessions(60)),
        ("round_trip_udp_ms", None),
        ("frames_per_s", None),
    ],
)
def test_that_each_metric_equals_the_value_in_the_log(row: PhaseFigures, key: str, expected: float | None) -> None:
    found = getattr(row, key)
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-9))


def test_that_without_a_total_instance_the_longest_delay_of_any_session_counts(tmp_path: Path) -> None:
    delays = {"1": values(1), "2": second(2)}
    perfmon_csv(
        tmp_path / "mcs" / "RDS-1.csv",
        {
            rf"\\RDS-1\User Input Delay per Session({name})\Max Input Delay": [
                None if np.isnan(v) else v for v in cells
            ]
            for name, cells in delays.items()
        },
    )
    (tmp_path / "mcs" / "run.toml").write_text(PHASE, encoding="utf-8")
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / "mcs"], store)
    found = run_figures(study.runs[0]).phase("steady")
    assert found is not None
    longest = np.fmax(values(1), second(2))[INSIDE]
    assert getattr(found, "input_delay_ms") == pytest.approx(longest.mean())  # noqa: B009
    assert getattr(found, "input_delay_p95_ms") <= longest.max()  # noqa: B009
