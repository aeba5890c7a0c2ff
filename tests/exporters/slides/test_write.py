import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches

from tests.exporters.slides.decks import Reopened, cached, deck_with, one_bar, series_of, simple, written
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.safe_file import ExportError
from workbench.exporters.slides.fit import SUBSTITUTE
from workbench.exporters.slides.table import NOTHING
from workbench.exporters.slides.write import write_deck
from workbench.exporters.texts import line_count, line_height
from workbench.model.problem import Problem, Severity


def _problem(severity=Severity.WARNING, message="'n/a' is no number.", number=1):
    return Problem(severity, f"guest/{number}.csv", "not-a-number", message, "left empty", 44, 3)


def _titles(found: Reopened) -> list[str]:
    return [slide.shapes.title.text_frame.text for slide in found.slides]


def _notes(slide) -> str:
    return slide.notes_slide.notes_text_frame.text


def test_that_a_deck_has_cover_agenda_findings_method_and_problems(tmp_path):
    deck = Document(
        "Study",
        "5 runs",
        (Slide("One.", simple(), "n = 3"), Slide("Two.", one_bar(), "n = 2")),
        ("Runs are the unit.",),
        (_problem(),),
    )
    found = written(tmp_path / "a.pptx", deck)
    problems = "Problems of the import"
    assert _titles(found) == ["Study", "Agenda", "One.", "Two.", "Method", problems]
    agenda = [shape.text_frame.text for shape in found.slides[1].shapes if shape.name.startswith("Agenda")]
    assert agenda == ["One.", "Two.", "Method", problems]
    assert (found.written.slides, found.written.charts) == (6, 2)


def test_that_the_evidence_is_in_the_footer_and_the_sources_in_the_notes(tmp_path):
    finding = Slide("One.", simple(), "3 runs, n = 3", "made from a.csv", ("one VM vanished",))
    slide = written(tmp_path / "a.pptx", Document("Study", "", (finding,))).slides[2]
    footers = [one for one in slide.placeholders if one.placeholder_format.type is PP_PLACEHOLDER.FOOTER]
    assert [one.text_frame.text for one in footers] == ["3 runs, n = 3"]
    for text in ("One.", "What is it?", "a caption", "in words", "3 runs, n = 3", "made from a.csv", "one VM vanished"):
        assert text in _notes(slide)
    assert any(shape.has_text_frame and shape.text_frame.text == "one VM vanished." for shape in slide.shapes)


def test_that_a_chart_has_an_alternative_text(tmp_path):
    slide = written(tmp_path / "a.pptx", deck_with(simple())).slides[2]
    (frame,) = [shape for shape in slide.shapes if shape.has_chart]
    assert frame._element.nvGraphicFramePr.cNvPr.get("descr") == "Panel. in words"


def test_that_a_finding_without_a_figure_is_a_text_slide(tmp_path):
    found = written(tmp_path / "a.pptx", deck_with(None))
    assert found.charts() == []
    assert "A sentence." in _titles(found)


def test_that_a_long_title_shrinks_until_it_fits_and_one_beyond_that_is_cut_and_reported(tmp_path):
    sizes = []
    for count in (3, 20, 60, 400):
        title = " ".join(["configuration"] * count)
        found = written(tmp_path / "a.pptx", deck_with(simple(), title=title))
        shape = found.slides[2].shapes.title
        size = shape.text_frame.paragraphs[0].runs[0].font.size
        sizes.append(26 if size is None else size.pt)
        cut = shape.text_frame.text != title
        assert cut == any("does not fit" in sentence for sentence in found.written.left_out)
        assert title in _notes(found.slides[2])
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 26 > sizes[2]
    assert cut


def test_that_problems_without_space_are_counted_and_the_worst_come_first(tmp_path, snapshot):
    problems = [_problem(number=number) for number in range(60)] + [_problem(Severity.REFUSED, "No rows.")]
    found = written(tmp_path / "a.pptx", deck_with(simple(), problems=tuple(problems)))
    slide = found.slides[-1]
    (table,) = [shape.table for shape in slide.shapes if shape.has_table]
    rows = [[cell.text for cell in row.cells] for row in table.rows]
    assert rows[1] == snapshot
    texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    assert "1 not imported, 60 warnings" in texts
    assert any(text.startswith(f"{61 - (len(rows) - 1)} more problems") for text in texts)
    bottom = max(shape.top + shape.height for shape in slide.shapes)
    assert bottom <= found.deck.slide_height


def test_that_the_absence_of_problems_is_reported_too(tmp_path):
    assert NOTHING in written(tmp_path / "a.pptx", deck_with(simple())).texts()


def test_that_a_long_agenda_takes_several_numbered_slides(tmp_path):
    deck = deck_with(*[simple()] * 60)
    found = written(tmp_path / "a.pptx", deck)
    agendas = [slide for slide in found.slides if slide.shapes.title.text_frame.text.startswith("Agenda")]
    assert len(agendas) > 1
    starts = [slide._element.find(".//{*}buAutoNum").get("startAt") for slide in agendas]
    items = [len(slide._element.findall(".//{*}buAutoNum")) for slide in agendas]
    assert starts == [str(1 + sum(items[:place])) for place in range(len(agendas))]
    assert sum(items) == 61


