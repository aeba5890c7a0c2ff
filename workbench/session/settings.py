"""Settings: what the program remembers between starts, one small JSON file in the user's settings folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import msgspec
import platformdirs

from workbench.study.store.own_files import Partly, Tell, read_own, silent
from workbench.study.store.own_parts import whole_parts
from workbench.study.store.temporary import own_folder, replacing

MAX_RECENT = 8
_INSTEAD = "The preferences are at their defaults and the recent folders are forgotten; set them again."


class ExportChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen in the Export dialog last; `data` is what a .csv or .parquet of everything holds."""

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
    """What stands on the cover of every document, asked once: the customer, the author, and the path of a logo."""

    customer: str = ""
    author: str = ""
    logo: str = ""


# More than any desktop has: a damaged number must not reach the window system.
Pixels = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]


class WindowPlace(msgspec.Struct, frozen=True):
    """Left, top, width and height of the window in pixels that know the screen's scale, and whether it fills it."""

    x: Pixels
    y: Pixels
    width: Pixels
    height: Pixels
    maximised: bool = False


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`theme`: light, dark or system; `recent`: folders, sessions and bundles opened or saved last, newest first;
    `export_folder`: where the last export went; `language`: that of the window, empty for the system's;
    `preferences`: those that are set, by their key; `hidden_columns`: by the name of a table the columns that are not
    shown, `shown_columns`: those that are shown although they are empty; `export`: what was chosen in the Export
    dialog; `face`: what stands on the cover of documents; `rail_collapsed`: whether the sidebar shows icons only;
    `history_folder`: where studies were kept last; `places`: by the name and size of a screen where the window stood
    on it; `screen`: the one it was on last; `checked`: the folders of studies of which the user has seen what was
    guessed."""

    theme: str = "light"
    recent: tuple[str, ...] = ()
    export_folder: str | None = None
    language: str = ""
    export: ExportChoices = ExportChoices()
    preferences: dict[str, float | str] = {}
    hidden_columns: dict[str, tuple[str, ...]] = {}
    shown_columns: dict[str, tuple[str, ...]] = {}
    face: DocumentFace = DocumentFace()
    rail_collapsed: bool = False
    history_folder: str = ""
    places: dict[str, WindowPlace] = {}
    screen: str = ""
    checked: tuple[str, ...] = ()


def settings_file() -> Path:
    """Where settings lie; VDI_WORKBENCH_SETTINGS names another file."""
    stated = os.environ.get("VDI_WORKBENCH_SETTINGS")
    return Path(stated) if stated else Path(platformdirs.user_config_dir("vdi-workbench")) / "settings.json"


def load_settings(tell: Tell = silent) -> Settings:
    """The remembered settings; the defaults when there are none or they cannot be read. `tell` hears of damage."""
    kept = read_own(settings_file(), _decode, tell, _INSTEAD)
    return Settings() if kept is None else kept


def _decode(data: bytes) -> Settings | Partly[Settings]:
    settings, lost = whole_parts(msgspec.json.decode(data), Settings)
    return Partly(settings, lost, msgspec.json.encode(settings)) if lost else settings


def save_settings(settings: Settings) -> bool:
    """Writes the settings by rename; False when the folder cannot be written."""
    file = settings_file()
    try:
        own_folder(file.parent)
        with replacing(file) as temporary:
            temporary.write_bytes(msgspec.json.encode(settings))
    except OSError:
        return False
    return True


def with_recent(settings: Settings, path: str) -> Settings:
    """The settings with `path` as the newest of the recent."""
    recent = (path, *(other for other in settings.recent if other != path))
    return msgspec.structs.replace(settings, recent=recent[:MAX_RECENT])
