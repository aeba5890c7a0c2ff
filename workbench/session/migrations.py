"""Sessions of earlier versions, brought up to date one version at a time.

A migration takes the JSON object of its version and returns that of the next; it never drops what it does not
know. The program saves the newest version only. Version 2 added the storyboard, which an earlier program would lose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Raw = dict[str, Any]
Migrations = Mapping[int, Callable[[Raw], Raw]]

VERSION = 2


def _with_storyboard(raw: Raw) -> Raw:
    """Version 1 had no storyboard: the default one is shown."""
    state = raw.get("state")
    return {**raw, "state": {"storyboard": None, **state}} if isinstance(state, dict) else raw


MIGRATIONS: Migrations = {1: _with_storyboard}


def up_to_date(raw: Raw, newest: int = VERSION, migrations: Migrations = MIGRATIONS) -> Raw:
    """The object as version `newest` writes it; `migrations` has one step for each earlier version."""
    while raw["version"] < newest:
        version = raw["version"]
        raw = {**migrations[version](raw), "version": version + 1}
    return raw
