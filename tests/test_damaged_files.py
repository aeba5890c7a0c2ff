"""Any damage of a project file: no uncaught exception, and every start continues."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.builders import disk_csv
from tests.damage import BOTH, damaged, mistyped
from tests.session.test_document import worked_on
from tests.study.test_mappings import MAPPING
from workbench.answers.registry import PAGES, answerable
from workbench.console.loading import load_studies
from workbench.session.bundle import load_bundle, save_bundle, sources_of
from workbench.session.document import SavedSource, SessionDocument, SessionError, load_session, save_session
from workbench.session.journal import journal_of, journals, read_journal, write_journal
from workbench.session.preferences import PREFERENCES, value_of, with_value
from workbench.session.settings import Settings, load_settings, save_settings, settings_file, with_recent
from workbench.study.importing.mappings import load_mappings, mappings_file, save_mapping
from workbench.study.store.column_store import Store
from workbench.study.store.own_files import Tell


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings" / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "settings" / "mappings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))


def check_aside(file: Path, content: bytes, told: list[str]) -> None:
    """Asserts that a reported file was renamed unchanged and replaced by a valid one; otherwise the file is
    unchanged."""
    aside = sorted(file.parent.glob(f"{file.name}.damaged-*"))
    assert len(told) == len(aside) <= 1
    if told:
        assert str(file) in told[0]
        assert aside[0].name in told[0]
        assert file.exists() == ("partly" in told[0])
        file.unlink(missing_ok=True)
        file = aside[0]
    assert file.read_bytes() == content
    file.unlink()


@BOTH
def test_that_damaged_settings_do_not_prevent_the_start(seeds: range) -> None:
    save_settings(with_recent(with_value(Settings(), "margin", 3.0), "/lab/sweep"))
    file, whole, times = settings_file(), settings_file().read_bytes(), 0
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        settings = load_settings(told.append)
        assert all(one.allowed(value_of(settings, one.key)) for one in PREFERENCES), seed
        check_aside(file, damaged(whole, seed), told)
        times += len(told)
    assert times > len(seeds) // 2
    assert load_settings() == Settings()


@BOTH
def test_that_damaged_mappings_do_not_prevent_an_import(seeds: range) -> None:
    save_mapping(MAPPING)
    file, whole, times = mappings_file(), mappings_file().read_bytes(), 0
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        load_mappings(told.append)
        check_aside(file, damaged(whole, seed), told)
        times += len(told)
    assert times > len(seeds) // 2


@BOTH
def test_that_a_damaged_journal_does_not_prevent_the_start_and_is_kept(seeds: range) -> None:
    file = journal_of("w1")
    write_journal(file, Path("/lab/review.vdiwb"), SessionDocument(paths=("/lab",), state=worked_on()))
    whole, times = file.read_bytes(), 0
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        told: list[str] = []
        found = read_journal(journals()[0], told.append)
        assert (found is None) == any("partly" not in sentence for sentence in told), seed
        check_aside(file, damaged(whole, seed), told)
        assert journals() == []
        times += len(told)
    assert times > len(seeds) // 2


def own_files(folder: Path) -> dict[str, tuple[Path, Callable[[Tell], Any]]]:
    """A settings file, mappings, a journal and a workspace file with content in every part, each with its reader."""
    settings = with_recent(with_value(with_value(Settings(), "margin", 3.0), "units", "MiB"), "/lab/sweep")
    columns = {"phases": ("iops", "vms"), "logons": ("user",)}
    save_settings(msgspec.structs.replace(settings, hidden_columns=columns))
    for names in (MAPPING.names, (*MAPPING.names, "more")):
        save_mapping(replace(MAPPING, names=names))
    # On Windows "/lab" is a path of another system, which adds a message.
    paths = tuple(str(Path(path).absolute()) for path in ("/lab", "/lab2"))
    document = SessionDocument(paths=paths, files=(SavedSource("a.csv", 1, 2),), state=worked_on())
    write_journal(journal_of("w1"), Path("/lab/review.vdiwb"), document)
    save_session(folder / "review.vdiwb", document)
    return {
        "settings": (settings_file(), load_settings),
        "mappings": (mappings_file(), load_mappings),
        "journal": (journal_of("w1"), lambda tell: read_journal(journal_of("w1"), tell)),
        "workspace": (folder / "review.vdiwb", lambda tell: load_session(folder / "review.vdiwb", tell)),
    }


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value, enc_hook=str, order="sorted"))


def lost_values(before: Any, after: Any) -> list[Any]:
    """The values of `before` that are missing at their place in `after`; for a list that lost entries, the lost
    ones."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [lost for key, value in before.items() for lost in lost_values(value, after.get(key))]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [lost for pair in zip(before, after, strict=True) for lost in lost_values(*pair)]
    if isinstance(before, list) and isinstance(after, list):
        return [value for value in before if value not in after]
    return [] if before == after else [before]


