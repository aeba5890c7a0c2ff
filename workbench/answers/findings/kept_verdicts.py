"""The verdicts of a study as a workspace file stores them, and those that changed when it is opened again."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.change_words import verdict_words
from workbench.answers.common.choices import KeptVerdict
from workbench.answers.findings.words import Asked
from workbench.charts.tables import RowField, TableData, table_of, text_field
from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.method import METHOD
from workbench.measures.statistics import Verdict
from workbench.words.metrics import phase_words


def verdicts_of(asked: Asked) -> tuple[KeptVerdict, ...]:
    """Every verdict of the comparison behind the findings."""
    if not any(group.runs for group in asked.groups):
        return ()
    comparison = asked.comparison
    base = "" if comparison.baseline is None else comparison.baseline.label
    return tuple(
        KeptVerdict(asked.study, base, row.configuration, row.phase, row.measure.key, row.verdict.value)
        for row in comparison.differences
        if row.verdict is not None
    )


def changed_table(kept: Sequence[KeptVerdict], now: Sequence[KeptVerdict], method: int) -> TableData | None:
    """The verdicts that differ from the stored ones, for comparisons in both; None if all agree."""
    present = {_key(verdict): verdict.verdict for verdict in now}
    changed = [
        (verdict, present[_key(verdict)])
        for verdict in kept
        if _key(verdict) in present and present[_key(verdict)] != verdict.verdict
    ]
    if not changed:
        return None
    why = f"saved with method {method or 1}, now {METHOD}" if method != METHOD else "The method is the same"
    others = "Verdicts also depend on files, phases, exclusions and the margin"
    name = f"Verdicts that changed since the file was saved ({len(changed)})"
    return table_of(_CHANGED, changed, legend=why, name=name, method=(others,))


def _key(verdict: KeptVerdict) -> tuple[str, ...]:
    return verdict.study, verdict.baseline, verdict.configuration, verdict.phase, verdict.measure


def _words(verdict: str) -> str:
    return verdict_words(Verdict(verdict)) if verdict in set(Verdict) else verdict


_CHANGED: tuple[RowField[tuple[KeptVerdict, str]], ...] = (
    text_field("Configuration", lambda row: row[0].configuration),
    text_field("Phase", lambda row: phase_words(row[0].phase)),
    text_field("Metric", lambda row: MEASURES[row[0].measure].name if row[0].measure in MEASURES else row[0].measure),
    text_field("Then", lambda row: _words(row[0].verdict)),
    text_field("Now", lambda row: _words(row[1])),
)
