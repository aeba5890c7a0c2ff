"""Kits for tests."""

from __future__ import annotations

from workbench.answers.prepare.kit.contents import Kit, KitChoices, make_kit


def kit(*names: str, **choices: object) -> Kit:
    """A kit for configurations of these names."""
    return make_kit(KitChoices(configurations=names, **choices))  # type: ignore[arg-type]


def text(kit: Kit, path: str) -> str:
    """The text of one of its files."""
    return next(file.text for file in kit.files if file.path == path)
