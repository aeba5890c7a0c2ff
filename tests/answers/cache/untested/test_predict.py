"""Predictions for untested sizes, from samples and from runs that are generated for these tests."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from tests.samples import sample
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.untested.page import SIZE, what_if, what_if_figure
from workbench.answers.cache.untested.predict import Refused, Untested, over_runs, untested
from workbench.answers.cache.untested.sentences import curve_words, overflow_prediction
from workbench.answers.cache.untested.shares import Share, WriteShares
from workbench.answers.cache.untested.tables import predicted_row, predicted_table
from workbench.answers.common.choices import Choices
from workbench.charts.content import Content
from workbench.charts.figure import Line
from workbench.charts.inputs import Input
from workbench.cli import main
from workbench.measures.configurations import Mean, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.statistics import reach_of
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run
from workbench.words.numbers import THIN

SAMPLE = Path(__file__).parents[4] / "sample_data"
MB = 2**20
TIMES = T0 + 10.0 * np.arange(0, 61)
DESKTOPS = Input("cache.desktops", "VMs to plan for", 100.0)


def answered(*runs: Run) -> CacheAnswer:
    return cache_answer(group_runs(run_figures(each) for each in runs), "steady")


def only(*runs: Run) -> Untested:
    (kind,) = untested(answered(*runs))
    assert isinstance(kind, Untested)
    return kind


def made(
    folder: Path,
    size: int | None,
    ram: Sequence[float] | None = None,
    disk: Sequence[float] | None = None,
    writes: float = 100.0,
    provisioning: Provisioning = Provisioning.MCSIO,
    label: str = "",
) -> Run:
    """A run of one VM; `ram` and `disk` are its gauges in MB, linear between these readings."""
    name = label or ("MCS" if size is None else f"{provisioning.value} {size} MB")
    kind = Configuration(name, Provisioning.MCS if size is None else provisioning, "device-ram-overflow", size)
    if size is None:
        kind = Configuration(name, Provisioning.MCS)
    used = Quantity.CACHE_RAM_USED if provisioning is Provisioning.MCSIO else Quantity.POOL_NONPAGED
    columns = [
        (counter("VM-1", Quantity.WRITE_IOPS, instance="0 C:" if size is None else "1 D:"), np.full(61, writes)),
        (counter("VM-1", Quantity.READ_IOPS, instance="0 C:" if size is None else "1 D:"), np.full(61, 1.0)),
    ]
    for quantity, readings in ((used, ram), (Quantity.CACHE_DISK_USED, disk)):
        if readings is not None:
            values = np.interp(TIMES, np.linspace(TIMES[0], TIMES[-1], len(readings)), readings) * MB
            series = counter("VM-1", quantity, estimate=quantity is Quantity.POOL_NONPAGED)
            columns.append((series, values))
    return run(
        recording(folder, "guest.csv", TIMES, columns),
        configuration=kind,
        stated_phases=(phase("steady", 0, 600),),
        folder=str(folder),
        name=folder.name,
    )


@pytest.fixture(scope="module")
def sweep() -> Untested:
    (study,) = sample("rds-mcsio-cache-sweep").studies
    return only(*study.runs)


def test_that_the_sample_is_predicted_from_the_size_that_did_not_overflow(sweep: Untested) -> None:
    assert (sweep.basis, sweep.bound, len(sweep.runs)) == (("MCSIO 4 GB",), "exact", 3)
    assert sweep.fill.measured
    assert sweep.knee_mb == pytest.approx(2694, abs=1)
    errors = {each.cache.label: each.overflow_error_s for each in sweep.tested if each.overflow_error_s is not None}
    assert list(errors) == ["MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB"]
    assert max(map(abs, errors.values())) < 30


def test_that_the_footprint_is_the_ram_used_and_the_rest_is_written_to_disk(tmp_path: Path) -> None:
    kind = only(made(tmp_path / "big", 1000, [0, 600], [0, 0]))
    seen = kind.at(300.0)
    # 1 MB a second; a size that was not seen to overflow is filled to between 95 % and 100 %: 285 to 300 MB.
    assert seen.overflow == Mean(300, 280, 310, "range", 1)
    assert seen.not_before == 280
    assert seen.spilled_mb is not None
    assert seen.spilled_mb.value == pytest.approx(300)
    assert kind.knee_mb == pytest.approx(600 / 0.95)
    assert not kind.fill.measured


def test_that_every_size_without_overflow_is_used(tmp_path: Path) -> None:
    runs = [made(tmp_path / str(size), size, [0, 300], [0, 0]) for size in (500, 1000)]
    over = made(tmp_path / "over", 100, [0, 100, 100], [0, 0, 200])
    assert only(over, *runs).basis == ("MCSIO 500 MB", "MCSIO 1000 MB")


def test_that_a_run_that_overflowed_gives_bounds(tmp_path: Path) -> None:
    kind = only(made(tmp_path / "small", 200, [0, 100, 200, 199, 199], [0, 0, 0, 100, 160]))
    assert kind.bound == "upper"
    assert kind.at(100.0).overflows is True
    assert kind.at(300.0).overflows is None
    assert kind.at(300.0).spilled_mb is None
    assert kind.at(500.0).overflows is False
    assert overflow_prediction(kind.at(300.0)).startswith("not before")


def test_that_a_restarted_vm_is_counted_and_gives_no_prediction_alone(tmp_path: Path) -> None:
    steady = made(tmp_path / "a", 1000, [0, 600], [0, 0])
    restarted = made(tmp_path / "b", 1000, [0, 500, 500, 0, 0], [0, 0])
    kind = only(steady, restarted)
    assert (len(kind.runs), kind.restarted, kind.knee_mb) == (2, 1, None)
    (refused,) = untested(answered(restarted))
    assert isinstance(refused, Refused)


def test_that_the_nonpaged_pool_of_pvs_gives_an_estimate_with_bounds(tmp_path: Path) -> None:
    kind = only(made(tmp_path / "pvs", 200, [50, 150, 250], provisioning=Provisioning.PVS))
    assert (kind.bound, kind.knee_mb) == ("estimate", None)
    seen = kind.at(100.0)
    # The pool passes 95 MB at 135 s, its growth 100 MB at 300 s.
    assert (seen.overflows, seen.overflow, seen.bounds) == (True, None, (130, 310))
    assert kind.at(400.0).overflows is None


def test_that_two_configurations_of_one_size_are_not_a_sweep(tmp_path: Path) -> None:
    runs = [made(tmp_path / name, 256, [0, 100], [0, 0], label=f"MCSIO {name}") for name in ("plain", "bloated")]
    (kind,) = untested(answered(*runs))
    assert isinstance(kind, Refused)
    assert "same cache size" in kind.reason


def test_that_ram_counters_without_a_cache_disk_counter_give_no_prediction(tmp_path: Path) -> None:
    (kind,) = untested(answered(made(tmp_path / "a", 256, [0, 100])))
    assert isinstance(kind, Refused)


def test_that_a_curve_needs_three_tested_sizes(tmp_path: Path) -> None:
    sizes = [(128, 60.0), (256, 30.0), (512, 1.0)]
    runs = [made(tmp_path / "mcs", None)]
    runs += [made(tmp_path / str(size), size, [0, 400], [0, max(0, 400 - size)], left) for size, left in sizes]
    assert not only(*runs[:3]).curve
    assert "Test three or more" in curve_words(only(*runs[:3]))
    assert len(what_if_figure(only(*runs[:3]), 200.0).panels) == 1
    kind = only(*runs)
    assert kind.curve
    figure = what_if_figure(kind, 200.0)
    assert [panel.title for panel in figure.panels] == ["Remaining writes", "First overflow"]
    line = next(mark for mark in figure.panels[0].marks if isinstance(mark, Line) and mark.name == "predicted")
    known = line.y[~np.isnan(line.y)]
    assert (np.diff(known) <= 1e-9).all()
    assert np.isnan(line.y[line.x < 128]).all()


def test_that_shares_without_a_baseline_are_not_available(tmp_path: Path) -> None:
    kind = only(made(tmp_path / "a", 256, [0, 200], [0, 0]), made(tmp_path / "b", 128, [0, 128], [0, 70]))
    assert kind.at(200.0).writes_left is None
    assert "add a baseline without RAM cache" in curve_words(kind)


def test_that_shares_are_interpolated_between_tested_sizes_and_bounded_outside() -> None:
    tested = tuple(Share(size, value, value - 0.01, value + 0.01) for size, value in ((256, 0.6), (1024, 0.2)))
    shares = WriteShares(tested, None, "MCS")
    middle = shares.at(512, None)
    assert middle is not None
    assert middle.value == pytest.approx(0.4)
    assert (middle.low, middle.high) == pytest.approx((0.19, 0.61))
    assert shares.at(128, None) == Share(128, None, 0.59, 1.0)
    assert shares.at(2048, None) == Share(2048, None, 0.0, pytest.approx(0.21))
    held = WriteShares((*tested, Share(4096, 0.05, 0.04, 0.06)), 4096, "MCS")
    beyond = held.at(5000, 2000.0)
    assert beyond is not None
    assert (beyond.value, beyond.low, beyond.high) == pytest.approx((0.05, 0.04, 0.06))


HELD_TWICE = ((128, 60.0), (256, 30.0), (512, 12.0), (1024, 4.0))


def sizes_of(folder: Path, repeats: int = 1) -> list[Run]:
    """A baseline and four sizes of one VM that writes 400 MB: 512 and 1024 MB do not overflow."""
    runs = [made(folder / f"mcs-{number}", None, writes=100 + number) for number in range(repeats)]
    for size, left in HELD_TWICE:
        disk = [0, max(0, 400 - size)]
        runs += [made(folder / f"{size}-{number}", size, [0, 400], disk, left + number) for number in range(repeats)]
    return runs


def test_that_the_share_stays_constant_above_a_size_without_overflow_until_the_next_tested_size(tmp_path: Path) -> None:
    kind = only(*sizes_of(tmp_path))
    assert kind.shares.held_mb == 512
    shares = {size: share for size in (450, 512, 700, 1023, 1024, 5000) if (share := kind.at(size).writes_left)}
    values = [shares[size].value for size in (450, 512, 700, 1023, 1024, 5000)]
    assert values == pytest.approx([0.12, 0.12, 0.12, 0.12, 0.04, 0.04])


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_that_every_share_is_within_its_bounds(tmp_path: Path, repeats: int) -> None:
    kind = only(*sizes_of(tmp_path, repeats))
    for seen in kind.over(np.linspace(1, 3000, 400).tolist()):
        share = seen.writes_left
        assert share is not None
        assert share.low <= share.high
        assert share.value is None or share.low <= share.value <= share.high


def test_that_intervals_of_single_runs_are_wider_than_zero(tmp_path: Path) -> None:
    runs = sizes_of(tmp_path / "single")
    content = what_if(answered(*runs), Choices().with_input(SIZE, 700.0), 100.0, DESKTOPS)
    assert (content.cards[0].value, content.cards[0].note) == ("12.0", "one run")
    kind = only(*runs)
    (row,) = predicted_table((kind,), 100.0, (512.0,)).rows
    assert [cell.text for cell in row[6:9]] == ["12.0", "—", "—"]
    (size,) = predicted_row(kind, "", 100.0, (512.0,))["sizes"]
    ends = [size[f"writes_left_percent{end}"] for end in ("", "_low", "_high")]
    assert ends == [pytest.approx(12), None, None]


def test_that_bounds_between_single_runs_and_intervals_of_three_runs_are_shown(tmp_path: Path) -> None:
    def note(repeats: int, size_mb: float) -> str:
        runs = sizes_of(tmp_path / str(repeats), repeats)
        return what_if(answered(*runs), Choices().with_input(SIZE, size_mb), 100.0, DESKTOPS).cards[0].note

    assert note(1, 200.0) == "[30.0, 60.0], one run"
    assert note(3, 700.0).startswith("[")
    assert "one run" not in note(3, 700.0)


def test_that_runs_without_variation_keep_their_interval() -> None:
    tested = tuple(Share(size, value, value, value) for size, value in ((256, 0.6), (1024, 0.2)))
    share = WriteShares(tested, 1024, "MCS").at(1024, None)
    assert share is not None
    assert share.ends == (0.2, 0.2)


def test_that_three_runs_have_a_student_interval_and_two_have_a_range() -> None:
    mean = over_runs([10.0, 12.0, 17.0])
    assert mean is not None
    assert mean.low is not None
    reach = reach_of(0.95, 2) * np.std([10, 12, 17], ddof=1) / math.sqrt(3)
    assert (mean.value, mean.low) == pytest.approx((13, 13 - reach))
    assert over_runs([10.0, 12.0]) == Mean(11.0, 10.0, 12.0, "range", 2)
    assert over_runs([None]) is None


def test_that_a_run_without_a_value_removes_the_interval() -> None:
    for values in ([10.0, 12.0, None], [10.0, 12.0, 17.0, None]):
        mean = over_runs(values)
        assert mean is not None
        assert (mean.low, mean.high) == (None, None)


def test_that_an_interval_ends_at_zero_or_at_the_lowest_run_below_it() -> None:
    for values, low in (([0.0, 1.0, 50.0], 0.0), ([-20.0, -10.0, -30.0], -30.0)):
        mean = over_runs(values)
        assert mean is not None
        assert mean.low == low


def test_that_the_page_lists_its_assumptions_and_uses_the_size_of_the_user(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    answer = answered(made(tmp_path / "big", 1000, [0, 600], [0, 0]))
    content = what_if(answer, Choices(), 100.0, DESKTOPS)
    assert content.caption == snapshot
    assert content.inputs[0].value == 632  # the need of the VM in whole MB
    assert content.inputs[0].origin == ""
    assert content.caption == snapshot
    mine = what_if(answer, Choices().with_input(SIZE, 300.0), 100.0, DESKTOPS)
    assert (mine.inputs[0].value, mine.inputs[0].origin) == (300, "yours")
    assert mine.cards[1].value == "5:00"
    assert (content.cards[2].title, content.cards[2].value) == ("Cache disk use per VM", "0")


def test_that_json_has_the_new_key_predicted_next_to_the_earlier_keys(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(SAMPLE / "rds-mcsio-cache-sweep")
    assert main(["cache", folder, "--format", "json", "--size", "2048", "--size", "8192"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {"configurations", "vms", "dips", "smallest_without_overflow"} <= document.keys()
    (predicted,) = document["predicted"]
    assert [size["ram_cache_mb"] for size in predicted["sizes"]] == [2048, 8192]
    assert predicted["sizes"][1]["overflows"] is False
    assert predicted["sizes"][1]["overflow_start_s"] is None
    assert predicted["assumed"]
    assert main(["cache", folder, "--size", "0"]) == 2


def page_text(content: Content) -> str:
    figure = content.figure
    assert figure is not None
    panels = figure.panels
    words = [content.question, content.caption, figure.summary]
    words += [part for card in content.cards for part in (card.title, card.value, card.unit, card.note, card.detail)]
    words += [panel.x.unit for panel in panels] + [mark.name for panel in panels for mark in panel.marks]
    words += [region.name for panel in panels for region in panel.regions]
    words += [name for field in content.inputs for _, name in field.ticks] + [field.unit for field in content.inputs]
    words += [cell.text for table in content.tables for row in table.rows for cell in row]
    return "\n".join(words)


def test_that_sizes_use_one_unit_and_the_chosen_size_is_labelled_next_to_the_chart(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    runs = [made(tmp_path / "mcs", None)]
    runs += [made(tmp_path / str(size), size, [0, 3000], [0, max(0, 3000 - size)], 9.0) for size in (512, 1024, 8192)]
    content = what_if(answered(*runs), Choices(), 100.0, DESKTOPS)
    assert re.search(f"\\b[18]{THIN}GB", page_text(content)) is None
    assert "hold everything" not in page_text(content)
    figure = content.figure
    assert figure is not None
    # The words begin after the edge, so a line at the edge does not cross them.
    (region,) = figure.panels[0].regions
    assert region.start <= float(content.inputs[0].value) < region.start + 1
    assert content.cards[3].detail == "with 8\u2009192\u2009MB per VM: 800\u2009GB"
    error = content.cards[4]
    assert (error.unit, error.note) == snapshot


def test_that_a_footprint_within_one_block_above_the_size_may_not_overflow(tmp_path: Path) -> None:
    kind = only(made(tmp_path / "big", 1000, [0, 600], [0, 0]))
    assert kind.at(600 - 0.5 * 4 / 1024).overflows is None
    assert kind.at(600 - 2 * 4 / 1024).overflows is True
