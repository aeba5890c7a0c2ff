from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.exporters.page.evil import NAMES, evil_content
from workbench.charts.claim import BarClaim, ClaimBar
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Line, Look, Panel
from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.document.story import told_once
from workbench.exporters.page.page import NO_DRAWING, Drawing, check_page, page_html, write_page
from workbench.exporters.safe_file import ExportError, write_safely
from workbench.exporters.texts import plain_text
from workbench.model.problem import Problem, Severity
from workbench.model.resources import resource

VOID = {"meta", "br", "img", "input", "link", "hr", "path", "circle", "rect"}


class Parsed(HTMLParser):
    """Every element with its attributes and the text directly inside it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1] if self._open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]

    def data(self) -> Any:
        return json.loads(next(text for tag, text in self.texts if tag == "script" and text.startswith("{")))


class Drawn:
    """Draws only one element."""

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """A chart."""
        return '<svg role="img"></svg>'

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """A claim that states its theme."""
        return f'<svg role="img" class="{theme}"></svg>'


def _page(content: Content, drawing: Drawing | None = None, theme: ThemeName = "light") -> str:
    problem = Problem(Severity.WARNING, content.question, "code", content.caption, content.question, 1, 2)
    story = Document(
        content.question,
        content.caption,
        (Slide(content.question, evidence=content.caption, caveats=(content.question,)),),
        sections=(Section(content.question, content),),
        problems=(problem,),
        sources=content.tables,
        remarks=(content.question,),
    )
    return page_html(story, theme, drawing)[0]


def _values(data: dict[str, Any], place: int) -> FloatArray:
    return np.frombuffer(base64.b64decode(data["arrays"][place]), "<f8")


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_never_becomes_markup_script_or_link(name: str) -> None:
    plain, evil = Parsed(_page(evil_content("harmless"))), Parsed(_page(evil_content(name)))
    assert [tag for tag, _ in evil.elements] == [tag for tag, _ in plain.elements]
    # The attributes are equal too, and none of them runs a command.
    assert [sorted(attrs) for _, attrs in evil.elements] == [sorted(attrs) for _, attrs in plain.elements]
    assert not any(key.startswith("on") for _, attrs in evil.elements for key in attrs)
    assert evil.data()["charts"]["s1"]["panels"][0]["marks"][0]["name"] == plain_text(name)


@pytest.mark.parametrize("name", NAMES)
def test_that_data_cannot_end_its_script(name: str) -> None:
    page = _page(evil_content(name))
    inside = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    assert not any(char in inside for char in "<>&\u2028\u2029\x00\x1b")
    json.loads(inside)


def test_that_a_page_refers_only_to_itself(tmp_path: Path) -> None:
    story = Document("t", sections=(Section("a", evil_content("b")),))
    write_page(tmp_path / "a.html", story)
    check_page(tmp_path / "a.html")
    parsed = Parsed((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert not parsed.all("link")
    assert not parsed.all("iframe")
    assert all((attrs.get("href") or "#").startswith("#") for attrs in parsed.all("a"))
    assert not any("src" in attrs for _, attrs in parsed.elements)
    style = next(text for tag, text in parsed.texts if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_that_a_page_that_refers_to_something_outside_is_rejected(tmp_path: Path) -> None:
    def write(path: Path) -> None:
        path.write_text('<html><img src="https://example.org/a.png"></html>', encoding="utf-8")

    (tmp_path / "a.html").write_text("old")
    with pytest.raises(ExportError):
        write_safely(tmp_path / "a.html", write, check_page)
    assert (tmp_path / "a.html").read_text() == "old"


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="https://example.com/a.png">',
        "<IMG alt='>' SRC = https://example.com/a.png>",
        '<svg><use xlink:href="other.svg#a"/></svg>',
        '<object data="a.pdf"></object>',
        '<form action="/send"></form>',
        '<a href="data:image/png;base64,AAAA">a</a>',
        '<a href="&#104;ttps://example.com">a</a>',
        '<img alt="a" src="data:image/png;base64,AAAA"><img src="//example.com/a.png">',
    ],
)
def test_that_an_address_outside_the_page_is_noticed_however_it_is_written(markup: str, tmp_path: Path) -> None:
    text = _page(evil_content("a")).replace("</main>", f"{markup}</main>")
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    with pytest.raises(OSError, match="loads something"):
        check_page(tmp_path / "a.html")


@pytest.mark.parametrize(
    "markup",
    [
        '<p>write href="x" or src=y</p>',
        '<a href="#main">a</a>',
        '<img class="logo" alt="a" src="data:image/png;base64,AAAA">',
    ],
)
def test_that_links_within_the_page_and_addresses_in_text_are_allowed(markup: str, tmp_path: Path) -> None:
    text = _page(evil_content("a")).replace("</main>", f"{markup}</main>")
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    check_page(tmp_path / "a.html")


def test_that_the_policy_names_every_script_and_style_by_its_hash() -> None:
    from hashlib import sha256

    parsed = Parsed(_page(evil_content("a")))
    policy = next(attrs["content"] or "" for attrs in parsed.all("meta") if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    inline = [text for tag, text in parsed.texts if tag in ("script", "style") and not text.startswith("{")]
    assert len(inline) == 3
    for text in inline:
        assert base64.b64encode(sha256(text.encode()).digest()).decode() in policy


def test_that_the_script_gets_exactly_the_numbers_of_the_figure() -> None:
    x = np.array([0.1, 0.2, 0.30000000000000004])
    y = np.array([-1.0, np.nan, 1 / 3])
    figure = Figure(
        "f", "q", "", (Panel("p", Axis("time", "s"), Axis("IOPS", "IOPS"), (Line("l", x, y, Look("MCS")),)),)
    )
    data = Parsed(_page(Content("q", figure=figure))).data()
    (mark,) = data["charts"]["s1"]["panels"][0]["marks"]
    np.testing.assert_array_equal(_values(data, mark["x"]), x)
    np.testing.assert_array_equal(_values(data, mark["y"]), y)


def test_that_minus_one_stays_a_number_and_a_missing_value_is_not_zero() -> None:
    page = _page(evil_content("a"))
    assert '<td class="n" data-v="-1.5">\u22121.5</td>' in page
    assert '<td class="n missing">—</td>' in page
    assert "not available, never 0" in page


def test_that_infinite_values_are_reported() -> None:
    line = Line("l", np.arange(3.0), np.array([1.0, np.inf, 2.0]), Look("MCS"))
    figure = Figure("f", "q", "", (Panel("p", Axis("time", "s"), Axis("IOPS"), (line,)),))
    assert "1 value is infinite and not drawn." in _page(Content("q", figure=figure))


def test_that_omitted_rows_are_reported(snapshot: SnapshotAssertion) -> None:
    rows = tuple((Cell(str(n), n),) for n in range(5_100))
    table = TableData((Column("n"),), rows, name="Many")
    text, notes = page_html(Document("t", sections=(Section("s", Content("q", tables=(table,))),)), "light", None)
    assert notes == snapshot
    assert notes[0] in text


def test_that_a_page_without_charts_says_so() -> None:
    assert NO_DRAWING in _page(evil_content("a"))
    assert NO_DRAWING not in _page(evil_content("a"), Drawn())


def test_that_a_page_is_accessible() -> None:
    parsed = Parsed(_page(evil_content("a"), Drawn(), "dark"))
    (html,) = parsed.all("html")
    assert html == {"lang": "en", "data-theme": "dark"}
    assert (
        len(parsed.all("h1")) == len(parsed.all("main")) == len(parsed.all("header")) == len(parsed.all("footer")) == 1
    )
    assert len(parsed.all("caption")) == len(parsed.all("table"))
    assert all(attrs["scope"] == "col" for attrs in parsed.all("th"))
    assert all(
        attrs["aria-label"] and attrs["tabindex"] == "0" for attrs in parsed.all("div") if attrs.get("class") == "plot"
    )
    ids = [attrs["id"] for _, attrs in parsed.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    named = [name for attrs in parsed.all("section") for name in (attrs["aria-labelledby"] or "").split()]
    assert set(named) <= set(ids)
    assert {(attrs["href"] or "")[1:] for attrs in parsed.all("a")} <= set(ids)


def _finding(**given: Any) -> Slide:
    panel = Panel("Boot", Axis("", categories=("MCS",)), Axis("IOPS"), (Bars("MCS", np.array([1.0]), Look("MCS")),))
    bar = ClaimBar("MCS", Look("MCS"), 1.0, "1.00")
    whole = {"figure": Figure("story-f", "q", "", (panel,)), "claims": (BarClaim((bar,), 0, 0),)} | given
    return Slide("MCS costs most.", of_story=True, evidence_key="compare:metric", **whole)


def _story(*slides: Slide, appendix: tuple[Slide, ...] = ()) -> Document:
    views = (
        Section("Overview", Content("a?"), key="overview"),
        Section("Compare", Content("b?"), key="compare:metric"),
    )
    return Document("t", slides=slides, appendix=appendix, summary=("First.", "Recommended: MCS."), sections=views)


def test_that_a_finding_has_its_claim_in_both_themes_and_a_link_to_its_evidence() -> None:
    parsed = Parsed(page_html(_story(_finding()), "light", Drawn())[0])
    assert [attrs.get("class") for attrs in parsed.all("svg")] == ["light", "dark"]
    (link,) = [attrs for attrs in parsed.all("a") if attrs.get("class") == "evidence"]
    assert link["href"] == "#s2"
    assert ("h3", "MCS costs most.") in parsed.texts
    assert ("li", "Recommended: MCS.") in parsed.texts


def test_that_a_chart_without_a_claim_is_plain() -> None:
    whole = _finding()
    assert whole.figure is not None
    plain = replace(whole, figure=replace(whole.figure, key="logons"))
    parsed = Parsed(page_html(_story(plain), "light", Drawn())[0])
    assert not [attrs for attrs in parsed.all("svg") if attrs.get("class") == "dark"]
    assert "f1" in parsed.data()["charts"]


def test_that_pages_and_further_findings_are_folded_below_the_first_findings() -> None:
    text = page_html(_story(_finding(), appendix=(_finding(),)), "light", Drawn())[0]
    folded = Parsed(text)
    assert len(folded.all("details")) == 3
    assert not [attrs for attrs in folded.all("details") if "open" in attrs]
    assert ("summary", "1 more finding") in folded.texts
    assert not Parsed(page_html(_story(), "light", Drawn())[0]).all("details")


def test_that_the_head_names_the_customer_and_has_the_logo(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n1234")
    (tmp_path / "logo.txt").write_text("no picture")
    story = Document("t", customer="Contoso", author="Ann", date="2026-11-22", logo=tmp_path / "logo.png")
    write_page(tmp_path / "a.html", story)
    check_page(tmp_path / "a.html")
    parsed = Parsed((tmp_path / "a.html").read_text(encoding="utf-8"))
    (picture,) = parsed.all("img")
    assert picture["alt"] == "Logo of Contoso"
    assert ("p", "Contoso · Ann · 2026-11-22") in parsed.texts
    notes = write_page(tmp_path / "b.html", replace(story, logo=tmp_path / "logo.txt"))
    assert notes == snapshot


def test_that_content_above_the_size_limit_is_shortened_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.exporters.page.page.MOST_BYTES", 400_000)
    lines = [Line("l", np.arange(4_000.0), np.random.default_rng(n).random(4_000), Look("MCS")) for n in range(9)]
    figures = [Figure(f"f{n}", "q", "", (Panel("p", Axis("s"), Axis("i"), (line,)),)) for n, line in enumerate(lines)]
    rows = tuple((Cell(str(n), n),) for n in range(50))
    table = TableData((Column("n"),), rows, name="Many")
    sections = tuple(Section(f"Page {f.key}", Content("q", figure=f, tables=(table,))) for f in figures)
    text, notes = page_html(Document("t", sections=sections), "light", Drawn())
    held = Parsed(text).data()
    assert 0 < len(held["charts"]) < 9
    assert len(held["arrays"]) == 1 + len(held["charts"])
    assert len(notes) == 9 - len(held["charts"])
    assert notes[0] in text


def test_that_the_same_content_gives_the_same_page() -> None:
    assert _page(evil_content("a")) == _page(evil_content("a"))


def test_that_a_table_shared_by_views_is_shown_once(snapshot: SnapshotAssertion) -> None:
    table = TableData((Column("n"),), ((Cell("1", 1),),), name="By VM")
    same = TableData((Column("n"),), ((Cell("1", 1),),), name="By VM")
    first, second = told_once([Section("a", Content("q", tables=(table,))), Section("b", Content("q", tables=(same,)))])
    assert first.content.tables == (table,)
    assert second.content.tables == ()
    assert second.elsewhere == snapshot


SCRIPT = """
const page = require(process.argv[1] || process.argv[2]);
const cell = (text, v, missing) => ({ textContent: text, dataset: v === undefined ? {} : { v: String(v) },
  classList: { contains: name => name === "missing" && !!missing } });
