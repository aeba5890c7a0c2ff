"""Names of configurations that stand below bars."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """The labels without a first word that several share, where they stay apart: `4 GB` of `MCSIO 4 GB`."""
    firsts = Counter(_first_word(label) for label in labels)
    shared = {word for word, count in firsts.items() if count > 1}
    short = {label: label.removeprefix(word) if (word := _first_word(label)) in shared else label for label in labels}
    return short if len(set(short.values())) == len(set(labels)) else {label: label for label in labels}


def _first_word(label: str) -> str:
    """With the blank behind it; empty where a comma ends it, or where nothing follows."""
    word = re.match(r"[^\s,]+\s+(?=\S)", label)
    return label if word is None else word.group()
