"""`vdiwb findings`: the conclusions of a study as sentences."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, with_option
from workbench.answers.common.causes import alike
from workbench.answers.common.document import Table, problem_row
from workbench.answers.common.options import margin_of
from workbench.answers.common.reply import Block, Reply, explain_rows, explain_table
from workbench.answers.common.spec import OK, SOME_REFUSED, UsageError
from workbench.answers.compare.reply import side_by_side
from workbench.answers.findings.compute import Finding, listed, ranks_of
from workbench.answers.findings.figure_sources import explained
from workbench.answers.findings.sentences import comparability_of, findings, remarks
from workbench.answers.findings.tables import NAME, numbered_table, open_words
from workbench.answers.findings.words import Asked
from workbench.answers.limits.file import limits_of
from workbench.answers.logons.vsimax_models import ModelFileError, load_models
from workbench.answers.sources import Explainer
from workbench.answers.trend.compute import Trend
from workbench.answers.trend.joined import history_of, trends_of
from workbench.measures.caches.use import all_problems
from workbench.measures.comparability import COMPARABLE, Comparability
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_among, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.significance.method import METHOD
from workbench.measures.sources import reports_of
from workbench.model.benchmark import Benchmark
from workbench.model.history import PastRuns
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Study
from workbench.model.source import Explanation
from workbench.study.history.read import read_history


def concluded(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The findings of every study. Raises UsageError for an invalid margin, or a baseline that no study has."""
    history = read_history(options.history) if options.history else history_of(options.state)
    past = history.problems if history else ()
    problems: list[Problem] = [*past, *(problem for study in studies for problem in study.problems)]
    known_trends = partial(_trends, studies, history)
    told, unknown, notes = _all_told(options, studies, problems, known_trends)
    problems = [*unknown, *problems]
    if options.explain:
        return _explained(told, studies, problems)
    return Reply(
        lambda: [*(_text(study, options.all) for study in told), alike(unknown)],
        lambda: findings_json(told, problems),
        lambda: findings_rows(told),
        status=SOME_REFUSED if any(problem.severity is Severity.REFUSED for problem in past) else OK,
        complaints=past,
        notes=notes,
    )


def _trends(studies: Sequence[Study], history: PastRuns | None) -> tuple[Trend, ...]:
    """The trends that `vdiwb trend` shows for the same studies and history folder."""
    grouped = [(study.name, group_runs(run_figures(run) for run in study.runs)) for study in studies if study.runs]
    return trends_of(grouped, history).trends


def _explained(told: Sequence[Told], studies: Sequence[Study], problems: Sequence[Problem]) -> Reply:
    """The findings, each with its sources; a text lists them finding by finding."""
    runs = {run.folder: run_figures(run) for study in studies for run in study.runs}
    known = Explainer(runs, reports_of(studies))
    sourced = [(finding, explained(finding, known)) for study in told for finding in study.findings]

    def json() -> Table:
        table = findings_json(told, problems)
        for row, (_, ways) in zip(table["findings"], sourced, strict=True):
            row["explain"] = [explain_table(way) for way in ways]
        return table

    return Reply(
        lambda: [paragraph for finding, ways in sourced for paragraph in _listed(finding, ways)],
        json,
        lambda: [{"key": finding.key} | row for finding, ways in sourced for row in explain_rows(ways)],
    )


def _listed(finding: Finding, ways: Sequence[Explanation]) -> list[list[Block]]:
    """The sentence with its first sources below it, then the other sources."""
    others: list[list[Block]] = [[way] for way in ways[1:]]
    return [[finding.text, *ways[:1]], *others]