const rows = [cell("10", 10), cell("—", undefined, true), cell("−3", -3), cell("2", 2)];
const sorted = down => [...rows].sort((a, b) => page.compare(a, b, down)).map(one => one.textContent);
console.log(JSON.stringify({
  fixed: [page.fixed(-12345.6, 1), page.fixed(-0.01, 1), page.fixed(NaN, 2)],
  reading: [0, 105.2, 7.349, 0.00123, 1234567, Infinity].map(page.reading),
  decimals: [page.decimals([0, 2.5]), page.decimals([0, 0.05]), page.decimals([10, 20])],
  moment: [page.moment(755), page.moment(-53), page.moment(7510 * 2), page.moment(3600 * 25, true)],
  array: [...page.decoded("AAAAAAAA8L8AAAAAAAD4fw==")].map(String),
  nearest: [page.nearest([0, 10, 20], 12), page.nearest([0, 10, 20], 900), page.nearest([], 1)],
  up: sorted(false), down: sorted(true),
  wrapped: page.wrapped("MCSIO 256 MB", 9),
}));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_that_the_script_reads_numbers_as_the_window_does(tmp_path: Path) -> None:
    from workbench.charts.ticks import moment, reading

    shutil.copy(resource("page", "page.js"), tmp_path / "page.cjs")
    (tmp_path / "run.cjs").write_text(
        SCRIPT.replace("process.argv[1] || process.argv[2]", "'./page.cjs'"), encoding="utf-8"
    )
    done = subprocess.run(
        ["node", "run.cjs"], cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    found = json.loads(done.stdout)
    assert found["fixed"] == ["\u221212\u2009345.6", "0.0", "—"]
    assert found["reading"] == [reading(v) for v in (0, 105.2, 7.349, 0.00123, 1234567, float("inf"))]
    assert found["moment"] == [moment(755), moment(-53), moment(15020), moment(90000, True)]
    assert found["decimals"] == [0, 2, 0]
    assert found["array"] == ["-1", "NaN"]
    assert found["nearest"] == [1, -1, -1]
    assert found["up"] == ["−3", "2", "10", "—"]
    assert found["down"] == ["10", "2", "−3", "—"]
    assert found["wrapped"] == "MCSIO 256\nMB"


def test_that_a_narrow_page_stacks_its_figures_and_begins_with_the_summary() -> None:
    story = Document("A study", summary=("It cuts I/O.",), slides=(Slide("It cuts I/O."),))
    text, _ = page_html(story, "light", None)
    assert text.index('id="summary"') < text.index("<nav")
    style = resource("page", "page.css").read_text(encoding="utf-8")
    narrow = style[style.index("max-width: 480px") :]
    assert ".claim .panels, .facts { display: block; }" in narrow


def test_that_every_heading_of_a_table_has_words_for_its_button() -> None:
    table = TableData((Column("Queue"), Column("", numeric=False)), ((Cell("16", 16), Cell("knee")),), name="Steps")
    assert [head for head in re.findall(r"<th[^>]*>(.*?)</th>", _page(Content("q", tables=(table,)))) if not head] == []
