"""Changes as tables: verdicts, values and plans in one, findings with a new text in another.

Also a summary in a few sentences: the number of changes, and what could not be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.answers.changes.moves import CONFIGURATION, COUNTS, OUT, ComparedStates, Kind, Move, Value
from workbench.answers.changes.replay import Changes
from workbench.answers.common.change_words import RATIO, verdict_words
from workbench.answers.sizing.steps import RULES
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import value_words
from workbench.measures.statistics import Verdict
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, moment, number, plural, signed

COLUMNS = (
    Column("What", numeric=False),
    Column("Study", numeric=False),
    Column("Configuration or run", numeric=False),
    Column("Phase", numeric=False),
    Column("Metric", numeric=False),
    Column("Before"),
    Column("After"),
    Column("Cause", numeric=False),
    Column("Difference"),
    Column("Change", RATIO),
)
FINDING_COLUMNS = (
    Column("Before", numeric=False, fills=True),
    Column("After", numeric=False, fills=True),
    Column("Cause", numeric=False),
)
NAME, FINDINGS = "Changed values", "Findings that changed"
_STEPS = {rule.key: rule for rule in RULES}
_KINDS: dict[Kind, str] = {
    "verdict": "verdict",
    "study": "study",
    "baseline": "compared with",
    "configuration": "configuration",
    "run": "run",
    "phase": "phase",
    "figure": "figure",
    "sizing": "sizing",
    "finding": "finding",
}
_LEGEND = (
    "A dash (—) means not available (not 0). Edits are applied one by one in the listed order. "
    "“together” means that the share of each cause is unknown."
)
# Smaller differences have a second decimal.
_FEW = 10.0
# A double has at most this many significant digits.
_MOST_DIGITS = 17


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A move as text: its study, configuration, run, phase and metric, its unit, and the cause."""

    move: Move
    study: str
    configuration: str
    run: str
    phase: str
    measure: str
    unit: str
    before: str
    after: str
    because: str


def rows_of(changes: Changes) -> list[ChangeRow]:
    """Every move as text, the most important first."""
    return [_row(move, changes) for move in changes.compared.moves]


def change_tables(changes: Changes) -> tuple[TableData, ...]:
    """The tables of what moved; empty if nothing did."""
    rows = rows_of(changes)
    figures = [row for row in rows if row.move.key.kind != "finding"]
    sentences = [row for row in rows if row.move.key.kind == "finding"]
    return (*((_figure_table(figures),) if figures else ()), *((_finding_table(sentences),) if sentences else ()))


def unit_of(move: Move) -> str:
    """The unit of the values of a metric or of a step of the plan."""
    key = move.key
    if key.kind == "sizing":
        return _STEPS[key.measure].unit if key.measure in _STEPS else ""
    measure = MEASURES.get(key.measure) if key.kind == "figure" else None
    return "" if measure is None or measure.moment else measure.unit


def difference_words(row: ChangeRow) -> str:
    """A difference as text, such as `+0.30 ms`; — if a side is missing."""
    difference = row.move.difference
    if difference is None:
        return MISSING
    unit = row.move.unit or row.unit
    return f"{signed(difference, 2 if abs(difference) < _FEW else 1)} {unit}".rstrip()


def _row(move: Move, changes: Changes) -> ChangeRow:
    key, names = move.key, changes.names
    against = f" vs. {key.run}" if key.kind == "verdict" else ""
    return ChangeRow(
        move,
        names.get(key.study, key.study),
        f"{key.configuration}{against}",
        "" if against else names.get(key.run, key.run),
        phase_words(key.phase) if key.phase else "",
        _measure_words(move),
        unit_of(move),
        *_both_words(move),
        changes.because[key].words,
    )


def _measure_words(move: Move) -> str:
    key = move.key
    if key.kind == "run":
        return "Configuration" if key.measure == CONFIGURATION else "Status"
    if key.kind == "sizing":
        return _STEPS[key.measure].label if key.measure in _STEPS else key.measure
    if key.kind == "baseline":
        return key.measure
    return MEASURES[key.measure].name if key.measure in MEASURES else ""


def _both_words(move: Move) -> tuple[str, str]:
    """Both values as tables show them, with enough digits to show that they differ."""
    before, after = move.before, move.after
    texts = _value_words(move, before), _value_words(move, after)
    if texts[0] != texts[1] or not isinstance(before, float) or not isinstance(after, float):
        return texts
    unit = unit_of(move)
    ending = f"{THIN}{unit}" if unit in ("%", "s") else ""
    longer = ((number(before, digits), number(after, digits)) for digits in range(4, _MOST_DIGITS + 1))
    differing = ((f"{one}{ending}", f"{other}{ending}") for one, other in longer if one != other)
    return next(differing, texts)


