"""Documents in German: the visible text has no English, and every number and name stays."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from openpyxl import Workbook, load_workbook
from pptx import Presentation
from pypdf import PdfReader

from tests.exporters.documents import sample_document
from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import columns, make_run, make_study
from tests.samples import SAMPLE, sample
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.charts.figure import Panel
from workbench.charts.inputs import Input
from workbench.charts.tables import TableData
from workbench.exporters.document.language import _WINDOW, page_in_language
from workbench.exporters.names import kept_names
from workbench.exporters.wanted import LENGTHS, Length
from workbench.gui.pictures.painter import load_painter
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State
from workbench.words import translated
from workbench.words.translated import _PLACE, _plain, _sentences, speaking, spoken, spoken_cell, spoken_words, texts_of

STUDIES = sorted(path.name for path in SAMPLE.iterdir() if path.is_dir() and path.name not in ("generator", "damaged"))
# Words of every English sentence; none is a German word, or a term in German texts.
ENGLISH = re.compile(
    r"\b(the|of|with|is|are|to|and|no|not|from|than|runs?|each|at|by|its|has|have|does|do|needs?|on|for|per|all|one|more"
    r"|less|shown?|between|see|were|this|that|only|any|but|or|they|it|which|still|state|steady|logon|boot|overflows?"
    r"|interval|reads?|writes?|used|limits?|change|share|time|lowest|highest|median|largest|size)\b"
)
# Every other word that the English side of the translations has and the German side lacks.
_WORD = re.compile(r"[^\W\d_]{2,}")
# Names of tests, events, files and products.
NAMES = re.compile(
    # Paths of counters, and keys of problems, tools and tests.
    r"\\\\[\w-]+\\.*|\b[a-z]+(?:-[a-z0-9]+)+\b|jobs\[\d+\]\S*|"
    r"\S+[-_]\S*\d\S*|\w+_\w+|\S+\.(csv|toml|tsv)|Login VSI|Knowledge worker|https?://\S+"
    # Files of a test kit, and documents.
    r"|[\w-]+/[\w/.-]+|[\w-]+\.(txt|json|ps1|cmd)|XenDesktop 5 on EMC VNX"
    r"|4K; 20% read; 90% random|PVS RAM cache with overflow, \d+ GB file|PVS cache on device hard disk"
    # Counters and the columns of esxtop.
    r"|User Input Delay per Session|Max Input Delay"
    r"|\\[^;,]*?(?= fehlt| fehlen|: | o(?:der) | und |$)|esxtop [^%]*: % \w+( Time)?"
    r"|time,session,active_sessions,timer,value_ms"
)


@cache
def english_words() -> re.Pattern[str]:
    """A pattern that finds common words of the English texts which no German text has, except in names."""
    fixed, patterns = _sentences("de")
    english = (*fixed, *(one.english for one in patterns), *texts_of("de"))
    german = (*fixed.values(), *(one.german for one in patterns), *texts_of("de").values())
    words, known = (
        {word for text in texts for word in _WORD.findall(_PLACE.sub("", text))} for texts in (english, german)
    )
    alone = sorted(word for word in words - known if word.islower())
    return re.compile(rf"(?<![\w\\/.-])(?:{'|'.join(alone)})(?![\w\\/-]|\.\w)")


def in_english(texts: Iterable[str], library: Library) -> set[str]:
    """The texts with an English word that is not a part of a name."""
    workloads = {run.workload for study in library.studies for run in study.runs if run.workload}
    kept = kept_names(library.studies) | workloads
    longest = sorted((name for name in kept if len(name) > 2), key=len, reverse=True)
    names = re.compile("|".join(map(re.escape, longest)))

    def found(text: str) -> bool:
        rest = NAMES.sub("", names.sub("", text))
        return bool(ENGLISH.search(rest) or english_words().search(rest))

    return {text for text in texts if found(text)}


def _texts(shape: Any) -> Iterator[str]:
    if shape.shape_type == 6:
        for part in shape.shapes:
            yield from _texts(part)
    elif shape.has_text_frame:
        yield from (paragraph.text for paragraph in shape.text_frame.paragraphs)
    elif getattr(shape, "has_table", False) and shape.has_table:
        yield from (cell.text for row in shape.table.rows for cell in row.cells)
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        space = shape.chart._chartSpace
        yield from (text.text or "" for text in space.iter("{*}t", "{*}v"))


def _deck(study: str, language: str) -> tuple[list[str], list[str]]:
    """The texts of a review outside tables, and the cells of its tables, which are cut to fit."""
    slides = Presentation(str(sample_document(study, "pptx", "review", language))).slides
    shapes = [shape for slide in slides for shape in slide.shapes]
    tables = [getattr(shape, "has_table", False) and shape.has_table for shape in shapes]
    outside = [text for shape, table in zip(shapes, tables, strict=True) if not table for text in _texts(shape)]
    return outside, [text for shape, table in zip(shapes, tables, strict=True) if table for text in _texts(shape)]


def _numbers(texts: list[str]) -> Counter[str]:
    # A German sentence has whole minutes without seconds.
    return Counter(number for text in texts for number in re.findall(r"\d+", re.sub(r":00(?=\u2009min)", "", text)))


@pytest.mark.parametrize("study", STUDIES)
def test_that_the_slides_of_a_german_review_have_no_english_and_all_numbers(study: str) -> None:
    (german, cells), (english, _) = (_deck(study, language) for language in ("de", "en"))
    assert [text for text in (*german, *cells) if ENGLISH.search(NAMES.sub("", text))] == []
    # Texts cut for room may end before or after a number.
    assert {*_numbers(english)} - {*_numbers(german)} <= {
        n for text in english if text.endswith("…") for n in _numbers([text])
    }


def test_that_each_pattern_has_its_places_once_and_its_translation_no_others() -> None:
    for one in _sentences("de")[1]:
        assert {_plain(place) for place in _PLACE.findall(one.german)} <= {*one.pattern.groupindex}


def test_that_only_numbers_are_in_the_place_of_a_number_and_names_stay() -> None:
    with speaking("de"):
        assert spoken("3 runs") == "3 Läufe"
        assert spoken("the runs") == "the runs"
        assert spoken("Boot") == "Boot"
        assert spoken_words("Boot") != "Boot"
        said = spoken("Steady state cuts IOPS per VM during logon by 92.6 % (9.58 vs. 130 with MCS)")
        assert all(part in said for part in ("92.6", "130", "MCS", "9.58"))
    assert spoken("3 runs") == "3 runs"


def test_that_a_translation_of_two_sentences_applies_within_a_longer_text(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "{n} lines are empty. The first is {text_of}": "{n} leere Zeilen, zuerst {text_of}",
        "'{a}' failed": "„{a}“ fehlt",
    }
    patterns = tuple(translated._pattern(*pair) for pair in texts.items())
    monkeypatch.setattr(translated, "_sentences", lambda _: ({"Lines ignored": "Zeilen ignoriert"}, patterns))
    monkeypatch.setattr(translated, "texts_of", lambda _: {})
    with speaking("xx"):
        assert spoken("'E: drive' failed. 3 lines are empty. The first is 5. Lines ignored.") == (
            "„E: drive“ fehlt. 3 leere Zeilen, zuerst 5. Zeilen ignoriert."
        )


def test_that_a_german_sentence_begins_with_a_capital_unless_a_name_begins_it() -> None:
    with speaking("de", frozenset(("mcs-1",))):
        fragments = spoken_words("mean over the boot window. assumed: boot window")
        quantity = spoken("Mean logon time is 12.0 % lower with MCS than with PVS")
        named = spoken_words("One run each. mcs-1 cuts IOPS per VM by 92.6 %")
        quoted = spoken("Mean logon time is 12.0 % lower with 'MCS, 1 VM' than with 'MCS, 5 VMs'")
    assert fragments.partition(". ")[2][0].isupper()
    assert not quantity.startswith("MCS")
    assert quantity[0].isupper()
    assert ". mcs-1 " in named
    assert quoted.startswith("Die mittlere Anmeldezeit")
    assert "mit „MCS, 1 VM“" in quoted


def test_that_a_sentence_alone_in_a_cell_begins_with_a_capital_and_a_state_or_a_name_does_not() -> None:
    with speaking("de", frozenset(("mcs",))):
        assert spoken_cell("a verdict needs three runs of each configuration")[0] == "F"
        assert spoken_cell("not measured; the test kit contains a script for it")[:5] == "Nicht"
        for text in ("inconclusive", "mcs: 2 sessions launched, but without a logon", "assumed: boot window"):
            assert spoken_cell(text)[0].islower()


@pytest.mark.parametrize("phase", ["boot", "logon", "steady state"])
def test_that_a_phase_in_a_german_sentence_has_its_own_preposition(phase: str) -> None:
    with speaking("de"):
        question = spoken_words(f"How do the desktops load the storage during {phase}?")
        listed = spoken_words("mean IOPS correlation between VMs in boot and logon")
    assert "Phase" not in question
    assert "beim Start und Anmeldung" not in listed


@pytest.fixture(scope="module")
def books() -> tuple[Workbook, Workbook]:
    """One workbook in English and in German, which no test changes."""
    english, german = (sample_document("xenapp-pvs-ram-cache", "xlsx", "brief", language) for language in ("en", "de"))
    return load_workbook(english), load_workbook(german)


def test_that_a_german_workbook_keeps_its_formulas_and_lookups(books: tuple[Workbook, Workbook]) -> None:
    english, german = books
    shown = [sheet.title for sheet in english.worksheets if sheet.sheet_state == "visible"]
    assert len(set(german.sheetnames)) == len(english.sheetnames)
    assert {*german.sheetnames} & {*shown} <= {"Cache"}
    names = dict(zip(english.sheetnames, german.sheetnames, strict=True))
    changed = 0
    for sheet in english.worksheets:
        for place, cell in sheet._cells.items():
            other = german[names[sheet.title]]._cells[place]
            if cell.data_type == "f":
                assert _without_sentences(_renamed(str(cell.value), names)) == _without_sentences(str(other.value))
            elif not isinstance(cell.value, str):
                assert other.value == cell.value
            changed += cell.value != other.value
            if cell.hyperlink is not None and cell.hyperlink.location:
                assert _renamed(cell.hyperlink.location, names) == other.hyperlink.location
    assert changed > 200
    for name, defined in english.defined_names.items():
        assert _renamed(defined.attr_text, names) == german.defined_names[name].attr_text


def test_that_the_data_sheet_of_a_german_workbook_has_german_heads_and_one_word_per_key(
    books: tuple[Workbook, Workbook],
) -> None:
    english, german = ([list(row) for row in book.worksheets[1].iter_rows(values_only=True)] for book in books)
    assert not {*english[0]} & {*german[0]} - {"Phase", "n"}
    # A pivot table groups by these: each English word has one German word, in every row.
    for column in range(len(english[0])):
        pairs = {(a[column], b[column]) for a, b in zip(english, german, strict=True) if isinstance(a[column], str)}
        assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def _without_sentences(formula: str) -> str:
    """The formula without the words that it shows, which have blanks between them."""
    return re.sub(r'"[^"]* [^"]*"', '""', formula)


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"'((?:[^']|'')+)'!", lambda found: f"'{names[found.group(1)]}'!", text)


def _named(folder: Path, names: tuple[str, ...]) -> Library:
    """A study with these names of configurations; the numbers are always the same."""
    runs = [
        make_run(
            folder / f"{place}-{turn}",
            f"{name} r{turn}",
            Configuration(name, Provisioning.MCSIO if place else Provisioning.MCS, None, 256 * place or None),
            columns(2, 20.0 - 4 * place + turn / 10, 10.0 - 2 * place),
        )
        for place, name in enumerate(names)
        for turn in (1, 2, 3)
    ]
    return library_of(make_study("Lab", runs))


def _document_texts(path: Path) -> list[str]:
    if path.suffix == ".pptx":
        slides = Presentation(str(path)).slides
        shapes = [shape for slide in slides for shape in slide.shapes]
        notes = [slide.notes_slide.notes_text_frame.text for slide in slides if slide.has_notes_slide]
        return [
            *(text for shape in shapes for text in _texts(shape)),
            *(line for n in notes for line in n.splitlines()),
        ]
    if path.suffix == ".xlsx":
        book = load_workbook(BytesIO(path.read_bytes()), read_only=True)
        cells = (cell for sheet in book for row in sheet.iter_rows() for cell in row)
        return [str(cell.value) for cell in cells if cell.value is not None and cell.data_type != "f"]
    return re.split(r"<[^>]*>|\n", path.read_text(encoding="utf-8"))


def _cell_texts(path: Path) -> list[str]:
    """The texts in cells and in the shared texts of a workbook, without results of formulas."""
    with ZipFile(path) as book:
        parts = [name for name in book.namelist() if re.fullmatch(r"xl/(sharedStrings|worksheets/\w+)\.xml", name)]
        found = [re.findall(r"<t\b[^>]*>([^<]*)</t>", book.read(part).decode("utf-8")) for part in parts]
    return [unescape(text) for texts in found for text in texts]


def _read_texts(path: Path) -> list[str]:
    """The texts of a document as a reader sees them: without scripts and styles, with the words of charts."""
    if path.suffix == ".pdf":
        pages = [page.extract_text() for page in PdfReader(path).pages]
        return [" ".join(line.split()) for page in pages for line in page.splitlines()]
    if path.suffix == ".xlsx":
        return _cell_texts(path)
    if path.suffix == ".md":
        return [re.sub(r"\\(.)", r"\1", line) for line in _document_texts(path)]
    if path.suffix != ".html":
        return _document_texts(path)
    page = path.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    shown = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    texts = [unescape(text) for text in re.split(r"<[^>]*>|\n", shown)]
    # Each list of names has a key that is not visible.
    drawn = (text for text in _strings(json.loads(data[1])) if " " in text and not text.startswith("names "))
    return [*texts, *drawn]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


# The length of a workbook changes only its first sheet.
ENDINGS: dict[str, tuple[Length, ...]] = {"pptx": LENGTHS, "html": LENGTHS, "md": LENGTHS, "xlsx": ("full",)}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("study", STUDIES)
def test_that_a_german_document_of_any_length_has_no_english(study: str, ending: str) -> None:
    texts = {text for length in ENDINGS[ending] for text in _read_texts(sample_document(study, ending, length, "de"))}
    assert len(texts) > 50
    assert in_english(texts, sample(study)) == set()


@pytest.mark.slow
def test_that_german_documents_of_several_studies_have_no_english(tmp_path: Path) -> None:
    library = sample(*STUDIES)
    for ending in ("html", "md"):
        exported(library, path := tmp_path / f"all.{ending}", language="de")
        texts = {*_read_texts(path)}
        assert len(texts) > 500
        assert in_english(texts, library) == set()


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_that_a_german_pdf_has_no_english(study: str, tmp_path: Path) -> None:
    exported(sample(study), tmp_path / "a.pdf", painter=load_painter(), language="de")
    # A line may end within a name of a configuration, counter or document.
    others = ("Cache disk used", "Cache memory used", "XenDesktop 5 on EMC VNX")
    names = sorted((*kept_names(sample(study).studies), *others), key=len, reverse=True)
    broken = re.compile("|".join(r"\s+".join(map(re.escape, name.split())) for name in names if " " in name) or "$^")
    pages = [broken.sub("", page.extract_text()) for page in PdfReader(tmp_path / "a.pdf").pages]
    texts = {" ".join(line.split()) for page in pages for line in page.splitlines()}
    assert len(texts) > 50
    assert in_english(texts, sample(study)) == set()


CLASHING, NEUTRAL = ("Baseline", "Compare", "Logon", "Cache"), ("Qaseline", "Qompare", "Qogon", "Qache")


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Library]:
    """Two studies that differ only in the names of their configurations."""
    return {names: _named(tmp_path_factory.mktemp("alike") / names[0], names) for names in (CLASHING, NEUTRAL)}


@pytest.mark.parametrize("ending", ["pptx", "xlsx", "md", "html"])
def test_that_names_equal_to_fixed_texts_are_not_translated(
    ending: str, alike: dict[tuple[str, ...], Library], tmp_path: Path
) -> None:
    texts = {}
    for names, library in alike.items():
        path = tmp_path / f"{names[0]}.{ending}"
        exported(library, path, length="review", language="de")
        texts[names] = _document_texts(path)
    back = dict(zip(NEUTRAL, CLASHING, strict=True))
    # A label of a value that equals a name stays, too.
    back["Einstellungen der Seite: Basis = "] = "Einstellungen der Seite: Baseline = "
    pattern = re.compile("|".join(back))
    named = (text for text in texts[NEUTRAL] if any(name in text for name in NEUTRAL))
    expected = Counter(pattern.sub(lambda found: back[found.group()], text) for text in named)
    assert len(expected) > 20
    assert expected - Counter(texts[CLASHING]) == Counter()


def test_that_private_characters_of_a_text_stay_while_names_are_hidden() -> None:
    with speaking("de", frozenset(("Boot, Total",))):
        assert spoken("\uf8ff Boot, Total cuts IOPS per VM by 92.6 %").startswith("\uf8ff Boot, Total ")
        many = "Boot, Total " * 7_000
        assert spoken(many) == many


def test_that_a_name_with_a_separator_is_not_split() -> None:
    name = "Boot, Total (steady): all"
    with speaking("de", frozenset((name,))):
        assert name in spoken(f"{name} cuts IOPS per VM by 92.6 %")
        assert spoken_words(name) == name
        assert spoken_words(f"{name}: Boot").startswith(f"{name}: ")
        assert spoken_words(f"{name}: Boot") != f"{name}: Boot"


def _shown(value: Any) -> Iterator[str]:
    """Every text that a page of the window shows, including texts that are translated when drawn."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _shown(part)
    for name in _WINDOW.get(type(value), ()):
        yield from _shown(getattr(value, name))
    if isinstance(value, TableData):
        titles = (text for column in value.columns for text in (column.title, column.unit))
        yield from map(spoken_words, (value.name, *titles))
    if isinstance(value, Input):
        yield from map(spoken_words, (value.label, value.unit, value.group, *value.choices))
    if isinstance(value, Panel):
        yield from map(spoken_words, (*(one.words for one in value.regions), *(one.words for one in value.moments)))


