"""`vdiwb kit`: writes the test kit, and lists its content.

Also what studies can answer as JSON (schema vdi-workbench/kit-check/1): keys may be added, never renamed or removed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from workbench.answers.common.document import Table, problem_row
from workbench.answers.common.names import MOST_DESKTOPS
from workbench.answers.common.options import margin_of
from workbench.answers.common.reply import Block, Reply, nothing_counts
from workbench.answers.common.spec import UsageError
from workbench.answers.compare.plan import detect_of
from workbench.answers.compare.reply import side_by_side
from workbench.answers.prepare.gaps import Gap, QuestionVerdict
from workbench.answers.prepare.kit.contents import LONGEST_S, SHORTEST_S, Kit, KitChoices, make_kit
from workbench.answers.prepare.kit.runs import MOST_RUNS, amount_words
from workbench.answers.prepare.kit.write import kit_document, write_kit
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.prepare.study_gaps import StudyGaps, do_words, question_words, study_gaps, what_words
from workbench.answers.prepare.tables import answer_table, collection_table, files_table, gap_table, mix_table
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.problem import Problem
from workbench.model.run import Study


def check_kit(options: argparse.Namespace) -> None:
    """Raises UsageError for wrong options before anything is read."""
    choices_of(options)
    for name in options.configurations:
        # The option consumes every word after it, so results named there would be silently ignored.
        if ("/" in name or "\\" in name or not options.paths) and Path(name).exists():
            raise UsageError(
                f"{name} is not a configuration name: a folder or file has that name. Put results before "
                f'--configurations: vdiwb kit "{name}" --configurations NAME…'
            )
    if options.check_results and not options.paths:
        raise UsageError("--check requires a path: vdiwb kit --check PATH.")
    if options.kit_folder is not None:
        _refuse_results(options.kit_folder, options.paths)
    if options.check_results and options.kit_folder is not None:
        raise UsageError("--check and -o cannot be combined. Omit one of them.")


def _refuse_results(folder: Path, paths: Sequence[Path]) -> None:
    target = folder.resolve()
    for path in paths:
        if Path(path).is_dir() and target.is_relative_to(Path(path).resolve()):
            raise UsageError(
                f"{folder} is inside the results {path}, so the planned runs of the kit would be imported as runs. "
                "Choose another folder."
            )


def kit_of(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The kit for the options, from the first study with runs; written if a folder is named. Raises UsageError if it
    cannot be."""
    if options.check_results:
        return _checked(options, studies)
    kit = make_kit(choices_of(options), _groups(studies))
    folder = options.kit_folder
    if folder is not None:
        write_kit(folder, kit)
    shown = None if folder is None else str(folder)
    return Reply(lambda: [_text(kit, shown)], lambda: kit_document(kit, shown))


def _checked(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The answers that each study can give to the questions."""
    groups = [group_runs(run_figures(run) for run in study.runs) for study in studies]
    checked = [
        study_gaps(study.name, of_study, study.benchmarks, options.question)
        for study, of_study in zip(studies, groups, strict=True)
    ]
    judged = [study for study in checked if study.judged]
    problems = [problem for study in studies for problem in study.problems]
    none = nothing_counts([group for of_study in groups for group in of_study])
    return Reply(lambda: [_gaps_text(study) for study in judged] or [[none]], lambda: gaps_json(judged, problems))


def _gaps_text(study: StudyGaps) -> list[Block]:
    gaps = gap_table(study, f"{study.study}: missing data")
    # A question has the name for --question.
    rows = tuple((replace(row[0], text=row[0].key), *row[1:]) for row in gaps.rows)
    answers = answer_table(study, f"{study.study}: questions")
    return [answers, *([replace(gaps, rows=rows)] if rows else [])]


def choices_of(options: argparse.Namespace) -> KitChoices:
    """The choices from the options. Raises UsageError for impossible ones."""
    unknown = [key for key in options.question if key not in QUESTIONS]
    if unknown:
        raise UsageError(f"There is no question '{unknown[0]}'. Questions: {', '.join(QUESTIONS)}.")
    _within("interval", options.interval, SHORTEST_S, LONGEST_S, "s")
    _within("number of runs", options.runs, 1, MOST_RUNS, "runs")
    _within("number of desktops", options.desktops, 1, MOST_DESKTOPS, "desktops")
    if not all(name.strip() for name in options.configurations):
        raise UsageError("The name of a configuration is empty. Enter a name, for example 'MCSIO 8 GB'.")
    choices = KitChoices(
        tuple(options.question),
        tuple(" ".join(name.split()) for name in options.configurations),
        options.interval,
        options.runs,
        detect_of(options.detect),
        margin_of(options),
        options.desktops,
    )
    if choices.refused:
        raise UsageError(f"{choices.refused} Enter a shorter --interval, or name other questions with --question.")
    return choices


def _within(what: str, value: int | None, least: int, most: int, unit: str) -> None:
    if value is not None and not least <= value <= most:
        raise UsageError(f"The {what} cannot be {value}. Enter {least:,} to {most:,} {unit}.")


def _groups(studies: Sequence[Study]) -> Sequence[Group]:
    sides = side_by_side({study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs})
    return next(iter(sides.values()), ())


def _text(kit: Kit, folder: str | None) -> list[Block]:
    planned = kit.planned
    lacking = collection_table([question.key for question in kit.choices.asked])
    head = (
        "Nothing was written. To write the kit, use -o DIR."
        if folder is None
        else f"The kit was written to {folder}. Start with README.txt."
    )
    return [
        head,
        f"{amount_words(planned)}. {planned.reason}",
        files_table(kit),
        *([lacking] if lacking.rows else []),
        *([mix_table(kit.mixes)] if kit.mixes else []),
    ]


CHECK_SCHEMA = "vdi-workbench/kit-check/1"


def gaps_json(studies: Sequence[StudyGaps], problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb kit --check --format json` as a value: null = not available."""
    return {
        "schema": CHECK_SCHEMA,
        "studies": [
            {"study": study.study, "questions": [_question(study, key) for key in study.questions if study.of(key)]}
            for study in studies
        ],
        "problems": [problem_row(problem) for problem in problems],
    }


def _question(study: StudyGaps, key: str) -> Table:
    return {
        "question": key,
        "text": question_words(key),
        "page": QUESTIONS[key].page,
        "standing": study.standing(key).value,
        "runs": [
            _run(judged.configuration, judged.verdict) for judged in study.judged if judged.verdict.question == key
        ],
    }


def _run(configuration: str, verdict: QuestionVerdict) -> Table:
    return {
        "configuration": configuration or None,
        "run": verdict.run or None,
        "standing": verdict.standing.value,
        "missing": [_gap(gap) for gap in verdict.gaps],
    }


def _gap(gap: Gap) -> Table:
    return {
        "kind": gap.kind.value,
        "needed": gap.needed,
        "text": what_words(gap),
        "what_to_do": do_words(gap) or None,
        "counters": [{"tool": counter.tool, "name": counter.name} for counter in gap.counters],
        "collect_on": gap.place.value if gap.parts else None,
        "phases": list(gap.phases),
        "vms": list(gap.vms),
        "vms_lacking": gap.lacking or None,
        "vms_total": gap.of or None,
        "measured_percent": None if gap.measured is None else 100 * gap.measured,
        "interval_s": gap.interval_s,
        "needed_interval_s": gap.wanted_s,
    }
