"""Files of the program are readable only by its user; a shared store keeps its permissions."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.session.settings import Settings, save_settings
from workbench.study.anonymising.pseudonyms import Pseudonyms, write_key
from workbench.study.store.column_store import Store, default_store
from workbench.study.store.temporary import own_folder, write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows folders have the rights of the profile")


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in ("STORE", "SETTINGS", "JOURNALS"):
        monkeypatch.delenv(f"VDI_WORKBENCH_{name}", raising=False)
    return tmp_path


def _rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_that_the_default_store_is_private_to_its_user(home: Path) -> None:
    store = default_store()
    store.prepare()
    assert home in store.root.parents
    assert {_rights(folder) for folder in (store.root, store.root / "v1", *store.folders)} == {0o700}


def test_that_a_default_store_readable_by_others_is_made_private(home: Path) -> None:
    store = default_store()
    for folder in store.folders:
        folder.mkdir(parents=True)
    assert _rights(store.root) == 0o755
    store.prepare()
    assert _rights(store.root) == 0o700


@pytest.mark.parametrize("rights", [0o755, 0o775, 0o777])
def test_that_an_existing_store_keeps_its_permissions(tmp_path: Path, rights: int) -> None:
    root = tmp_path / "shared"
    root.mkdir()
    root.chmod(rights)
    store = Store(root)
    store.prepare()
    assert _rights(root) == rights
    assert {_rights(folder) for folder in store.folders} == {0o755}


def test_that_a_new_store_is_private_to_its_user(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "store")
    store.prepare()
    store.prepare()
    assert {_rights(folder) for folder in (store.root.parent, store.root, *store.folders)} == {0o700}


def test_that_settings_and_files_next_to_them_are_private(home: Path) -> None:
    assert save_settings(Settings())
    write_whole(home / "history" / "study.jsonl", b"{}")
    assert {_rights(folder) for folder in (home / "config" / "vdi-workbench", home / "history")} == {0o700}


def test_that_the_key_of_an_anonymised_export_is_private(tmp_path: Path) -> None:
    key = tmp_path / "key.csv"
    key.write_text("earlier")
    write_key(key, Pseudonyms(machines={"vm": "VM-001"}))
    assert _rights(key) == 0o600
    write_whole(tmp_path / "other.csv", b"x")
    assert _rights(tmp_path / "other.csv") == 0o644


def test_that_a_user_folder_keeps_its_permissions(tmp_path: Path) -> None:
    own_folder(tmp_path / "a")
    (tmp_path / "a").chmod(0o755)
    own_folder(tmp_path / "a")
    assert _rights(tmp_path / "a") == 0o755
