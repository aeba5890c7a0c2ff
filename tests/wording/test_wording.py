"""Plain English: no pattern to avoid becomes more frequent, and no forbidden phrase returns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.wording.__main__ import main
from tests.wording.ratchet import (
    COMMAND,
    COUNTS,
    Hit,
    Pattern,
    as_toml,
    counted,
    fallen,
    forbidden,
    found,
    patterns,
    risen,
    stored,
)
from tests.wording.texts import Text, strings, texts

SMALL = Pattern("small", re.compile("tiny"), "small")
NAMES = ["small"]


@pytest.fixture(scope="module")
def read() -> list[Text]:
    return list(texts())


@pytest.fixture(scope="module")
def hits(read: list[Text]) -> list[Hit]:
    return found(patterns(), read)


def test_that_no_pattern_has_become_more_frequent(hits: list[Hit]) -> None:
    instead = {pattern.name: pattern.instead for pattern in patterns()}
    lines = risen(instead, stored(), hits)
    if lines:
        advice = [f"Instead of '{name}': {words}." for name, words in instead.items() if f"{name}:" in "\n".join(lines)]
        pytest.fail("\n".join(["Reword these texts:", *lines, *advice]), pytrace=False)


def test_that_counts_that_fell_are_stored(hits: list[Hit]) -> None:
    lines = fallen([pattern.name for pattern in patterns()], stored(), counted(hits))
    if lines:
        pytest.fail("\n".join([f"Fewer hits than stored. Run '{COMMAND}' and commit.", *lines]), pytrace=False)


def test_that_no_text_has_a_forbidden_phrase(read: list[Text]) -> None:
    instead = {phrase.name: phrase.instead for phrase in forbidden()}
    lines = [f"{hit.file}:{hit.line}: '{hit.words}', write: {instead[hit.pattern]}" for hit in found(forbidden(), read)]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)


def test_that_every_kind_of_text_is_read(read: list[Text]) -> None:
    files = {text.file for text in read}
    assert {"README.md", "SECURITY.md", "resources/causes.toml", "docs/answers.md", "workbench/cli.py"} <= files


def test_that_docstrings_and_keys_are_not_texts_and_f_string_values_are_braces() -> None:
    source = '"""A docstring of words."""\nkey = "two words"\na = "three short words"\nb = f"{a} tiny {key!r}"\n'
    assert list(strings(source)) == [(3, "three short words"), (4, "{} tiny {}")]


def test_that_a_hit_names_its_place_and_words() -> None:
    assert found([SMALL], [Text("a.md", 7, "a tiny, tiny thing")]) == [Hit("small", "a.md", 7, "tiny")] * 2


def test_that_a_phrase_matches_whole_words_in_any_case() -> None:
    phrases = {phrase.name: phrase for phrase in forbidden()}
    phrase = phrases["percentile 95"]
    assert len(found([phrase], [Text("a", 1, "Percentile 95 and percentile 950")])) == 1


def test_that_an_increased_count_lists_the_hits_of_the_files_that_grew() -> None:
    before = {"small": {"a.md": 1, "b.md": 1}}
    now = [Hit("small", "a.md", 1, "tiny"), Hit("small", "b.md", 2, "tiny"), Hit("small", "b.md", 9, "Tiny")]
    assert risen(NAMES, before, now) == ["small: 3, stored 2", "  b.md:2: tiny", "  b.md:9: Tiny"]


def test_that_a_text_may_move_to_another_file() -> None:
    assert risen(NAMES, {"small": {"a.md": 1}}, [Hit("small", "b.md", 2, "tiny")]) == []


def test_that_a_decreased_count_is_reported() -> None:
    assert fallen(NAMES, {"small": {"a.md": 2}}, {"small": {"a.md": 1}}) == ["small: 1, stored 2"]
    assert fallen(NAMES, {"small": {"a.md": 2}}, {}) == ["small: 0, stored 2"]
    assert fallen(NAMES, {"small": {"a.md": 2}}, {"small": {"b.md": 2}}) == []


def test_that_counts_are_read_back_from_their_file(tmp_path: Path) -> None:
    counts = {"small": {"docs/a.md": 2, "b.md": 1}, "is no": {}}
    (tmp_path / "counts.toml").write_text(as_toml(counts, counts), encoding="utf-8")
    assert stored(tmp_path / "counts.toml") == counts


@pytest.mark.parametrize(("change", "status"), [(-1, 1), (0, 0), (1, 0)])
def test_that_the_command_lowers_counts_and_never_raises_one(
    change: int, status: int, hits: list[Hit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [pattern.name for pattern in patterns()]
    # One more, because the texts may have none.
    hits = [*hits, Hit("stands", "docs/a.md", 1, "stands")]
    real = {name: dict(counted(hits).get(name, {})) for name in names}
    before = {name: dict(files) for name, files in real.items()}
    before["stands"][next(iter(before["stands"]))] += change
    file = tmp_path / COUNTS.name
    file.write_text(as_toml(names, before), encoding="utf-8")
    monkeypatch.setattr("tests.wording.__main__.COUNTS", file)
    monkeypatch.setattr("tests.wording.__main__.stored", lambda: stored(file))
    monkeypatch.setattr("tests.wording.__main__.found", lambda *_: hits)
    monkeypatch.setattr("tests.wording.__main__.texts", tuple)
    assert main([]) == status
    assert stored(file) == (before if status else real)
