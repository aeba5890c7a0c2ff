"""The user's edits of findings: changed texts, removed findings, their order, and own sentences.

`as_edited` is the only place where edits are applied to findings. An edit is matched by the subject of a finding
(`_likeness`), so it survives new computations and new names. If a finding is no longer computed, its edit stays until
the finding comes back (`unmatched`). Code that changes edits must use the result of `followed`. Only findings that the
user has moved (`ordered`) have a position set by the user: they share their positions among themselves. Every other
finding stays at the position of its relevance, so removing a finding or changing a text never moves the others.

This module also finds the finding of each edit after configurations, facts and phases of runs were renamed.

An edit stores the subject of its finding (`About`). It follows the finding of the same question on the same runs. If
the question is of a phase, the stretch of the runs must be the same too. Every finding has at most one edit, the best
match. The rules for a configuration (also for the baseline, and for all configurations of one sentence together) are:

- half of the runs or more in common, or no runs except those stored: the same, even under another name;
- fewer runs in common, or the stored runs removed from the study: the same if its name is the same.

Boot, logon and steady state are matched by their names. Another phase is matched by its edges, otherwise by its name,
otherwise by an overlap of half or more. Edits of earlier program versions do not contain the subject and are matched by
their key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.values import still_values
from workbench.answers.findings.words import names_in
from workbench.model.edits import About, FindingEdit, Members, Stretch
from workbench.model.phase import STANDARD_PHASES

Edits = tuple[FindingEdit, ...]
OWN = "own"


def as_edited(found: Sequence[Finding], edits: Iterable[FindingEdit]) -> tuple[Finding, ...]:
    """The findings as the user wants them: in the user's order, with changed texts and own sentences, without the
    removed ones.
    """
    by_key = {edit.key: edit for edit in followed(found, edits)}
    known = {finding.key for finding in found}
    kept = [_edited(finding, by_key.get(finding.key)) for finding in found if not _dropped(by_key.get(finding.key))]
    ordered = [edit for edit in by_key.values() if edit.ordered and edit.key in known and not edit.dropped]
    return _with_own(_reordered(kept, [edit.key for edit in ordered]), list(by_key.values()))


def dropped(found: Sequence[Finding], edits: Iterable[FindingEdit]) -> tuple[Finding, ...]:
    """The findings that the user has removed, as they were computed."""
    keys = {edit.key for edit in followed(found, edits) if edit.dropped}
    return tuple(finding for finding in found if finding.key in keys)


def with_text(edits: Edits, finding: Finding, text: str) -> Edits:
    """The edits with another text for a finding; an empty or the generated text removes the edit."""
    words = " ".join(text.split())
    before = _edit_of(edits, finding)
    if finding.own:
        return _set(edits, replace(before, text=words)) if words else without(edits, finding)
    generated = finding.generated or finding.text
    if not words or words == generated:
        return _set(edits, replace(before, text=None, was=""))
    return _set(edits, replace(before, text=words, was=generated))


def without(edits: Edits, finding: Finding) -> Edits:
    """The edits with a finding removed; a finding of the user is deleted."""
    if finding.own:
        return removed(edits, finding.key)
    was = finding.generated or finding.text
    return _set(edits, replace(_edit_of(edits, finding), dropped=True, was=was))


def removed(edits: Edits, key: str) -> Edits:
    """The edits without this one, so its finding is as computed again."""
    return tuple(edit for edit in edits if edit.key != key)


def kept_as_own(edits: Edits, study: str, key: str) -> Edits:
    """The edits. If an edited text matches no finding now, it becomes the user's own sentence, at the top."""
    words = next((edit.text for edit in edits if edit.key == key and not edit.own), None)
    return with_own(removed(edits, key), study, words) if words else edits


def restored(edits: Edits, keys: Iterable[str]) -> Edits:
    """The edits with removed findings back in the list."""
    back = set(keys)
    return _tidy(_undropped(edit) if edit.key in back else edit for edit in edits)


def of_study(edits: Iterable[FindingEdit], study: str) -> Edits:
    """The edits without the user's own sentences on other studies."""
    return tuple(edit for edit in edits if not edit.own or edit.key.startswith(f"{study}/{OWN}:"))


def with_own(edits: Edits, study: str, text: str) -> Edits:
    """The edits with the user's own sentence on a study (its folder), at the top."""
    words = " ".join(text.split())
    if not words:
        return edits
    numbers = [int(tail) for edit in edits if edit.own and (tail := edit.key.rpartition(":")[2]).isdigit()]
    key = f"{study}/{OWN}:{max(numbers, default=0) + 1}"
    return (FindingEdit(key, words, own=True, ordered=True), *edits)


