"""Two kinds of pollution at once, anywhere in the file: hypothesis searches for a pair that is silently wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.pollution import domain, structural
from tests.pollution.attacks import JSON_KINDS, XML_KINDS, AttackKind
from tests.pollution.documents import JSON, XML, Attack, Document, read_document
from tests.pollution.judge import Outcome, judge
from tests.pollution.kinds import Kind
from tests.pollution.sheets import ROWS, SHEETS, Sheet, read_bytes
from tests.pollution.suite import DEFECTS, drafted, known_of

# These remove the target, or rewrite a line from its cells, which undoes earlier pollution.
LAST = frozenset(
    (
        "semicolons",
        "tabs",
        "mixed-delimiters",
        "header-delimiter",
        "trailing-delimiters",
        "empty-file",
        "header-only",
        "no-header",
        "exponents",
        "decimal-commas",
        "decimal-commas-and-points",
        "cr-only",
        "utf16-cut",
    )
)
# Each of these replaces the whole text of the target line.
WHOLE_LINE = frozenset(
    (
        "bad-quote-in-cell",
        "line-break-in-cell",
        "single-quotes",
        "mixed-delimiters",
        "cut-between-cells",
        "cut-in-cell",
        "cut-in-quote",
        "cut-in-stamp",
        "nul-after-cut",
        "utf16-cut",
        "inner-mark",
        "utf16-row",
        "trailing-delimiters",
        "row-trailing-delimiter",
        "blanks-around-cells",
        "leading-blanks",
        "glued-rows",
        "one-cr",
        "broken-row",
        "thousands-separator",
        "decimal-comma-cell",
        "ambiguous-comma",
        "garbage-row",
        "joined-files",
        "joined-other-bias",
        "duplicate-column",
        "extra-cell",
        "missing-cell",
        "short-last-row",
        "very-long-cell",
    )
)
# Each of these rewrites the time stamps, or depends on their old values.
CLOCK = frozenset(
    (
        "clock-back",
        "clock-back-a-day",
        "dst-doubled-hour",
        "dst-gap",
        "day-first",
        "day-first-row",
        "year-first",
        "half-days",
        "seconds-lost",
        "duplicate-stamp",
        "year-1601",
        "year-9999",
        "month-13",
        "february-30",
        "hour-25",
        "blank-stamp",
        "ragged-milliseconds",
        "joined-other-bias",
        "garbage-row",
    )
)
# Each of these writes or repeats the header.
HEADER = frozenset(
    (
        "bad-quote-in-header",
        "narrow-header",
        "wide-header",
        "blank-name",
        "header-trailing-delimiter",
        "duplicate-column",
        "repeated-header",
        "joined-files",
        "joined-other-bias",
        "bias-missing",
        "bias-cut",
        "bias-impossible",
    )
)
# If the header is as wide as a damaged row, only that row fits: the damage cannot be seen.
WIDTH = frozenset(
    (
        "narrow-header",
        "wide-header",
        "header-trailing-delimiter",
        "extra-cell",
        "missing-cell",
        "short-last-row",
        "unit-line",
        "footer",
        "line-break-in-cell",
        "broken-row",
        "row-trailing-delimiter",
        "cut-between-cells",
        "blank-name",
        "duplicate-column",
        "thousands-separator",
        "decimal-comma-cell",
        "ambiguous-comma",
    )
)
# A stray quote changes which of the others opens a cell, and what remains after a cut.
QUOTE = frozenset(("quote-inside-cell", "bad-quote-in-cell", "line-break-in-cell", "cut-in-quote", "cut-in-cell"))
# A blank cell at the end makes room for an extra cell.
BLANK = frozenset(("blank-cell", "blank-first-sample", "extra-cell"))
OVERLAPPING = (BLANK, WHOLE_LINE, CLOCK, HEADER, WIDTH, QUOTE)


def compatible(one: Kind, other: Kind, sheet: Sheet) -> bool:
    """True if the expected results of both stay right when both pollute the same file."""
    names = {one.name, other.name}
    return (
        len(names) == 2
        and not names & LAST
        and not any(names <= group for group in OVERLAPPING)
        and not any(f"{sheet.name}-{name}" in DEFECTS for name in names)
    )


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
@settings(
    max_examples=600,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_that_two_damages_together_never_give_silent_errors(tmp_path: Path, sheet: Sheet, data: st.DataObject) -> None:
    kinds = [kind for kind in (*structural.KINDS, *domain.KINDS) if kind.befalls(sheet)]
    cells = [kind for kind in kinds if kind.name not in WHOLE_LINE]
    second = data.draw(st.sampled_from(kinds))
    first = data.draw(st.sampled_from(cells))
    assume(compatible(first, second, sheet))
    row = data.draw(st.integers(1, ROWS - 3))
    try:
        draft = drafted(sheet, (first, second), row)
    except (ValueError, IndexError):  # the first left no target for the second
        assume(False)
    reading, grid = read_bytes(draft.content(), sheet.file, tmp_path)
    verdict = judge(draft.truth(known_of(sheet)), reading, grid)
    assert verdict.outcome is not Outcome.WRONG, f"{first.name} and {second.name} at row {row}: {verdict.reason}"


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_that_a_damage_at_any_place_never_gives_silent_errors(
    tmp_path: Path, sheet: Sheet, data: st.DataObject
) -> None:
    kinds = [kind for kind in (*structural.KINDS, *domain.KINDS) if kind.befalls(sheet)]
    kind = data.draw(st.sampled_from([kind for kind in kinds if f"{sheet.name}-{kind.name}" not in DEFECTS]))
    row = data.draw(st.integers(1, ROWS - 2))
    column = data.draw(st.sampled_from([place for place, letter in enumerate(sheet.kinds) if letter != "t"]))
    draft = drafted(sheet, (kind,), row, column)
    reading, grid = read_bytes(draft.content(), sheet.file, tmp_path)
    verdict = judge(draft.truth(known_of(sheet)), reading, grid)
    assert verdict.outcome is not Outcome.WRONG, f"{kind.name} at {row}, {column}: {verdict.reason}"


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_that_arbitrary_bytes_cause_no_fault_of_a_reader(tmp_path: Path, sheet: Sheet, data: st.DataObject) -> None:
    clean = drafted(sheet, ()).content()
    place = data.draw(st.integers(0, len(clean)))
    length = data.draw(st.integers(0, 40))
    content = clean[:place] + data.draw(st.binary(max_size=40)) + clean[place + length :]
    reading, grid = read_bytes(content, sheet.file, tmp_path)
    report = reading.report
    assert grid is None or len(grid.rows) == report.rows
    assert grid is not None or reading.problems
    assert all(one.file == sheet.file and one.message and one.action for one in reading.problems)


@pytest.mark.slow
@pytest.mark.parametrize("document", [*XML, *JSON], ids=lambda document: document.name)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_that_two_attacks_together_never_give_silent_errors(
    tmp_path: Path, document: Document, data: st.DataObject
) -> None:
    kinds: tuple[AttackKind, ...] = XML_KINDS if document in XML else JSON_KINDS
    attack = Attack(document, document.text.encode())
    first, second = data.draw(st.sampled_from(kinds)), data.draw(st.sampled_from(kinds))
    token = f"{document.token}".encode()
    first.hit(attack)
    assume(first is not second and not attack.data.startswith(b"\xff\xfe"))
    before = attack.lost, attack.blank, attack.told
    try:
        second.hit(attack)
    except (AssertionError, ValueError):  # no target is left for the second
        assume(False)
    attack.lost, attack.blank = attack.lost or before[0], attack.blank or before[1]
    assume(token in document.text.encode())
    reading, grid = read_document(attack.data, document.file, tmp_path)
    verdict = judge(attack.truth(known_of(document)), reading, grid)
    assert verdict.outcome is not Outcome.WRONG, f"{first.name} and {second.name}: {verdict.reason}"
