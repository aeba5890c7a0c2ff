"""Small files written so that a failure leaves the earlier file as it was."""

from __future__ import annotations

from workbench.study.store.temporary import write_whole

__all__ = ["BUNDLE", "SESSION", "write_whole"]

# What the names of session files and of bundles end with.
SESSION, BUNDLE = ".vdiwb", ".vdibundle"
