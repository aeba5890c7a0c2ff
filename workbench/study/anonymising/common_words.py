"""The words of a text, and which of them tell nothing about a customer."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from workbench.model.resources import resource

LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+|\d+")


@cache
def common_words() -> frozenset[str]:
    """Words, in lower case, that stay wherever they stand: those of the field and of plain English, and those by which
    counters and timers are known."""
    files = [resource("common_words.txt"), resource("vsimax_models.toml"), *sorted(resource("counters").glob("*.toml"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return frozenset(piece.casefold() for run in LETTERS.findall(text) for piece in (run, *pieces(run)))


def is_common(word: str) -> bool:
    """Whether a word of letters tells nothing: it is a common one, or is made of such (`HarddiskVolume`)."""
    known = common_words()
    return word.casefold() in known or all(piece.casefold() in known for piece in pieces(word))


def pieces(word: str) -> list[str]:
    """The parts of a word of letters that capitals set apart: `AcmeBank` is `Acme` and `Bank`."""
    return [word[start:end] for start, end in pairwise(edges_of(word))]


def edges_of(text: str) -> list[int]:
    """Where names may begin and end in a text: at the ends of its words and numbers, and where capitals begin or end
    (`ACMEbank` after both `M` and `E`, as nobody can know)."""
    edges: set[int] = set()
    for word in _WORD.finditer(text):
        start, end = word.span()
        edges |= {start, end}
        for at in range(start + 1, end):
            before, here = text[at - 1].isupper(), text[at].isupper()
            after = at + 1 < end and text[at + 1].islower()
            capitals_end = before and not here and at - start > 1 and text[at - 2].isupper()
            if (here and (not before or after)) or capitals_end:
                edges.add(at)
    return sorted(edges)
