"""The document of a storyboard: the same for slides, page, report, workbook and a presentation."""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pptx import Presentation
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.jobs import exported, library_of
from tests.samples import SAMPLE, sample
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import FindingRef, SlideWords, Storyboard, StorySlide, Switches
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.page import kept_findings
from workbench.answers.logons.session_logons import session_logons
from workbench.answers.storyboard.answer import REASON
from workbench.answers.storyboard.compute import LOST, shown_story
from workbench.charts.figure import Bars, Look
from workbench.charts.palette import colour
from workbench.console.loading import load_studies
from workbench.exporters.anonymous import with_names
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.making import document_of
from workbench.exporters.wanted import Face, Wanted
from workbench.session.state import State
from workbench.study.store.column_store import default_store
from workbench.words.numbers import MISSING

PPTX = Path("a.pptx")
# A study: cover, agenda, summary, seven slides, method, limits.
MOST = 12


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample(SWEEP)


@pytest.fixture(scope="module")
def deck() -> Path:
    return sample_document(SWEEP, "pptx")


def told(library: Library, state: State | None = None, **wanted: object) -> Document:
    return document_of(library, state or State(), Wanted(PPTX, **{"length": "full", **wanted}))  # type: ignore[arg-type]


def findings(document: Document) -> list[Slide]:
    """The slides of the storyboard, without the answer, the limits and the cost before them."""
    return [slide for slide in document.slides if not slide.part]


def edited(library: Library, slide: StorySlide) -> State:
    """The default storyboard with one slide in the place of its first."""
    board = shown_story(library, State()).storyboard
    return State(storyboard=replace(board, slides=(slide, *board.slides[1:])))


def logo(folder: Path) -> Path:
    """A picture of one pixel."""
    row = zlib.compress(b"\0\0\0\0")
    chunks = ((b"IHDR", struct.pack(">2I5B", 1, 1, 8, 2, 0, 0, 0)), (b"IDAT", row), (b"IEND", b""))
    held = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    place = folder / "logo.png"
    place.write_bytes(b"\x89PNG\r\n\x1a\n" + held)
    return place


def texts(path: Path) -> list[str]:
    """All words of each slide."""
    slides = Presentation(str(path)).slides
    return ["\n".join(s.text_frame.text for s in slide.shapes if s.has_text_frame) for slide in slides]


def test_that_a_study_is_shown_by_at_most_twelve_slides_and_an_appendix(
    deck: Path, snapshot: SnapshotAssertion
) -> None:
    slides = texts(deck)
    appendix = [at for at, words in enumerate(slides) if "\nAppendix. " in f"\n{words}"]
    assert appendix == list(range(MOST, len(slides)))
    heads = [words.split("\n")[0] for words in slides]
    assert heads[1] == "Agenda"
    assert heads[10:12] == snapshot


