"""Captions: short lines that end at the end of a clause."""

from __future__ import annotations

import pytest

from workbench.words.captions import captioned, named, short_lines


def test_that_a_caption_does_not_end_with_a_colon_and_the_method_has_the_rest() -> None:
    text = "MCS has no IOPS in the phase 'logon': the steps that need them are not available. Choose another phase."
    caption, method = captioned(short_lines(text))
    assert caption == "MCS has no IOPS in the phase 'logon'"
    assert " ".join(method) == text.partition(": ")[2].removesuffix(".")


@pytest.mark.parametrize(
    "name", ["Clean", "VM restarts", "pilot", "MCS, 5 VMs", "MCSIO 512 MB", "MCS+", "xenapp-1gb", "build_8"]
)
def test_that_a_word_or_a_name_with_spaces_or_signs_gets_quotes(name: str) -> None:
    assert named(name) == f"'{name}'"


@pytest.mark.parametrize("name", ["MCS", "B", "24H2", "PVS1"])
def test_that_abbreviations_get_no_quotes(name: str) -> None:
    assert named(name) == name
