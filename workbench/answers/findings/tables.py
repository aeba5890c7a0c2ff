"""The findings as a table: the sentence, its strength, and its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.benchmarks import spec as benchmarks
from workbench.answers.cache import spec as cache
from workbench.answers.compare import spec as compare
from workbench.answers.findings.compute import NO_CHANGE, Finding, Strength, listed
from workbench.answers.limits import spec as limits
from workbench.answers.logons import spec as logons
from workbench.answers.per_vm import spec as per_vm
from workbench.answers.prepare import spec as prepare
from workbench.answers.sizing import spec as sizing
from workbench.answers.trend import spec as trend
from workbench.charts.tables import Cell, RowField, TableData, number_field, table_of, text_field, tipped
from workbench.model.edits import FindingEdit
from workbench.words.captions import MOST_IN_FOOTER, captioned, first_lines
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, plural

NAME, MORE, BENCHMARKS = "Findings", "More findings", "Benchmark findings"
UNMATCHED = "Edits without a finding"
# The column of the sentence; the key of its cell is the key of the finding.
SENTENCE = 0
# The start of each caveat in the tip of a finding.
_CAVEAT = "Caveat: "

_ICONS = {
    Strength.STRONG: "check",
    Strength.INDICATIVE: "info",
    Strength.RANGE: "inconclusive",
    Strength.SINGLE: "warning",
    Strength.INCONCLUSIVE: "inconclusive",
    Strength.YOURS: "",
}
_MEANINGS = {
    Strength.STRONG: "Strong: three or more runs of each configuration, and the whole interval is outside the margin.",
    Strength.INDICATIVE: "Indicative: several runs support the finding, but not all criteria for 'strong' are met.",
    Strength.RANGE: "Range: two runs of a configuration show a change, but not its uncertainty.",
    Strength.SINGLE: "Single run: the uncertainty is unknown.",
    Strength.INCONCLUSIVE: "Inconclusive: the data do not allow a verdict.",
    Strength.YOURS: "Written by you.",
}
_SAME = "Strong: three or more runs of each configuration, and the whole interval is within the margin."
# The names of the evidence pages.
_RESTING = (compare, cache, limits, logons, benchmarks, sizing, trend, prepare, per_vm)
_PAGES = {question.PAGE.key: question.PAGE.name for question in _RESTING}


def finding_tables(found: Sequence[Finding], remarks: Sequence[str] = ()) -> tuple[TableData, ...]:
    """The most relevant findings, `MOST_SHOWN` at most; then, if there are any, a table of the others with the
    inconclusive ones at its end, and one of storage benchmarks in other folders than the study."""
    own, apart = ([finding for finding in found if not finding.apart], [finding for finding in found if finding.apart])
    shown, rest, undecided = listed(own)
    told = [open_words(undecided)] if undecided else []
    legend, method = captioned((*remarks, *told), (), MOST_IN_FOOTER)
    tables = [replace(findings_table(shown, NAME, legend), method=method)]
    if rest or undecided:
        tables.append(findings_table((*rest, *undecided), MORE, *told))
    if apart:
        folders = ", ".join(dict.fromkeys(finding.apart for finding in apart))
        tables.append(findings_table(apart, BENCHMARKS, f"Benchmarks from {folders} (outside this study)"))
    return tuple(tables)


def open_words(undecided: Sequence[Finding]) -> str:
    """The number of inconclusive findings as a sentence: `14 findings are inconclusive.`"""
    return f"{len(undecided)} finding{' is' if len(undecided) == 1 else 's are'} inconclusive."


def findings_table(found: Sequence[Finding], name: str = NAME, legend: str = "") -> TableData:
    """One row per finding. The caveats are in the tooltip of the sentence, and their number is next to the strength."""
    return table_of(_FINDING, found, legend=legend, name=name)


def numbered_table(found: Sequence[Finding], name: str) -> TableData:
    """The table with a number for each finding, because the command line has no tooltips for caveats."""
    return table_of(_NUMBERED, list(enumerate(found, 1)), name=name)


def unmatched_table(edits: Sequence[FindingEdit]) -> TableData:
    """The user's edits that match no finding now: the text, and the generated sentence that it replaced."""
    method = (
        "Possible reasons: runs are excluded, hidden or changed",
        "The edits apply again when these runs return",
        "Right-click to keep the text as your own finding, or remove it",
    )
    table = table_of(
        _UNMATCHED, edits, legend="The findings of these edits are not computed", name=UNMATCHED, method=method
    )
    return replace(table, of_the_desk=True)


def evidence_words(one: Finding) -> str:
    """`Compare, steady state · 6 runs`: the page, the phase and the number of runs; for a storage benchmark the tool
    and the folder."""
    phase = phase_words(one.phase) if one.phase and one.page not in ("logons", "benchmarks") else ""
    label = ", ".join(part for part in (_PAGES.get(one.page, ""), phase) if part)
    runs = plural(len(one.runs), "run") if one.runs else ""
    return " · ".join(part for part in (label, runs, one.source) if part)


def strength_words(one: Finding) -> str:
    """The strength, with the user's edit and the number of caveats."""
    caveats = plural(len(one.caveats), "caveat") if one.caveats else ""
    return " · ".join(
        part for part in (one.strength.value, "running" * one.running, "edited" * one.edited, caveats) if part
    )


def finding_tip(one: Finding) -> str:
    """The full sentence, its generated form if it was edited, and its caveats."""
    lines = [one.text]
    if one.edited:
        lines.append(f"Generated: {one.generated}")
    return "\n".join([*lines, *(f"{_CAVEAT}{caveat}" for caveat in one.caveats)])


def caveats_in(tip: str) -> list[str]:
    """The caveats in the tip of a finding."""
    return [line.removeprefix(_CAVEAT) for line in tip.split("\n") if line.startswith(_CAVEAT)]


def _strength(one: Finding) -> Cell:
    same = one.kind == NO_CHANGE and one.strength is Strength.STRONG
    meaning = _SAME if same else _MEANINGS[one.strength]
    tip = first_lines([meaning, *(f"{_CAVEAT}{caveat}" for caveat in one.caveats)], "caveat")
    return tipped(strength_words(one), tip, _ICONS[one.strength])


_FINDING: tuple[RowField[Finding], ...] = (
    text_field("Finding", lambda one: tipped(one.text, finding_tip(one), key=one.key), fills=True),
    text_field("Strength", _strength),
    text_field("Evidence", lambda one: tipped(evidence_words(one), first_lines(one.runs, "run"))),
)


def _of_second(field: RowField[Finding]) -> RowField[tuple[int, Finding]]:
    """The field of the finding in a pair of its number and itself."""
    return RowField(field.key, lambda row: field.value(row[1]), field.column, field.text, figure=field.figure)


_NUMBERED: tuple[RowField[tuple[int, Finding]], ...] = (
    number_field("No.", lambda row: Cell(str(row[0]), row[0])),
    *map(_of_second, _FINDING),
)
_UNMATCHED: tuple[RowField[FindingEdit], ...] = (
    text_field(
        "Your words", lambda edit: Cell(edit.text or MISSING, edit.text, edit.text or "", key=edit.key), fills=True
    ),
    text_field("What you did", lambda edit: "removed" if edit.dropped else "reworded"),
    text_field("Generated sentence", lambda edit: Cell(edit.was or MISSING, edit.was or None, edit.was), fills=True),
)
