"""The figures that differ between two states of a small study, and the causes: expected results computed by hand.

Two configurations of one VM on files of 24 samples, one every 15 s: reads of 8 and 2 IOPS, writes of twice that. The
steady state is from 60 s to 240 s after the first sample, so the total is (8 + 16) x 180 = 4,320 I/O for the first
configuration, and a quarter of that for the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, disk_csv
from workbench.answers.changes.compute import CATALOGUE, CONSTANTS, READERS, figures_of, rules_now
from workbench.answers.changes.moves import (
    Before,
    Files,
    KeptFigures,
    KeptSentence,
    Move,
    SavedPhase,
    SavedRun,
    SavedStudy,
    compared,
)
from workbench.answers.changes.replay import Because, Changes, changes_since, outside_causes, steps
from workbench.answers.changes.tables import change_tables, headline, notes, rows_of
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.sizing.constants import constants
from workbench.console.loading import load_studies
from workbench.measures.catalogue import MEASURES
from workbench.measures.phase_table import run_figures
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.study.store.column_store import default_store

pytestmark = pytest.mark.usefixtures("own_store")

FILE = "guest/W10-001.csv"


def library(folder: Path) -> Library:
    studies = load_studies([folder], default_store())
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def files(opened: Library, *, changed: str = "") -> Files:
    return {report.path: (1, 2 if report.path == changed else 1) for report in opened.files}


def since(opened: Library, *states: Choices) -> Changes:
    return changes_since(Before(states[0], None, files(opened)), opened, files(opened), states)


def of(changes: Changes, run: str = "", measure: str = "", phase: str = "steady", kind: str = "figure") -> Move:
    (move,) = [
        move
        for move in changes.compared.moves
        if (move.key.kind, changes.names.get(move.key.run, ""), move.key.measure, move.key.phase)
        == (kind, run, measure, phase)
    ]
    return move


def why(changes: Changes, move: Move) -> str:
    return changes.because[move.key].words


def folder_of(opened: Library, name: str) -> str:
    return next(run.folder for study in opened.studies for run in study.runs if run.name == name)


def test_that_unchanged_figures_are_not_listed(lab: Path) -> None:
    opened = library(lab)
    changes = since(opened, Choices(), Choices())
    assert changes.compared.moves == ()
    assert change_tables(changes) == ()
    # Both sides have the same figures: those of each run, and the capacity plans of both configurations.
    assert headline(changes, "you saved at 14:02").startswith(
        f"None of {changes.compared.of('figure', 'sizing')} values"
    )


def test_that_a_moved_phase_edge_changes_only_the_figures_of_its_run(lab: Path, snapshot: SnapshotAssertion) -> None:
    opened = library(lab)
    folder = folder_of(opened, "mcs")
    # 2016-05-10 09:01 in London is T0 + 60 s: half of the steady state is left.
    edited = Choices().with_edits(RunEdits(folder, phases=(PhaseEdit("steady", T0 + 60, T0 + 150),)))
    changes = since(opened, Choices(), edited)
    total = of(changes, "mcs", "total_io")
    assert (total.before, total.after) == (pytest.approx(24 * 180), pytest.approx(24 * 90))
    assert (total.difference, total.percent) == (pytest.approx(-2160), pytest.approx(-50.0))
    assert why(changes, total) == snapshot
    moved = {move.key.measure for move in changes.compared.moves if move.key.kind == "figure"}
    assert "iops" not in moved  # the rate is as even as before
    assert not [move for move in changes.compared.moves if changes.names.get(move.key.run) == "mcsio-512"]


def test_that_each_of_two_edits_is_listed_with_the_figures_it_changed(lab: Path, snapshot: SnapshotAssertion) -> None:
    opened = library(lab)
    one, other = folder_of(opened, "mcs"), folder_of(opened, "mcsio-512")
    first = Choices().with_edits(RunEdits(one, phases=(PhaseEdit("steady", T0 + 60, T0 + 150),)))
    second = first.with_edits(RunEdits(other, excluded="fan broke"))
    for states in ((Choices(), first, second), (Choices(), second)):
        changes = since(opened, *states)
        assert why(changes, of(changes, "mcs", "total_io")) == snapshot
        counts = of(changes, "mcsio-512", "counts", "", "run")
        assert (counts.before, counts.after) == ("counts", "left out: fan broke")
        assert why(changes, counts) == snapshot
        gone = next(move for move in changes.compared.moves if move.key.kind == "configuration")
        assert (gone.before is not None, gone.after) == (True, None)
        assert changes.because[gone.key].together is False


def test_that_an_edit_that_was_undone_changes_no_figure(lab: Path) -> None:
    opened = library(lab)
    edited = Choices().with_edits(RunEdits(folder_of(opened, "mcs"), excluded="fan broke"))
    assert since(opened, Choices(), edited, Choices()).compared.moves == ()


def test_that_a_changed_file_is_listed_with_the_figures_of_its_run(lab: Path) -> None:
    then = library(lab)
    kept = figures_of(then, Choices(), {})
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    now = library(lab)
    name = f"mcs/{FILE}"
    assert name in files(now)
    changes = changes_since(Before(Choices(), kept, files(then)), now, files(now, changed=name), [Choices()])
    total = of(changes, "mcs", "total_io")
    assert (total.before, total.after) == (pytest.approx(24 * 180), pytest.approx(20 * 180))
    assert why(changes, total) == f"{name} changed"
    assert not [move for move in changes.compared.moves if changes.names.get(move.key.run) == "mcsio-512"]


def test_that_each_of_two_runs_names_its_own_changed_file(lab: Path) -> None:
    then = library(lab)
    kept = figures_of(then, Choices(), {})
    names = [f"{run}/{FILE}" for run in ("mcs", "mcsio-512")]
    for name in names:
        disk_csv(lab / name, "W10-001", [4.0] * 24, [16.0] * 24)
    now = library(lab)
    other = files(now) | dict.fromkeys(names, (1, 2))
    changes = changes_since(Before(Choices(), kept, files(then)), now, other, [Choices()])
    assert why(changes, of(changes, "mcs", "total_io")) == f"{names[0]} changed"
    assert why(changes, of(changes, "mcsio-512", "total_io")) == f"{names[1]} changed"


def test_that_a_file_and_an_edit_are_distinguished(lab: Path, snapshot: SnapshotAssertion) -> None:
    then = library(lab)
    kept = figures_of(then, Choices(), {})
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    now = library(lab)
    other = folder_of(now, "mcsio-512")
    edited = Choices().with_edits(RunEdits(other, phases=(PhaseEdit("steady", T0 + 60, T0 + 150),)))
    name = f"mcs/{FILE}"
    before = Before(Choices(), kept, files(then))
    changes = changes_since(before, now, files(now, changed=name), [Choices(), edited])
    assert why(changes, of(changes, "mcs", "total_io")) == f"{name} changed"
    assert why(changes, of(changes, "mcsio-512", "total_io")) == snapshot


def test_that_a_file_and_another_reader_version_are_named_together(lab: Path) -> None:
    then = library(lab)
    kept = figures_of(then, Choices(), {})
    kept = replace(kept, rules=kept.rules | {READERS: "1"})
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    now = library(lab)
    changes = changes_since(Before(Choices(), kept, files(then)), now, files(now, changed=f"mcs/{FILE}"), [Choices()])
    words = why(changes, of(changes, "mcs", "total_io"))
    assert words.startswith(f"together: mcs/{FILE} changed; readers 1 → ")


def test_that_a_new_run_is_one_row_with_its_number_of_figures(lab: Path) -> None:
    then = library(lab)
    kept = figures_of(then, Choices(), {})
    disk_csv(lab / "pvs" / FILE, "W10-001", [1.0] * 24, [1.0] * 24)
    now = library(lab)
    changes = changes_since(Before(Choices(), kept, files(then)), now, files(now), [Choices()])
    rows = [move for move in changes.compared.moves if changes.names.get(move.key.run) == "pvs"]
    (new,) = rows
    assert (new.key.kind, new.before, new.after) == ("run", None, "counts")
    assert new.items > 0
    assert why(changes, new) == f"pvs/{FILE} new"
    assert "1 run is new." in headline(changes, "you saved at 14:02")


def test_that_a_changed_margin_is_listed_with_the_figures_it_changed(lab: Path) -> None:
    opened = library(lab)
    assert [step.words for step in steps((Choices(), Choices().with_input(MARGIN_PERCENT, 10.0)), {})] == [
        "margin 5 % → 10 %"
    ]
    changes = since(opened, Choices(), Choices().with_input(MARGIN_PERCENT, 10.0))
    assert not changes.compared.moved("figure", "sizing", "run")
    assert {why(changes, move) for move in changes.compared.moves} <= {"margin 5 % → 10 %"}


def test_that_verdicts_that_a_margin_changes_come_first_with_it_as_their_cause(tmp_path: Path) -> None:
    """A reduction of 8 % in three runs with 1 % variation: better with a margin of 5 %, the same with 20 %."""
    for name, rates in (("MCS", (9.95, 10.0, 10.05)), ("PVS", (9.15, 9.2, 9.25))):
        for at, rate in enumerate(rates):
            disk_csv(tmp_path / "lab" / f"{name} r{at}" / FILE, "W10-001", [rate] * 24, [2 * rate] * 24)
            (tmp_path / "lab" / f"{name} r{at}" / "run.toml").write_text(
                f'configuration = "{name}"\nprovisioning = "{name}"\n[[phases]]\nname = "steady"\n'
                "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n"
            )
    opened = library(tmp_path / "lab")
    changes = since(opened, Choices(), Choices().with_input(MARGIN_PERCENT, 20.0))
    first = changes.compared.moves[0]
    assert {(move.before, move.after) for move in changes.compared.moves if move.key.kind == "verdict"} == {
        ("better", "same")
    }
    assert (first.key.kind, why(changes, first)) == ("verdict", "margin 5 % → 20 %")
    assert changes.compared.moved("figure") == 0
    cells = [cell.text for cell in change_tables(changes)[0].rows[0]]
    assert cells[:2] == ["verdict", "PVS vs. MCS"]


def test_that_a_save_without_figures_is_compared_with_the_current_files_and_this_is_reported(
    lab: Path, snapshot: SnapshotAssertion
) -> None:
    opened = library(lab)
    changes = changes_since(Before(Choices()), opened, files(opened), [Choices()])
    assert changes.unkept
    assert notes(changes)[0] == snapshot


def kept(values: Sequence[tuple[str, float]], **facts: object) -> KeptFigures:
    """One run with one phase."""
    run = SavedRun("lab/r1", "r1", "MCS", None, (SavedPhase("steady", dict(values)),))
    return KeptFigures({}, (replace(SavedStudy("lab", "lab", (run,), (), (), ()), **facts),))  # type: ignore[arg-type]


def test_that_an_added_or_removed_value_has_no_difference_and_is_never_0() -> None:
    one, other = kept([("iops", 5.0), ("cpu_percent", 40.0)]), kept([("iops", 5.0), ("read_latency_ms", 0.0)])
    gone, new = sorted(compared(one, other).moves, key=lambda move: move.key.measure)
    assert (gone.before, gone.after, gone.difference, gone.percent) == (40.0, None, None, None)
    assert (new.before, new.after, new.difference, new.percent) == (None, 0.0, None, None)


def test_that_a_change_from_0_has_a_difference_and_no_percent() -> None:
    (move,) = compared(kept([("iops", 0.0)]), kept([("iops", 3.0)])).moves
    assert (move.difference, move.percent) == (3.0, None)


def test_that_a_share_differs_in_points() -> None:
    (move,) = compared(kept([("cpu_percent", 40.0)]), kept([("cpu_percent", 50.0)])).moves
    assert (move.difference, move.percent, move.unit) == (10.0, None, "pp")


def test_that_the_order_of_adding_is_not_a_move() -> None:
    assert compared(kept([("iops", 0.1 + 0.2)]), kept([("iops", 0.3)])).moves == ()


def test_that_figures_that_were_not_saved_are_not_compared_and_are_named() -> None:
    laid = compared(kept([("iops", 1.0)], verdicts=None), kept([("iops", 1.0)]))
    assert laid.moves == ()
    assert laid.unknown == {("verdict", "lab")}


def sentence(text: str, strength: str = "", edited: bool = False) -> KeptFigures:
    return kept([], findings=(KeptSentence("lab/compare", text, strength, edited),))


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (sentence("A cuts it by 9\u2009%"), sentence("'A' reduces it by 9\u2009%"), False),
        (sentence("A cuts it by 9 %"), sentence("A cuts it by 9 %", "strong"), False),  # an earlier version
        (sentence("A cuts it by 9 %"), sentence("A cuts it by 8 %"), True),
        (sentence("A cuts it by 9 %"), sentence("A cuts it by 9 ms"), True),
        (sentence("A cuts it by 9 %"), sentence("A raises it by 9 %"), True),
        (sentence("A cuts it", "strong"), sentence("A cuts it", "indicative"), True),
        (sentence("Mine", edited=True), sentence("Mine too", edited=True), True),
        (sentence("A cuts it"), sentence("Mine", edited=True), True),
        (sentence("Mine"), sentence("Mine", edited=True), False),
    ],
)
def test_that_a_finding_moves_with_its_values_strength_or_the_words_of_the_user(
    before: KeptFigures, after: KeptFigures, moved: bool
) -> None:
    moves = compared(before, after).moves
    assert len(moves) == moved
    assert all(isinstance(move.before, str) and move.before != move.after for move in moves)


def test_that_a_file_with_the_earlier_fingerprint_names_no_changed_definitions(lab: Path) -> None:
    opened = library(lab)
    now = figures_of(opened, Choices(), {})
    kept_rules = {key: rule for key, rule in now.rules.items() if key not in (CATALOGUE, CONSTANTS)}
    earlier = replace(now, rules=kept_rules | {"measures": "0badcafe", "sizing": "0badcafe"})
    assert outside_causes(earlier, now, {}, {}) == ()


def test_that_changed_definitions_are_named(lab: Path) -> None:
    now = figures_of(library(lab), Choices(), {})
    before = replace(now, rules=now.rules | {CATALOGUE: "0badcafe"})
    (cause,) = outside_causes(before, now, {}, {})
    assert cause.words == "definition of metrics changed"


def test_that_a_changed_wording_of_measures_and_constants_is_not_a_changed_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = rules_now()
    reworded = {key: replace(measure, computed="in other words") for key, measure in MEASURES.items()}
    monkeypatch.setattr("workbench.answers.changes.compute.MEASURES", reworded)
    renamed = {key: replace(one, label="x", source="y", group="z") for key, one in constants().items()}
    monkeypatch.setattr("workbench.answers.changes.compute.constants", lambda: renamed)
    assert rules_now() == before
    monkeypatch.setattr(
        "workbench.answers.changes.compute.MEASURES", {key: replace(m, unit="x") for key, m in MEASURES.items()}
    )
    other = {key: replace(one, value=1.5) for key, one in constants().items()}
    monkeypatch.setattr("workbench.answers.changes.compute.constants", lambda: other)
    assert {key for key, rule in rules_now().items() if rule != before[key]} == {CATALOGUE, CONSTANTS}


@pytest.mark.parametrize("key", ["benchmarks.family", "benchmarks.sweep", "trend.measure", "vsimax.base_ms"])
def test_that_a_choice_is_shown_without_its_key(key: str) -> None:
    (step,) = steps((Choices(), Choices().with_input(key, "4KiB")), {})
    assert key not in step.words
    assert "_" not in step.words
    assert step.words.endswith("→ 4KiB")


@pytest.mark.parametrize(
    ("measure", "before", "after"),
    [
        ("total_io", 12_341.0, 12_344.0),
        ("iops", 105.1, 105.4),
        ("iops", 7.4, 7.4 + 1e-6),
        ("cpu_percent", 40.01, 40.02),
        ("duration_s", 1_800.1, 1_800.4),
    ],
)
def test_that_before_and_after_never_look_equal(measure: str, before: float, after: float) -> None:
    laid = compared(kept([(measure, before)]), kept([(measure, after)]))
    (row,) = rows_of(Changes(laid, {move.key: Because(()) for move in laid.moves}, {}))
    assert row.before != row.after
    assert len(row.before) <= len(str(after)) + 6


def test_that_all_figures_of_a_state_include_its_findings_unless_they_are_excluded(lab: Path) -> None:
    opened = library(lab)
    whole, (without,) = (
        figures_of(opened, Choices(), {}),
        figures_of(opened, Choices(), {}, with_findings=False).studies,
    )
    (study,) = whole.studies
    assert study.findings
    assert replace(study, findings=None) == without
