"""Phases found in synthetic shapes of I/O."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, recording, run
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.phases.activity import MAX_BINS, SMOOTH_S, detect

STEP = 5.0


def shaped(folder: Path, bursts: list[tuple[float, float]], length: float, read_share: float = 0.5) -> Run:
    times = T0 + np.arange(STEP, length + STEP, STEP)
    level = np.full(times.size, 2.0)
    for start, end in bursts:
        level[(times > T0 + start) & (times <= T0 + end)] = 200.0
    columns = [
        (counter("A", Quantity.READ_IOPS), level * read_share),
        (counter("A", Quantity.WRITE_IOPS), level * (1 - read_share)),
    ]
    return run(recording(folder, "a.csv", times, columns))


def test_that_two_bursts_are_boot_and_logon_and_the_rest_is_steady_state(tmp_path: Path) -> None:
    found = detect(shaped(tmp_path, [(100, 400), (900, 1200)], 4000))
    assert [one.name for one in found] == ["boot", "logon", "steady"]
    for one, (start, end) in zip(found, [(100, 400), (900, 1200), (1200, 4000)], strict=True):
        assert one.start - T0 == pytest.approx(start, abs=SMOOTH_S)
        assert one.end - T0 == pytest.approx(end, abs=SMOOTH_S)


@pytest.mark.parametrize(("share", "name"), [(0.9, "boot"), (0.2, "logon")])
def test_that_one_burst_is_boot_if_it_reads_and_logon_if_it_writes(tmp_path: Path, share: float, name: str) -> None:
    found = detect(shaped(tmp_path, [(100, 400)], 3000, share))
    assert [one.name for one in found] == [name, "steady"]


def test_that_a_third_burst_is_part_of_steady_state(tmp_path: Path) -> None:
    found = detect(shaped(tmp_path, [(100, 300), (800, 1000), (2000, 2100)], 4000))
    assert [one.name for one in found] == ["boot", "logon", "steady"]
    assert found[-1].end == pytest.approx(T0 + 4000)


def test_that_bursts_less_than_a_minute_apart_are_merged(tmp_path: Path) -> None:
    found = detect(shaped(tmp_path, [(100, 300), (360, 500)], 4000, 0.9))
    assert [one.name for one in found] == ["boot", "steady"]
    assert found[0].end - T0 == pytest.approx(500, abs=SMOOTH_S)


def test_that_constant_io_is_all_steady_state(tmp_path: Path) -> None:
    found = detect(shaped(tmp_path, [], 2000))
    assert [(one.name, one.start - T0, one.end - T0) for one in found] == [("steady", 0, pytest.approx(2000))]


def test_that_a_recording_shorter_than_the_smoothing_is_cut_without_an_error(tmp_path: Path) -> None:
    times = T0 + np.arange(1.0, 26.0)
    level = np.r_[np.zeros(15), np.ones(10)]
    one = run(recording(tmp_path, "a.csv", times, [(counter("A", Quantity.IOPS), level)]))
    assert all(T0 <= phase.start < phase.end <= T0 + 25 for phase in detect(one))


def test_that_a_run_without_iops_has_no_detected_phase(tmp_path: Path) -> None:
    times = T0 + np.arange(1.0, 11.0)
    assert detect(run(recording(tmp_path, "a.csv", times, [(counter("A", Quantity.CPU), np.ones(10))]))) == []
    blank = [(counter("A", Quantity.IOPS), np.full(10, np.nan))]
    assert detect(run(recording(tmp_path, "b.csv", times, blank))) == []


def test_that_the_phase_rule_contains_its_parameters(tmp_path: Path) -> None:
    rule = detect(shaped(tmp_path, [(100, 400)], 3000))[0].rule
    assert "30-second mean" in rule
    assert "above 40 for" in rule  # a fifth of the 95th percentile, 200/s


def test_that_a_clock_decades_off_allocates_no_billions_of_bins(tmp_path: Path) -> None:
    ours = recording(tmp_path, "a.csv", T0 + np.arange(1.0, 101.0), [(counter("A", Quantity.IOPS), np.ones(100))])
    lost = recording(tmp_path, "b.csv", np.arange(1.0, 101.0), [(counter("B", Quantity.IOPS), np.ones(100))])
    found = detect(run(ours, lost))
    assert sum(phase.duration_s for phase in found) <= T0 + 100
    assert MAX_BINS <= 1_000_000


@pytest.mark.parametrize("blank", [0, 1])
def test_that_the_blank_first_row_of_rate_logs_is_not_a_gap(tmp_path: Path, blank: int) -> None:
    times = T0 + np.arange(STEP, 405.0, STEP)
    level = np.where(np.arange(times.size) < blank, np.nan, 50.0)
    recorded = recording(tmp_path, "a.csv", times, [(counter("A", Quantity.IOPS), level)])
    figures = run_figures(run(recorded))
    (steady,) = figures.phases
    assert steady.phase.start == T0 + blank * STEP
    assert steady.measured_percent == pytest.approx(100)
    assert "gap" not in [problem.code for problem in figures.problems]


def test_that_a_blank_row_later_on_is_a_gap(tmp_path: Path) -> None:
    times = T0 + np.arange(STEP, 405.0, STEP)
    level = np.where(np.arange(times.size) == 20, np.nan, 50.0)
    recorded = recording(tmp_path, "a.csv", times, [(counter("A", Quantity.IOPS), level)])
    assert "gap" in [problem.code for problem in run_figures(run(recorded)).problems]