def _all_told(
    options: argparse.Namespace,
    studies: Sequence[Study],
    problems: list[Problem],
    known_trends: Callable[[], Sequence[Trend]],
) -> tuple[list[Told], list[Problem], tuple[str, ...]]:
    """The findings of every study, then those of storage benchmarks of studies without runs, with problems and notes.

    Runs that were given one by one are one study. There is a problem for each study without the named baseline, and a
    note for each guessed baseline.
    """
    margin = margin_of(options)
    named = {study.name: study for study in studies if study.runs}
    figures = {name: [run_figures(run) for run in study.runs] for name, study in named.items()}
    problems += [problem for rows in figures.values() for row in rows for problem in all_problems(row)]
    run_names = {run.folder: run.name for study in studies for run in study.runs}
    rows = {study.name: study.benchmarks for study in studies if study.runs}
    # Studies that are reported as one have the benchmarks of all of them.
    together = tuple(row for benchmarks in rows.values() for row in benchmarks)
    told: list[Told] = []
    studies_of, unknown = with_option(side_by_side(figures), options.baseline)
    phases = phase_names([group for groups in studies_of.values() for group in groups])
    for name, groups in studies_of.items():
        if name in unknown:
            continue
        # Keys contain the study's name, not its folder, so they do not depend on where the results are stored.
        members = [named[name]] if name in named else list(named.values())
        stated = dict.fromkeys(
            limits for study in members if (limits := limits_of(study, options.state, phases)) is not None
        )
        asked = replace(
            _asked(name, groups, rows.get(name, together), margin), limits=tuple(stated), trends=known_trends
        )
        found = findings(asked)
        known = comparability_of(asked, found)
        told.append(Told(name, found, remarks(groups, found), baseline_of(groups), run_names, known))
    alone = [study for study in studies if not study.runs and study.benchmarks]
    told += [
        Told(study.name, findings(_asked(study.name, (), study.benchmarks, margin)), remarks(())) for study in alone
    ]
    refused = [
        Problem(Severity.WARNING, name, "findings-baseline", text, "no findings for this study")
        for name, text in unknown.items()
    ]
    return told, refused, guess_notes(studies_of)


def _asked(study: str, groups: Sequence[Group], benchmarks: Sequence[Benchmark], margin: float) -> Asked:
    names = phase_names(groups)
    phase = phase_among(names)
    try:
        models = load_models()
    except (ModelFileError, OSError) as error:
        raise UsageError(str(error)) from error
    return Asked(study, groups, benchmarks, margin, phase, model=next(iter(models.values()), None))


def _text(told: Told, everything: bool) -> list[Block]:
    shown, rest, undecided = listed(told.findings)
    if everything:
        shown, rest, undecided = told.findings, (), ()
    blocks: list[Block] = []
    if shown:
        table = numbered_table(shown, f"{told.study}: {NAME.lower()}")
        blocks += [table, *_caveats(shown)]
    else:
        blocks.append(f"{told.study}: no findings.")
    if undecided:
        blocks.append(f"{open_words(undecided)} To list them, use --all.")
    if rest:
        blocks.append(
            f"{len(rest)} more findings are hidden, including evidence for the findings above. To list them, use --all."
        )
    return [*blocks, *_reasons(told), *told.remarks]


def _reasons(told: Told) -> list[str]:
    """Each reason why configurations cannot be compared, with the next step. A remark does not belong to a pair."""
    reasons = (reason for reason in told.comparability.reasons if reason.configuration)
    return [f"Not compared: {reason.text} {reason.next_step}" for reason in reasons]


def _caveats(shown: Sequence[Finding]) -> list[str]:
    """Each caveat once, with the numbers of its findings in the table."""
    places: dict[str, list[int]] = {}
    for place, finding in enumerate(shown, 1):
        for caveat in finding.caveats:
            places.setdefault(caveat, []).append(place)
    return [
        f"Caveat for finding{'s' * (len(numbers) > 1)} {few_named(_ranges(numbers), _PLACES)}: {text}"
        for text, numbers in places.items()
    ]


def _ranges(numbers: Sequence[int]) -> list[str]:
    """Ascending numbers as texts; three or more in a row are one, such as `1 to 7`."""
    rows = [[number for _, number in row] for _, row in groupby(enumerate(numbers), lambda one: one[1] - one[0])]
    return [text for row in rows for text in ([f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row))]


