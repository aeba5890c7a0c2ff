"""The texts of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from workbench.answers.limits.compute import Check, Outcome, counts_of, expected_wrong_fails
from workbench.answers.limits.limit import OVERFLOW
from workbench.measures.statistics import CONFIDENCE
from workbench.model.problem import few_named
from workbench.words.captions import named, short_lines
from workbench.words.numbers import MISSING, THIN, bracketed, number, plural, signed

QUESTION = "Does each configuration meet the limits?"
# Extra digits that distinguish a number from the limit; the last entry is the maximum.
_MORE = (0, 1, 2, 3)
# Maximum number of reasons that are written out.
_REASONS = 3
METHOD = (
    f"Pass: the whole {100 * CONFIDENCE:.0f}{THIN}% interval meets the limit (three or more runs)",
    "Fail: the whole interval or range is beyond the limit",
    "Inconclusive: the limit is inside the interval, or data are missing",
)


def value_text(check: Check) -> str:
    """The value with its unit: `12.1 ms`, `−93.1 %`, `1 of 3 runs`, or — if there is none."""
    if check.value is None:
        return MISSING
    if check.limit.measure == OVERFLOW:
        return f"{check.value:.0f} of {_runs_words(check)}"
    return _with_unit(check, _number(check, check.value))


def value_words(check: Check) -> str:
    """The value, clear without the name of the limit: `overflow in 1 of 3 runs`, `no overflow in 3 runs`."""
    if check.value is None or check.limit.measure != OVERFLOW:
        return value_text(check)
    return f"overflow in {value_text(check)}" if check.value else f"no overflow in {_runs_words(check)}"


def _runs_words(check: Check) -> str:
    n = len(check.values)
    return f"{plural(n, 'run')}{', estimated' * check.estimated}"


def ends_text(check: Check) -> str:
    """The ends of a value as text: `[11.2, 13.0] ms`, `range 11.2 to 13.0 ms`, or — for a single run."""
    if check.low is None or check.high is None:
        return MISSING
    low, high = (_number(check, end) for end in (check.low, check.high))
    return _with_unit(check, bracketed(low, high) if check.basis == "interval" else f"range {low} to {high}")


def figure_text(check: Check) -> str:
    """The value with its ends: `13.6 ms [12.7, 14.6]`, `13.6 ms, range 12.7 to 14.6`, `13.6 ms`, or
    `overflow in 3 of 3 runs`."""
    if check.value is None or check.low is None or check.high is None:
        return value_words(check)
    low, high = (_number(check, end) for end in (check.low, check.high))
    return value_text(check) + (f" {bracketed(low, high)}" if check.basis == "interval" else f", range {low} to {high}")


def runs_text(check: Check) -> str:
    """`3`, or `3 vs. 2` if the configuration it is compared with has another number of runs."""
    ours, theirs = len(check.values), len(check.baseline_values)
    return f"{ours} vs. {theirs}" if check.against and ours != theirs else str(ours)


def why_text(check: Check) -> str:
    """The reason of the outcome, and its notes."""
    return "; ".join(filter(None, (check.reason, *check.notes)))


def check_text(check: Check) -> str:
    """The whole check as one sentence, for a report of tests."""
    figure = figure_text(check)
    counted = "" if check.limit.measure == OVERFLOW else f", n = {runs_text(check)}"
    number = "" if figure == MISSING else f": {figure}{counted}"
    why = f" ({why_text(check)})" if why_text(check) else ""
    return f"{check.verdict}: {check.words}{number}{why}"


def reasons_of(checks: Sequence[Check]) -> dict[str, list[Check]]:
    """The reasons why checks are inconclusive, each with its checks, the most frequent first."""
    reasons: dict[str, list[Check]] = {}
    for check in checks:
        if check.outcome is Outcome.NOT_SHOWN:
            reasons.setdefault(check.reason, []).append(check)
    return dict(sorted(reasons.items(), key=lambda entry: -len(entry[1])))


def reason_lines(checks: Sequence[Check]) -> Iterator[str]:
    """The reasons why checks are inconclusive, as lines of a method."""
    reasons = list(reasons_of(checks).items())
    for why, concerned in reasons[:_REASONS]:
        labels = dict.fromkeys(check.configuration for check in concerned if check.configuration)
        names = few_named([named(label) for label in labels])
        limits = list(dict.fromkeys(check.limit.name or check.limit.rule for check in concerned))
        of_what = f"limit '{limits[0]}'" if len(limits) == 1 else f"{len(limits)} limits"
        yield from short_lines(f"Inconclusive{f' for {names}' * bool(names)}: {of_what}; {why}")
    if len(reasons) > _REASONS:
        yield f"The table has {len(reasons) - _REASONS} more reasons"


def headline(checks: Sequence[Check]) -> str:
    """The answer in a sentence: `8 of 18 checks fail, 9 pass, 1 is inconclusive`."""
    counts, total = counts_of(checks), len(checks)
    words = [
        (counts.failed, "fails", "fail"),
        (counts.passed, "passes", "pass"),
        (counts.not_shown, "is inconclusive", "are inconclusive"),
    ]
    first, *others = [(count, one if count == 1 else many) for count, one, many in words if count]
    if not others:
        every = "The check" if total == 1 else "Both checks" if total == 2 else f"All {total} checks"
        return f"{every} {first[1]}"
    head = f"{first[0]} of {total} checks {first[1]}"
    return ", ".join((head, *(f"{count} {word}" for count, word in others)))


def keeping_text(checks: Sequence[Check]) -> str:
    """The configurations that meet all limits, as text: `only MCSIO 4 GB meets all limits`."""
    labels = list(dict.fromkeys(check.configuration for check in checks if check.configuration))
    short = {check.configuration for check in checks if check.outcome is not Outcome.PASS}
    keeping = [label for label in labels if label not in short and "" not in short]
    if not keeping:
        return "no configuration is certain to meet all limits"
    only = "only " * (len(keeping) == 1 < len(labels))
    return f"{only}{few_named([*map(named, keeping)])} meet{'s' * (len(keeping) == 1)} all limits"


def family_text(checks: Sequence[Check]) -> str:
    """The meaning of several checks together; empty if variation decides fewer than two."""
    counts = Counter(check.basis for check in checks if check.basis is not None)
    if counts.total() < 2:
        return ""
    wrong = number(expected_wrong_fails(checks), 2)
    expected = f"By chance alone, up to {wrong} failures are expected in {counts.total()} checks"
    return f"{expected}. Repeat runs to confirm failures"


def _number(check: Check, value: float) -> str:
    """The value with enough digits to distinguish it from the limit."""
    bound = check.limit.bound
    texts = ((_written(check, value, more), "" if bound is None else _written(check, bound, more)) for more in _MORE)
    return next((text for text, at in texts if text != at or value == bound), _written(check, value, _MORE[-1]))


def _written(check: Check, value: float, more: int) -> str:
    if check.against:
        return signed(value, (1 if abs(value) < 100 else 0) + more)
    return number(value, 3 + more)


def _with_unit(check: Check, text: str) -> str:
    unit = check.limit.unit
    return f"{text}{THIN}{unit}" if unit else text
