"""Captions: short lines of whole clauses."""

from __future__ import annotations

from workbench.words.captions import captioned, short_lines


def test_that_a_caption_ends_with_no_colon_and_the_method_says_the_rest() -> None:
    text = "MCS has no IOPS in the phase 'logon': the steps that need them are not available. Choose another phase."
    caption, method = captioned(short_lines(text))
    assert caption == "MCS has no IOPS in the phase 'logon'"
    assert " ".join(method) == text.partition(": ")[2].removesuffix(".")
