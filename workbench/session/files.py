"""File name endings of workspace files and bundles."""

from __future__ import annotations

SESSION, BUNDLE = ".vdiwb", ".vdibundle"
