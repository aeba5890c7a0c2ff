"""Numbers as fio's text reports write them: `11.3k`, `43.0MiB/s`, `557417B/s`, `508Mbit/s`, and ranges of block sizes.

From 2.18 on `Ki` is 1024 and `k` 1000; before, `K` is 1024 with bytes and 1000 with I/Os.
Source: lib/num2str.c and init.c of axboe/fio, fio-2.0.10 to fio-3.42.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_AMOUNT = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)([kKMGTPE]?)(i?)(B|bit)?(?:/s)?", re.ASCII)
_RANGE = re.compile(r"(\d[\w.]{0,20})-(\d[\w.]{0,20})")
_POWERS = "kMGTPE"


@dataclass(frozen=True, slots=True)
class Amount:
    """A printed amount (bits as bytes), the step of the unit that it was printed in, and whether that is binary."""

    value: float
    step: float
    binary: bool


def amount(text: str, thousand: int = 1000) -> Amount | None:
    """The amount; `thousand` is what a unit without `i` counts in. None for anything else."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return None
    digits, unit, infix, kind = match.groups()
    power = _POWERS.index("k" if unit == "K" else unit) + 1 if unit else 0
    step = float((1024 if infix else thousand) ** power) / (8 if kind == "bit" else 1)
    return Amount(float(digits) * step, step, bool(infix))


def block_sizes(text: str) -> dict[str, str]:
    """`bs` in bytes of read, write and trim, as an option of the job; a mark of a range where a size is none, or was
    printed too short to be exact. `text` is as in `bs=(R) 4096B-4096B, (W) …` or `bs=4K-4K/4K-4K`."""
    ranges = _RANGE.findall(text)
    thousand = 1000 if "(R)" in text else 1024
    sizes = [_bytes(low, thousand) if low == high else None for low, high in ranges]
    if not sizes or "seq" in text or any(size is None for size in sizes):
        return {"bsrange": text}
    return {"bs": ",".join(str(size) for size in sizes)}


def _bytes(text: str, thousand: int) -> int | None:
    size = amount(text, thousand)
    return int(size.value) if size is not None and size.value.is_integer() else None
