"""Numbers with a unit in the cell, as Grafana ("Formatted data"), PRTG and people write them: `1.50 ms`, `1.60 K io/s`.

Sources: the value formats of grafana/grafana (`packages/grafana-data/src/valueFormats`), PRTG's exported channels.
A capital B is a byte and a small b a bit; `kB` is 1,000 bytes, `KiB` and PRTG's `KByte` are 1,024.
"""

from __future__ import annotations

import re

_CELL = re.compile(
    r"(?P<number>[-+]?\d[\d.,'\u2019\u00a0\u2009\u202f]{0,25}(?:[eE][-+]?\d{1,3})?)[ \u00a0\u202f]{0,2}"
    r"(?P<unit>[A-Za-zµμ%#][A-Za-zµμ%#/. ]{0,15})"
)
_TENS = {"": 0, "k": 1, "K": 1, "M": 2, "Mil": 2, "G": 3, "B": 3, "Bil": 3, "T": 4, "Tri": 4}
_SECONDS = {
    **dict.fromkeys(("ns", "nsec"), 1e-9),
    **dict.fromkeys(("µs", "μs", "us", "usec"), 1e-6),
    **dict.fromkeys(("ms", "msec"), 1e-3),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
_PER = r"(?:/ ?(?P<per>s|sec|[Ss]econd|m|min|[Mm]inute)|(?P<ps>ps))"
_AMOUNT = re.compile(rf"(?P<tens>[kKMGT]?)(?P<binary>i?)(?P<what>B|b|[Bb]ytes?|[Bb]its?)(?:{_PER})?")
_RATE = re.compile(
    rf"(?P<tens>[kKMGT]|Mil|Bil|) ?(?:(?:io|ios|ops?|req|rd|wr|reads?|writes?|transfers?|cmds?|[crw#]){_PER}|iops)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(?P<tens>[kKMGBT]|Mil|Bil|Tri)|#")


def with_unit(cell: str) -> tuple[str, str] | None:
    """The number of a cell as written, and its unit; None for a cell without a unit that is known."""
    match = _CELL.fullmatch(cell)
    return None if match is None or unit_of(match["unit"]) is None else (match["number"], match["unit"])


def unit_of(text: str) -> tuple[str, float] | None:
    """What a unit measures (`s`, `1/s`, `B/s`, `B`, `%`, empty: a plain number), and its factor to that; None for
    another text."""
    text = text.strip().removesuffix(".")
    if text == "%":
        return "%", 1.0
    if text in _SECONDS:
        return "s", _SECONDS[text]
    if (match := _PLAIN.fullmatch(text)) is not None:
        return "", 1000.0 ** _TENS[match["tens"] or ""]
    if (match := _AMOUNT.fullmatch(text)) is not None:
        bits = match["what"].startswith("b") and not match["what"].lower().startswith("byte")
        # PRTG's words, unlike the letters of the SI, count in 1,024.
        binary = match["binary"] or match["what"].lower().startswith("byte")
        factor = (1024.0 if binary else 1000.0) ** _TENS[match["tens"]] / (8 if bits else 1)
        rate = match["per"] or match["ps"]
        # A bit without a time may be the letter of something else.
        if rate or not bits:
            return ("B/s", factor / _seconds(rate)) if rate else ("B", factor)
    if (match := _RATE.fullmatch(text)) is not None:
        tens = next((power for word, power in _TENS.items() if word.lower() == match["tens"].lower()), 0)
        return "1/s", 1000.0**tens / _seconds(match["per"] or "s")
    return None


def _seconds(per: str) -> float:
    return 60.0 if per.lower().startswith("m") else 1.0