@BOTH
@pytest.mark.parametrize("kind", ["settings", "mappings", "journal", "workspace"])
def test_that_one_value_with_a_wrong_type_affects_no_other(tmp_path: Path, kind: str, seeds: range) -> None:
    file, read = own_files(tmp_path)[kind]
    whole, sound = file.read_bytes(), plain(read(lambda _: None))
    parts = 0
    for seed in seeds:
        file.write_bytes(content := mistyped(whole, seed))
        told: list[str] = []
        value = read(told.append)
        assert len(told) == 1, seed
        if "partly" in told[0]:
            assert len(lost_values(sound, plain(value))) <= 1, (seed, told)
            parts += 1
        if kind == "workspace":
            assert file.read_bytes() == content, "a user's own file is never moved or changed"
            continue
        if "partly" in told[0]:
            assert read(told.append) == value, "what is whole takes its place"
            assert len(told) == 1
        check_aside(file, content, told)
    assert parts > 0.8 * len(seeds)


def test_that_a_journal_from_a_newer_version_is_kept_for_it() -> None:
    file = journal_of("w1")
    write_journal(file, None, SessionDocument(version=999, paths=("/lab",)))
    told: list[str] = []
    assert read_journal(file, told.append) is None
    assert told == []
    assert file.exists()


@BOTH
def test_that_a_damaged_workspace_file_is_rejected_by_name_or_opens(tmp_path: Path, seeds: range) -> None:
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(paths=("/lab", "lab"), state=worked_on()))
    whole, refused = file.read_bytes(), list[str]()
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        try:
            state = answerable(load_session(file).state)
            assert {state.page, *(view.page for view in state.views)} <= {spec.key for spec in PAGES}
        except SessionError as error:
            refused.append(str(error))
        assert file.read_bytes() == damaged(whole, seed), "a user's own file is never moved or changed"
    assert len(refused) > len(seeds) // 2
    assert all("review.vdiwb" in sentence for sentence in refused)


@pytest.mark.parametrize(
    ("before", "after"),
    [(b'"lab"', b'"l\\u0000b"'), (b'"lab"', b"[" * 100_000 + b"]" * 100_000), (b'"lab"', b'"\xff"')],
)
def test_that_a_workspace_file_with_impossible_paths_is_rejected(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(paths=("lab",), state=worked_on()))
    content = file.read_bytes()
    assert content.count(str(tmp_path).encode()) == 0
    file.write_bytes(content.replace(before, after, 1))
    assert file.read_bytes() != content
    with pytest.raises(SessionError, match=r"review\.vdiwb is "):
        load_session(file)


@BOTH
def test_that_a_damaged_bundle_is_rejected_by_name_or_opens_unchanged(tmp_path: Path, seeds: range) -> None:
    store, file = Store(tmp_path / "store"), tmp_path / "review.vdibundle"
    source = disk_csv(tmp_path / "lab" / "MCS" / "A.csv", "A", [1.0] * 24, [1.0] * 24)
    studies = load_studies([tmp_path / "lab"], store)
    save_bundle(file, SessionDocument(), studies, sources_of({"A.csv": source}))
    whole, refused = file.read_bytes(), list[str]()
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        try:
            load_bundle(file, Store(tmp_path / "elsewhere"))
        except SessionError as error:
            refused.append(str(error))
    assert len(refused) > len(seeds) // 2
    assert all("review.vdibundle" in sentence for sentence in refused)
