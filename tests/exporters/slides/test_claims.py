"""The highlight of a finding on its slide: bracket, numbers in the digits of the sentence, and the axis."""

from dataclasses import replace

import numpy as np
import pytest
from pptx.util import Inches

from tests.exporters.slides.decks import Reopened, written
from workbench.answers.common.storyboard import Switches
from workbench.charts.claim import BarClaim, ClaimBar, TimeClaim, TimeRow
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.exporters.claim_plan import PlotRoom, Words, bar_formats, claim_plan, number_format
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.lengths import DIVIDER
from workbench.exporters.texts import line_count

MCS, MCSIO = Look("MCS"), Look("MCSIO", 1.0)
CLAIM = BarClaim(
    (ClaimBar("MCS", MCS, 105.0, "105"), ClaimBar("1 GB", MCSIO, 24.2, "24.2"), ClaimBar("4 GB", MCSIO, 7.35, "7.35")),
    claimed=2,
    baseline=0,
    change="−93.0 %",
    ends="[−93.2, −92.8]",
    low=105 * 0.068,
    high=105 * 0.072,
)


def _figure(claim: BarClaim | TimeClaim) -> Figure:
    bars = claim.bars if isinstance(claim, BarClaim) else claim.rows
    names = tuple(bar.label for bar in bars)
    values = [bar.value if isinstance(bar, ClaimBar) else bar.held_s / 60 for bar in bars]
    marks = [
        Bars(name, np.where(np.arange(len(names)) == at, value, np.nan).astype(float), bars[at].look, stack="story")
        for at, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    if isinstance(claim, BarClaim) and any(bar.above for bar in claim.bars):
        above = np.array([bar.above or np.nan for bar in claim.bars])
        marks.append(Bars("cache disk", above, Look("quiet"), stack="story", outlined=True))
    axis = Axis("IOPS per VM", "IOPS") if isinstance(claim, BarClaim) else Axis("Time", "min")
    return Figure("story-x", "?", "IOPS", (Panel("", Axis("", categories=names), axis, tuple(marks), legend=False),))


def _slide(tmp_path, claim=CLAIM, **switches):
    made = Slide("A.", _figure(claim), claims=(claim,), switches=Switches(**switches), of_story=True)
    return written(tmp_path / "a.pptx", Document("Study", "", (made,))).slides[2]


def _chart(slide):
    return next(shape for shape in slide.shapes if shape.has_chart)


def _group(slide):
    return next((shape for shape in slide.shapes if shape.shape_type == 6), None)


def _words(slide) -> list[str]:
    group = _group(slide)
    return [] if group is None else [s.text_frame.text for s in group.shapes if s.has_text_frame and s.text_frame.text]


def _y(slide, value: float) -> float:
    """The position of a value on the slide, from the layout and axis of the chart."""
    frame = _chart(slide)
    layout = frame.chart._chartSpace.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    top, tall = (float(layout.find(f"{{*}}{name}").get("val")) for name in "yh")
    share = value / frame.chart.value_axis.maximum_scale
    return frame.top + frame.height * (top + tall * (1 - share))


def test_that_the_bracket_goes_from_the_bar_of_the_baseline_to_the_claimed_bar(tmp_path):
    slide = _slide(tmp_path)
    upright = [shape for shape in _group(slide).shapes if shape.shape_type == 9 and shape.width == 0]
    (bracket,) = upright
    assert bracket.top == pytest.approx(_y(slide, 105.0), abs=Inches(0.01))
    assert bracket.top + bracket.height == pytest.approx(_y(slide, 7.35), abs=Inches(0.01))
    assert _words(slide) == ["−93.0 %", "[−93.2,\u00a0−92.8]"]


def test_that_bracket_and_axis_follow_their_switches(tmp_path):
    assert not _chart(_slide(tmp_path, value_axis=False)).chart.value_axis.visible
    bare = _slide(tmp_path, bracket=False)
    assert _words(bare) == []
    assert _chart(bare).chart.value_axis.visible
    assert _chart(bare).chart.value_axis.has_major_gridlines


def test_that_numbers_at_bars_have_the_digits_of_the_sentence(tmp_path):
    labels = _chart(_slide(tmp_path)).chart._chartSpace.findall(".//{*}dLbl")
    codes = [label.find("{*}numFmt").get("formatCode") for label in labels]
    bold = [label.find(".//{*}defRPr").get("b") for label in labels]
    assert codes == ["#,##0", "#,##0.0", "#,##0.00"]
    assert bold == ["1", "0", "1"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("0.150", "#,##0.000"),
        ("15\u202f669", "#,##0"),
        ("35.1\u202f%", '#,##0.0"\u202f%"'),
        ("16:47 min", "General"),
        ("63\u202f%", '#,##0"\u202f%"'),
    ],
)
def test_that_the_number_format_shows_numbers_as_in_the_text(words, code):
    assert number_format(words, "General") == code


