"""Every case of the suite by its name, and its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pollution import domain, structural
from tests.pollution.attacks import JSON_KINDS, XML_KINDS, AttackKind
from tests.pollution.documents import JSON, XML, Attack, Document, read_document
from tests.pollution.drafts import Draft
from tests.pollution.judge import Verdict, judge
from tests.pollution.kinds import Kind
from tests.pollution.sheets import SHEETS, Sheet, read_bytes

Known = frozenset[tuple[str, int | None]]

# Known errors by case name, with the reason. Each is a defect to fix, not an excuse.
DEFECTS: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """A format and the kinds that pollute it: one, or several in this order."""

    format: Sheet | Document
    kinds: tuple[Kind, ...] | tuple[AttackKind, ...]

    @property
    def name(self) -> str:
        """Returns a name such as `perfmon-bad-quote-in-header`."""
        return "-".join((self.format.name, *(kind.name for kind in self.kinds)))


def table_cases() -> list[Case]:
    """Returns every kind for every table format that it applies to."""
    kinds = (*structural.KINDS, *domain.KINDS)
    return [Case(sheet, (kind,)) for sheet in SHEETS for kind in kinds if kind.befalls(sheet)]


def kept_cases() -> list[Case]:
    """Returns pairs that were once silently wrong; hypothesis found them."""
    kinds = {kind.name: kind for kind in (*structural.KINDS, *domain.KINDS)}
    return [
        Case(sheet, (kinds[first], kinds[second]))
        for sheet in SHEETS
        for first, second in (
            ("repeated-header", "bad-quote-in-header"),  # the lines above the second header were lost
            ("quote-inside-cell", "line-break-in-cell"),  # one quote closed the other, and a cut number stayed
        )
    ]


def document_cases() -> list[Case]:
    """Returns every attack for every document format."""
    return [
        Case(document, (kind,))
        for documents, kinds in ((XML, XML_KINDS), (JSON, JSON_KINDS))
        for document in documents
        for kind in kinds
    ]


def drafted(sheet: Sheet, kinds: Sequence[Kind], row: int = 5, column: int = -1) -> Draft:
    """The polluted draft of a sheet."""
    draft = Draft(sheet, row, column)
    for kind in kinds:
        kind.pollute(draft)
    return draft


@cache
def known_of(format_: Sheet | Document) -> Known:
    """Returns the problems of the clean twin."""
    with TemporaryDirectory() as folder:
        if isinstance(format_, Sheet):
            reading, _ = read_bytes(Draft(format_).content(), format_.file, Path(folder))
        else:
            reading, _ = read_document(format_.text.encode(), format_.file, Path(folder))
    return frozenset((one.code, one.line) for one in reading.problems)


@cache
def tried(case: Case) -> tuple[Verdict, tuple[str, ...]]:
    """Returns the verdict on a case, and the codes of its problems. Test and page share one reading of each case."""
    known = known_of(case.format)
    with TemporaryDirectory() as folder:
        if isinstance(case.format, Sheet):
            draft = drafted(case.format, [kind for kind in case.kinds if isinstance(kind, Kind)])
            truth = draft.truth(known)
            reading, grid = read_bytes(draft.content(), case.format.file, Path(folder))
        else:
            attack = Attack(case.format, case.format.text.encode())
            for kind in case.kinds:
                assert isinstance(kind, AttackKind)
                kind.hit(attack)
            truth = attack.truth(known)
            reading, grid = read_document(attack.data, case.format.file, Path(folder))
    codes = dict.fromkeys(one.code for one in reading.problems if (one.code, one.line) not in known)
    return judge(truth, reading, grid), tuple(codes)
