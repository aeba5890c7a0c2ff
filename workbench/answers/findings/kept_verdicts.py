"""The verdicts of a study as a workspace file stores them, and those that changed when it is opened again."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.change_words import verdict_words
from workbench.answers.common.choices import KeptVerdict
from workbench.answers.findings.words import Asked
from workbench.charts.tables import Cell, Column, TableData
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
    columns = tuple(Column(title, numeric=False) for title in ("Configuration", "Phase", "Metric", "Then", "Now"))
    rows = tuple(_row(verdict, now_verdict) for verdict, now_verdict in changed)
    why = f"saved with method {method or 1}, now {METHOD}" if method != METHOD else "The method is the same"
    others = "Files, phases, exclusions and the margin also change verdicts"
    return TableData(columns, rows, why, _title(rows), method=(others,))


def _title(rows: Sequence[object]) -> str:
    return f"Verdicts that changed since the file was saved ({len(rows)})"


def _key(verdict: KeptVerdict) -> tuple[str, ...]:
    return verdict.study, verdict.baseline, verdict.configuration, verdict.phase, verdict.measure


def _row(verdict: KeptVerdict, now: str) -> tuple[Cell, ...]:
    name = MEASURES[verdict.measure].name if verdict.measure in MEASURES else verdict.measure
    texts = (verdict.configuration, phase_words(verdict.phase), name, _words(verdict.verdict), _words(now))
    return tuple(Cell(text, text) for text in texts)


def _words(verdict: str) -> str:
    return verdict_words(Verdict(verdict)) if verdict in set(Verdict) else verdict
