"""Where figures come from, as JSON and CSV rows: keys may be added, never renamed or removed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

from workbench.answers.common.document import Table, iso
from workbench.model.source import Explanation, SourceRows


def explain_table(found: Explanation) -> Table:
    """One figure with its formula and sources: null = not available; times ISO-8601 UTC."""
    return {**_head(found), "sources": [_source(source) for source in found.sources]}


def explain_rows(explanations: Iterable[Explanation]) -> list[Table]:
    """The same flat: one row per source."""
    return [_head(explanation) | _source(source) for explanation in explanations for source in explanation.sources]


def _head(found: Explanation) -> Table:
    named = bool(found.phase.name)
    return {
        "run": found.run,
        "configuration": found.configuration,
        "phase": found.phase.name or None,
        "start": iso(found.phase.start) if named else None,
        "end": iso(found.phase.end) if named else None,
        "figure": found.figure,
        "value": iso(found.value) if found.moment and found.value is not None else _finite(found.value),
        "formula": found.formula,
        "rule": found.rule or None,
        "adds_up": found.adds_up,
        "note": found.note or None,
    }


def _source(source: SourceRows) -> Table:
    return {key: _finite(value) for key, value in dataclasses.asdict(source).items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