def moved(edits: Edits, shown: Sequence[Finding], key: str, by: int) -> Edits:
    """The edits with a finding moved down by `by` places (up if negative) among those shown. It stops at the ends."""
    keys = [finding.key for finding in shown]
    if key not in keys:
        return edits
    index = keys.index(key)
    target = min(max(index + by, 0), len(keys) - 1)
    if target == index:
        return edits
    keys.insert(target, keys.pop(index))
    by_key = {finding.key: finding for finding in shown}
    arranged = [replace(_edit_of(edits, by_key[key]), ordered=True) for key in keys]
    return (*arranged, *(edit for edit in edits if edit.key not in set(keys)))


def _edited(one: Finding, edit: FindingEdit | None) -> Finding:
    if edit is None or edit.text is None:
        return one
    caveats = one.caveats
    # Only a change of values is worth a caveat. A later version may word a sentence differently.
    was = renamed(edit.was, edit.about, one.about)
    if edit.was and not still_values(was, one.text, one.caveats, names_in(one)):
        caveats = (
            f"The values have changed since you wrote this text. The generated text is now: {one.text}",
            *caveats,
        )
    return replace(one, text=edit.text, edited=True, generated=one.text, caveats=caveats)


def _dropped(edit: FindingEdit | None) -> bool:
    return edit is not None and edit.dropped


def _reordered(kept: Sequence[Finding], keys: Sequence[str]) -> list[Finding]:
    """The order with the positions of the findings of `keys` filled in the order of `keys`."""
    by_key = {finding.key: finding for finding in kept}
    wanted = iter(keys)
    placed = set(keys)
    return [by_key[next(wanted)] if finding.key in placed else finding for finding in kept]


def _with_own(found: list[Finding], edits: Sequence[FindingEdit]) -> tuple[Finding, ...]:
    """The findings with the user's own sentences, each after the moved finding before it, the first ones at the top."""
    listed = list(found)
    last = ""
    for edit in edits:
        if edit.own and edit.text:
            own = Finding(edit.key, edit.text, OWN, Strength.YOURS, own=True)
            keys = [finding.key for finding in listed]
            listed.insert(keys.index(last) + 1 if last in keys else 0, own)
        if edit.ordered and any(finding.key == edit.key for finding in listed):
            last = edit.key
    return tuple(listed)


def _undropped(edit: FindingEdit) -> FindingEdit:
    return replace(edit, dropped=False, was="" if edit.text is None else edit.was)


def _edit_of(edits: Edits, finding: Finding) -> FindingEdit:
    """The edit of a finding, updated to the current subject of the finding."""
    before = next((edit for edit in edits if edit.key == finding.key), FindingEdit(finding.key))
    return replace(before, about=finding.about)


def _set(edits: Edits, changed: FindingEdit) -> Edits:
    if any(edit.key == changed.key for edit in edits):
        return _tidy(changed if edit.key == changed.key else edit for edit in edits)
    return _tidy((*edits, changed))


def _tidy(edits: Iterable[FindingEdit]) -> Edits:
    """The edits without empty ones."""
    return tuple(edit for edit in edits if not edit.nothing)


_HALF, _SAME_EDGES = 0.5, 0.95
_EARLIER = " (earlier)"
_Likeness = tuple[float, float, bool]


def followed(findings: Sequence[Finding], edits: Iterable[FindingEdit]) -> tuple[FindingEdit, ...]:
    """The edits, each under the current key of its finding.

    An edit without a finding keeps its key, or gets a new one if another finding now has that key.
    """
    listed = list(edits)
    keys = _assigned(findings, listed)
    taken = {finding.key for finding in findings}
    for index, edit in enumerate(listed):
        if edit.about is None and not edit.own and edit.key in taken - set(keys.values()):
            keys[index] = edit.key
    named: list[FindingEdit] = []
    for index, edit in enumerate(listed):
        key = keys.get(index, edit.key)
        while index not in keys and not edit.own and key in taken:
            key += _EARLIER
        taken.add(key)
        named.append(edit if key == edit.key else replace(edit, key=key))
    return tuple(named)


def unmatched(
    findings: Sequence[Finding], edits: Iterable[FindingEdit], folders: Iterable[str]
) -> tuple[FindingEdit, ...]:
    """The user's texts and removed findings that match no finding now, for the studies in these folders."""
    keys, shown = {finding.key for finding in findings}, tuple(folders)
    return tuple(
        edit
        for edit in followed(findings, edits)
        if edit.key not in keys and not edit.own and (edit.text is not None or edit.dropped) and _of(edit, shown)
    )


