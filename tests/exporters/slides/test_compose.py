from dataclasses import replace

import numpy as np

from tests.exporters.slides.decks import cached, series_of, simple, written
from tests.exporters.studies import figures_of, replicate_study
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import StorySlide, Switches
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.storyboard.shown import ShownSlide
from workbench.charts.content import Content
from workbench.exporters.document.making import document_of, parts_document
from workbench.exporters.document.slides import content_slide, document_on, story_slide
from workbench.exporters.job import DocumentPart
from workbench.exporters.wanted import Wanted
from workbench.measures.statistics import Change
from workbench.session.state import State


def _study(tmp_path):
    study = replicate_study(tmp_path / "lab")
    return study, figures_of(study)


def _finding(figures, **more) -> Finding:
    folders = tuple(one.run.folder for one in figures if one.run.excluded is None)
    change = Change(0.069, -10.0, 0.064, 0.075, "interval", 3, 3)
    return Finding(
        "k",
        "It falls.",
        "compare",
        Strength.STRONG,
        phase="steady",
        runs=folders,
        figures=("iops_per_vm",),
        change=change,
        **more,
    )


def _slide(finding, figures, also=(), **more):
    shown = ShownSlide(StorySlide("k", **more), finding.text, findings=(finding,), also=also)
    return story_slide(shown, Content("", figure=simple()), {one.run.folder: one for one in figures}, False)


def test_that_the_evidence_line_names_runs_n_interval_and_phase_rule(tmp_path):
    _, figures = _study(tmp_path)
    slide = _slide(_finding(figures), figures)
    assert slide.title == "It falls."
    for text in (
        "3 runs of MCS and 1 run of 'MCSIO 512 MB'.",
        "95\u2009% interval of the change: −93.6\u2009% to −92.5\u2009%",
        "The evidence is strong",
        "Steady state: stated in run.toml",
        "I/O was measured in the guest",
    ):
        assert text in f"{slide.evidence} "


def test_that_a_single_run_is_named_next_to_the_value(tmp_path, snapshot):
    _, figures = _study(tmp_path)
    single = replace(_finding(figures), change=Change(0.5, -5, None, None, "single", 1, 1), strength=Strength.SINGLE)
    slide = _slide(single, figures)
    assert slide.evidence == snapshot


def test_that_the_notes_name_runs_and_formula_without_a_local_path(tmp_path):
    _, figures = _study(tmp_path)
    slide = _slide(_finding(figures, edited=True, generated="It fell."), figures)
    for text in ("(MCS), steady state 2016-05-10 08:05:00 to 2016-05-10 08:10:00 UTC", "IOPS per VM = ", "It fell."):
        assert text in slide.notes
    assert str(tmp_path) not in slide.notes
    assert slide.runs == tuple(one.run.folder for one in figures if one.run.excluded is None)


def test_that_the_notes_of_the_speaker_precede_the_sources(tmp_path):
    _, figures = _study(tmp_path)
    slide = _slide(_finding(figures), figures, ("Logon falls too.",), notes="Say it slowly.")
    assert slide.notes.startswith("Say it slowly.\nFull headline: It falls.\nOn the same chart:\n- Logon falls too.\n")


def test_that_a_source_line_that_is_switched_off_is_in_the_notes(tmp_path):
    _, figures = _study(tmp_path)
    slide = _slide(_finding(figures), figures, switches=Switches(source=False))
    assert slide.evidence == ""
    assert "3 runs of MCS" in slide.notes


def test_that_an_empty_page_gives_no_slide():
    empty = Content("Why?", empty="Nothing was measured.", figure=simple())
    assert content_slide("Cache", empty) is None
    assert content_slide("Cache", Content("Why?", "a caption", figure=simple())).title == "Why?"


def test_that_the_slides_count_included_runs_and_name_every_problem(tmp_path, snapshot):
    study, figures = _study(tmp_path)
    deck = document_on([study], figures, ())
    assert deck.title == "lab"
    assert deck.subtitle == snapshot
    assert study.problems[0] in deck.problems
    assert deck.method


def test_that_the_findings_of_a_study_are_written_with_the_figures_of_their_pages(tmp_path):
    study, figures = _study(tmp_path)
    library = Library((study,), {one.run.folder: one for one in figures})
    deck = document_of(library, State(), Wanted(tmp_path / "a.pptx"))
    found = written(tmp_path / "a.pptx", deck)
    assert deck.all_slides
    assert found.written.charts == len(found.charts()) > 0
    # MCS runs at (9 + 10 + 11 + ...)/3: reads 7, 8, 9 and writes 3, 4, 5 a VM; MCSIO at 0.75.
    values = [
        value
        for chart in found.charts()
        for one in series_of(chart).values()
        for value in cached(one, "val" if one.find("{*}val") is not None else "yVal")
    ]
    assert np.isclose(values, 0.75, rtol=1e-9).any()
    assert np.isclose(values, 12.0, rtol=1e-9).any()


def test_that_pages_become_slides_and_those_without_a_chart_are_named(tmp_path, snapshot):
    study, figures = _study(tmp_path)
    library = Library((study,), {one.run.folder: one for one in figures})
    parts = [
        DocumentPart("a", "", "Overview", Content("Why?", figure=simple())),
        DocumentPart("b", "", "Import report", Content("What?")),
    ]
    deck, left_out = parts_document(library, State(), parts, Wanted(tmp_path / "a.pptx"))
    assert [slide.title for slide in deck.slides] == ["Why?"]
    assert left_out == snapshot


def test_that_a_single_configuration_and_a_single_run_are_counted_as_such(tmp_path, snapshot):
    study, figures = _study(tmp_path)
    deck = document_on([replace(study, runs=study.runs[:1])], figures[:1], ())
    assert deck.subtitle == snapshot