# Maximum number of findings, or ranges of them, that are before a caveat.
_PLACES = 8
FINDINGS_SCHEMA = "vdi-workbench/findings/1"


@dataclass(frozen=True, eq=False)
class Told:
    """A study by name with its findings.

    It also has the sentences on missing findings and the baseline (None: no run counts). `run_names` are the names of
    runs by their folders. `comparability` lists the configurations that cannot be compared with the baseline, and the
    reasons.
    """

    study: str
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    baseline: Group | None = None
    run_names: Mapping[str, str] = field(default_factory=dict)
    comparability: Comparability = COMPARABLE


def findings_json(told: Sequence[Told], problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb findings --format json` as a value: null = not available, percentages of change, `relevance` 0 to 1."""
    return {
        "schema": FINDINGS_SCHEMA,
        "method": METHOD,
        "findings": [
            {
                **row,
                "caveats": list(finding.caveats),
                "runs": _run_names(each, finding),
                "figures": list(finding.figures),
            }
            for each in told
            for row, finding in zip(_rows(each), each.findings, strict=True)
        ],
        "remarks": [{"study": one.study, "text": text} for one in told for text in one.remarks],
        "comparability": [_comparability(one) for one in told if one.baseline is not None],
        "problems": [problem_row(problem) for problem in problems],
    }


def _comparability(told: Told) -> Table:
    return {
        "study": told.study,
        "comparable": told.comparability.comparable,
        "reasons": [
            {
                "code": reason.code,
                "configuration": reason.configuration or None,
                "baseline": reason.baseline or None,
                "text": reason.text,
                "next": reason.next_step,
            }
            for reason in told.comparability.reasons
        ],
    }


def findings_rows(told: Sequence[Told]) -> list[Table]:
    """The findings flat: one row each, lists joined."""
    return [
        {
            **row,
            "caveats": "; ".join(finding.caveats),
            "runs": "; ".join(_run_names(each, finding)),
            "figures": "; ".join(finding.figures),
        }
        for each in told
        for row, finding in zip(_rows(each), each.findings, strict=True)
    ]


def _run_names(told: Told, finding: Finding) -> list[str]:
    return [told.run_names.get(folder, folder) for folder in finding.runs]


def _rows(told: Told) -> list[Table]:
    evidence = None if told.baseline is None else evidence_of_baseline([told.baseline])
    shown = {finding.key for finding in listed(told.findings)[0]}
    ranks = ranks_of(told.findings)
    return [
        _row(finding, index, told.study, evidence)
        | {"shown": finding.key in shown, "rank": ranks[finding.key], "evidence_of": finding.led_by or None}
        for index, finding in enumerate(told.findings)
    ]


def _row(one: Finding, place: int, study: str, evidence: str | None) -> Table:
    change = one.change
    low, high = (None, None) if change is None else change.percent_ends
    return {
        "study": study,
        "key": one.key,
        "text": one.text,
        "strength": one.strength.value,
        "kind": one.kind,
        "place": place + 1,
        "shown": False,
        "relevance": round(one.relevance, 6),
        "configuration": one.configuration or None,
        "baseline": one.baseline or None,
        "phase": one.phase or None,
        "metric": one.figure or None,
        "change_percent": None if change is None else change.percent,
        "low_percent": low,
        "high_percent": high,
        "basis": None if change is None else change.basis,
        "n": _count(one, 0),
        "n_baseline": _count(one, 1),
        "page": one.page or None,
        "view": one.view or None,
        "vm": one.lit_vm or None,
        "difference": one.difference if change is None else change.difference,
        "unit": one.unit or None,
        "source": one.source or None,
        "baseline_evidence": evidence if one.baseline else None,
        "order": one.order,
    }


def _count(one: Finding, side: int) -> int | None:
    """The number of runs (side 0) or of the baseline's runs (side 1) behind a finding's figures."""
    counts = one.counts if one.change is None else (one.change.n, one.change.n_baseline)
    return None if counts is None else counts[side]
