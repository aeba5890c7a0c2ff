"""The sources of values as JSON and CSV rows: keys may be added, never renamed or removed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

from workbench.answers.common.document import Table, iso
from workbench.model.source import Explanation, SourceRows, WithinRun


def explain_table(explanation: Explanation) -> Table:
    """One value with its formula and sources: null = not available; times ISO-8601 UTC."""
    return {**_head(explanation), "sources": [_source(source) for source in explanation.sources]}


def explain_rows(explanations: Iterable[Explanation]) -> list[Table]:
    """The explanation as flat rows: one per source."""
    return [_head(explanation) | _source(source) for explanation in explanations for source in explanation.sources]


def _head(explanation: Explanation) -> Table:
    named = bool(explanation.phase.name)
    return {
        "run": explanation.run,
        "configuration": explanation.configuration,
        "phase": explanation.phase.name or None,
        "start": iso(explanation.phase.start) if named else None,
        "end": iso(explanation.phase.end) if named else None,
        "figure": explanation.figure,
        "value": iso(explanation.value)
        if explanation.moment and explanation.value is not None
        else _finite(explanation.value),
        "formula": explanation.formula,
        "rule": explanation.rule or None,
        "adds_up": explanation.adds_up,
        "note": explanation.note or None,
        **_within(explanation.within),
    }


def _within(within: WithinRun | None) -> Table:
    """The interval of a percentile within its run, in its unit, and how many samples are above it."""
    names = ("low", "high", "above", "samples", "block_s")
    return {f"within_run_{name}": None if within is None else getattr(within, name) for name in names}


def _source(source: SourceRows) -> Table:
    return {key: _finite(value) for key, value in dataclasses.asdict(source).items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
