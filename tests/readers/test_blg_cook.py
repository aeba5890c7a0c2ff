"""Each type of counter compared with its documented formula, computed by hand with plain numbers."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.readers.blg.cook import BASES, NO_DATA, TYPES, RawValue, cook, needs_base, type_name, width_of

TICKS = 1000.0  # of the counter's clock, a second


def _raw(*rows: tuple[int, int]) -> RawValue:
    first, second = (np.array([[row[place]] for row in rows], np.int64) for place in (0, 1))
    return RawValue(first, second, np.full_like(first, 4), np.ones_like(first, np.bool_))


def _cooked(kind: int, *rows: tuple[int, int]) -> list[float | None]:
    values = cook(kind, _raw(*rows), None, np.array([TICKS])).values[:, 0]
    return [None if np.isnan(value) else float(value) for value in values]


# name in winperf.h, (N0, D0), (N1, D1), the value of the second sample
CASES = [
    ("PERF_COUNTER_COUNTER", (100, 5000), (160, 8000), 60 / 3),
    ("PERF_COUNTER_BULK_COUNT", (100, 5000), (160, 8000), 60 / 3),
    ("PERF_SAMPLE_COUNTER", (100, 5000), (160, 8000), 60 / 3),
    ("PERF_COUNTER_RAWCOUNT", (7, 0), (9, 0), 9),
    ("PERF_COUNTER_LARGE_RAWCOUNT", (7, 0), (1 << 40, 0), 1 << 40),
    ("PERF_COUNTER_RAWCOUNT_HEX", (7, 0), (9, 0), 9),
    ("PERF_COUNTER_LARGE_RAWCOUNT_HEX", (7, 0), (9, 0), 9),
    ("PERF_COUNTER_DELTA", (7, 0), (9, 0), 2),
    ("PERF_COUNTER_LARGE_DELTA", (7, 0), (9, 0), 2),
    ("PERF_COUNTER_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_COUNTER_TIMER_INV", (0, 1000), (250, 2000), 75),
    ("PERF_100NSEC_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_100NSEC_TIMER_INV", (0, 1000), (250, 2000), 75),
    ("PERF_OBJ_TIME_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_PRECISION_SYSTEM_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_PRECISION_100NS_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_PRECISION_OBJECT_TIMER", (0, 1000), (250, 2000), 25),
    ("PERF_100NSEC_MULTI_TIMER", (0, 1000), (2000, 2000), 50),  # 200 % over 4 processors
    ("PERF_100NSEC_MULTI_TIMER_INV", (0, 1000), (1000, 2000), 75),
    ("PERF_SAMPLE_FRACTION", (10, 100), (15, 120), 25),
    ("PERF_RAW_FRACTION", (1, 2), (30, 40), 75),
    ("PERF_LARGE_RAW_FRACTION", (1, 2), (30, 40), 75),
    ("PERF_AVERAGE_TIMER", (0, 10), (500, 20), 0.05),  # half a second over ten operations
    ("PERF_AVERAGE_BULK", (0, 10), (40_960, 20), 4096),
    ("PERF_COUNTER_QUEUELEN_TYPE", (0, 1000), (3000, 2000), 3),
    ("PERF_COUNTER_LARGE_QUEUELEN_TYPE", (0, 1000), (3000, 2000), 3),
    ("PERF_COUNTER_100NS_QUEUELEN_TYPE", (0, 1000), (3000, 2000), 3),
    ("PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", (0, 1000), (3000, 2000), 3),
    ("PERF_ELAPSED_TIME", (1000, 2000), (1000, 9500), 8.5),
]
KINDS = {one.name: kind for kind, one in TYPES.items()}


@pytest.mark.parametrize(("name", "before", "now", "expected"), CASES)
def test_that_a_type_follows_its_documented_formula(
    name: str, before: tuple[int, int], now: tuple[int, int], expected: float
) -> None:
    kind = KINDS[name]
    first, second = _cooked(kind, before, now)
    assert second == pytest.approx(expected)
    assert (first is None) == TYPES[kind].is_delta


def test_that_every_type_has_its_case() -> None:
    assert {case[0] for case in CASES} == set(KINDS)


@pytest.mark.parametrize("name", sorted(name for name, kind in KINDS.items() if TYPES[kind].is_delta))
def test_that_no_difference_spans_a_missing_sample(name: str) -> None:
    raw = _raw((1, 10), (2, 20), (3, 30), (4, 40))
    raw.valid[1] = False
    values = cook(KINDS[name], raw, None, np.array([TICKS])).values[:, 0]
    assert np.isnan(values).tolist() == [True, True, True, False]


def test_that_a_32_bit_count_may_begin_again_but_a_64_bit_one_may_not() -> None:
    rows = ((4_294_967_290, 0), (10, 1000))
    assert _cooked(KINDS["PERF_COUNTER_COUNTER"], *rows)[1] == 16
    assert _cooked(KINDS["PERF_COUNTER_BULK_COUNT"], *rows)[1] is None
    assert _cooked(KINDS["PERF_COUNTER_COUNTER"], (50, 0), (10, 1000))[1] is None


def test_that_idle_time_beyond_the_interval_is_zero_within_two_ticks_and_wrong_beyond() -> None:
    kind = KINDS["PERF_100NSEC_TIMER_INV"]
    assert _cooked(kind, (0, 0), (1031, 1000))[1] == 0
    assert _cooked(kind, (0, 0), (1100, 1000))[1] is None
    cooked = cook(kind, _raw((0, 0), (1031, 1000), (3000, 2000)), None, np.array([TICKS]))
    assert (cooked.idle_over.tolist(), cooked.back.tolist()) == ([1], [1])


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_that_no_raw_value_gives_an_infinite_result(kind: int) -> None:
    extremes = [0, 1, -1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, -(1 << 63)]
    rows = [(n, d) for n in extremes for d in extremes]
    for base in (0.0, TICKS):
        cooked = cook(kind, _raw(*rows), None, np.array([base]))
        assert not np.isinf(cooked.values).any()


def test_that_types_are_shown_by_width_base_and_name() -> None:
    assert [width_of(kind) for kind in (0x10410400, 0x10410500, 0x40030402, 0x40030500, 0xB00)] == [4, 8, 4, 8, 0]
    assert needs_base(0x30020400)
    assert not needs_base(0x10410400)
    assert type_name(0x21510500) == "PERF_100NSEC_TIMER_INV"
    assert type_name(0x80000000) == "PERF_COUNTER_HISTOGRAM_TYPE"
    assert type_name(0x99) == "0x00000099"


def test_that_the_types_that_winperf_h_pairs_with_a_base_need_one() -> None:
    """According to the documentation of the types, each of these is followed by the definition of its base."""
    paired = {"RAW_FRACTION", "LARGE_RAW_FRACTION", "SAMPLE_FRACTION", "AVERAGE_TIMER", "AVERAGE_BULK"}
    paired |= {f"PRECISION_{clock}_TIMER" for clock in ("SYSTEM", "100NS")} | {"PRECISION_OBJECT_TIMER"}
    paired |= {"100NSEC_MULTI_TIMER", "100NSEC_MULTI_TIMER_INV"}
    assert {name.removeprefix("PERF_") for name, kind in KINDS.items() if needs_base(kind)} == paired


def test_that_the_bits_of_a_type_give_its_width_and_whether_it_is_a_difference() -> None:
    """winperf.h: bits 8 and 9 are the size, bit 22 means that the previous sample is needed; averages are differences,
    too."""
    for kind, described in TYPES.items():
        assert width_of(kind) == {0: 4, 1: 8}[kind >> 8 & 3]
        assert described.is_delta == (bool(kind >> 22 & 1) or "AVERAGE" in described.name)


def test_that_base_counters_and_counters_without_data_have_the_numbers_of_winperf_h() -> None:
    """0x40030000 is PERF_TYPE_COUNTER with PERF_COUNTER_BASE, 0x400 a count, 0x100 a large one, 0x02000000 multi."""
    sample, average, raw = (0x40030000 | 0x400 | number for number in (1, 2, 3))
    large = 0x40030000 | 0x400 | 0x100
    assert frozenset((sample, average, raw, large, large | 0x02000000)) == BASES
    assert frozenset((0x40000000 | 0x200,)) == NO_DATA
