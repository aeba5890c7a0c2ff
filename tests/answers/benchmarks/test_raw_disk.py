"""The raw disk: the choice of its test, and the comparison of other tests with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.answers.benchmarks.compute import groups
from workbench.answers.benchmarks.raw_disk import ratio_to_raw, raw_disk
from workbench.model.benchmark import Benchmark, Op

RAW = Benchmark(
    path="e.csv",
    tool="iometer",
    op=Op.TOTAL,
    test="E: drive (raw SAN)",
    iops=100.0,
    mb_per_s=1.0,
    block_bytes=4096,
    queue_depth=16,
    threads=4,
    read_percent=20.0,
)
CACHE = replace(RAW, path="c.csv", test="RAM cache", iops=387.0)


def test_that_a_test_with_the_word_raw_in_its_name_is_guessed_as_raw_disk() -> None:
    found = raw_disk(groups([CACHE, RAW]))
    assert found is not None
    assert (found.name, found.guessed) == ("E: drive (raw SAN)", True)


@pytest.mark.parametrize("name", ["drawn", "crawl", "strawberry", "luck of the draw"])
def test_that_a_name_with_the_letters_raw_inside_a_word_is_not_guessed(name: str) -> None:
    assert raw_disk(groups([replace(RAW, test=name)])) is None


@pytest.mark.parametrize("name", ["ram cache", "c.csv", "c", "C.CSV"])
def test_that_the_raw_disk_can_be_chosen_by_test_or_by_file(name: str) -> None:
    found = raw_disk(groups([CACHE, RAW]), name)
    assert found is not None
    assert (found.name, found.guessed) == ("RAM cache", False)


def test_that_an_unknown_name_chooses_no_raw_disk() -> None:
    assert raw_disk(groups([CACHE, RAW]), "tape") is None


def test_that_the_ratio_is_the_figure_of_the_test_divided_by_the_figure_of_the_raw_disk() -> None:
    shown = groups([CACHE, RAW])
    raw = raw_disk(shown)
    cache = next(group for group in shown if group.name == "RAM cache")
    found = ratio_to_raw(raw, cache, Op.TOTAL)
    assert found is not None
    assert (found.ratio, found.basis) == (pytest.approx(3.87), "single")
    assert ratio_to_raw(raw, cache, Op.READ) is None
    assert raw is not None
    assert ratio_to_raw(raw, raw.groups[0], Op.TOTAL) is None


def test_that_the_raw_disk_with_the_same_settings_is_preferred() -> None:
    shallow = replace(RAW, queue_depth=1, iops=10.0)
    shown = groups([shallow, RAW, CACHE])
    raw = raw_disk(shown)
    cache = next(group for group in shown if group.name == "RAM cache")
    found = ratio_to_raw(raw, cache, Op.TOTAL)
    assert found is not None
    assert found.ratio == pytest.approx(3.87)


def test_that_three_runs_on_each_side_give_an_interval() -> None:
    rows = [replace(RAW, iops=iops) for iops in (99.0, 100.0, 101.0)]
    rows += [replace(CACHE, iops=iops) for iops in (395.0, 400.0, 405.0)]
    shown = groups(rows)
    found = ratio_to_raw(raw_disk(shown), next(g for g in shown if g.name == "RAM cache"), Op.TOTAL)
    assert found is not None
    assert found.basis == "interval"
    assert found.low is not None
    assert found.low < 4.0 < (found.high or 0)