def _value_words(move: Move, value: Value | None) -> str:
    """A value as tables show it; a new or removed item with its number of values."""
    key = move.key
    if value is None:
        return MISSING
    if key.kind == "verdict":
        return verdict_words(Verdict(value)) if value in set(Verdict) else str(value)
    if key.kind == "run" and key.measure == COUNTS:
        return f"excluded{str(value).removeprefix(OUT)}" if str(value).startswith(OUT) else "included"
    if isinstance(value, float):
        if key.kind == "figure" and MEASURES[key.measure].moment:
            return moment(value)
        return value_words(value, unit_of(move))
    return f"{value}, {plural(move.items, 'value')}" if move.items else value


def _figure_table(rows: list[ChangeRow]) -> TableData:
    several = len({row.study for row in rows}) > 1
    columns = COLUMNS if several else tuple(column for column in COLUMNS if column.title != "Study")
    return TableData(columns, tuple(_cells(row, several) for row in rows), _LEGEND, NAME)


def _cells(row: ChangeRow, several: bool) -> tuple[Cell, ...]:
    words = (_KINDS[row.move.key.kind], *((row.study,) if several else ()), row.configuration or row.run, row.phase)
    percent = row.move.percent
    return (
        *(Cell(text or "", text or None) for text in (*words, row.measure)),
        Cell(row.before, row.move.before),
        Cell(row.after, row.move.after),
        Cell(row.because, row.because, row.because),
        Cell(difference_words(row), row.move.difference),
        Cell(MISSING if percent is None else signed(percent, 1), percent),
    )


def _finding_table(rows: list[ChangeRow]) -> TableData:
    texts = ((row.before, row.after, row.because) for row in rows)
    return TableData(
        FINDING_COLUMNS, tuple(tuple(Cell(text, text, text) for text in row) for row in texts), "", FINDINGS
    )


NO_FIGURES = "The saved state contains no values, so they were recalculated from the current files."
_NUMBERS: tuple[Kind, ...] = ("figure", "sizing")
_NOUNS: dict[Kind, str] = {"verdict": "verdicts", "sizing": "plans", "finding": "findings"}
_COUNTED: tuple[Kind, ...] = ("study", "configuration", "run", "phase")


def headline(changes: Changes, since: str) -> str:
    """The number of changes since a state, which `since` names ("you saved the workspace at 14:02")."""
    laid = changes.compared
    moved, verdicts = laid.moved(*_NUMBERS), laid.moved("verdict")
    parts = [f"{moved or 'None'} of {laid.of(*_NUMBERS)} values changed since {since}"]
    if laid.of("verdict"):
        parts.append(f"{verdicts or 'none'} of {laid.of('verdict')} verdicts changed")
    sentences = ["; ".join(parts) + "."]
    if findings := laid.moved("finding"):
        sentences.append(f"{findings} finding{'s have' if findings > 1 else ' has'} a new text.")
    return " ".join([*sentences, *_came_and_went(laid)])


def notes(changes: Changes) -> tuple[str, ...]:
    """Sentences on the values that could not be compared."""
    lacking: dict[str, list[str]] = {}
    for kind, folder in sorted(changes.compared.unknown):
        lacking.setdefault(_NOUNS.get(kind, kind), []).append(changes.names.get(folder, folder))
    told = [
        f"The {noun} of {', '.join(names)} were not saved, so they are not compared." for noun, names in lacking.items()
    ]
    return (*((NO_FIGURES,) if changes.unkept else ()), *told)


def _came_and_went(laid: ComparedStates) -> list[str]:
    sentences = []
    for kind in _COUNTED:
        whole = [move for move in laid.moves if move.key.kind == kind and _is_whole(move)]
        for word, count in (
            ("new", sum(move.before is None for move in whole)),
            ("gone", sum(move.after is None for move in whole)),
        ):
            if count:
                noun = kind if count == 1 else "studies" if kind == "study" else f"{kind}s"
                sentences.append(f"{count} {noun} {'is' if count == 1 else 'are'} {word}.")
    return sentences


def _is_whole(move: Move) -> bool:
    """True if an item is new or was removed."""
    return move.before is None or move.after is None
