"""Whatever happens to a file of our own: nothing is raised that nobody catches, and every start goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.damage import SEEDS, damaged
from tests.session.test_document import worked_on
from tests.study.test_mappings import MAPPING
from workbench.answers.registry import PAGES, answerable
from workbench.console.loading import load_studies
from workbench.session.bundle import load_bundle, save_bundle, sources_of
from workbench.session.document import Document, SessionError, load_session, save_session
from workbench.session.journal import journal_of, journals, read_journal, write_journal
from workbench.session.preferences import PREFERENCES, value_of, with_value
from workbench.session.settings import Settings, load_settings, save_settings, settings_file, with_recent
from workbench.study.importing.mappings import load_mappings, mappings_file, save_mapping
from workbench.study.store.column_store import Store


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings" / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "settings" / "mappings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))


def check_aside(file: Path, content: bytes, told: list[str]) -> None:
    """What was told is set aside as it was; where nothing was told the file stands as it was."""
    aside = sorted(file.parent.glob(f"{file.name}.damaged-*"))
    assert len(told) == len(aside) <= 1
    if told:
        assert str(file) in told[0]
        assert aside[0].name in told[0]
        assert not file.exists()
        file = aside[0]
    assert file.read_bytes() == content
    file.unlink()


def test_that_damaged_settings_prevent_no_start() -> None:
    save_settings(with_recent(with_value(Settings(), "margin", 3.0), "/lab/sweep"))
    file, whole, times = settings_file(), settings_file().read_bytes(), 0
    for seed in SEEDS:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        settings = load_settings(told.append)
        assert all(one.allowed(value_of(settings, one.key)) for one in PREFERENCES), seed
        check_aside(file, damaged(whole, seed), told)
        times += len(told)
    assert times > 100
    assert load_settings() == Settings()


def test_that_damaged_mappings_prevent_no_import() -> None:
    save_mapping(MAPPING)
    file, whole, times = mappings_file(), mappings_file().read_bytes(), 0
    for seed in SEEDS:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        load_mappings(told.append)
        check_aside(file, damaged(whole, seed), told)
        times += len(told)
    assert times > 100


def test_that_a_damaged_journal_prevents_no_start_and_is_kept() -> None:
    file = journal_of("w1")
    write_journal(file, Path("/lab/review.vdiwb"), Document(paths=("/lab",), state=worked_on()))
    whole, times = file.read_bytes(), 0
    for seed in SEEDS:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        found = read_journal(journals()[0], told.append)
        assert (found is None) == bool(told), seed
        check_aside(file, damaged(whole, seed), told)
        assert journals() == []
        times += len(told)
    assert times > 100


def test_that_a_journal_of_a_newer_version_is_left_to_that_version() -> None:
    file = journal_of("w1")
    write_journal(file, None, Document(version=999, paths=("/lab",)))
    told: list[str] = []
    assert read_journal(file, told.append) is None
    assert told == []
    assert file.exists()


def test_that_a_damaged_session_is_refused_with_its_name_or_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "review.vdiwb"
    save_session(file, Document(paths=("/lab", "lab"), state=worked_on()))
    whole, refused = file.read_bytes(), list[str]()
    for seed in SEEDS:
        file.write_bytes(damaged(whole, seed))
        try:
            state = answerable(load_session(file).state)
            assert {state.page, *(view.page for view in state.views)} <= {spec.key for spec in PAGES}
        except SessionError as error:
            refused.append(str(error))
        assert file.read_bytes() == damaged(whole, seed), "a user's own file is never moved or changed"
    assert len(refused) > 100
    assert all("review.vdiwb" in sentence for sentence in refused)


@pytest.mark.parametrize(
    ("before", "after"),
    [(b'"lab"', b'"l\\u0000b"'), (b'"lab"', b"[" * 100_000 + b"]" * 100_000), (b'"lab"', b'"\xff"')],
)
def test_that_a_session_with_what_no_path_can_be_is_refused(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = tmp_path / "review.vdiwb"
    save_session(file, Document(paths=("lab",), state=worked_on()))
    content = file.read_bytes()
    assert content.count(str(tmp_path).encode()) == 0
    file.write_bytes(content.replace(before, after, 1))
    assert file.read_bytes() != content
    with pytest.raises(SessionError, match=r"review\.vdiwb is "):
        load_session(file)


def test_that_a_damaged_bundle_is_refused_with_its_name_or_opens_as_it_was(tmp_path: Path) -> None:
    store, file = Store(tmp_path / "store"), tmp_path / "review.vdibundle"
    source = disk_csv(tmp_path / "lab" / "MCS" / "A.csv", "A", [1.0] * 24, [1.0] * 24)
    studies = load_studies([tmp_path / "lab"], store)
    save_bundle(file, Document(), studies, sources_of({"A.csv": source}))
    whole, refused = file.read_bytes(), list[str]()
    for seed in SEEDS:
        file.write_bytes(damaged(whole, seed))
        try:
            load_bundle(file, Store(tmp_path / "elsewhere"))
        except SessionError as error:
            refused.append(str(error))
    assert len(refused) > 100
    assert all("review.vdibundle" in sentence for sentence in refused)