def test_that_a_stack_has_an_outline_and_its_total_and_the_claimed_part_in_the_text(tmp_path):
    bars = (CLAIM.bars[0], replace(CLAIM.bars[2], above=30.0, stack_words="37.4"))
    slide = _slide(tmp_path, replace(CLAIM, bars=bars, claimed=1, outlined="cache disk"))
    assert {"105", "37.4", "7.35", "−93.0 %"} <= set(_words(slide))
    space = _chart(slide).chart._chartSpace
    assert not list(space.iter("{*}pattFill")), "hatching means not measured"
    widths = [int(line.get("w")) for point in space.iter("{*}dPt") for line in point.iter("{*}ln") if line.get("w")]
    assert widths
    assert min(widths) >= 12_700, "an outline of a point or more"


def test_that_times_have_their_unit_at_the_bars_and_an_axis(tmp_path):
    rows = (TimeRow("1 GB", MCSIO, 600.0, 3600.0, True, "10 min"), TimeRow("4 GB", MCSIO, 3600.0, 3600.0, False, "-"))
    chart = _chart(_slide(tmp_path, TimeClaim(rows, 1, (), 3600.0, ("0", "", "1 h")))).chart
    assert chart.value_axis.visible
    assert chart.plots[0].series[0].data_labels.number_format.endswith('"\u202fmin"')
    told = [chart.plots[0].series[0].points[at].data_label.text_frame.text for at in range(2)]
    assert told == ["10 min", "-"]


def test_that_one_time_in_minutes_makes_all_numbers_plain():
    seconds = [
        replace(bar, words=words)
        for bar, words in zip(CLAIM.bars, ("90\u202fs", "16:00 min", "29\u202fs"), strict=True)
    ]
    assert bar_formats(replace(CLAIM, bars=tuple(seconds)), "#,##0") == ["#,##0"] * 3


def test_that_charts_side_by_side_have_one_scale_and_one_height(tmp_path):
    tall = replace(CLAIM, bars=tuple(replace(bar, label=f"{bar.label} of a longer name of it") for bar in CLAIM.bars))
    claims = (CLAIM, tall)
    panels = [replace(_figure(claim).panels[0], column=at) for at, claim in enumerate(claims)]
    figure = replace(_figure(CLAIM), panels=tuple(panels))
    made = Slide("A.", figure, claims=claims, of_story=True)
    slide = written(tmp_path / "a.pptx", Document("Study", "", (made,))).slides[2]
    charts = [shape.chart for shape in slide.shapes if shape.has_chart]
    assert len(charts) == 2
    assert len({chart.value_axis.maximum_scale for chart in charts}) == 1
    heights = [chart._chartSpace.find(".//{*}plotArea/{*}layout/{*}manualLayout/{*}h").get("val") for chart in charts]
    assert heights[0] == heights[1]
    # The bars fit the bracket only if no name is rotated.
    turned = [chart.category_axis._element.find(".//{*}bodyPr").get("rot") for chart in charts]
    assert turned == ["0", "0"]


def test_that_the_change_is_in_the_title_if_bars_are_horizontal(tmp_path):
    bars = tuple(replace(bar, label=bar.label + " of a configuration with a long name") for bar in CLAIM.bars)
    slide = _slide(tmp_path, replace(CLAIM, bars=bars))
    assert _group(slide) is None
    assert "−93.0 % [−93.2,\u00a0−92.8]" in _chart(slide).chart.chart_title.text_frame.text


