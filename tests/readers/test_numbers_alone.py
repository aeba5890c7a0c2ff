"""Texts with only numbers are fio logs or unknown: no other reader needs to check them."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from workbench.readers import registry
from workbench.readers.fio import log
from workbench.readers.fio.log_rows import LogRows

NAMES = ("job_lat.1.log", "job_iops.log", "numbers.csv", "data.txt", "results.log")


def text_of_numbers(seed: int) -> bytes:
    chance = random.Random(seed)
    separator, end = chance.choice((", ", ",", " ", ",  ")), chance.choice(("\n", "\r\n", "\r"))
    width, top = chance.randint(1, 8), chance.choice((2, 9, 10**6))
    rows = [separator.join(str(chance.randint(0, top)) for _ in range(width)) for _ in range(chance.randint(1, 60))]
    if chance.random() < 0.5:
        rows = [f"{1000 * at}, {chance.randint(0, top)}, {at % 3}, 0, 0" for at in range(1, 40)]
    return (end.join(rows) + end).encode()


@pytest.mark.parametrize("seed", range(40))
def test_that_a_text_of_numbers_is_recognised_as_by_asking_all_readers(seed: int) -> None:
    head = text_of_numbers(seed)
    assert not head.translate(None, registry._NUMBERS)
    for name in NAMES:
        sure = [(reader.identify(head, name), reader.label) for reader in registry.readers()]
        assert all(share < 1.0 for share, label in sure if label != log.LABEL)
        best = max(share for share, _ in sure)
        first = next((label for share, label in sure if share == best), None) if best else None
        found = registry.recognise(head, name)
        assert (None if found is None else found.label) == first


def test_that_logs_of_fio_are_recognised_as_texts_of_numbers() -> None:
    found = [registry.recognise(text_of_numbers(seed), NAMES[0]) for seed in range(40)]
    assert sum(reader is not None and reader.label == log.LABEL for reader in found) > 10


@pytest.mark.parametrize("seed", range(30))
def test_that_each_sample_has_the_row_of_its_time_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    samples = [(at, way) for at in range(30) for way in range(3) for _ in range(chance.choice((1, 1, 0, seed % 3)))]
    if seed % 2:
        chance.shuffle(samples)
    times, directions = np.array(samples, np.float64).T
    rows_of_log = LogRows(times, times, times[:0], directions.astype(np.uint8))
    places, moments = log._places(rows_of_log)
    # The n-th sample of a direction at a moment is in the n-th row of that moment.
    most: Counter[int] = Counter()
    for (at, _), count in Counter(samples).items():
        most[at] = max(most[at], count)
    begins, rows = {}, 0
    for at in sorted(most):
        begins[at], rows = rows, rows + most[at]
    met: Counter[tuple[int, int]] = Counter()
    expected = []
    for sample in samples:
        expected.append(begins[sample[0]] + met[sample])
        met[sample] += 1
    assert places.tolist() == expected
    assert moments.tolist() == [at for at in sorted(most) for _ in range(most[at])]
