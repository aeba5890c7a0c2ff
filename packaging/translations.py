"""Brings the translation files up to date: `uv run python packaging/translations.py`.

Collects every fixed text of the user interface: the literals in `tr("…")`, the tables of actions, pages, phases and
metrics, and the texts that the pages show for the sample study (questions, column titles, names of tables and inputs).
Existing translations are kept, new texts are added as unfinished, unused texts are removed.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import workbench.gui.shell.main_window  # noqa: F401, it registers the commands
from workbench.answers.changes.tables import COLUMNS, FINDING_COLUMNS, FINDINGS, NAME
from workbench.answers.common.chosen import BENCHMARKS_ALONE, HIDDEN, LOOSE_ALONE, NO_PHASE
from workbench.answers.common.library import Library
from workbench.answers.common.listing import GROUPS, ORDERS
from workbench.answers.common.listing import NAME as ALL_CONFIGURATIONS
from workbench.answers.common.traces.traces import Alignment
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.sentences import CANNOT
from workbench.answers.findings.tables import unmatched_table
from workbench.answers.import_report.spec import FILES, PROBLEMS
from workbench.answers.logons.tables import STEPS
from workbench.answers.overview.lead import SINGLE_RUNS
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.console.loading import load_studies
from workbench.exporters.document.language import FRAME
from workbench.gui.dialogs.export_dialog import NOUNS, PAGES_AND_VIEWS
from workbench.gui.dialogs.export_form import DATA, FORMATS, LENGTH_WORDS
from workbench.gui.dialogs.mapping_dialog import COUNTER, DECIMALS, LEFT_OUT, NO_TIER, ROLES, TITLES, meaning_words
from workbench.gui.dialogs.preferences import NOTHING_CALLED_SO
from workbench.gui.dialogs.shortcut_sheet import GESTURES
from workbench.gui.runs.run_editor import COUNTS, OUT
from workbench.gui.runs.run_fields import (
    AS_THEY_ARE,
    EXAMPLES,
    FACTS,
    GUEST_COUNTERS,
    NO_CACHE,
    NOT_KNOWN,
    SESSION_TYPES,
    WRITE_CACHES,
)
from workbench.gui.services.actions import ACTIONS
from workbench.gui.services.translation import CONTEXT
from workbench.gui.shell.header import SCALES
from workbench.gui.shell.header import TITLE as READING
from workbench.gui.storyboard.board import SWITCHES
from workbench.measures.configurations import COMPARED
from workbench.measures.phase_table import run_figures
from workbench.measures.traced import TRACED
from workbench.model.mapping import TimeFormat
from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.run import Provisioning
from workbench.session.preferences import PREFERENCES
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.metrics import PHASE_WORDS
from workbench.words.numbers import POINTS
from workbench.words.translated import LANGUAGES

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "translations"
# Texts made in `answers/` and shown by name.
_SHOWN = ("Column", "Input", "Content", "TableData", "replace")


def fixed_texts() -> list[str]:
    """Every fixed text, once, in a stable order."""
    found = [*_asked_for(), *_on_pages(), *_tables(), *_of_the_sample()]
    return sorted({text for text in found if any(char.isalpha() for char in text)})


def _asked_for() -> Iterator[str]:
    """The literals within `tr(…)` in the source."""
    for call in _calls("workbench"):
        if _name_of(call) == "tr":
            yield from _literals(call)


def _on_pages() -> Iterator[str]:
    """Texts that answers state as literals: names of tables, titles of columns, labels of inputs and notes on empty
    pages. The sample study does not show all of them."""
    for call in _calls("workbench/answers"):
        title, label = call.args[:1], call.args[1:2]
        first = {"Column": title, "text_field": title, "number_field": title, "Input": label}.get(_name_of(call), [])
        named = [keyword.value for keyword in call.keywords if keyword.arg in ("name", "empty", "label", "group")]
        shown = [*first, *(named if _name_of(call) in _SHOWN else ())]
        texts = (part.value for part in shown if isinstance(part, ast.Constant) and isinstance(part.value, str))
        yield from filter(_is_fixed, texts)


def _calls(folder: str) -> Iterator[ast.Call]:
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literals(call: ast.Call) -> Iterator[str]:
    for part in ast.walk(call):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _tables() -> Iterator[str]:
    for action in ACTIONS:
        yield from (action.menu, action.words)
    for spec in PAGES:
        yield spec.name
        yield from (name for _, name in spec.views)
        yield from (sign.words for signs in spec.reading.values() for sign in signs)
    for title, lines in GESTURES.items():
        yield title
        yield from (text for line in lines for text in line)
    yield from (strength.value for strength in Strength)
    # Parts of lines with counts: `strong, 1 caveat, 3 runs each`.
    yield from (READING, "run each", "runs each")
    yield from ("running", "edited", "caveat", "caveats", "run", "runs", "slide", "slides")
    yield from ("more finding", "more findings", "All findings", SINGLE_RUNS, CANNOT, "no verdict")
    yield from ("View", "Phase", "Metric", "Aligned at", "Scale", "Whole run")
    yield from (words.capitalize() for words in PHASE_WORDS.values())
    yield from (measure.name for measure in (*TRACED.values(), *COMPARED))
    yield POINTS
    yield from (one.value.capitalize() for one in Alignment)
    yield from (words for _, words in SCALES)
    yield from ("measured", "documented", "assumed", "guessed", "yours")
    for preference in PREFERENCES:
        yield from (preference.group, preference.title, preference.text)
        yield from (words for _, words in preference.choices)
    yield from (words for _, words in SWITCHES)
    yield from ("finding", "view", "page", "text")
    yield from FORMATS.values()
    yield from (noun for nouns in (*NOUNS.values(), PAGES_AND_VIEWS) for noun in nouns)
    yield from (words for _, words in (*DATA, *LENGTH_WORDS))
    yield from FRAME
    yield from (fact.words for fact in FACTS)
    yield from (words for words, _ in (*WRITE_CACHES, *GUEST_COUNTERS, *SESSION_TYPES))
    yield from EXAMPLES.values()
    yield from (AS_THEY_ARE, NO_CACHE, NOT_KNOWN, COUNTS, OUT)
    yield from (*TITLES, *DECIMALS.values(), NO_TIER, LEFT_OUT, COUNTER, *ROLES.values(), "as it is")
    yield from (meaning_words(quantity) for quantity in Quantity)
    yield from (place.value for place in (*Vantage, *Tier, *TimeFormat))
    # Fields above a list of many configurations, and the two sort orders of a column.
    yield from (*GROUPS, *ORDERS, ALL_CONFIGURATIONS, "up", "down", NOTHING_CALLED_SO)
    yield from (
        PROBLEMS,
        STEPS,
        "Step",
        FILES,
        "Sources",
        "highest",
        "of",
        "IOPS of one 15k drive",
        "vCPUs per VM",
        *(kind.value for kind in Provisioning if kind.value[:3] not in ("MCS", "PVS")),
    )
    yield from (question.text for question in QUESTIONS.values())
    # The pages of the sample do not show these texts: its runs count, and nothing was edited.
    yield from (HIDDEN, NO_PHASE, BENCHMARKS_ALONE, LOOSE_ALONE)
    unmatched = unmatched_table(())
    yield from (unmatched.name, *(column.title for column in unmatched.columns))
    yield from (NAME, FINDINGS, *(column.title for column in (*COLUMNS, *FINDING_COLUMNS)))


def _of_the_sample() -> Iterator[str]:
    """The texts that pages show without a study and with each study of the sample."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        store.prepare()
        studies = load_studies([ROOT / "sample_data"], store)
        figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
        library = Library(studies, figures, {})
        for spec in PAGES:
            yield from _texts(spec.answer(Library(), State()))
            for study in studies:
                for view, _ in spec.views or (("", ""),):
                    state = State(study=study.folder).with_page_view(spec.key, view)
                    yield from _texts(spec.answer(library, state))


