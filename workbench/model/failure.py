"""What code that is handed a damaged file may raise."""

from __future__ import annotations

from polars.exceptions import PanicException

# A panic of polars is no Exception: `except Exception` lets it through.
FAILURES = (Exception, PanicException)
