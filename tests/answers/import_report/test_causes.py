"""Problems are grouped by cause: code, reader and severity. The effect of a decision is shown before it is made."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from tests.samples import sample
from workbench.answers.common.causes import cause_group, titles
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.import_report.causes import Span, _best, causes, machine_change, split_change, zone_change
from workbench.answers.import_report.page import import_report
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.edits import RunEdits
from workbench.model.problem import Cause, CauseGroup, Mending, Problem, Severity
from workbench.model.resources import damaged_study, resource, sample_study
from workbench.readers.common.row_problems import LISTED
from workbench.session.state import State
from workbench.study.plausibility.rules import RULES
from workbench.study.store.column_store import Store

SOURCES = Path(__file__).parents[3] / "workbench"
NO_ZONE = '"(PDH-CSV 4.0)"'
# The clock of the lab is an hour ahead of UTC: 09:00 to 09:10 there is 08:00 to 08:10 UTC.
START = 1_462_867_200.0
EVENTS = "time,event,vm,user,detail\n2016-05-10T08:00:00Z,power_on,,,\n2016-05-10T08:09:55Z,run_end,,,\n"


def log(path: Path, machine: str, rows: int = 120, *, header: str = NO_ZONE, bad: tuple[int, ...] = ()) -> None:
    """A sample every 5 s from 09:00; the cells of the rows in `bad` (from 0) are not numbers."""
    name = f"\\\\{machine}\\PhysicalDisk(_Total)\\Disk Transfers/sec"
    cells = [
        f'"05/10/2016 09:{at * 5 // 60:02d}:{at * 5 % 60:02d}.000","{"broken" if at in bad else at % 7 + 1}"'
        for at in range(rows)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\r\n".join([f'{header},"{name}"', *cells, ""]), encoding="ascii", newline="")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A run with two logs without a time zone and events with one; one log has three invalid cells."""
    run = tmp_path / "lab" / "mcs"
    log(run / "guest" / "A.csv", "A", bad=(3, 4, 5))
    log(run / "guest" / "B.csv", "B")
    (run / "events.csv").write_text(EVENTS, encoding="ascii")
    return tmp_path / "lab"


def opened(folder: Path, store: Path) -> Library:
    kept = Store(store)
    kept.prepare()
    studies = load_studies([folder], kept)
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def of_code(library: Library, code: str, choices: Choices | None = None) -> Cause:
    every = causes(library, choices or Choices())
    return next(cause for cause in every if any(problem.code == code for problem in cause.problems))


def test_that_logs_without_a_time_zone_form_one_cause_that_a_zone_fixes(lab: Path, tmp_path: Path) -> None:
    library = opened(lab, tmp_path / "store")
    cause = of_code(library, "time-zone-unknown")
    assert (cause.group, cause.count, cause.noun, cause.mending) == (
        CauseGroup.NEEDS_YOU,
        2,
        "files",
        Mending.TIME_ZONE,
    )
    assert cause.runs == (library.studies[0].runs[0].folder,)


def test_that_cells_set_to_empty_are_counted_as_fixed(lab: Path, tmp_path: Path) -> None:
    cause = of_code(opened(lab, tmp_path / "store"), "not-a-number")
    assert (cause.group, cause.count, cause.noun, cause.mending) == (CauseGroup.MENDED, 3, "cells", Mending.SHOW)
    assert [(problem.line, problem.column) for problem in cause.problems] == [(5, 2), (6, 2), (7, 2)]


def test_that_a_guessed_date_order_is_reported_and_reversed_by_one_decision(tmp_path: Path) -> None:
    path = tmp_path / "lab" / "mcs" / "A.csv"
    log(path, "A")
    text = path.read_text().replace("05/10/2016 ", "5/10/2016 ")
    path.write_text(text.replace(text[: text.index(",")], '"Timestamp"'))
    library = opened(tmp_path / "lab", tmp_path / "store")
    cause, folder = of_code(library, "date-guessed"), library.studies[0].runs[0].folder
    assert (cause.group, cause.mending, cause.runs) == (CauseGroup.MENDED, Mending.DATE_ORDER, (folder,))
    settled = of_code(library, "date-guessed", Choices(edits=(RunEdits(folder, date_order="dmy"),)))
    assert (settled.mending, settled.runs) == (Mending.UNDO, (folder,))


