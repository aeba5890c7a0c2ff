"""A customer's template: its layouts, places, colours and fonts are kept, and an unusable template is rejected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.oxml.shapes.picture import CT_Picture
from pptx.util import Inches
from syrupy.assertion import SnapshotAssertion

from tests.exporters.slides.decks import deck_with, simple, written
from workbench.charts.palette import contrast
from workbench.exporters.preview import template_fault
from workbench.exporters.safe_file import ExportError
from workbench.exporters.slides.template import logo_place, open_template, tokens_of
from workbench.exporters.slides.write import write_deck
from workbench.exporters.wanted import Wanted


def _template(path: Path, *, ground: str = "", text: str = "", names: dict[str, str] | None = None) -> Any:
    """The default presentation of python-pptx with these colours in its theme and renamed layouts."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    for layout in (*deck.slide_layouts, deck.slide_master):
        for shape in layout.placeholders:
            if shape._element.spPr.find(qn("a:xfrm")) is not None:
                shape.left, shape.width = round(shape.left * 4 / 3), round(shape.width * 4 / 3)
    for number, layout in enumerate(deck.slide_layouts):
        layout.name = f"Folie {number}"
    part = next(part for part in deck.part.package.iter_parts() if "/theme/theme1" in str(part.partname))
    blob = part.blob.decode("utf-8")
    if ground:
        blob = blob.replace('<a:sysClr val="window" lastClr="FFFFFF"/>', f'<a:srgbClr val="{ground}"/>')
    if text:
        blob = blob.replace('<a:sysClr val="windowText" lastClr="000000"/>', f'<a:srgbClr val="{text}"/>')
    part._blob = blob.replace('<a:latin typeface="Calibri"/>', '<a:latin typeface="Georgia"/>').encode("utf-8")
    deck.save(str(path))
    return path


def test_that_a_list_fills_the_body_of_the_template_layout(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    deck = deck_with(simple(), method=("Runs are the unit.", "Missing is never 0."))
    made = written(tmp_path / "a.pptx", deck, template=_template(tmp_path / "t.pptx"))
    (slide,) = [s for s in made.slides if s.shapes.title.text_frame.text == "Method"]
    bodies = [shape for shape in slide.placeholders if shape.placeholder_format.type is PP_PLACEHOLDER.OBJECT]
    assert [body.text_frame.text for body in bodies] == snapshot
    assert not any(run.font.name for p in bodies[0].text_frame.paragraphs for run in p.runs)


@pytest.mark.parametrize(
    ("ground", "text"), [("101820", "F4F4F4"), ("FFF8E7", "3A2A10"), ("003B5C", "FFFFFF"), ("777777", "808080")]
)
def test_that_text_is_readable_on_the_template_background_in_its_colour(tmp_path: Path, ground: str, text: str) -> None:
    path = _template(tmp_path / "t.pptx", ground=ground, text=text)
    opened = open_template(path, "light")
    tokens = opened.tokens
    assert contrast(tokens.text, f"#{ground}") >= 4.4
    assert contrast(tokens.quiet, f"#{ground}") >= 4.4
    if contrast(f"#{text}", f"#{ground}") > 4.5:
        assert tokens.text.upper() == f"#{text}"
    assert tokens == tokens_of(opened.plain, opened.theme)
    made = written(tmp_path / "a.pptx", deck_with(simple()), template=path)
    fonts = [element.get("typeface") for element in made.parts()["ppt/theme/theme1.xml"].iter(qn("a:latin"))]
    assert "Georgia" in fonts


def test_that_the_text_colour_decides_for_a_master_with_an_image_background(tmp_path: Path) -> None:
    path = _template(tmp_path / "t.pptx", text="FFFFFF")
    deck = Presentation(str(path))
    picture = tmp_path / "ground.png"
    Image.new("RGB", (8, 8), "#001122").save(picture)
    _, key = deck.slide_master.part.get_or_add_image_part(str(picture))
    ground = deck.slide_master._element.find(f".//{qn('p:bg')}")
    for child in list(ground):
        ground.remove(child)
    blip = f'<a:blipFill><a:blip r:embed="{key}"/><a:stretch/></a:blipFill>'
    ground.append(parse_xml(f"<p:bgPr {nsdecls('p', 'a', 'r')}>{blip}<a:effectLst/></p:bgPr>"))
    deck.save(str(path))
    assert open_template(path, "light").theme == "dark"


def test_that_the_logo_does_not_cover_the_logo_of_the_template(tmp_path: Path) -> None:
    path = _template(tmp_path / "t.pptx")
    assert logo_place(open_template(path, "light")).left > Inches(10)
    deck = Presentation(str(path))
    picture = tmp_path / "own.png"
    Image.new("RGB", (40, 20), "#cc0000").save(picture)
    master = deck.slide_master
    _, key = master.part.get_or_add_image_part(str(picture))
    master.shapes._spTree.append(
        CT_Picture.new_pic(900, "Logo", "", key, Inches(11), Inches(0.3), Inches(2), Inches(1))
    )
    deck.save(str(path))
    place = logo_place(open_template(path, "light"))
    assert (place.left, place.top) == (round(0.4 * 914_400), round(0.4 * 914_400))


def test_that_a_template_without_room_for_a_chart_is_rejected_with_the_next_step(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = _template(tmp_path / "t.pptx")
    deck = Presentation(str(path))
    deck.slide_height = Inches(2.4)
    deck.save(str(path))
    with pytest.raises(ExportError, match=r"t\.pptx has no layout with room for a chart.*needs 4 × 2.*slide master"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()), path)
    fault = template_fault(Wanted(tmp_path / "a.pptx", template=path))
    assert fault == snapshot
    assert not (tmp_path / "a.pptx").exists()


def test_that_new_parts_use_names_that_are_free_in_the_template(tmp_path: Path) -> None:
    package = open_template(_template(tmp_path / "t.pptx"), "light").deck.part.package
    taken = {str(part.partname) for part in package.iter_parts()}
    layouts = [package.next_partname("/ppt/slideLayouts/slideLayout%d.xml") for _ in range(3)]
    charts = [package.next_partname("/ppt/charts/chart%d.xml") for _ in range(3)]
    assert not taken & {*layouts, *charts}
    assert len({*layouts, *charts}) == 6
