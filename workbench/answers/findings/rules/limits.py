"""Findings of the acceptance limits: how many are not met, which configurations meet all, and each limit not met.

Each limit is judged alone (`answers.limits`): one that is not met is indicative, and with single runs a single run.
Inconclusive limits have no separate sentence; they are counted if no limit failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.answers.common.change_words import as_caveats
from workbench.answers.common.looks import looks
from workbench.answers.findings.claims import drawn_names
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.words import Asked
from workbench.answers.limits.compute import Check, Outcome, checks, contradictions
from workbench.answers.limits.limit import OVERFLOW
from workbench.answers.limits.sentences import family_text, figure_text, keeping_text, value_words
from workbench.charts.claim import BarClaim, ClaimBar
from workbench.charts.figure import Look
from workbench.measures.catalogue import MEASURES
from workbench.model.problem import few_named
from workbench.words.captions import capital, named

KIND = "limits"
# Maximum number of configurations named in a headline.
_NAMED = 3
_ESTIMATE = "Some verdicts use estimates from the nonpaged pool, which contains more than the cache."


def limit_findings(asked: Asked) -> Iterator[Finding]:
    """The findings of the agreed limits; none without limits."""
    every = asked.family or asked.groups
    hidden = frozenset(group.label for group in every) - {group.label for group in asked.groups}
    limits = {limit.key: limit for file in asked.limits for limit in file.limits}
    made = checks(every, tuple(limits.values()), hidden)
    by_limit = [[check for check in made if check.limit == limit] for limit in limits.values()]
    by_limit = [of_limit for of_limit in by_limit if of_limit]
    broken = [of_limit for of_limit in by_limit if _failed(of_limit)]
    of_all = tuple(_of_all(asked, made))
    if by_limit and (len(by_limit) > 1 or not broken):
        yield _kept(asked, by_limit, len(broken), of_all)
    for of_limit in broken:
        yield _broken(asked, of_limit, of_all if len(by_limit) == 1 else ())


def _failed(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.outcome.failed]


def _kept(asked: Asked, by_limit: Sequence[Sequence[Check]], broken: int, caveats: tuple[str, ...]) -> Finding:
    """The number of limits that are not met, and the configurations that meet all of them."""
    made = [check for of_limit in by_limit for check in of_limit]
    labels = list(dict.fromkeys(check.configuration for check in made if check.configuration))
    open_ = {check.configuration for check in made if check.outcome is not Outcome.PASS}
    keeping = [label for label in labels if label not in open_] if "" not in open_ else []
    count = len(by_limit)
    if broken:
        number = f"{broken} of {count}"
        not_met = f"{number} limits {'is' if broken == 1 else 'are'} not met"
        text = f"{not_met} ({keeping_text(made)})"
        if keeping:
            failing = list(dict.fromkeys(check.configuration for check in _failed(made)))
            failed = f"the others together fail {number} limits"
            others = f"{named(failing[0])} fails {number} limits" if len(failing) == 1 else failed
            text = f"{capital(keeping_text(made))} ({others})"
        single = all(check.outcome is Outcome.FAIL_ONE_RUN for check in _failed(made))
        strength = Strength.SINGLE if single else Strength.INDICATIVE
    elif open_:
        of = sum(any(check.outcome is Outcome.NOT_SHOWN for check in of_limit) for of_limit in by_limit)
        number = f"{of} of {count} limits" if count > 1 else ""
        text = f"No limit failed, but {number} {'is' if of == 1 else 'are'} inconclusive"
        text = text if number else f"The result for the limit “{made[0].words}” is inconclusive"
        strength = Strength.INCONCLUSIVE
    else:
        number = f"{count} limits" if count > 1 else ""
        met = ("both limits" if count == 2 else f"all {number}") if number else f"the limit “{made[0].words}”"
        text = f"{few_named([*map(named, labels)])} meet{'s' * (len(labels) == 1)} {met}"
        strength = Strength.INDICATIVE
    return Finding(
        asked.key(KIND, "kept"),
        text,
        KIND,
        strength,
        KIND,
        runs=_folders(asked, made),
        caveats=(*caveats, *_caveats(made)),
        figure=KIND,
        size=1.0,
        lit=tuple(labels),
        about=asked.about(f"{KIND}/kept", asked.groups),
        short=text,
        number=number,
        claim=_claim(asked, made, labels, keeping),
    )


def _claim(asked: Asked, made: Sequence[Check], labels: Sequence[str], keeping: Sequence[str]) -> BarClaim | None:
    """The number of limits that each configuration fails, and the number of inconclusive ones. None if the sentence
    contains them: for a single configuration, and if no limit failed."""
    if len(labels) < 2 or not _failed(made):
        return None
    look, names, bars = looks(asked.groups), drawn_names(labels, asked.groups), []
    drawn = list(names)
    for label in drawn:
        own = [check for check in made if check.configuration == label]
        failed, missing = len(_failed(own)), sum(check.outcome is Outcome.NOT_SHOWN for check in own)
        bars.append(
            ClaimBar(
                names[label],
                look.get(label, Look("quiet")),
                float(failed),
                f"{failed} of {len(own)}",
                float(missing) or None,
                f"{failed} + {missing} of {len(own)}" if missing else "",
            )
        )
    place = next((drawn.index(label) for label in keeping if label in drawn), 0)
    piled = "inconclusive" if any(bar.above for bar in bars) else ""
    left_out = f". The chart shows {len(drawn)} of {len(labels)} configurations" if len(drawn) < len(labels) else ""
    return BarClaim(tuple(bars), place, place, outlined=piled, left_out=f"Bars: limits not met{left_out}")


def _broken_words(failed: Sequence[Check]) -> str:
    """The sentence on a limit that is not met, such as `2 configurations do not meet the limit “No overflow”
    (A: overflow in 1 of 3 runs, B: overflow in 3 of 3 runs)`. A value that all of them have is stated once."""
    limit, words = f"not meet the limit “{failed[0].words}”", figure_text if len(failed) < _NAMED else value_words
    values = [words(check) for check in failed]
    names = [named(check.configuration) for check in failed]
    if len(failed) == 1:
        return f"{names[0]} does {limit} ({values[0]})"
    if len(set(values)) == 1:
        return f"{few_named(names)} do {limit} ({values[0]} each)"
    each = [f"{name}: {value}" for name, value in zip(names, values, strict=True)]
    more = [f"{len(each) - _NAMED} more"] if len(each) > _NAMED else []
    return f"{len(failed)} configurations do {limit} ({', '.join([*each[:_NAMED], *more])})"


def _broken(asked: Asked, of_limit: Sequence[Check], caveats: tuple[str, ...]) -> Finding:
    """The configurations that do not meet a limit, each with its value."""
    failed, first = _failed(of_limit), of_limit[0]
    single = all(check.outcome is Outcome.FAIL_ONE_RUN for check in failed)
    labels = [check.configuration for check in failed]
    who = few_named([*map(named, labels)]) if len(labels) <= _NAMED else f"{len(labels)} configurations"
    counts = sorted({len(check.values) for check in failed})
    n = "single run" if single else f"n = {counts[0]}" + (f" to {counts[-1]}" if len(counts) > 1 else "")
    # An overflow is stated with the number of runs.
    text = _broken_words(failed)
    if first.limit.measure != OVERFLOW:
        text = f"{text[:-1]}, {n})"
    measure = MEASURES.get(first.limit.measure)
    return Finding(
        asked.key(KIND, first.limit.rule, *first.limit.configurations),
        text,
        KIND,
        Strength.SINGLE if single else Strength.INDICATIVE,
        KIND,
        phase=first.limit.phase,
        runs=_folders(asked, failed),
        figures=() if measure is None else (measure.key,),
        caveats=(*caveats, *_caveats(failed)),
        configuration=labels[0] if len(labels) == 1 else "",
        baseline=first.against,
        figure=first.limit.measure,
        size=0.9,
        weight=0.9,
        lit=tuple(labels),
        about=asked.about(f"{KIND}/{first.limit.rule}", [g for g in asked.groups if g.label in labels]),
        short=f"{who} {'do' if len(labels) > 1 else 'does'} not meet “{first.words}”",
        number=figure_text(failed[0]) if len(failed) == 1 else "",
    )


def _folders(asked: Asked, made: Sequence[Check]) -> tuple[str, ...]:
    """The runs behind the checks, including those of the configurations that they are compared with."""
    labels = {label for check in made for label in (check.configuration, check.against) if label}
    groups = asked.family or asked.groups
    return tuple(run.run.folder for group in groups if group.label in labels for run in group.runs)


def _of_all(asked: Asked, made: Sequence[Check]) -> Iterator[str]:
    """The caveats of all limits together."""
    if family := family_text(made):
        yield f"{family}."
    if unread := sum(len(file.problems) for file in asked.limits):
        which, it = (" is", "it") if unread == 1 else ("s are", "they")
        yield f"{unread} limit{which} not checked, because {it} cannot be read. Correct limits.toml."
    yield from (
        caveat for problem in contradictions(made, "") for caveat in as_caveats(problem.message, problem.advice)
    )


def _caveats(made: Sequence[Check]) -> tuple[str, ...]:
    messages = [_ESTIMATE] if any(check.estimated for check in made) else []
    messages += [f"{capital(note)}." for check in made for note in check.notes if not check.estimated]
    return tuple(dict.fromkeys(messages))