def test_that_a_summarised_flood_of_problems_is_counted_as_a_lower_bound(tmp_path: Path) -> None:
    log(tmp_path / "lab" / "mcs" / "A.csv", "A", bad=tuple(range(5, 5 + LISTED + 7)))
    cause = of_code(opened(tmp_path / "lab", tmp_path / "store"), "not-a-number")
    assert (cause.count, cause.at_least) == (LISTED, True)


def test_that_the_effect_of_a_zone_is_computed_from_the_clocks(
    lab: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    library = opened(lab, tmp_path / "store")
    folders = of_code(library, "time-zone-unknown").runs
    best = zone_change(library, folders, "")
    assert best.value == "+01:00", "at that offset samples and events lie over each other"
    london = zone_change(library, folders, "Europe/London")
    assert "08:00 to 08:09 UTC" in london.sentences[0], "London is an hour ahead of UTC in May"
    assert london.sentences[0] == snapshot
    assert "0 % with the times as read" in london.sentences[0]
    events, as_read, moved = london.spans
    assert as_read.start - moved.start == 3600.0
    assert moved.start == events.start
    assert "Nowhere/Land" in zone_change(library, folders, "Nowhere/Land").wrong


def test_that_no_zone_is_proposed_without_evidence(tmp_path: Path) -> None:
    log(tmp_path / "lab" / "mcs" / "A.csv", "A")
    library = opened(tmp_path / "lab", tmp_path / "store")
    change = zone_change(library, [library.studies[0].runs[0].folder], "")
    assert change.value == ""
    assert "no time zone can be suggested" in change.sentences[-1]


def test_that_no_zone_is_proposed_that_leaves_samples_and_events_disjoint(tmp_path: Path) -> None:
    known = Span("events", START, START + 1000)
    # 100 s of samples within 1,000 s of events: in any zone they cover a tenth.
    assert _best([(Span("samples", START + 100, START + 200), (known,))]) == ""
    assert _best([(Span("samples", START + 3600, START + 4600), (known,))]) == "+01:00"


def test_that_a_zone_set_by_the_user_counts_as_fixed_and_can_be_undone(lab: Path, tmp_path: Path) -> None:
    library = opened(lab, tmp_path / "store")
    folder = library.studies[0].runs[0].folder
    choices = replace(Choices(), edits=(RunEdits(folder, time_zone="Europe/London"),))
    cause = of_code(library, "time-zone-unknown", choices)
    assert (cause.group, cause.mending, cause.runs) == (CauseGroup.MENDED, Mending.UNDO, (folder,))
    assert cause.done == "you set Europe/London"


def test_that_causes_with_one_code_are_separated_by_reader(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    log(lab / "mcs" / "A.csv", "A", rows=0)
    header = "time,vm,iops\n"
    (lab / "mcs" / "table.csv").write_text(header, encoding="ascii")
    keys = [cause.key for cause in causes(opened(lab, tmp_path / "store"), Choices())]
    assert len(keys) == len(set(keys))
    assert "refused/perfmon:no-rows" in keys


def test_that_an_unknown_binary_log_has_the_command_that_converts_it(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    log(tmp_path / "lab" / "mcs" / "A.csv", "A")
    header = (1).to_bytes(4, "little") * 40
    (tmp_path / "lab" / "mcs" / "RDS 04.blg").write_bytes(header)
    library = opened(tmp_path / "lab", tmp_path / "store")
    cause = next(one for one in causes(library, Choices()) if one.command)
    assert cause.command == snapshot
    assert (cause.group, cause.title) == (CauseGroup.REFUSED, "Binary logs in an unknown format")


def test_that_a_folder_of_two_days_lists_the_runs_after_a_split(tmp_path: Path) -> None:
    run = tmp_path / "lab" / "mcs"
    values = {"\\\\A\\PhysicalDisk(_Total)\\Disk Transfers/sec": [float(at % 5 + 1) for at in range(60)]}
    perfmon_csv(run / "a.csv", values, start="05/10/2016 09:00:00.000")
    perfmon_csv(run / "b.csv", values, start="05/11/2016 09:00:00.000")
    library = opened(tmp_path / "lab", tmp_path / "store")
    cause = of_code(library, "runs-mixed")
    assert (cause.mending, len(cause.runs)) == (Mending.SPLIT, 1)
    change = split_change(library, cause.runs)
    assert change.value == "2"
    assert [span.label for span in change.spans] == ["mcs 2016-05-10", "mcs 2016-05-11"]
    assert change.spans[1].start - change.spans[0].start == 24 * 3600.0


def test_that_groups_follow_the_severity_and_no_warning_is_hidden() -> None:
    def group(severity: Severity, code: str) -> CauseGroup:
        return cause_group(Problem(severity, "a.csv", code, "?", "?"))

    assert group(Severity.REFUSED, "not-a-number") is CauseGroup.REFUSED
    assert group(Severity.INFO, "not-a-number") is CauseGroup.NOTE
    assert group(Severity.WARNING, "not-a-number") is CauseGroup.MENDED
    assert group(Severity.WARNING, "a-code-of-tomorrow") is CauseGroup.NEEDS_YOU
    assert group(Severity.INFO, "needs-mapping") is CauseGroup.NEEDS_YOU


def test_that_every_title_belongs_to_a_code_of_the_program() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    written = {code: {code, code.removeprefix("compare-")} for code in titles() if not code.startswith("inferred-")}
    assert [code for code, forms in written.items() if not any(f'"{form}"' in text for form in forms)] == []


def test_that_every_rule_and_every_problem_of_the_samples_has_a_title(tmp_path: Path) -> None:
    codes = {rule.code for rule in RULES}
    for folder in (sample_study(), damaged_study()):
        codes |= {problem.code for problem in opened(folder, tmp_path / "store").all_problems}
    assert len(codes) > 40
    assert sorted(codes - titles().keys()) == []


def test_that_every_cause_of_the_damaged_study_names_its_run_or_its_file(tmp_path: Path) -> None:
    library = opened(damaged_study(), tmp_path / "store")
    files = {report.path for report in library.files}
    every = causes(library, Choices())
    nowhere = [
        problem.file
        for cause in every
        for problem, folder in zip(cause.problems, cause.folders, strict=True)
        if not folder and problem.file not in files
    ]
    assert nowhere == []
    assert sum(len(cause.problems) for cause in every) == len(library.all_problems)


def test_that_every_warning_has_a_next_step_wherever_it_is_shown(lab: Path, tmp_path: Path) -> None:
    library = opened(lab, tmp_path / "store")
    study = library.studies[0]
    codes = [*tomllib.loads(resource("causes.toml").read_text(encoding="utf-8"))["needs"], "code-of-tomorrow"]
    for place in (study.runs[0].name, "somewhere else"):
        problems = tuple(Problem(Severity.WARNING, place, code, f"{code}.", "kept") for code in codes)
        listed = causes(replace(library, studies=(replace(study, problems=problems),)), Choices())
        assert len([cause for cause in listed if cause.group is CauseGroup.NEEDS_YOU]) == len(codes)
        assert [cause.key for cause in listed if cause.mending is Mending.NOTHING] == []


def test_that_two_machines_with_one_name_have_the_same_decision_as_in_the_bar(lab: Path, tmp_path: Path) -> None:
    library = opened(lab, tmp_path / "store")
    study, run = library.studies[0], library.studies[0].runs[0]
    problem = Problem(
        Severity.WARNING, run.name, "machine-two-names", "Twice.", "kept", run=run.folder, machines=("A", "B")
    )
    cause = of_code(replace(library, studies=(replace(study, problems=(problem,)),)), "machine-two-names")
    assert (cause.mending, cause.machines, cause.runs) == (Mending.MACHINES, ("A", "B"), (run.folder,))
    assert "A, B" in machine_change(cause).sentences[0]


def test_that_caption_and_badge_have_the_same_count() -> None:
    library = sample("rds-mcsio-cache-sweep", "vdi-login-storm")
    caption = import_report(library, State()).caption
    assert int(caption.split()[0]) == library.warnings() == 3


def test_that_automatic_fixes_need_no_decision(lab: Path, tmp_path: Path) -> None:
    library = opened(lab, tmp_path / "store")
    study = library.studies[0]
    told = [(Severity.WARNING, "cell-unit"), (Severity.WARNING, "unit-unknown"), (Severity.REFUSED, "no-rows")]
    told += [(Severity.INFO, "needs-mapping"), (Severity.INFO, "runs-by-number")]
    problems = tuple(Problem(severity, "a.csv", code, f"{code}.", "kept") for severity, code in told)
    shown = replace(library, studies=(replace(study, problems=problems),))
    groups = Counter(cause.group for cause in causes(shown, State()) for _ in cause.problems)
    needed = groups[CauseGroup.NEEDS_YOU] + groups[CauseGroup.REFUSED]
    assert groups[CauseGroup.MENDED] == 1
    assert int(import_report(shown, State()).caption.split()[0]) == shown.warnings() == needed
