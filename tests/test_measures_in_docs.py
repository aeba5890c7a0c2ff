"""docs/answers/overview.md lists the measures as the catalogue declares them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from workbench.measures.catalogue import MEASURES
from workbench.measures.formulas import keys

ROOT = Path(__file__).parents[1]
# Names in formulas that are not measures: amounts of a phase, and a fact of the configuration.
AMOUNTS = {"reads", "writes", "ram_cache_mb"}


def test_that_the_docs_table_matches_the_catalogue() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "tools" / "measures.py"))
    page = (ROOT / "docs" / "answers" / "overview.md").read_text("utf-8")
    assert generator["written"](page) == page, "run: uv run python docs/tools/measures.py"
    assert all(f"| `{key}` |" in page for key in MEASURES)


@pytest.mark.parametrize("key", MEASURES)
def test_that_every_formula_uses_existing_metrics(key: str) -> None:
    assert set(keys(MEASURES[key].formula)) <= MEASURES.keys() | AMOUNTS


def test_that_metric_names_are_unique() -> None:
    names = [measure.name for measure in MEASURES.values()]
    assert len(set(names)) == len(names)
