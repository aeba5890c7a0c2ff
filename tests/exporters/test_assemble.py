"""From the requested parts to the export job: pages, views, phase, baseline, omitted parts."""

from pathlib import Path

import pytest
from polars.exceptions import PanicException

from tests.answers.common import test_listing as many
from tests.exporters.jobs import library_of
from tests.exporters.studies import replicate_study
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.registry import PAGES
from workbench.exporters.assemble import job_of
from workbench.exporters.contents import contents, page_keys
from workbench.exporters.document.making import document_of
from workbench.exporters.document.slides import finding_content
from workbench.exporters.preview import preview
from workbench.exporters.safe_file import NEXT, ExportError
from workbench.exporters.wanted import Wanted
from workbench.model.phase import BOOT
from workbench.session.state import State

PNG = Path("a.png")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return library_of(replicate_study(tmp_path_factory.mktemp("pages")))


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    studies = [replicate_study(folder / name, name) for name in ("lab-a", "lab-b")]
    return library_of(*studies)


def test_that_every_view_of_every_page_is_written_or_named(library):
    found = contents(library, State())
    every = {(spec.key, view) for spec in PAGES for view, _ in spec.views or (("", ""),)}
    kept = {(part.page, part.view) for part in found.parts}
    assert kept <= every
    written = [spec for spec in PAGES if spec.own_view != ""]
    pages_out = {spec.name for spec in written if all((spec.key, v) not in kept for v, _ in spec.views or (("", ""),))}
    for name in pages_out:
        assert any(told.startswith(f"“{name}") for told in found.left_out), name
    assert not [part for part in found.parts if part.content.empty]


def test_that_a_section_is_the_answer_of_its_page(library):
    (part,) = contents(library, State(), ("cache:filling",)).parts
    spec = next(one for one in PAGES if one.key == "cache")
    shown = spec.answer(library, State(page="cache").with_page_view("cache", "filling"))
    assert (part.key, part.name) == ("cache:filling", "Cache, filling")
    assert part.content.question == shown.question
    assert part.content.caption == shown.caption
    assert part.content.cards == shown.cards


def test_that_each_study_has_its_pages_and_shared_content_is_shown_once(two):
    found = contents(two, State(), ("overview", "import-report"))
    assert [(part.study, part.page) for part in found.parts] == [
        ("lab-a", "overview"),
        ("lab-b", "overview"),
        ("", "import-report"),
    ]
    assert found.parts[0].name == "lab-a: Overview"


def test_that_the_current_page_is_written_as_shown(library):
    state = State(page="cache", phase=BOOT).with_page_view("cache", "filling")
    job = job_of(library, state, Wanted(PNG, "page"))
    assert [part.key for part in job.parts] == ["cache:filling"]
    assert not job.whole


def test_that_saved_views_are_written_under_their_names_and_with_their_zoom(library):
    state = State(page="per-vm-iops", phase=BOOT)
    view = state.saved_view("The boot storm", (60.0, 120.0))
    job = job_of(library, State(views=(view,)), Wanted(PNG, "views"))
    (part,) = job.parts
    assert (part.name, part.span) == ("The boot storm", (60.0, 120.0))
    assert {panel.x.limits for panel in part.content.figure.panels} == {(60.0, 120.0)}
    with pytest.raises(ExportError, match="no saved views"):
        job_of(library, State(), Wanted(PNG, "views"))


@pytest.mark.parametrize("error", [ZeroDivisionError, PanicException])
def test_that_a_page_that_fails_is_named_and_the_others_are_written(library, monkeypatch, error):
    def fails(_library, _state):
        raise error("division by zero")

    spec = next(one for one in PAGES if one.key == "compare")
    monkeypatch.setattr("workbench.exporters.contents.PAGES", (PAGES[0], type(spec)("compare", "Compare", fails)))
    found = contents(library, State())
    assert [part.page for part in found.parts] == ["overview"]
    why = f"It could not be computed ({error.__name__}: division by zero)"
    assert found.left_out == (f"“Compare” is omitted. {why}. {NEXT}",)


