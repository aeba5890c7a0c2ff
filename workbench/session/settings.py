"""Settings: data that the program keeps between starts, in one small JSON file in the user's settings folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import msgspec
import platformdirs

from workbench.session.earlier_columns import current_columns
from workbench.study.store.own_files import Partly, Tell, read_own, silent
from workbench.study.store.own_parts import whole_parts
from workbench.study.store.temporary import own_folder, replacing

MAX_RECENT = 8
_INSTEAD = "Preferences are reset to their defaults, and the list of recent folders is empty."


class ExportChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The last choices in the Export dialog; `data` is the content of a .csv or .parquet file."""

    what: str = "all"
    ending: str = ".xlsx"
    data: str = "phases"
    theme: str = "light"
    width: int = 1600
    height: int = 900
    scale: float = 2.0
    templates: dict[str, str] = {}
    anonymise: bool = False
    each_study: bool = False
    length: str = "review"


class DocumentFace(msgspec.Struct, frozen=True, kw_only=True):
    """The cover of every document, entered once: customer, author, and the path of a logo."""

    customer: str = ""
    author: str = ""
    logo: str = ""


# Larger than any desktop: a damaged number must not reach the window system.
Pixels = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]


class WindowPlace(msgspec.Struct, frozen=True):
    """Left, top, width and height of the window in scaled (logical) pixels, and whether it is maximised."""

    x: Pixels
    y: Pixels
    width: Pixels
    height: Pixels
    maximised: bool = False


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The saved settings.

    `theme`: light, dark or system. `recent`: folders, workspace files and bundles opened or saved last, newest first.
    `export_folder`: folder of the last export. `language`: of the window, empty for that of the system. `preferences`:
    those that are set, by key. `hidden_columns`: hidden columns by table name; `shown_columns`: columns shown although
    they are empty or do not fit; `column_order`: all columns of a table in the user's order. `export`: the last choices
    in the Export dialog. `face`: the cover of documents. `rail_collapsed`: the sidebar shows icons only.
    `history_folder`: the folder in which studies were stored last. `places`: position of the window by name and size of
    the screen; `screen`: the last screen. `checked`: folders of studies whose guesses the user has seen.
    """

    theme: str = "light"
    recent: tuple[str, ...] = ()
    export_folder: str | None = None
    language: str = ""
    export: ExportChoices = ExportChoices()
    preferences: dict[str, float | str] = {}
    hidden_columns: dict[str, tuple[str, ...]] = {}
    shown_columns: dict[str, tuple[str, ...]] = {}
    column_order: dict[str, tuple[str, ...]] = {}
    face: DocumentFace = DocumentFace()
    rail_collapsed: bool = False
    history_folder: str = ""
    places: dict[str, WindowPlace] = {}
    screen: str = ""
    checked: tuple[str, ...] = ()


def settings_file() -> Path:
    """The path of the settings; VDI_WORKBENCH_SETTINGS names another file."""
    stated = os.environ.get("VDI_WORKBENCH_SETTINGS")
    return Path(stated) if stated else Path(platformdirs.user_config_dir("vdi-workbench")) / "settings.json"


def load_settings(tell: Tell = silent) -> Settings:
    """The saved settings; defaults if there are none or they cannot be read. `tell` is called if they are damaged."""
    kept = read_own(settings_file(), _decode, tell, _INSTEAD)
    return Settings() if kept is None else kept


def _decode(data: bytes) -> Settings | Partly[Settings]:
    kept, lost = whole_parts(msgspec.json.decode(data), Settings)
    settings = msgspec.structs.replace(
        kept,
        hidden_columns=current_columns(kept.hidden_columns),
        shown_columns=current_columns(kept.shown_columns),
        column_order=current_columns(kept.column_order),
    )
    return Partly(settings, lost, msgspec.json.encode(settings)) if lost else settings


def save_settings(settings: Settings) -> bool:
    """Replace the settings file. False if the folder cannot be written."""
    file = settings_file()
    try:
        own_folder(file.parent)
        with replacing(file) as temporary:
            temporary.write_bytes(msgspec.json.encode(settings))
    except OSError:
        return False
    return True


def with_recent(settings: Settings, path: str) -> Settings:
    """The settings with `path` as the newest recent entry."""
    recent = (path, *(other for other in settings.recent if other != path))
    return msgspec.structs.replace(settings, recent=recent[:MAX_RECENT])
