"""Changes, intervals, p-values and verdicts as text, for the screen and the command line."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from workbench.measures.significance.verdicts import Judgement
from workbench.measures.statistics import Change, Verdict
from workbench.words.captions import capital, word_count
from workbench.words.numbers import MISSING, POINTS, THIN, bracketed, marked, plural, points, signed, with_mark

# The sign next to the word, so colour is never the only cue.
VERDICT_ICONS = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.SAME: "same",
    Verdict.HIGHER: "higher",
    Verdict.LOWER: "lower",
    Verdict.INCONCLUSIVE: "inconclusive",
}


# The unit of a change that is a ratio.
RATIO = "%"
# Smaller differences have a second decimal.
_FEW = 10.0

# The name for the ends of a mean's interval, by its basis.
WHISKERS = {"interval": "95 % interval", "range": "range of the runs"}


def verdict_words(verdict: Verdict | None) -> str:
    """A verdict as text, such as `better` or `~ inconclusive`; — if there is nothing to compare."""
    if verdict is None:
        return MISSING
    return "~ inconclusive" if verdict is Verdict.INCONCLUSIVE else verdict.value


def drawn_change(found: Change, change_unit: str) -> tuple[float, float | None, float | None]:
    """A change with the ends of its interval or range in its unit: % for a ratio, otherwise the difference."""
    if change_unit != RATIO:
        return found.difference, found.difference_low, found.difference_high
    return found.percent, *found.percent_ends


def change_words(found: Change | None, change_unit: str) -> str:
    """A change as text: `−93.1 %`; for shares `+12.0 pp`; for changes in their own unit `+0.30 ms`."""
    if found is None:
        return MISSING
    if change_unit == RATIO:
        return percent_words(found.ratio)
    return f"{signed_difference(found.difference, change_unit)}{THIN}{change_unit}".rstrip(THIN)


def change_ends_words(found: Change | None, change_unit: str) -> str:
    """The ends of a change as text: `[−93.6, −92.5] %`; for shares `[+10.1, +13.9] pp`; for a range its text; — if the
    uncertainty is unknown.
    """
    if found is None or change_unit == RATIO:
        return interval_words(found)
    if found.difference_low is None or found.difference_high is None:
        return MISSING
    low, high = (signed_difference(edge, change_unit) for edge in (found.difference_low, found.difference_high))
    ends = bracketed(low, high) if found.basis == "interval" else f"range {low} to {high}"
    return f"{ends}{THIN}{change_unit}".rstrip(THIN)


def signed_difference(value: float, change_unit: str) -> str:
    """A difference without its unit: `+12.0`, `−0.30`. Its unit and size decide the decimals."""
    if change_unit == POINTS:
        return points(value).removesuffix(f"{THIN}{POINTS}")
    return signed(value, 2 if abs(value) < _FEW else 1)


def percent_words(ratio: float | None) -> str:
    """A ratio as a change: `−93.1 %`."""
    if ratio is None:
        return MISSING
    change = 100 * (ratio - 1)
    return f"{signed(change, 1 if abs(change) < 100 else 0)}{THIN}%"


def interval_words(found: Change | None) -> str:
    """An interval as text: `[−93.6, −92.5] %`; for a range its text; — if the uncertainty is unknown."""
    if found is None or found.low is None or found.high is None:
        return MISSING
    low, high = (percent_words(edge).removesuffix(f"{THIN}%") for edge in (found.low, found.high))
    return f"{bracketed(low, high)}{THIN}%" if found.basis == "interval" else f"range {low} to {high}{THIN}%"


# Rounded as in spreadsheets: 0.0135 becomes 0.014 in all of them.
_THOUSANDTH = Decimal("0.001")


def p_words(p: float | None) -> str:
    """A p-value with as many digits as are meaningful."""
    if p is None:
        return MISSING
    return marked("< 0.001" if p < 0.001 else f"{Decimal(str(p)).quantize(_THOUSANDTH, ROUND_HALF_UP)}")


def margin_words(margin: float) -> str:
    """The margin as text with the chosen decimal mark: `±5 %`."""
    return marked(f"±{100 * margin:g}") + f"{THIN}%"


def reason_words(judgement: Judgement | None) -> str:
    """The reason of a verdict with the chosen decimal mark (not in a reason that contains names), and the smallest
    change that such runs can show."""
    if judgement is None:
        return ""
    if judgement.named:
        return judgement.reason
    return with_mark(
        ". ".join((judgement.reason, " ".join(judgement.outlook))) if judgement.outlook else judgement.reason
    )


# Maximum number of words of a caveat.
MOST_IN_CAVEAT = 18


def as_caveats(*sentences: str) -> tuple[str, ...]:
    """The sentences as caveats: a sentence joins the one before it if both have few words."""
    caveats: list[str] = []
    for sentence in filter(None, sentences):
        whole = f"{capital(sentence).removesuffix('.')}."
        if caveats and word_count(joined := f"{caveats[-1]} {whole}") <= MOST_IN_CAVEAT:
            caveats[-1] = joined
        else:
            caveats.append(whole)
    return tuple(caveats)


def verdict_caveats(judgement: Judgement | None) -> tuple[str, ...]:
    """The caveats of an inconclusive verdict: its reason with the number of runs that helps, otherwise with the
    smallest change that such runs can show."""
    if judgement is None:
        return ()
    if judgement.named:
        return as_caveats(judgement.reason)
    # Without an outlook, more runs help against variation (`noisy`), but not against copies.
    *_, advice = judgement.outlook or ("Add runs" if judgement.noisy else "",)
    return tuple(map(with_mark, as_caveats(judgement.reason, advice)))


# Below this baseline a percentage alone misleads: the absolute difference is added.
SMALL_BASE = 1.0


def change_text(found: Change | None, unit: str, base: float | None, change_unit: str = RATIO) -> str:
    """A change as text, with its uncertainty if known: `−93.1 % [−93.6, −92.5], n = 3`; for shares in percentage
    points, `+12.0 pp [+10.1, +13.9], n = 3`."""
    if found is None:
        return "no comparison possible"
    if change_unit != RATIO:
        ends = change_ends_words(found, change_unit).removesuffix(change_unit).rstrip(THIN)
        bracketed = f" ({ends})" if ends.startswith("range") else "" if ends == MISSING else f" {ends}"
        return _with_count(change_words(found, change_unit) + bracketed, found)
    decimals = 1 if abs(found.percent) < 100 else 0
    text = f"{signed(found.percent, decimals)}{THIN}%"
    text += _ends(found, *found.percent_ends, decimals)
    if base is not None and base < SMALL_BASE and found.shown_difference is not None:
        text += f" = {signed(found.shown_difference, 2)} {unit}"
    return _with_count(text, found)


def _ends(found: Change, low: float | None, high: float | None, decimals: int) -> str:
    if low is None or high is None:
        return ""
    ends = signed(low, decimals), signed(high, decimals)
    return f" {bracketed(*ends)}" if found.basis == "interval" else f" (range {' to '.join(ends)})"


def few_runs_words(ours: int, theirs: int) -> str:
    """The number of runs behind a change without an interval: `one run each`, or `1 run vs. 3 runs`."""
    if ours == theirs == 1:
        return "one run each"
    return f"{plural(ours, 'run')} vs. {plural(theirs, 'run')}"


def n_words(found: Change) -> str:
    """The number of runs as text: `n = 3`, or `n = 3 vs. 2`."""
    return f"n = {found.n}" if found.n == found.n_baseline else f"n = {found.n} vs. {found.n_baseline}"


def _with_count(text: str, found: Change) -> str:
    single = found.basis == "single"
    return f"{text}, {few_runs_words(found.n, found.n_baseline) if single else n_words(found)}"