@pytest.mark.parametrize("study", STUDIES)
def test_that_no_page_of_the_german_window_has_english(study: str) -> None:
    library = sample(study)
    english = set()
    for page in PAGES:
        for view, _ in page.views or (("", ""),):
            content = page.answer(library, State().with_page_view(page.key, view))
            with speaking("de", kept_names(library.studies)):
                german = page_in_language(content)
                texts = [text for text in _shown(german) if ENGLISH.search(NAMES.sub("", text))]
            english |= {(page.key, view, text) for text in texts}
            for made, own in ((german.tables, content.tables), (german.inputs, content.inputs)):
                keys = [[(k.title, k.unit) for k in t.columns] if isinstance(t, TableData) else t.key for t in own]
                assert keys == [
                    [(k.title, k.unit) for k in t.columns] if isinstance(t, TableData) else t.key for t in made
                ]
    # The accepted number of untranslated texts: a new text on several pages fails the test.
    assert len(english) <= 2, english


def test_that_tables_of_the_german_window_keep_names_of_configurations(tmp_path: Path) -> None:
    names = {"Baseline", "Cache"}
    library = _named(tmp_path, ("Baseline", "Cache"))
    overview = next(page for page in PAGES if page.key == "overview")
    with speaking("de", kept_names(library.studies)):
        german = page_in_language(overview.answer(library, State()))
    assert names <= {cell.text for table in german.tables for row in table.rows for cell in row}
