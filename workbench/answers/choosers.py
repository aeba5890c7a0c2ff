"""Which of a page's choosers its views listen to: one that changes nothing is not offered."""

from __future__ import annotations

from workbench.answers.common import views
from workbench.answers.common.choices import TIMELINE

_UNUSED: dict[tuple[str, str], frozenset[str]] = {
    **{("cache", key): frozenset(("alignment",)) for key, _ in views.CACHE_VIEWS if key != views.OVER_TIME},
    ("compare", "duration"): frozenset(("metric",)),
}
_WHOLE = frozenset((("per-vm-iops", ""), (TIMELINE, ""), ("cache", views.OVER_TIME)))


def unused_choosers(page: str, view: str) -> frozenset[str]:
    """The names of the choosers of a page that change nothing in one of its views ("" where it has but one)."""
    return _UNUSED.get((page, view), frozenset())


def whole_run_shown(page: str, view: str) -> bool:
    """Whether the view can show whole runs; the others answer for one phase."""
    return (page, view) in _WHOLE