@pytest.mark.parametrize("name", ["rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "storage-benchmarks"])
def test_that_a_brief_has_six_slides_and_a_review_at_most_twelve(name: str) -> None:
    library = sample(name)
    brief, review = told(library, length="brief"), told(library, length="review")
    # In addition to the cover and the method.
    assert len(brief.all_slides) + 2 <= 6
    assert len(review.all_slides) + 2 <= MOST
    assert brief.slides[0].facts == review.slides[0].facts != ()
    for slide in (*brief.all_slides, *review.all_slides):
        assert slide.figure is not None or slide.tables


def test_that_no_chart_of_a_review_is_shown_twice(sweep: Library) -> None:
    charts = [
        (panel.title, panel.y.label, tuple(mark.name for mark in panel.marks))
        for slide in told(sweep, length="review").slides
        if slide.figure is not None
        for panel in slide.figure.panels
    ]
    assert len(charts) == len(set(charts)) > 5


def test_that_the_first_slide_has_a_value_axis_and_the_cost_of_the_recommended_configuration() -> None:
    path = sample_document(SWEEP, "pptx", "brief")
    deck = Presentation(str(path))
    assert len(deck.slides) == 6
    answer = deck.slides[1]
    (chart,) = [shape.chart for shape in answer.shapes if shape.has_chart]
    assert chart.value_axis.visible
    words = texts(path)[1]
    # By hand: the sizing plan of the sample for 500 users.
    assert all(count in words for count in ("MCSIO 4 GB", "5 disks", "7 hosts", "136", "104 disks"))
    spoken = answer.notes_slide.notes_text_frame.text.split("————")[0].split()
    assert 5 < len(spoken) <= 80


def test_that_studies_of_single_runs_and_of_benchmarks_give_measured_values_and_mention_one_run_each() -> None:
    for name, number, runs in (
        ("windows-7-mcs-and-pvs", "98.6", "one run each"),
        ("storage-benchmarks", "15\u2009670", "one run per step"),
    ):
        answer = told(sample(name), length="brief").slides[0]
        assert number in answer.title
        assert runs in answer.title
        assert answer.figure is not None


def test_that_the_cover_lists_every_study_and_each_begins_with_its_name() -> None:
    library = sample("windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache")
    document = told(library, length="review")
    names = [study.name for study in library.studies]
    assert all(name in document.subtitle for name in names)
    assert [slide.title for slide in document.slides if slide.part == "divider"] == names


def test_that_every_slide_before_the_appendix_has_a_chart_and_one_shows_the_exceeded_limits(
    sweep: Library, deck: Path
) -> None:
    slides = list(Presentation(str(deck)).slides)
    charts = [slide for slide in slides if any(shape.has_chart or shape.has_table for shape in slide.shapes)]
    assert len(charts) == len(told(sweep).all_slides) == len({slide.title for slide in told(sweep).all_slides})
    assert sum("the others together fail 3 of 4 limits" in slide.shapes.title.text for slide in charts) == 1


def test_that_the_slide_highlights_what_its_findings_mention_in_each_phase(sweep: Library) -> None:
    first, other = told(sweep).slides[0], findings(told(sweep))[0]
    assert first.figure is not None
    assert other.figure is not None
    assert [panel.title for panel in first.figure.panels] == ["Steady state"]
    assert [panel.title for panel in other.figure.panels] == ["Logon", "Boot"]
    bars = [mark for mark in first.figure.panels[0].marks if isinstance(mark, Bars)]
    assert [(bar.name, bar.emphasis) for bar in bars] == [
        ("MCS", "baseline"),
        ("MCSIO 256 MB", "others"),
        ("MCSIO 512 MB", "others"),
        ("MCSIO 1 GB", "others"),
        ("MCSIO 4 GB", "all"),
    ]
    # By hand: 15 VMs with 105 I/O a second each under MCS, and 7 % of them with a cache of 4 GB.
    assert [bars[0].values[0], bars[4].values[4]] == pytest.approx([105.0, 7.35], rel=0.005)


def test_that_the_highlight_is_off_if_the_user_switched_it_off(sweep: Library) -> None:
    slide = replace(shown_story(sweep, State()).storyboard.slides[0], switches=Switches(claim=False))
    figure = findings(told(sweep, edited(sweep, slide)))[0].figure
    assert figure is not None
    assert {mark.emphasis for panel in figure.panels for mark in panel.marks if isinstance(mark, Bars)} == {"all"}


def test_that_the_baseline_is_dimmed_like_others_if_its_highlight_is_off(sweep: Library) -> None:
    slide = replace(shown_story(sweep, State()).storyboard.slides[0], switches=Switches(baseline=False))
    figure = findings(told(sweep, edited(sweep, slide)))[0].figure
    assert figure is not None
    bars = [mark for mark in figure.panels[0].marks if isinstance(mark, Bars)]
    assert [bar.emphasis for bar in bars] == ["others"] * 4 + ["all"]


def test_that_the_chart_of_a_slide_dims_the_bars_that_the_finding_does_not_mention(deck: Path) -> None:
    chart = next(shape.chart for shape in Presentation(str(deck)).slides[2].shapes if shape.has_chart)
    fills = [str(chart.plots[0].series[0].points[at].format.fill.fore_color.rgb) for at in range(5)]
    # By hand: 42 % of #0072B2 on white; the claimed bar in its full colour, the darkest of MCSIO.
    assert fills[0] == "94C4DF"
    assert fills[4] == colour(Look("MCSIO", 1.0), "light")[1:].upper()
    assert len(set(fills)) == 5


def test_that_texts_and_notes_of_the_user_are_on_the_slide(sweep: Library, tmp_path: Path) -> None:
    first = shown_story(sweep, State()).storyboard.slides[0]
    slide = replace(first, words=SlideWords("A cache in RAM pays"), notes="Say it slowly.")
    exported(sweep, tmp_path / "a.pptx", edited(sweep, slide))
    written = Presentation(str(tmp_path / "a.pptx")).slides[3]
    assert written.shapes.title.text_frame.text == "A cache in RAM pays"
    notes = written.notes_slide.notes_text_frame.text
    assert notes.startswith("Say it slowly.\n————\n")
    assert "Full headline: 'MCSIO 4 GB' cuts" in notes


def test_that_an_unknown_finding_is_named_and_affects_only_its_slide(sweep: Library) -> None:
    gone = StorySlide("gone", shown_story(sweep, State()).storyboard.slides[0].study, (FindingRef("gone"),))
    found = told(sweep, edited(sweep, gone))
    kept = [slide.key for slide in shown_story(sweep, State()).storyboard.slides[1:] if not slide.appendix]
    assert [slide.key for slide in findings(found)] == kept
    assert LOST in found.remarks


def test_that_saved_views_and_pages_and_texts_are_slides_in_the_order_of_the_user(sweep: Library) -> None:
    view = State(page="cache").with_page_view("cache", "filling").saved_view("How they fill")
    board = Storyboard(
        (
            StorySlide("w", words=SlideWords("What we did")),
            StorySlide("p", page="compare"),
            StorySlide("v", view="How they fill"),
            StorySlide("x", page="no-such-page"),
        ),
        "The review",
    )
    found = told(sweep, State(storyboard=board, views=(view,)))
    shown = [(slide.key, slide.figure is not None) for slide in findings(found)]
    assert shown == [("w", False), ("p", True), ("v", True)]
    assert found.title == "The review"
    assert [remark for remark in found.remarks if "is omitted. It has neither a chart nor a table." in remark]


def test_that_the_cover_has_customer_and_author_and_date(sweep: Library, tmp_path: Path) -> None:
    face = Face("The review", "Acme", "A. Tester", logo(tmp_path))
    written = exported(sweep, tmp_path / "a.pptx", face=face)
    deck = Presentation(str(tmp_path / "a.pptx"))
    cover = deck.slides[0]
    words = "\n".join(shape.text_frame.text for shape in cover.shapes if shape.has_text_frame)
    assert words.startswith("The review\nAcme · A. Tester · 20")
    (picture,) = [shape for shape in cover.shapes if shape.shape_type == 13]
    assert picture.left + picture.width < deck.slide_width
    assert deck.core_properties.author == "A. Tester"
    assert not [line for line in written.left_out if line.startswith("The logo")]


def test_that_a_logo_that_is_not_a_picture_is_named_and_the_slides_are_written(sweep: Library, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_text("no picture", encoding="utf-8")
    written = exported(sweep, tmp_path / "a.pptx", face=Face(logo=tmp_path / "logo.png"))
    assert any(line.startswith("The logo logo.png is omitted. It is not a .png or .jpg") for line in written.left_out)


def test_that_problems_and_caveats_that_repeat_are_one_line_with_a_count(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    library = sample("windows-7-mcs-and-pvs")
    limits = told(library).limits
    leads = [slide.findings[0] for slide in shown_story(library, State()).slides if slide.findings]
    assert len(limits) == len(set(limits)) < sum(len(finding.caveats) for finding in leads)
    assert limits[0] == snapshot
    assert not any("README" in line for line in limits)


def test_that_names_are_replaced_on_every_slide_and_the_cover_has_no_names(sweep: Library, tmp_path: Path) -> None:
    request = Wanted(tmp_path / "a.pptx", anonymise=True, face=Face("Acme's review", "Acme", "A. Tester"))
    slide = StorySlide("w", words=SlideWords("Look at RDS-001"), notes="Ask for RDS-001")
    state = State(storyboard=Storyboard((slide,)))
    machine = next(
        series.vm for run in sweep.studies[0].runs for rec in run.recordings for series in rec.series if series.vm
    )
    words = SlideWords(f"Look at {machine}")
    state = replace(state, storyboard=Storyboard((replace(slide, words=words, notes=f"Ask for {machine}"),)))
    names = with_names(request, sweep.studies, state).names
    exported(sweep, tmp_path / "a.pptx", state, names=names, face=request.face)
    deck = Presentation(str(tmp_path / "a.pptx"))
    notes = [slide.notes_slide.notes_text_frame.text for slide in deck.slides if slide.has_notes_slide]
    whole = "\n".join((*texts(tmp_path / "a.pptx"), *notes))
    assert machine not in whole
    assert "Acme" not in whole
    assert "Look at VM-" in whole


def test_that_the_fixed_texts_of_a_document_follow_its_language_and_names_stay() -> None:
    answer, *_, method, table = texts(sample_document(SWEEP, "pptx", "brief", "de"))[1:]
    assert {"Empfehlung", "Grund", "Hardware"} <= set(answer.split("\n"))
    assert answer.startswith("Empfohlen: MCSIO 4 GB")
    assert method.startswith("Methode")
    assert table.startswith("Alle Werte")


def test_that_every_document_counts_configurations_and_runs_once_and_in_the_same_way(sweep: Library) -> None:
    runs = [run for study in sweep.studies for run in study.runs if run.excluded is None]
    counts = {(str(len({run.configuration.name for run in runs})), str(len(runs)))}
    deck, page, notes = (sample_document(SWEEP, ending, "review") for ending in ("pptx", "html", "md"))
    whole = "\n".join(texts(deck)), page.read_text(encoding="utf-8"), notes.read_text(encoding="utf-8")
    for text in whole:
        assert set(re.findall(r"(\d+) configurations, (\d+) runs\b", text)) == counts


def test_that_an_interval_has_the_unit_of_its_value_and_a_verdict_its_configuration(sweep: Library) -> None:
    briefs = told(sweep, length="brief")
    facts = [fact for slide in briefs.slides for fact in slide.facts]
    (why,) = (fact for fact in facts if fact.label == REASON)
    assert re.search(r"\[−93\.2, −92\.8\]\s?%", why.note)
    (table,) = (slide.tables[0] for slide in briefs.appendix)
    heads = [column.title for column in table.columns]
    intervals = [row[heads.index("Interval of the change")].text for row in table.rows]
    assert [text for text in intervals if text != MISSING and not text.endswith("%")] == []
    (limits,) = (slide.tables[0] for slide in briefs.slides if slide.part == "limits")
    names = {group.label for group in sweep.groups(State()) if group.runs}
    assert {column.title for column in limits.columns[1:]} == names


def test_that_inconclusive_findings_are_one_line_with_their_count() -> None:
    library = sample(SWEEP)
    findings = kept_findings(library, State(study=library.studies[0].folder))
    undecided = [finding for finding in findings if finding.strength is Strength.INCONCLUSIVE]
    document = told(library)
    assert sum(f"{len(undecided)} findings are inconclusive." in line for line in document.limits) == 1
    shown = [finding for slide in shown_story(library, State()).slides for finding in slide.findings]
    assert shown
    assert not {finding.key for finding in undecided} & {finding.key for finding in shown}


@pytest.fixture
def counters(tmp_path: Path) -> Library:
    """Two files with counters of a host, and without data for IOPS, phases or logons."""
    for name in ("monday", "tuesday"):
        counter = rf"\\HOST-1\Some Object(_Total)\{name.capitalize()} Count"
        perfmon_csv(tmp_path / "host" / f"{name}.csv", {counter: [1.0, 3.0, 2.0, 4.0] * 6})
    return library_of(*load_studies([tmp_path / "host"], default_store()))


@pytest.mark.parametrize("length", ["brief", "review", "full"])
def test_that_a_folder_without_answers_shows_its_recordings(counters: Library, length: str) -> None:
    shown = told(counters, length=length).slides
    assert shown[0].facts
    assert [bool(slide.figure) for slide in shown[:2]] == [True, True]
    assert ["monday.csv" in shown[0].title, "tuesday.csv" in shown[1].title] == [True, True]
    # A table with only unknown values or only names has no slide.
    assert not any(slide.tables for slide in told(counters, length=length).all_slides)


def test_that_the_first_sheet_has_a_chart_of_the_recordings_if_no_page_has_one(tmp_path: Path) -> None:
    # Recordings of different days in one folder are excluded.
    for day in ("01", "02", "03"):
        counter = rf"\\HOST-1\Some Object(_Total)\Day {day} Count"
        perfmon_csv(
            tmp_path / "host" / f"{day}.csv", {counter: [1.0, 3.0, 2.0, 4.0] * 6}, start=f"05/{day}/2016 09:00:00.000"
        )
    library = library_of(*load_studies([tmp_path / "host"], default_store()))
    exported(library, tmp_path / "a.xlsx", length="review")
    book = load_workbook(tmp_path / "a.xlsx")
    assert len(book["Summary"]._charts) == 1
    assert book["Timeline"].sheet_state == "visible"
    assert len(book["Timeline"]._charts) == 3


def test_that_disk_and_cpu_of_a_file_are_shown_at_any_position_among_its_columns(tmp_path: Path) -> None:
    # Recordings of different days in one folder are excluded, so no page has a chart.
    for day in ("01", "02"):
        counters = (
            r"Memory\Available Bytes",
            r"Some Object(_Total)\Count",
            r"PhysicalDisk(0 C:)\Disk Reads/sec",
            r"Processor(0)\% Processor Time",
            r"Processor(_Total)\% Processor Time",
            r"PhysicalDisk(_Total)\Disk Reads/sec",
        )
        columns = {rf"\\HOST-1\{counter}": [1.0, 3.0, 2.0, 4.0] * 6 for counter in counters}
        perfmon_csv(tmp_path / "host" / f"{day}.csv", columns, start=f"05/{day}/2016 09:00:00.000")
    others = {r"\\HOST-1\Some Object(_Total)\Count": [1.0, 3.0, 2.0, 4.0] * 6}
    perfmon_csv(tmp_path / "host" / "00.csv", others, start="05/03/2016 09:00:00.000")
    shown = told(library_of(*load_studies([tmp_path / "host"], default_store())), length="brief").slides
    assert [slide.title.rpartition(": ")[2] for slide in shown[:3]] == ["01.csv", "02.csv", "00.csv"]
    figure = shown[0].figure
    assert figure is not None
    names = [mark.name for panel in figure.panels for mark in panel.marks]
    assert len(names) == 2, names
    assert ["Disk Reads/sec" in names[0], "% Processor Time" in names[1]] == [True, True], names
    assert not any("0 C:" in name or "(0)" in name for name in names), names


@pytest.mark.parametrize("length", ["brief", "review", "full"])
def test_that_benchmarks_without_a_finding_have_slides_with_charts(tmp_path: Path, length: str) -> None:
    # No comparison is possible: one test of its kind, and no test of the raw disk.
    source = SAMPLE / "storage-benchmarks" / "cache-disk_randwrite-4k_qd16x4.json"
    (tmp_path / "tests").mkdir()
    shutil.copy(source, tmp_path / "tests")
    library = library_of(*load_studies([tmp_path / "tests"], default_store()))
    assert not shown_story(library, State()).studies
    shown = told(library, length=length).slides
    assert [slide.part for slide in shown[:1]] == ["answer"]
    # The measured value comes first, and is charted alone.
    assert shown[0].title.startswith("Highest IOPS: 7")
    assert shown[0].figure is not None
    assert [panel.y.unit for panel in shown[0].figure.panels] == ["IOPS"]
    assert any(slide.tables for slide in told(library, length=length).all_slides)


def test_that_different_tests_have_the_highest_value_as_their_answer(tmp_path: Path) -> None:
    # Two files of one kind of test, without a raw disk: no card says which is the highest.
    names = ("cache-disk_randwrite-4k_qd16x4.json", "ram-cache_randwrite-4k_qd16x4.json")
    for at, name in enumerate(names):
        (tmp_path / "tests").mkdir(exist_ok=True)
        text = (SAMPLE / "storage-benchmarks" / name).read_text(encoding="utf-8")
        (tmp_path / "tests" / f"disk-{at}.json").write_text(text, encoding="utf-8")
    library = library_of(*load_studies([tmp_path / "tests"], default_store()))
    title = told(library, length="brief").slides[0].title
    assert "63\u2009870" in title, title


def test_that_no_disks_are_listed_if_no_load_was_measured() -> None:
    logons, sweep_ = told(sample("vdi-login-storm"), length="brief"), told(sample(SWEEP), length="brief")
    assert [column.title for column in logons.all_slides[-1].tables[0].columns] == [
        "Configuration",
        "Runs",
        "Logon time",
    ]
    assert {"Disks", "Hosts"} <= {column.title for column in sweep_.all_slides[-1].tables[0].columns}


def test_that_the_mean_logon_time_of_each_configuration_is_in_the_table_of_all_values() -> None:
    library = sample("vdi-login-storm")
    rows = told(library, length="brief").all_slides[-1].tables[0].rows
    times: dict[str, list[float]] = {}
    for run in library.studies[0].runs:
        times[run.configuration.name] = [one.logon_s for one in session_logons(run).logons if one.logon_s is not None]
    assert [row[2].value for row in rows] == [pytest.approx(sum(own) / len(own)) for own in times.values()]
