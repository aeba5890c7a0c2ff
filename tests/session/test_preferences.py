"""Preferences: each is declared once, and has a valid value for any settings file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.session.preferences import BY_KEY, PREFERENCES, as_markdown, matching, value_of, with_value
from workbench.session.settings import Settings, load_settings, save_settings
from workbench.words.translated import LANGUAGES

DOCS = Path(__file__).parents[2] / "docs" / "preferences.md"


def test_that_every_preference_is_declared_once_and_its_default_is_allowed() -> None:
    assert len(BY_KEY) == len(PREFERENCES)
    assert all(one.allowed(one.default) and one.text.endswith(".") for one in PREFERENCES)


def test_that_the_docs_list_the_declared_preferences() -> None:
    assert DOCS.read_text(encoding="utf-8") == as_markdown()


def test_that_the_language_choices_are_the_available_ones() -> None:
    assert [value for value, _ in BY_KEY["language"].choices] == ["", *LANGUAGES]


@given(st.dictionaries(st.sampled_from(list(BY_KEY)), st.one_of(st.text(max_size=5), st.floats(allow_nan=False))))
def test_that_an_invalid_value_becomes_the_default(kept: dict[str, float | str]) -> None:
    settings = Settings(preferences=kept)
    for one in PREFERENCES:
        assert one.allowed(value_of(settings, one.key))


def test_that_values_are_saved_and_defaults_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    save_settings(with_value(with_value(Settings(), "margin", 3.0), "theme", "system"))
    found = load_settings()
    assert (value_of(found, "margin"), value_of(found, "theme")) == (3.0, "system")
    assert with_value(with_value(found, "margin", 5.0), "theme", "light") == Settings()
    with pytest.raises(ValueError, match="Margin cannot be 80"):
        with_value(found, "margin", 80.0)


def test_that_settings_of_an_earlier_version_apply() -> None:
    found = msgspec.json.decode(b'{"theme": "dark", "recent": ["/lab"]}', type=Settings)
    assert (value_of(found, "theme"), value_of(found, "units")) == ("dark", "MB")


def test_that_a_search_finds_words_in_title_and_text_and_group_and_choices() -> None:
    assert [one.key for one in matching("mib")] == ["units"]
    assert [one.key for one in matching("decimal")] == ["decimals"]
    assert [one.key for one in matching("appearance size")] == ["type_size"]
    assert matching("nonsense") == ()
    assert matching("") == PREFERENCES
