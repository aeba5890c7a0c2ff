"""Every kind of pollution in every format is read identically, reported or refused; none is silently wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pollution import domain, structural
from tests.pollution.attacks import JSON_KINDS, XML_KINDS
from tests.pollution.documents import JSON, XML, Document
from tests.pollution.drafts import Draft
from tests.pollution.judge import Outcome
from tests.pollution.kinds import Kind
from tests.pollution.sheets import GENERIC, SHEETS, Sheet, read_bytes
from tests.pollution.suite import DEFECTS, Case, document_cases, drafted, kept_cases, table_cases, tried
from tests.pollution.table import PAGE, page


def _parameters(cases: list[Case]) -> list[object]:
    return [
        pytest.param(
            case,
            id=case.name,
            marks=[pytest.mark.xfail(strict=True, reason=DEFECTS[case.name])] if case.name in DEFECTS else [],
        )
        for case in cases
    ]


@pytest.mark.parametrize("case", _parameters([*table_cases(), *kept_cases(), *document_cases()]))
def test_that_damaged_input_never_gives_silent_errors(case: Case) -> None:
    verdict, _ = tried(case)
    assert verdict.outcome is not Outcome.WRONG, verdict.reason


@pytest.mark.parametrize("clean", [*SHEETS, *XML, *JSON], ids=lambda one: one.name)
def test_that_the_undamaged_twins_are_read_completely(clean: Sheet | Document) -> None:
    verdict, _ = tried(Case(clean, ()))
    assert verdict.outcome is Outcome.IDENTICAL, verdict.reason


def test_that_the_generic_csv_is_read_through_its_mapping(tmp_path: Path) -> None:
    reading, _ = read_bytes(Draft(GENERIC).content(), GENERIC.file, tmp_path)
    assert reading.report.reader == "mapped-csv"


def test_that_the_suite_has_the_stated_size() -> None:
    assert len(structural.KINDS) >= 25
    for name in ("perfmon", "esxtop"):
        assert sum(name in kind.sheets for kind in domain.KINDS) >= 15
    for sheet in SHEETS:
        assert sum(kind.befalls(sheet) for kind in structural.KINDS) >= 25
    assert min(len(XML_KINDS), len(JSON_KINDS)) >= 8
    assert all(name in {case.name for case in (*table_cases(), *document_cases())} for name in DEFECTS)


def test_that_each_kind_of_damage_changes_the_file() -> None:
    for case in table_cases():
        assert isinstance(case.format, Sheet)
        draft = drafted(case.format, [kind for kind in case.kinds if isinstance(kind, Kind)])
        assert draft.content() != Draft(case.format).content(), case.name


def test_that_the_published_table_matches_the_readers() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: uv run python -m tests.pollution.table"