def _texts(content: Content) -> Iterator[str]:
    titles = [column.title for table in content.tables for column in table.columns]
    names = [table.name for table in content.tables]
    labels = [text for one in content.inputs for text in (one.label, one.group)]
    labels += [text for one in (content.form.inputs if content.form else ()) for text in (one.label, one.tip)]
    offered = (content.offers or ())[:1]
    yield from filter(_is_fixed, (content.question, content.empty, *names, *titles, *labels, *offered))
    units = (column.unit for table in content.tables for column in table.columns)
    # A symbol such as MB/s is the same in every language. Words in place of a unit are not.
    worded = (unit for unit in units if re.search(r"[a-z]{4,}| [a-z]|of ", unit))
    # A text with a number was composed, except the scale of EUX.
    yield from (unit for unit in worded if unit == "of 10" or not any(char.isdigit() for char in unit))


def _is_fixed(text: str) -> bool:
    """True if a text was not composed: composed texts contain a number or the name of a configuration or test."""
    made = any(char.isdigit() for char in text) or any(name in text for name in ("MCS", "PVS", "XenApp"))
    return bool(text) and not made and text[0].isupper()


def update(language: str, texts: list[str]) -> int:
    """Rewrites one file; returns how many texts have no translation."""
    file = FOLDER / f"{language}.ts"
    known: dict[str, str] = {}
    if file.is_file():
        for message in ElementTree.parse(file).iter("message"):
            translated = message.findtext("translation") or ""
            if translated:
                known[message.findtext("source") or ""] = translated
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = CONTEXT
    for text in texts:
        message = ElementTree.SubElement(context, "message")
        ElementTree.SubElement(message, "source").text = text
        translation = ElementTree.SubElement(message, "translation")
        translation.text = known.get(text, "")
        if not translation.text:
            translation.set("type", "unfinished")
    ElementTree.indent(root, " ")
    FOLDER.mkdir(exist_ok=True)
    body = ElementTree.tostring(root, encoding="unicode")
    file.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")
    return sum(text not in known for text in texts)


def main() -> int:
    """Updates every language and prints the missing texts."""
    texts = fixed_texts()
    for language in LANGUAGES:
        if language != "en":
            sys.stdout.write(f"{language}: {len(texts)} texts, {update(language, texts)} without translation\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
