"""The cache page: figures, tables and cards show the expected values, and agree with each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.filling_figure import cache_filling_figure
from workbench.answers.cache.overflow_dip import Dip, NoDip
from workbench.answers.cache.overflow_dip_figure import overflow_dip_figure
from workbench.answers.cache.page import cache_answer_cards, dip_cards, filling_cards
from workbench.answers.cache.sentences import dip_words, enough_words, overflow_words
from workbench.answers.cache.sweep_figure import cache_sweep_figure
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.findings.rules.cache import cache_findings
from workbench.answers.findings.words import Asked
from workbench.charts.figure import Bars, Figure, Line, Points
from workbench.charts.marked import marked_figure
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run

MB = 2**20
TIMES: npt.NDArray[np.float64] = np.asarray(T0 + 5.0 * np.arange(1, 361), dtype=np.float64)
SECONDS: npt.NDArray[np.float64] = TIMES - T0
STEADY = (phase("steady", 0, 1800),)
STEP = 5.0


def built(folder: Path, size: int, overflow_s: float | None, reads: float = 20.0) -> Run:
    """A run of one VM. Its 600 IOPS fall to 45 % at the overflow and recover after two minutes."""
    made = (
        Configuration(f"MCSIO {size} MB", Provisioning.MCSIO, "device-ram-overflow", size)
        if size
        else Configuration("MCS", Provisioning.MCS)
    )
    writes = np.full(SECONDS.size, 600.0 - reads) + np.tile([3.0, -3.0], SECONDS.size // 2)
    columns = [(counter("A", Quantity.READ_IOPS, instance="0 C:"), np.full(SECONDS.size, reads))]
    if overflow_s is not None:
        low = (overflow_s < SECONDS) & (overflow_s + 120 >= SECONDS)
        writes[low] = 250.0 + 330.0 * (SECONDS[low] - overflow_s - STEP) / 120
    columns.append((counter("A", Quantity.WRITE_IOPS, instance="1 D:" if size else "0 C:"), writes))
    columns.append((counter("A", Quantity.CPU), np.full(SECONDS.size, 40.0)))
    if size:
        rate = size / (overflow_s or 3600)
        disk = np.clip(SECONDS - (overflow_s or 1e9), 0, 400)
        columns.append((counter("A", Quantity.CACHE_RAM_USED), np.minimum(SECONDS * rate, size) * MB))
        columns.append((counter("A", Quantity.CACHE_DISK_USED), disk * MB))
    one = recording(folder, "a.csv", TIMES, columns)
    return run(one, name=folder.name, folder=str(folder), configuration=made, stated_phases=STEADY)


@pytest.fixture
def answer(tmp_path: Path) -> CacheAnswer:
    runs = [
        built(tmp_path / "mcs", 0, None),
        built(tmp_path / "256", 256, 600.0),
        built(tmp_path / "512", 512, 900.0),
        built(tmp_path / "1024", 1024, None),
    ]
    return cache_answer(group_runs(run_figures(one) for one in runs), "steady")


def bars(figure: Figure) -> dict[str, list[float]]:
    return {mark.name: mark.values.tolist() for mark in figure.panels[0].marks if isinstance(mark, Bars)}


def test_that_the_parts_of_a_stack_add_up_to_the_total_of_the_configuration(answer: CacheAnswer) -> None:
    figure = cache_sweep_figure(answer)
    heights = np.nansum(np.array(list(bars(figure).values())), axis=0)
    assert heights == pytest.approx([row.total or 0 for row in answer.sweep.rows])
    assert figure.panels[0].x.categories[0] == "MCS (baseline)"
    assert len({mark.look for mark in figure.panels[0].marks if isinstance(mark, Bars)}) == len(bars(figure))


def test_that_published_advice_is_a_shaded_range_with_a_label(answer: CacheAnswer) -> None:
    panel = cache_sweep_figure(answer).panels[1]
    assert "published guides" in panel.subtitle
    # 256 MB is the first place of the axis, 512 MB the second.
    assert [(region.name, region.start) for region in panel.regions] == [("≥ 256\u2009MB", 0), ("≥ 512\u2009MB", 1)]
    lines = {mark.name: mark for mark in panel.marks if isinstance(mark, Line)}
    base = answer.sweep.rows[0].total or 0
    assert lines["all I/O"].y == pytest.approx([100 * (row.total or 0) / base for row in answer.sweep.rows[1:]])


def test_that_no_range_is_shaded_if_all_sizes_are_below_the_published_advice(tmp_path: Path) -> None:
    runs = [built(tmp_path / "mcs", 0, None), built(tmp_path / "64", 64, 600.0), built(tmp_path / "128", 128, 900.0)]
    panel = cache_sweep_figure(cache_answer(group_runs(run_figures(one) for one in runs), "steady")).panels[1]
    assert panel.regions == ()


def test_that_a_single_size_has_bars_and_no_curve_over_sizes(tmp_path: Path) -> None:
    one = cache_answer(group_runs([run_figures(built(tmp_path / "256", 256, 600.0))]), "steady")
    assert len(cache_sweep_figure(one).panels) == 1


def test_that_every_figure_without_cache_data_says_what_to_do(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    none = cache_answer(group_runs([run_figures(built(tmp_path / "mcs", 0, None))]), "steady")
    for figure in (cache_sweep_figure(none), cache_filling_figure(none), overflow_dip_figure(none)):
        assert figure.empty
        assert figure.panels == ()
    assert cache_sweep_figure(none).empty == snapshot


def test_that_the_filling_figure_marks_overflow_and_levelling_off(answer: CacheAnswer) -> None:
    ram, disk = cache_filling_figure(answer).panels
    dots = {panel.title: mark for panel in (ram, disk) for mark in panel.marks if isinstance(mark, Points)}
    assert dots["RAM cache"].names == ("MCSIO 256 MB", "MCSIO 512 MB")
    # The disk has grown by more than 1 MB at the first reading after the overflow.
    assert dots["RAM cache"].x == pytest.approx([605.0, 905.0])
    # Growth ends 400 s after the overflow; the window, a tenth of 1795 s, is down to a tenth 161.6 s later.
    assert dots["Cache disk"].x == pytest.approx([1165.0, 1465.0])
    assert dots["Cache disk"].y == pytest.approx([400.0, 400.0])


def test_that_the_dip_is_drawn_at_its_trough_and_reported(answer: CacheAnswer, snapshot: SnapshotAssertion) -> None:
    figure = overflow_dip_figure(answer)
    assert [panel.title for panel in figure.panels] == ["MCSIO 256 MB", "MCSIO 512 MB"]
    trough = next(mark for mark in figure.panels[0].marks if isinstance(mark, Points) and mark.name == "trough")
    assert trough.y == pytest.approx([270.0])
    assert trough.x == pytest.approx([0.0])
    assert dip_words(answer.dips) == snapshot
    assert [card.value for card in dip_cards(answer)] == ["−55", "−55"]


def test_that_an_uneven_load_is_reported_to_hide_dips(answer: CacheAnswer, snapshot: SnapshotAssertion) -> None:
    uneven = tuple(replace(dip, found=NoDip("uneven", uneven=True, around=(4.0, 30.0))) for dip in answer.dips)
    hidden = replace(answer, dips=uneven)
    cards, figure = dip_cards(hidden), overflow_dip_figure(hidden)
    assert [f"{card.value} {card.unit}" for card in cards] == ["4.00 → 30.0 IOPS"] * 2
    assert {card.detail for card in cards} == snapshot
    assert figure.note == snapshot
    assert figure.summary == figure.note
    assert figure.caption == snapshot
    assert {panel.subtitle for panel in figure.panels} == {"1 overflow"}


def test_that_configurations_with_a_dip_come_first_and_the_others_are_reported_below(
    answer: CacheAnswer, snapshot: SnapshotAssertion
) -> None:
    first, second = answer.dips
    mixed = replace(answer, dips=(replace(first, found=NoDip("uneven", uneven=True, around=(4.0, 30.0))), second))
    figure = overflow_dip_figure(mixed)
    assert [panel.title for panel in figure.panels] == ["MCSIO 512 MB", "MCSIO 256 MB"]
    assert [card.title for card in dip_cards(mixed)] == ["MCSIO 512 MB", "MCSIO 256 MB"]
    assert figure.note == snapshot
    assert figure.caption == snapshot


def test_that_the_first_card_gives_the_answer_and_the_cost_follows_the_number_of_vms(answer: CacheAnswer) -> None:
    cards = cache_answer_cards(answer, 200)
    assert (cards[0].title, cards[0].value, cards[0].unit) == ("Smallest size without overflow", "1", "GB")
    assert (cards[2].title, cards[2].value, cards[2].unit) == ("RAM for 200 VMs", "200", "GB")
    assert cache_answer_cards(answer, 400)[2].value == "400"


def test_that_an_overflow_of_every_size_is_reported_and_no_size_is_guessed(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    over = cache_answer(group_runs([run_figures(built(tmp_path / "256", 256, 600.0))]), "steady")
    card = cache_answer_cards(over, 100)[0]
    assert (card.value, card.note) == snapshot
    assert enough_words(over.enough[0]) == snapshot


def test_that_tables_and_cards_show_the_same_figures(answer: CacheAnswer) -> None:
    table = cache_table(answer, 200)
    titles = [f"{column.title} {column.unit}".strip() for column in table.columns]
    assert all(len(row) == len(titles) for row in table.rows)
    ram = titles.index("RAM GB for 200 VMs")
    assert [row[ram].value for row in table.rows] == [None, 50.0, 100.0, 200.0]
    assert table.rows[0][ram].text == "—"
    overflow = titles.index("First overflow time after start")
    assert [row[overflow].text for row in table.rows] == ["—", "10:05\u2009min", "15:05\u2009min", "none"]
    vms = cache_vm_table(answer)
    assert all(len(row) == len(vms.columns) for row in vms.rows)
    assert [row[1].text for row in vms.rows] == ["256", "512", "1024"]
    assert [card.title for card in filling_cards(answer)] == ["MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1024 MB"]


def test_that_the_finding_of_a_dip_highlights_its_vm_and_the_time_range_of_the_dip(tmp_path: Path) -> None:
    runs = [built(tmp_path / "256-r1", 256, 600.0, 20.0), built(tmp_path / "256-r2", 256, 900.0, 40.0)]
    groups = group_runs(run_figures(one) for one in [built(tmp_path / "mcs", 0, None), *runs])
    answer = cache_answer(groups, "steady")
    finding = next(finding for finding in cache_findings(Asked("study", groups)) if finding.figure == "dip")
    assert (finding.lit_vm, finding.trace) == ("A", "A · r1")
    assert finding.readout.startswith("A: 600 to ")
    marked = marked_figure(overflow_dip_figure(answer), finding.pointed)
    (panel,) = marked.panels
    lines = {mark.vm: mark.emphasis for mark in panel.marks if isinstance(mark, Line) and mark.vm}
    assert lines == {"A · r1": "all", "A · r2": "baseline"}
    (moment,) = panel.moments
    dip = next(dip.found for dip in answer.dips if dip.folder.endswith("r1"))
    assert isinstance(dip, Dip)
    assert dip.overflow is not None
    assert moment.end is not None
    assert moment.start <= dip.trough_at - dip.overflow <= moment.end
    assert moment.words.startswith("−5")


def test_that_a_log_that_begins_with_a_full_cache_is_reported_as_not_showing_the_overflow(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    columns = [
        (counter("A", Quantity.CACHE_RAM_USED), np.full(SECONDS.size, 500.0 * MB)),
        (counter("A", Quantity.CACHE_DISK_USED), np.full(SECONDS.size, 800.0 * MB)),
    ]
    stated = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
    late = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=stated, stated_phases=STEADY)
    answer = cache_answer(group_runs([run_figures(late)]), "steady")
    assert overflow_words(answer.cached[0]) == snapshot
    (row,) = cache_vm_table(answer).rows
    assert [cell.text for cell in row] == snapshot


def test_that_a_disk_that_held_data_when_the_log_began_is_not_called_a_full_cache(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    columns = [(counter("A", Quantity.CACHE_DISK_USED), np.full(SECONDS.size, 800.0 * MB))]
    stated = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
    late = run(recording(tmp_path, "a.csv", TIMES, columns), configuration=stated, stated_phases=STEADY)
    answer = cache_answer(group_runs([run_figures(late)]), "steady")
    assert overflow_words(answer.cached[0]) == snapshot
    (row,) = cache_vm_table(answer).rows
    assert [cell.text for cell in row] == snapshot
