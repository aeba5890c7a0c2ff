"""German texts use the words of the glossary, and begin with a capital letter if their English text does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from workbench.words.translated import speaking, spoken, spoken_words, texts_of

ROOT = Path(__file__).parents[2]
# Named with a capital letter in English, too, but not at the start of a sentence: files and programs.
_SMALL = re.compile(r"p\d|n\b|fio|esxtop|poolmon|vdbench|vdiwb|run\.toml")


def glossary() -> list[tuple[str, str, str]]:
    """(English, German, words not used) of each row in the table of German terms."""
    table = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## German terms")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    return rows[1:]


def sentences() -> dict[str, str]:
    """English and German of documents and pages."""
    text = (ROOT / "resources" / "translations" / "de.sentences.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@pytest.mark.parametrize("row", glossary(), ids=lambda row: row[0])
def test_that_german_texts_use_one_word_for_a_thing(row: tuple[str, str, str]) -> None:
    texts = (*sentences().values(), *texts_of("de").values())
    _, german, losers = row
    for loser in losers.split(", "):
        # An inflected word counts; a longer word that only contains it does not.
        word = re.compile(rf"\b{re.escape(loser)}(e|en|er|es|em|s|n)?\b", re.IGNORECASE)
        assert [text for text in texts if word.search(text)] == [], f"say '{german}'"


def test_that_a_german_sentence_begins_with_a_capital_if_the_english_one_does() -> None:
    both = {**sentences(), **texts_of("de")}
    small = {
        english: german
        for english, german in both.items()
        if english[0].isupper() and german[0].islower() and not _SMALL.match(german) and len(english) > 1
    }
    assert small == {}


def test_that_no_german_text_repeats_a_letter_by_mistake() -> None:
    texts = (*sentences().values(), *texts_of("de").values())
    assert [text for text in texts if re.search(r"([^\W\d_])\1\1", text, re.IGNORECASE)] == []


@pytest.mark.parametrize("key", ["configuration", "provisioning", "ram_cache_mb", "session_type", "users", "vms"])
def test_that_a_german_message_names_a_key_of_run_toml_as_it_is_written(key: str) -> None:
    with speaking("de"):
        said = spoken_words(f"to correct the guess, set '{key}' in run.toml")
    assert said.startswith("zur Korrektur")
    assert said.endswith(f" {key} in run.toml")


def test_that_minutes_of_a_german_axis_are_not_called_a_minimum() -> None:
    with speaking("de"):
        assert spoken_words("Acceptable boot time (min, log)") == "Annehmbare Startzeit (min, log)"
        assert spoken_words("Min (s)") == "Min (s)"


def test_that_a_german_text_in_a_longer_one_is_not_translated_again() -> None:
    again = {}
    with speaking("de"):
        for english, german in {**texts_of("de"), **sentences()}.items():
            shown = german.replace("&", "")
            if "{" not in english and (said := spoken(f"{shown} (n = 1)")) != f"{shown} (n = 1)":
                again[english] = said
    assert again == {}


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Shared storage, reads", "Shared Storage, Lesen"),
        ("p95 of read latency (ms)", "p95 der Leselatenz (ms)"),
        ("IOPS per VM vs. baseline (%)", "IOPS je VM gegenüber der Basis (%)"),
        ("Overflow start (UTC)", "Beginn des Überlaufs (UTC)"),
        (
            "100 × (share of reads during boot + (100 − share of reads during boot))",
            "100 × (Leseanteil beim Start + (100 − Leseanteil beim Start))",
        ),
        ("VMs × (1 + relative load variation per VM)", "VMs × (1 + relative Lastschwankung je VM)"),
        ("IOPS per VM in steady state vs. 'MCS' ≤ −80 %", "IOPS je VM im Steady State gegenüber „MCS“ ≤ −80 %"),
    ],
)
def test_that_german_formulas_legends_and_heads_are_one_phrase(english: str, german: str) -> None:
    with speaking("de"):
        assert spoken_words(english) == german


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "IOPS per VM rose by 12 % of the mean in steady state at 2016-05-10 10:15:00 (UTC), "
            "when a cache overflowed",
            "Im Steady State stiegen die IOPS je VM am 2016-05-10 um 10:15:00 (UTC) um 12 % des Mittels, "
            "als ein Cache überlief",
        ),
        (
            "IOPS per VM (logon). The small chart shows each run, from 0 to the highest value of the column",
            "IOPS je VM (Anmeldung). Das kleine Diagramm zeigt jeden Lauf, von 0 bis zum höchsten Wert der Spalte",
        ),
        (
            "2 of 20 users logged on again: u1 on W1 at 2016-05-10 08:00:00 (UTC), "
            "u2 on W2 at 2016-05-10 08:01:00 (UTC) and 3 more.",
            "2 von 20 Benutzern meldeten sich erneut an: u1 auf W1 am 2016-05-10 um 08:00:00 (UTC), "
            "u2 auf W2 am 2016-05-10 um 08:01:00 (UTC) und 3 weitere.",
        ),
        (
            "MCSIO cuts IOPS per VM in steady state by 93,0 % [92,8; 93,2] (7,35 vs. 105 with MCS, n = 3)",
            "MCSIO senkt die IOPS je VM im Steady State um 93,0 % [92,8; 93,2] (7,35 gegenüber 105 bei MCS, n = 3)",
        ),
        (
            "7,35 instead of 105 IOPS per VM with MCS (95 % interval of the change: [−93,2; −92,8]\u2009%)",
            "7,35 statt 105 IOPS je VM bei MCS (95-%-Intervall der Änderung: −93,2\u2009% bis −92,8\u2009%)",
        ),
        (
            "Phase 'boot': W1, W2 and 3 more lack samples for up to 300 s of 600 s.",
            "Phase „Start“: Bei W1, W2 und 3 weiteren fehlen Messwerte für bis zu 300 s von 600 s.",
        ),
        (
            "The file repeats the keys “a” and “b” with different values.",
            "Die Datei enthält die Schlüssel „a“ und „b“ mehrmals, mit verschiedenen Werten.",
        ),
        (
            "3 of 8 VMs have no samples and V-1 lacks 22 % of its samples in runs 'a', 'b' and 'c'; "
            "2 other runs also lack samples",
            "3 von 8 VMs haben keine Messwerte. Bei V-1 fehlen 22 % der Messwerte in den Läufen „a“, „b“ "
            "und „c“; in 2 weiteren Läufen fehlen ebenfalls Messwerte",
        ),
    ],
)
def test_that_no_part_of_a_german_sentence_stays_english(english: str, german: str) -> None:
    with speaking("de"):
        assert spoken_words(english) == german


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "Line 1,234 has 5 cells, but the header has 4 (same problem on lines 6 and 2,000 more).",
            "Zeile 1\u2009234 hat 5 Felder, die Kopfzeile aber 4 "
            "(gleiches Problem in den Zeilen 6 und 2\u2009000 weiteren).",
        ),
        ("Job “first” did no I/O.", "Job „first“ führte keine I/O aus."),
        (
            "read and boot are copies of other runs: all samples are identical.",
            "read und boot sind Kopien anderer Läufe: Alle Messwerte sind identisch.",
        ),
    ],
)
def test_that_a_message_of_a_reader_keeps_names_and_writes_numbers_as_pages_do(english: str, german: str) -> None:
    with speaking("de"):
        assert spoken_words(english) == german
