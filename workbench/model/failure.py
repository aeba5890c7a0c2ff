"""What code that is handed a damaged file may raise."""

from __future__ import annotations


def failures() -> tuple[type[BaseException], ...]:
    """For `except failures():`, which asks only when something was raised: whoever meets none need not load polars.

    A panic of polars is no Exception: `except Exception` lets it through.
    """
    from polars.exceptions import PanicException

    return Exception, PanicException
