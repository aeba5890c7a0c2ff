"""Sessions of earlier versions, brought up to date one version at a time.

A migration takes the JSON object of its version and returns that of the next; it never drops what it does not
know. The program saves the newest version only. Version 2 added the storyboard, which an earlier program would lose.
Version 3 takes fewer numbers of folders for numbers of runs; what an earlier version grouped is stated as edits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Raw = dict[str, Any]
Migrations = Mapping[int, Callable[[Raw], Raw]]

VERSION = 3


def _with_storyboard(raw: Raw) -> Raw:
    """Version 1 had no storyboard: the default one is shown."""
    state = raw.get("state")
    return {**raw, "state": {"storyboard": None, **state}} if isinstance(state, dict) else raw


def _with_earlier_names(raw: Raw) -> Raw:
    """Version 2 named configurations by other rules: which names these gave is known once the folders are read."""
    state = raw.get("state")
    return {**raw, "state": {**state, "earlier_names": True}} if isinstance(state, dict) else raw


MIGRATIONS: Migrations = {1: _with_storyboard, 2: _with_earlier_names}


def up_to_date(raw: Raw, newest: int = VERSION, migrations: Migrations = MIGRATIONS) -> Raw:
    """The object as version `newest` writes it; `migrations` has one step for each earlier version."""
    while raw["version"] < newest:
        version = raw["version"]
        raw = {**migrations[version](raw), "version": version + 1}
    return raw
