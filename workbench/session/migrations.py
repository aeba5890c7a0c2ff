"""Sessions of earlier versions, brought up to date one version at a time.

A migration takes the JSON object of its version and returns that of the next; it never drops what it does not
know. The program saves the newest version only. Version 1 is the first: there is nothing to migrate yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Raw = dict[str, Any]
Migrations = Mapping[int, Callable[[Raw], Raw]]

VERSION = 1
MIGRATIONS: Migrations = {}


def up_to_date(raw: Raw, newest: int = VERSION, migrations: Migrations = MIGRATIONS) -> Raw:
    """The object as version `newest` writes it; `migrations` has one step for each earlier version."""
    while raw["version"] < newest:
        version = raw["version"]
        raw = {**migrations[version](raw), "version": version + 1}
    return raw
