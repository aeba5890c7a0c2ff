"""What happens to files: bits flip, an end is lost, a stretch is zeros, bytes slip in."""

from __future__ import annotations

import random

SEEDS = range(200)
_KINDS = ("flip", "cut", "zeros", "insert")


def damaged(data: bytes, seed: int) -> bytes:
    """The bytes with one damage, always the same for a seed, and never none."""
    dice = random.Random(seed)
    kind, at = _KINDS[seed % len(_KINDS)], dice.randrange(len(data))
    if kind == "flip":
        held = bytearray(data)
        for place in {at, *(dice.randrange(len(data)) for _ in range(dice.randrange(4)))}:
            held[place] ^= 1 << dice.randrange(8)
        return bytes(held)
    if kind == "cut":
        return data[:at]
    length = dice.randrange(1, 64)
    if kind == "insert":
        return data[:at] + dice.randbytes(length) + data[at:]
    return data[:at] + bytes(min(length, len(data) - at)) + data[at + length :]
