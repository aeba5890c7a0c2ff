"""The names of figures in sentences and tables."""

from __future__ import annotations

import pytest

from workbench.words.metrics import figure_words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("cache_disk_growth_at_end_mb_per_min", "Cache disk growth at end (MB/min)"),
        ("shared_iops_per_vm", "Shared storage IOPS per VM"),
        ("iops", "IOPS"),
        ("launched", "Launched"),
    ],
)
def test_that_the_key_of_a_metric_reads_as_words(key: str, words: str) -> None:
    assert figure_words(key) == words
