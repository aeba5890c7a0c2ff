"""What the names of session files and of bundles end with."""

from __future__ import annotations

SESSION, BUNDLE = ".vdiwb", ".vdibundle"