def _default_template(path: Path) -> Path:
    deck = Presentation()
    deck.save(str(path))
    return path


def _bare_template(path: Path) -> Path:
    """A dark 16:9 template with one slide; its only layout has no title."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    for layout in list(deck.slide_layouts):
        if layout.name != "Blank":
            deck.slide_layouts.remove(layout)
    fill = deck.slide_master.background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(0x10, 0x20, 0x40)
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = "Ours stays"
    deck.save(str(path))
    return path


def test_that_the_users_template_keeps_its_layouts_size_and_slides(tmp_path):
    template = _bare_template(tmp_path / "t.pptx")
    before = Reopened(template)
    layouts = before.parts()
    found = written(tmp_path / "a.pptx", deck_with(simple()), template=template)
    assert found.slides[0].shapes[0].text_frame.text == "Ours stays"
    assert (found.deck.slide_width, found.deck.slide_height) == (before.deck.slide_width, before.deck.slide_height)
    kept = [name for name in layouts if "/slideLayouts/" in name or "/slideMasters/" in name or "/theme1" in name]
    after = found.parts()
    from lxml import etree

    assert kept
    for name in kept:
        assert etree.tostring(after[name], method="c14n") == etree.tostring(layouts[name], method="c14n")
    assert len(found.slides) == 1 + found.written.slides


def test_that_titles_and_evidence_become_text_boxes_if_the_template_lacks_placeholders(tmp_path):
    found = written(tmp_path / "a.pptx", deck_with(simple()), template=_bare_template(tmp_path / "t.pptx"))
    texts = [shape.text_frame.text for shape in found.slides[3].shapes if shape.has_text_frame]
    assert "A sentence." in texts
    assert "3 runs, n = 3" in texts


def test_that_a_dark_template_gets_light_lines(tmp_path):
    found = written(tmp_path / "a.pptx", deck_with(simple()), template=_bare_template(tmp_path / "t.pptx"))
    stroke = series_of(found.charts()[0])["MCS"].find("{*}spPr/{*}ln//{*}srgbClr").get("val")
    assert stroke == "4AA8DE"


def test_that_content_stays_on_the_slide_and_no_layout_prompt_remains(tmp_path):
    for template in (None, _default_template(tmp_path / "t.pptx"), _bare_template(tmp_path / "u.pptx")):
        found = written(tmp_path / "a.pptx", deck_with(simple(), one_bar()), template=template)
        wide, high = found.deck.slide_width, found.deck.slide_height
        for slide in found.slides:
            for shape in slide.shapes:
                assert shape.left >= 0
                assert shape.top >= 0
                assert shape.left + shape.width <= wide
                assert shape.top + shape.height <= high
                assert not shape.is_placeholder or shape.text_frame.text


def test_that_a_potx_file_is_accepted_as_a_template(tmp_path):
    plain, potx = _default_template(tmp_path / "t.pptx"), tmp_path / "t.potx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(potx, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "[Content_Types].xml":
                part = part.replace(b"presentationml.presentation.main", b"presentationml.template.main")
            target.writestr(name, part)
    found = written(tmp_path / "a.pptx", deck_with(simple()), template=potx)
    assert cached(series_of(found.charts()[0])["MCS"], "yVal") == [1, 2, 3]


@pytest.mark.parametrize("content", [b"", b"no deck", b"PK\x03\x04 broken"])
def test_that_a_damaged_template_is_reported_and_leaves_no_file(tmp_path, content):
    template = tmp_path / "t.pptx"
    template.write_bytes(content)
    with pytest.raises(ExportError, match=r"t\.pptx"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()), template)
    with pytest.raises(ExportError, match=r"none\.pptx could not be read"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()), tmp_path / "none.pptx")
    assert not (tmp_path / "a.pptx").exists()


def test_that_a_zip_that_is_not_a_deck_is_rejected_in_a_sentence(tmp_path):
    template = tmp_path / "t.pptx"
    with zipfile.ZipFile(template, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(ExportError, match=r"t\.pptx"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()), template)


def test_that_a_template_with_macros_is_rejected_in_a_sentence(tmp_path):
    plain, macros = _default_template(tmp_path / "t.pptx"), tmp_path / "m.pptx"
    main = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(macros, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "[Content_Types].xml":
                part = part.replace(main, b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml")
            target.writestr(name, part)
    with pytest.raises(ExportError, match="macros"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()), macros)


def test_that_a_failure_leaves_the_earlier_deck(tmp_path, monkeypatch):
    target = tmp_path / "a.pptx"
    write_deck(target, deck_with(simple()))
    before = target.read_bytes()
    monkeypatch.setattr(
        "workbench.exporters.slides.write.Presentation", lambda _: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(ExportError, match="earlier file is unchanged"):
        write_deck(target, deck_with(simple(), one_bar()))
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.pptx"]


def test_that_a_deck_with_a_missing_chart_never_replaces_the_earlier_file(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.exporters.slides.write.add_chart", lambda *_: SimpleNamespace(chart=None))
    with pytest.raises(ExportError, match="differs from what was written"):
        write_deck(tmp_path / "a.pptx", deck_with(simple()))
    assert list(tmp_path.iterdir()) == []


def test_that_the_same_numbers_are_in_every_theme_and_template(tmp_path):
    shown = []
    for place, more in enumerate(({}, {"theme": "dark"}, {"template": _default_template(tmp_path / "t.pptx")})):
        found = written(tmp_path / f"{place}.pptx", deck_with(simple()), **more)
        shown.append(cached(series_of(found.charts()[0])["MCS"], "yVal"))
    np.testing.assert_array_equal(shown, [[1, 2, 3]] * 3)


def test_that_a_finding_with_only_a_table_shows_its_first_rows_and_the_place_of_the_rest(tmp_path):
    columns = (Column("VM", numeric=False), Column("IOPS per VM", "IOPS"))
    rows = tuple((Cell(f"W10-{at:03}"), Cell(f"{at}.5", at + 0.5)) for at in range(1, 31))
    finding = replace(deck_with(None).slides[0], tables=(TableData(columns, rows, name="Worst VMs"),))
    deck = written(tmp_path / "a.pptx", Document("Study", "two configurations", (finding,)))
    (table,) = [shape.table for shape in deck.slides[2].shapes if shape.has_table]
    texts = [[cell.text for cell in row.cells] for row in table.rows]
    assert texts[0] == ["VM", "IOPS per VM (IOPS)"]
    assert texts[1] == ["W10-001", "1.5"]
    assert len(texts) == 1 + 10
    assert any(text.startswith("20 more rows are omitted. ") and ".xlsx" in text for text in deck.texts())
    assert any("20 more rows are omitted" in words for words in deck.written.left_out)


def test_that_a_small_table_has_larger_text(tmp_path):
    columns = (Column("Configuration", numeric=False), Column("Runs"))
    rows = ((Cell("MCS"), Cell("1", 1)), (Cell("MCSIO 512 MB"), Cell("1", 1)))
    finding = replace(deck_with(None).slides[0], tables=(TableData(columns, rows, name="All"),))
    deck = written(tmp_path / "a.pptx", Document("Study", "two configurations", (finding,)))
    (table,) = [shape.table for shape in deck.slides[2].shapes if shape.has_table]
    sizes = {cell.text_frame.paragraphs[0].runs[0].font.size.pt for row in table.rows for cell in row.cells}
    assert sizes == {16.0}


def test_that_a_narrow_table_omits_columns_before_it_cuts_a_heading_or_a_name(tmp_path):
    columns = (Column("Test", numeric=False), *(Column(f"Median throughput of job {at}", "MB/s") for at in range(14)))
    names = [f"PVS RAM cache with overflow, a file of {size} GB on the second disk" for size in (8, 15)]
    rows = tuple((Cell(name), *(Cell(f"{at}.25", at + 0.25) for at in range(14))) for name in names)
    finding = replace(deck_with(None).slides[0], tables=(TableData(columns, rows, name="Tests"),))
    deck = written(tmp_path / "a.pptx", Document("Study", "two configurations", (finding,)))
    (table,) = [shape.table for shape in deck.slides[2].shapes if shape.has_table]
    texts = [[cell.text for cell in row.cells] for row in table.rows]
    assert [row[0] for row in texts[1:]] == names
    assert not any(text.endswith("…") for row in texts for text in row)
    assert len(texts[0]) < len(columns)


def test_that_rows_of_a_table_are_high_enough_for_a_font_a_quarter_wider(tmp_path):
    columns = (
        Column("Limit", numeric=False),
        *(Column(f"MCSIO {at} MB", numeric=False) for at in (256, 512, 1024, 4096)),
    )
    names = (
        "p95 of read latency in steady state",
        "IOPS per VM in steady state vs. 'MCS'",
        "Stuck sessions, clean test",
    )
    rows = tuple((Cell(name), *(Cell("13.6 ms, inconclusive") for _ in range(4))) for name in names)
    finding = replace(deck_with(None).slides[0], tables=(TableData(columns, rows, name="Verdicts"),))
    deck = written(tmp_path / "a.pptx", Document("Study", "two configurations", (finding,)))
    (table,) = [shape.table for shape in deck.slides[2].shapes if shape.has_table]
    for row in table.rows:
        for cell, column in zip(row.cells, table.columns, strict=True):
            size = cell.text_frame.paragraphs[0].runs[0].font.size.pt
            room = (column.width - cell.margin_left - cell.margin_right) / 914_400
            lines = line_count(cell.text, SUBSTITUTE * room, size)
            assert row.height / 914_400 >= lines * line_height(size), cell.text
