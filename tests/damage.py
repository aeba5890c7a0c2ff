"""Damages of files: flipped bits, a lost end, zeros, inserted bytes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

SEEDS = range(200)
# 200 damages in every run of the suite, 2,000 among the slow tests.
BOTH = pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(2_000), marks=pytest.mark.slow)], ids=("200", "2000")
)
_KINDS = ("flip", "cut", "zeros", "insert")


def damaged(data: bytes, seed: int) -> bytes:
    """The bytes with one damage, always the same for a seed, and never unchanged."""
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


def mistyped(data: bytes, seed: int) -> bytes:
    """JSON with one value (except schema and version) of a type that no project file uses."""
    dice = random.Random(seed)
    raw = json.loads(data)
    holder, key = dice.choice(_values(raw))
    holder[key] = [[["damage"]]]
    return json.dumps(raw).encode()


def _values(raw: Any) -> list[tuple[Any, Any]]:
    """The places of the values that contain no other values."""
    if not isinstance(raw, dict | list):
        return []
    keys = [key for key in (raw if isinstance(raw, dict) else range(len(raw))) if key not in ("schema", "version")]
    return [place for key in keys for place in _values(raw[key]) or ([] if raw[key] in ([], {}) else [(raw, key)])]