def completed(edits: Iterable[FindingEdit], abouts: Mapping[str, About]) -> tuple[FindingEdit, ...]:
    """The edits of an earlier program version, with the subjects of their findings by key, as far as known."""
    return tuple(
        edit if edit.about is not None or edit.own else replace(edit, about=abouts.get(edit.key)) for edit in edits
    )


def renamed(text: str, then: About | None, now: About | None) -> str:
    """An old sentence with the current names, as far as runs and phase are the same. All other characters stay."""
    if then is None or now is None:
        return text
    names = {} if then.phase == now.phase else {then.phase: now.phase}
    for before in _sides(then):
        after = max(_sides(now), key=lambda side: len(_runs((side,)) & _runs((before,))), default=None)
        if after is not None and _runs((after,)) & _runs((before,)):
            names[before.label] = after.label
    words = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda hit: names[hit[0]], text) if words else text


def _assigned(findings: Sequence[Finding], edits: Sequence[FindingEdit]) -> dict[int, str]:
    """The key of the finding for each edit index: best matches first, each finding once."""
    by_question: dict[str, list[tuple[int, str, About]]] = {}
    present: set[str] = set()
    for index, finding in enumerate(findings):
        if finding.about is not None:
            by_question.setdefault(finding.about.question, []).append((index, finding.key, finding.about))
            present |= _runs(_sides(finding.about))
    pairs: list[tuple[_Likeness, bool, int, int]] = []
    for edit_index, edit in enumerate(edits):
        if edit.about is None:
            continue
        for index, key, about in by_question.get(edit.about.question, ()):
            likeness = _likeness(edit.about, about, present)
            if likeness is not None:
                pairs.append((likeness, edit.key == key, -edit_index, -index))
    keys: dict[int, str] = {}
    given: set[int] = set()
    for _, _, edit_index, index in sorted(pairs, reverse=True):
        if -edit_index not in keys and -index not in given:
            keys[-edit_index] = findings[-index].key
            given.add(-index)
    return keys


def _likeness(then: About, now: About, present: Set[str]) -> _Likeness | None:
    """The quality of a match between a finding and the old one; None if it is a different finding."""
    if (then.baseline is None) != (now.baseline is None):
        return None
    phase = _same_phase(then, now)
    sides = _same_runs(then.configurations, now.configurations, present)
    base = _same_runs(_base(then), _base(now), present)
    if phase is None or sides is None or base is None:
        return None
    return phase, sides + base, _labels(_sides(then)) == _labels(_sides(now))


def _same_runs(then: tuple[Members, ...], now: tuple[Members, ...], present: Set[str]) -> float | None:
    """The share of runs in common; None if they are not the same configurations."""
    if not then and not now:
        return 1.0
    before, after = _runs(then), _runs(now)
    common, named = before & after, _labels(then) == _labels(now)
    if not common:
        return 0.0 if named and not before & present else None
    share = len(common) / len(before | after)
    return share if share >= _HALF or after <= before or named else None


def _same_phase(then: About, now: About) -> float | None:
    """The quality of a match between the phase and the old one, from 0 to 3; None if it is a different phase."""
    named = then.phase == now.phase
    if not named and {then.phase, now.phase} & {"", *STANDARD_PHASES}:
        return None
    # The share of the phase's time in common, over the runs in common.
    before = {stretch.run: stretch for side in _sides(then) for stretch in side.runs}
    after = [stretch for side in _sides(now) for stretch in side.runs if stretch.run in before]
    shares = [_common(before[stretch.run], stretch) for stretch in after]
    known = [share for share in shares if share is not None]
    overlap = sum(known) / len(known) if known else 0.0
    if named:
        return 3.0 if overlap >= _SAME_EDGES or not then.phase else 1.0 + overlap / 2
    return 2.0 if overlap >= _SAME_EDGES else overlap if overlap >= _HALF else None


def _common(then: Stretch, now: Stretch) -> float | None:
    if then.start is None or then.end is None or now.start is None or now.end is None:
        return None
    whole = max(then.end, now.end) - min(then.start, now.start)
    return max(0.0, min(then.end, now.end) - max(then.start, now.start)) / whole if whole > 0 else None


def _base(about: About) -> tuple[Members, ...]:
    return () if about.baseline is None else (about.baseline,)


def _sides(about: About) -> tuple[Members, ...]:
    return (*about.configurations, *_base(about))


def _runs(sides: Iterable[Members]) -> frozenset[str]:
    return frozenset(stretch.run for side in sides for stretch in side.runs)


def _labels(sides: Iterable[Members]) -> list[str]:
    return sorted(side.label for side in sides)


def _of(edit: FindingEdit, folders: tuple[str, ...]) -> bool:
    if edit.about is not None:
        return edit.about.study in folders
    return edit.key.startswith(("benchmarks/", *(f"{folder}/" for folder in folders)))
