"""A card for each configuration: how many of its limits it meets, fails, or leaves inconclusive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.answers.limits.compute import Check, counts_of
from workbench.charts.content import Card
from workbench.charts.figure import Look

# With more configurations the cards would be too narrow: the table alone is shown.
MOST = 6


def limit_cards(checks: Sequence[Check], looks: Mapping[str, Look]) -> tuple[Card, ...]:
    """The cards in the order of the configurations; none if there are too many."""
    labels = [label for label in looks if any(check.configuration == label for check in checks)]
    if len(labels) > MOST:
        return ()
    return tuple(_card(label, looks[label], [c for c in checks if c.configuration == label]) for label in labels)


def _card(label: str, look: Look, checks: Sequence[Check]) -> Card:
    counts = counts_of(checks)
    parts = [f"{counts.failed} fail" * bool(counts.failed), f"{counts.not_shown} inconclusive" * bool(counts.not_shown)]
    note = " · ".join(filter(None, parts))
    return Card(label, look, f"{counts.passed} of {len(checks)}", "pass", note)
