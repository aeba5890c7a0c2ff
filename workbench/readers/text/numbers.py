"""The notation of a file's numbers, which is decided once per file, from all of its numbers.

`1,500.00` and `1.500,00` are unambiguous; blanks and apostrophes separate thousands in either notation. `1,200` is
ambiguous. Any unambiguous number of the file decides. Without one, the file is refused with a question: a value that is
wrong by a factor of a thousand would pass for a measurement.

The module also reads numbers with a unit in the cell, as Grafana ("Formatted data"), PRTG and people write them: `1.50
ms`, `1.60 K io/s`.

Sources: the value formats of grafana/grafana (`packages/grafana-data/src/valueFormats`), PRTG's exported channels. A
capital B is a byte and a small b a bit; `kB` is 1,000 bytes, `KiB` and PRTG's `KByte` are 1,024.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite

import polars as pl

from workbench.model.problem import Severity
from workbench.readers.common.row_problems import Problems

POINT, COMMA = ".", ","
ADVICE = "save the numbers with decimal points and without thousands separators"
_BLANKS, _APOSTROPHES = " \u00a0\u2009\u202f", "'\u2019"
# An unquoted number between the delimiters of a line.
_BARE = re.compile(r"(?:^|,)[ ]*[+-]?[0-9]+(?:\.[0-9]+)?[ ]*(?:,|$)")
# A number in a report, in any notation.
WRITTEN = rf"(?:[0-9]{{1,3}}(?:[{_BLANKS}][0-9]{{3}}){{1,6}}(?:[.,][0-9]{{1,9}})?|[0-9][0-9.,{_APOSTROPHES}]{{0,30}})"


def _pattern(decimal: str) -> str:
    """Returns the pattern of a number, in a syntax that Python and polars share."""
    mark, other = (re.escape(sign) for sign in (decimal, COMMA if decimal == POINT else POINT))
    groups = "|".join(f"(?:{part}[0-9]{{3}})+" for part in (other, f"[{_BLANKS}]", f"[{_APOSTROPHES}]"))
    plain = rf"(?:[0-9]+(?:{mark}[0-9]+)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]+)?"
    return rf"[+-]?(?:{plain}|[1-9][0-9]{{0,2}}(?:{groups})(?:{mark}[0-9]+)?)"


_PATTERNS = {decimal: _pattern(decimal) for decimal in (POINT, COMMA)}
_FITS = {decimal: re.compile(pattern) for decimal, pattern in _PATTERNS.items()}
_PLAIN = {
    decimal: str.maketrans({decimal: POINT} | dict.fromkeys((other, *_BLANKS, *_APOSTROPHES), ""))
    for decimal, other in ((POINT, COMMA), (COMMA, POINT))
}


@dataclass(frozen=True, slots=True)
class Notation:
    """The decimal mark of a file. `mixed`: the file has both. If `decimal` is then empty, a number that fits both is
    not read. If it is a point, a number that fits a decimal comma is not read."""

    decimal: str = POINT
    mixed: bool = False

    def plain(self, text: str) -> str | None:
        """Returns a number without thousands separators and with a decimal point; None for anything else."""
        point, comma = _plain(text, POINT), _plain(text, COMMA)
        if self.mixed and point is not None and comma is not None and point != comma:
            return None if COMMA in text or not self.decimal else point
        return point if self.decimal == POINT else comma if self.decimal or point is None else point

    def number(self, text: str) -> float | None:
        """Returns a finite number, or None for anything else."""
        plain = self.plain(text)
        value = None if plain is None else float(plain)
        return value if value is not None and isfinite(value) else None

    def fault(self, text: str) -> tuple[str, str]:
        """Returns a code and the end of a sentence for a text that is not read as a number."""
        if self.mixed and all(fits.fullmatch(text) for fits in _FITS.values()):
            mark = COMMA if COMMA in text else POINT
            return "ambiguous-number", f"can mean {text.replace(mark, '')} or {text.replace(mark, POINT)}"
        mark = {POINT: " (decimal separator: point)", COMMA: " (decimal separator: comma)"}.get(self.decimal, "")
        return "not-a-number", f"is not a {'valid ' * bool(mark)}number{mark}"

    def numbers(self, texts: pl.Series) -> pl.Series:
        """Returns the numbers of a column of texts, null for anything else."""
        plain = texts = texts.str.strip_chars()
        if self.decimal != POINT:
            plain = plain.set(plain.str.contains(POINT, literal=True), None)
            plain = plain.str.replace(COMMA, POINT if self.decimal else "?", literal=True)
        values = plain.cast(pl.Float64, strict=False)
        values = values.set(~values.is_finite().fill_null(value=False), None)
        odd = values.is_null() & (texts != "")
        if not odd.any():
            return values
        read = {text: self.number(text) for text in texts.filter(odd).unique()}
        return values.zip_with(~odd, texts.replace_strict(read, default=None, return_dtype=pl.Float64))


@dataclass(frozen=True, slots=True)
class Seen:
    """A number of the file, its line and its cell, counted from 1."""

    text: str
    line: int | None = None
    cell: int | None = None

    @property
    def question(self) -> str:
        """Returns both readings of an ambiguous number, as a sentence."""
        mark = COMMA if COMMA in self.text else POINT
        where = f"Line {self.line}, cell {self.cell}: " if self.line and self.cell else ""
        readings = f"{self.text.replace(mark, '')} or {self.text.replace(mark, POINT)}"
        return f"{where}'{self.text}' can mean {readings}, and no other number shows which."


@dataclass(slots=True)
class Evidence:
    """The evidence for the notation of a file's numbers: the first ones that fit only a decimal point, the first that
    fit only a decimal comma, and the first that fit both, by their mark.

    `delimiter` is that of the cells. `bare`: unquoted numbers are separated by commas, so a comma cannot be the decimal
    mark.
    """

    delimiter: str = ""
    bare: bool = False
    points: Seen | None = None
    commas: Seen | None = None
    unsure: dict[str, Seen] = field(default_factory=dict)

    def add(self, text: str, line: int | None = None, cell: int | None = None) -> None:
        """Adds one cell; a cell that is not a number changes nothing."""
        if COMMA not in text and POINT not in text:
            return
        point, comma = (fits.fullmatch(text) is not None for fits in _FITS.values())
        self._note(Seen(text, line, cell), point, comma)

    def add_column(self, texts: pl.Series, lines: pl.Series | None = None, cell: int | None = None) -> None:
        """Adds the cells of a column; `lines` are their physical lines."""
        texts = texts.str.strip_chars()
        marked = texts.str.contains(COMMA, literal=True)
        if self.points is None:
            marked |= texts.str.contains(POINT, literal=True)
        if not marked.any():
            return
        some, its_lines = texts.filter(marked), None if lines is None else lines.filter(marked)
        point, comma = (some.str.contains(f"^(?:{pattern})$") for pattern in _PATTERNS.values())
        for kind in (point & comma, point & ~comma, comma & ~point):
            if (place := kind.arg_max()) is not None and kind[place]:
                line = None if its_lines is None else int(its_lines[place])
                self._note(Seen(some[place], line, cell), bool(point[place]), bool(comma[place]))

    def _note(self, seen: Seen, point: bool, comma: bool) -> None:
        if point and comma:
            self.unsure.setdefault(COMMA if COMMA in seen.text else POINT, seen)
        elif point:
            self.points = self.points or seen
        elif comma:
            self.commas = self.commas or seen

    def decided(self) -> Notation | Seen:
        """Returns the notation, or the first ambiguous number if nothing decides."""
        if self.points and self.commas:
            # Between commas a decimal comma is the exception: it is not read.
            return Notation(POINT if self.delimiter == COMMA else "", mixed=True)
        if self.points or self.commas:
            return Notation(POINT if self.points else COMMA)
        if COMMA in self.unsure and not self.bare:
            return self.unsure[COMMA]
        # A point is the usual decimal mark. In a table with semicolons it may separate thousands.
        if POINT in self.unsure and self.delimiter == ";":
            return self.unsure[POINT]
        return Notation()

    def tell(self, notation: Notation, problems: Problems) -> None:
        """Notes how the numbers were read, if that is unusual."""
        if not notation.decimal and self.points and self.commas:
            later = max(self.points, self.commas, key=lambda seen: seen.line or 0)
            message = f"The file mixes decimal points and decimal commas: {self.points.text} and {self.commas.text}."
            action = "each number read separately, ambiguous ones left empty; save all numbers with decimal points"
            problems.warn("mixed-decimals", message, action, later.line, later.cell)
        parted = self.unsure.get(COMMA if notation.decimal == POINT else POINT)
        if not notation.mixed and parted is not None:
            mark, other = ("comma", "point") if notation.decimal == POINT else ("point", "comma")
            message = f"The {mark} in '{parted.text}' is a thousands separator: other numbers have a decimal {other}."
            problems.info("thousands-marks", message, f"imported as {notation.number(parted.text):.12g}", parted.line)


def is_bare(lines: Iterable[str], delimiter: str) -> bool:
    """True if the lines hold unquoted numbers in cells separated by commas."""
    return delimiter == COMMA and any(map(_BARE.search, lines))


def refuse(seen: Seen, problems: Problems) -> None:
    """Notes that the file is left out because its numbers are ambiguous."""
    problems.add(
        Severity.REFUSED, "ambiguous-number", seen.question, f"file not imported; {ADVICE}", seen.line, seen.cell
    )


def decide(
    rows: Iterable[tuple[int, Mapping[str, str]]], columns: Mapping[str, int], evidence: Evidence
) -> Notation | Seen:
    """Returns the notation of rows, each with its line and its cells by name; `columns` are the positions of the
    numbers."""
    for line, cells in rows:
        for name, place in columns.items():
            evidence.add(cells.get(name, ""), line, place)
    return evidence.decided()


def _plain(text: str, decimal: str) -> str | None:
    text = text.strip()
    return text.translate(_PLAIN[decimal]) if _FITS[decimal].fullmatch(text) else None


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
_PREFIX_OR_NUMBER_SIGN = re.compile(r"(?P<tens>[kKMGBT]|Mil|Bil|Tri)|#")


def with_unit(cell: str) -> tuple[str, str] | None:
    """Returns the number of a cell as written, and its unit; None for a cell without a known unit."""
    match = _CELL.fullmatch(cell)
    return None if match is None or unit_of(match["unit"]) is None else (match["number"], match["unit"])


def unit_of(text: str) -> tuple[str, float] | None:
    """Returns the base unit (`s`, `1/s`, `B/s`, `B`, `%`, empty: a plain number) and the factor to it; None for another
    text."""
    text = text.strip().removesuffix(".")
    if text == "%":
        return "%", 1.0
    if text in _SECONDS:
        return "s", _SECONDS[text]
    if (match := _PREFIX_OR_NUMBER_SIGN.fullmatch(text)) is not None:
        return "", 1000.0 ** _TENS[match["tens"] or ""]
    if (match := _AMOUNT.fullmatch(text)) is not None:
        bits = match["what"].startswith("b") and not match["what"].lower().startswith("byte")
        # PRTG's words, unlike SI prefixes, count in 1,024.
        binary = match["binary"] or match["what"].lower().startswith("byte")
        factor = (1024.0 if binary else 1000.0) ** _TENS[match["tens"]] / (8 if bits else 1)
        rate = match["per"] or match["ps"]
        # A bit without a time unit may be the letter of another word.
        if rate or not bits:
            return ("B/s", factor / _seconds(rate)) if rate else ("B", factor)
    if (match := _RATE.fullmatch(text)) is not None:
        tens = next((power for word, power in _TENS.items() if word.lower() == match["tens"].lower()), 0)
        return "1/s", 1000.0**tens / _seconds(match["per"] or "s")
    return None


def _seconds(per: str) -> float:
    return 60.0 if per.lower().startswith("m") else 1.0
