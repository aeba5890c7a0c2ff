"""Writes docs/preferences.md from the declaration of the preferences: uv run python docs/tools/preferences.py"""

from __future__ import annotations

from pathlib import Path

from workbench.session.preferences import as_markdown

if __name__ == "__main__":
    (Path(__file__).parents[1] / "preferences.md").write_text(as_markdown(), encoding="utf-8")
