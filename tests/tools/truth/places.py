"""Volatile parts of a freeze that do not depend on the program: folders, the version, today's date."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from workbench import __version__

ROOT = Path(__file__).parents[3]
# 2016-05-10: some readers use the modification time of a file.
WRITTEN = 1_462_867_200.0
_DATES = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%d/%m/%Y", "%d. %B %Y", "D:%Y%m%d")

_TIME_OF_TODAY = re.compile(r"<today>[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?")


def copied(source: Path, target: Path) -> Path:
    """A copy of a file or folder with one time for every file, because a checkout sets times itself."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    for path in (*target.rglob("*"), target):
        os.utime(path, (WRITTEN, WRITTEN))
    return target


class Plain:
    """Replaces volatile parts in texts."""

    def __init__(self, folders: dict[str, Path]) -> None:
        # The longest first, because a folder may be inside another.
        paths = sorted(
            ((os.path.realpath(path), name) for name, path in folders.items()), key=lambda item: -len(item[0])
        )
        self._texts = [*paths, (f"VDI Workbench {__version__}", "VDI Workbench <version>")]
        self._texts += [(text, "<today>") for text in sorted(_dates_of_today(), key=len, reverse=True)]

    def text(self, text: str) -> str:
        """The text with placeholders for its volatile parts."""
        for volatile, name in self._texts:
            text = text.replace(volatile, name)
        return _TIME_OF_TODAY.sub("<today>", text)

    def value(self, value: Any) -> Any:
        """A value of JSON with placeholders in each of its texts, keys too."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(key)): self.value(item) for key, item in value.items()}
            case list() | tuple():
                return [self.value(item) for item in value]
            case _:
                return value


def _dates_of_today() -> set[str]:
    """Today's date in the time zone of this machine and in UTC; a freeze may run past midnight."""
    zones = (None, UTC)
    days = [datetime.now(zone) + timedelta(days=more) for zone in zones for more in (0, 1)]
    texts = {day.strftime(form) for day in days for form in _DATES}
    return texts | {text.lstrip("0") for text in texts}


def write(folder: Path, name: str, content: Any) -> None:
    """Writes a value as packed JSON, with equal bytes each time."""
    file = folder / f"{name}.json.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(content, indent=0, ensure_ascii=False, sort_keys=True, default=str).encode()
    file.write_bytes(gzip.compress(data, 6, mtime=0))


def read(file: Path) -> Any:
    """The value in a file that `write` wrote."""
    return json.loads(gzip.decompress(file.read_bytes()))


def names(folder: Path) -> Iterable[str]:
    """The names that `write` got for the files in a folder."""
    return sorted(file.relative_to(folder).as_posix().removesuffix(".json.gz") for file in folder.rglob("*.json.gz"))
