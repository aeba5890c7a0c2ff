"""Charts of findings: which of many configurations are drawn."""

from __future__ import annotations

import pytest

from workbench.answers.findings.claims import count_claim
from workbench.charts.claim import BarClaim


@pytest.mark.parametrize("claimed", ["V07", "V31"])
def test_that_baseline_lowest_highest_and_claimed_of_forty_configurations_are_drawn(claimed: str) -> None:
    counts = {f"V{at:02}": float((at * 17) % 41 + 1) for at in range(1, 41)}
    claim = count_claim(counts, claimed, "V02", "more", ())
    assert isinstance(claim, BarClaim)
    ends = {min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)}
    assert {bar.label for bar in claim.bars} == {"V02", claimed, *ends}
    assert [bar.value for bar in claim.bars] == [counts[bar.label] for bar in claim.bars]
    assert (claim.bars[claim.claimed].label, claim.bars[claim.baseline].label) == (claimed, "V02")


def test_that_seven_configurations_are_all_drawn() -> None:
    counts = {f"V{at:02}": float(at) for at in range(1, 8)}
    claim = count_claim(counts, "V01", "V02", "more", ())
    assert isinstance(claim, BarClaim)
    assert [bar.label for bar in claim.bars] == list(counts)
