"""A finding in one large sentence: what it says, without what its chart and the line under it say."""

from __future__ import annotations

from workbench.answers.findings.compute import Finding, Strength


def headline(finding: Finding) -> str:
    """The sentence in few words; one that the user wrote stays as it is."""
    return finding.text if finding.edited or finding.own else finding.short or finding.text


def card_sentence(finding: Finding) -> str:
    """The sentence of a card, whose chart shows the values; one that the user wrote stays as it is."""
    return headline(finding) if finding.edited or finding.own else finding.brief or headline(finding)


def names_in(finding: Finding) -> list[str]:
    """The names of configurations that the sentence may say, the longest first: what is in a name is none of our words
    and numbers."""
    about = finding.about
    sides = () if about is None else (*about.configurations, *((about.baseline,) if about.baseline else ()))
    names = {finding.configuration, finding.baseline, *(side.label for side in sides)}
    return sorted(names - {""}, key=len, reverse=True)


def number_in(finding: Finding, sentence: str) -> str:
    """The number of the sentence that counts; empty where a sentence of the user does not say it."""
    return finding.number if finding.number in sentence else ""


def foot_words(finding: Finding, *, singles_said: bool = False) -> str:
    """`strong, 1 caveat, 3 runs each`; what is said of all findings together (`singles_said`) is left out."""
    said = singles_said and finding.strength is Strength.SINGLE
    caveats = f"{len(finding.caveats)} caveat{'s' * (len(finding.caveats) != 1)}" if finding.caveats else ""
    runs = f"{len(finding.runs)} run{'s' * (len(finding.runs) != 1)}" if finding.runs else ""
    change = finding.change or finding.drawn
    count = each_words(change.n, change.n_baseline) if change is not None else runs
    parts = ("" if said else finding.strength.value, "running" * finding.running, "edited" * finding.edited, caveats)
    return ", ".join(filter(None, (*parts, count)))


def each_words(runs: int, baseline: int) -> str:
    """`3 runs each`, `3 vs. 1 runs`: how many runs both sides of a comparison have."""
    if runs == baseline:
        return "1 run each" if runs == 1 else f"{runs} runs each"
    return f"{runs} vs. {baseline} runs"