def test_that_failed_evidence_affects_only_its_slide_and_is_named(library, monkeypatch):
    def fails(_library, _state):
        raise ZeroDivisionError("division by zero")

    pages = tuple(type(one)(one.key, one.name, fails) if one.key == "sizing" else one for one in PAGES)
    before = document_of(library, State(), Wanted(Path("a.pptx"), what="findings"))
    monkeypatch.setattr("workbench.exporters.document.slides.PAGES", pages)
    document = document_of(library, State(), Wanted(Path("a.pptx"), what="findings"))
    lost = {slide.title for slide in before.all_slides} - {slide.title for slide in document.all_slides}
    assert lost
    assert all(slide.figure is not None or slide.tables for slide in document.all_slides)
    sentences = [
        one for one in document.remarks if "could not be computed (ZeroDivisionError: division by zero)." in one
    ]
    assert len(sentences) == len(lost)


def test_that_everything_is_compared_with_the_requested_baseline(library):
    job = job_of(library, State(), Wanted(PNG, only=("compare:metric",), baseline="MCSIO 512 MB"))
    chosen = next(one for one in job.parts[0].content.inputs if one.key == "compare.baseline")
    assert chosen.value == "MCSIO 512 MB"
    assert {one.run.configuration.name for one in job.figures if one.run.baseline_by} == {"MCSIO 512 MB"}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"only": ("overwiev",)}, "There is no page or view 'overwiev'. Choose from: overview, "),
        ({"phase": "lunch"}, "There is no phase 'lunch'. Valid phases: boot, steady, whole run"),
        ({"baseline": "VMware"}, "No configuration is called 'VMware'. Valid names: 'MCS', 'MCSIO 512 MB'"),
    ],
)
def test_that_an_unknown_name_is_reported_with_the_existing_names(library, wanted, said):
    with pytest.raises(ExportError) as refused:
        job_of(library, State(), Wanted(PNG, **wanted))
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("phase", ["Boot", "boot", "BOOT"])
def test_that_phase_names_ignore_case(library, phase):
    job = job_of(library, State(), Wanted(PNG, only=("overview",), phase=phase))
    assert any("during boot" in line for line in job.parts[0].content.method)


def test_that_every_accepted_key_belongs_to_a_page(library):
    for key in page_keys():
        found = contents(library, State(), (key,))
        assert found.parts or found.left_out, key


def test_that_the_preview_gives_the_reason_for_an_empty_export(library, snapshot):
    found = preview(library, State(), Wanted(PNG, "views"))
    assert (found.entries, found.refused.startswith("There are no saved views")) == ((), True)
    found = preview(library, State(), Wanted(PNG, only=("benchmarks",)))
    assert found.entries == ()
    assert found.left_out == snapshot


def test_that_the_preview_counts_the_rows_of_data(library, snapshot):
    (table,) = preview(library, State(), Wanted(Path("a.csv"))).entries
    assert table.about == snapshot
    (samples,) = preview(library, State(), Wanted(Path("a.parquet"))).entries
    assert samples.about == snapshot


def test_that_a_chart_of_some_configurations_says_so_and_is_named(tmp_path, snapshot):
    found = contents(many.library_of(many.many_runs(tmp_path)), State(), ("overview",))
    assert found.left_out == snapshot
    assert found.parts[0].content.caption == "Shown: 6 of 14 configurations"


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_that_files_of_data_have_every_configuration(ending, tmp_path):
    state = State().with_input("configurations.filter", "13")
    job = job_of(many.library_of(many.many_runs(tmp_path)), state, Wanted(Path(f"a{ending}"), only=("overview",)))
    assert len(job.parts[0].content.figure.panels[0].x.categories) == 14
    assert not [told for told in job.left_out if "configurations" in told]


def test_that_the_evidence_of_a_finding_draws_its_configuration_among_many(tmp_path):
    finding = Finding(
        "k", "t", "change", Strength.STRONG, "compare", phase="steady", configuration="MCS 9", view="metric"
    )
    state = State().with_input("configurations.filter", "13")
    content = finding_content(finding, many.library_of(many.many_runs(tmp_path)), state)
    assert content.figure.panels[0].x.categories == ("MCS 9",)