@pytest.mark.parametrize("claimed", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("values", [(105, 98, 52, 24, 7), (105, 100, 100, 100, 100), (50, 80, 90, 100, 105)])
def test_that_the_bracket_and_its_text_stay_inside_the_chart_and_cover_no_number(claimed, values):
    bars = tuple(ClaimBar(f"{at} GB", MCSIO, float(value), str(value)) for at, value in enumerate(values))
    claim = replace(CLAIM, bars=bars, claimed=claimed, baseline=0 if claimed else 4, low=None, high=None)
    plan = claim_plan(claim, Switches(), PlotRoom(4.0, 4.0, 11.0, True))
    assert plan is not None
    (change,) = [piece for piece in plan.pieces if isinstance(piece, Words) and piece.bold]
    left, top, width, height = plan.plot
    slot = width / 5
    for place, value in enumerate(values):
        from_left = left + (place + 0.5) * slot - slot / (1 + plan.gap / 100) / 2
        if place > claimed and from_left < change.left + 0.5:
            assert change.top + change.height <= top + height * (1 - value / plan.high)
    assert top - 0.01 <= change.top
    assert change.top + change.height <= top + height
    assert left + width <= 4.0


def test_that_the_agenda_of_several_studies_lists_only_the_studies(tmp_path):
    slides = tuple(
        slide
        for study in ("Lab A", "Lab B")
        for slide in (Slide(study, part=DIVIDER), Slide(f"Finding of {study}.", _figure(CLAIM)))
    )
    found: Reopened = written(tmp_path / "a.pptx", Document("Two studies", "", slides, ("Method.",), length="full"))
    lines = [shape for shape in found.slides[1].shapes if shape.name.startswith("Agenda")]
    aims = [(s.text_frame.text, s.click_action.target_slide.shapes.title.text_frame.text) for s in lines]
    assert aims[:3] == [(name, name) for name in ("Lab A", "Lab B", "Method")]
    assert len(aims) == 4


def test_that_the_agenda_links_to_its_slides_and_the_file_has_sections(tmp_path):
    slides = tuple(Slide(f"Finding {number}.", _figure(CLAIM)) for number in range(20))
    deck = Document("Study", "", slides, ("Method.",), summary=("Short.",), appendix=(Slide("More.", _figure(CLAIM)),))
    found: Reopened = written(tmp_path / "a.pptx", deck)
    titles = [slide.shapes.title.text_frame.text for slide in found.slides]
    assert [title for title in titles if title.startswith("Agenda")] == ["Agenda"]
    lines = [shape for shape in found.slides[1].shapes if shape.name.startswith("Agenda")]
    aims = [(s.text_frame.text, s.click_action.target_slide.shapes.title.text_frame.text) for s in lines]
    assert aims[-1] == ("Appendix: 1 slide", "More.")
    assert len(aims) == 24
    assert all(text == title for text, title in aims[:-1])
    sections = found.deck.part._element.findall(".//{*}section")
    assert [section.get("name") for section in sections] == [
        "Summary",
        "Findings",
        "Method and limitations",
        "Appendix",
    ]
    numbers = [entry.get("id") for section in sections for entry in section.iter("{*}sldId")]
    assert numbers == [str(slide.slide_id) for slide in found.slides]


def test_that_a_title_takes_two_lines_at_most(tmp_path):
    title = "MCSIO 4 GB needs 5 disks for 500 desktops, 99 fewer than MCS (104), and 136 GB"
    slide = written(tmp_path / "a.pptx", Document("Study", "", (Slide(f"{title} of RAM for its caches"),))).slides[2]
    shape = slide.shapes.title
    run = shape.text_frame.paragraphs[0].runs[0]
    # In a font that is wider than Calibri by a sixth, too.
    assert line_count(run.text, 0.85 * shape.width / Inches(1) - 0.2, run.font.size.pt, bold=True) <= 2
