"""What the user made of the findings: their texts, what they dropped, their order, and their own sentences.

`as_edited` is the only place where edits meet findings. Edits go by what a finding is about (`finding_matches`), so
that they survive every new computation and every other name; a finding that is not computed any more leaves its edit
behind until it comes back (`unmatched`). Whoever changes edits takes them as `followed` gives them. Only findings that
the user has moved (`ordered`) have a place of the user's: they share out the places that they hold among themselves,
and every other finding stays where its relevance puts it. So dropping, or another text, never moves the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.matches import followed, renamed
from workbench.model.edits import FindingEdit

Edits = tuple[FindingEdit, ...]
OWN = "own"


def as_edited(found: Sequence[Finding], edits: Iterable[FindingEdit]) -> tuple[Finding, ...]:
    """The findings as the user wants them: in their order, with their texts and own ones, without the dropped."""
    by_key = {edit.key: edit for edit in followed(found, edits)}
    known = {finding.key for finding in found}
    kept = [_edited(finding, by_key.get(finding.key)) for finding in found if not _dropped(by_key.get(finding.key))]
    ordered = [edit for edit in by_key.values() if edit.ordered and edit.key in known and not edit.dropped]
    return _with_own(_reordered(kept, [edit.key for edit in ordered]), list(by_key.values()))


def dropped(found: Sequence[Finding], edits: Iterable[FindingEdit]) -> tuple[Finding, ...]:
    """The findings that the user has dropped, as they were computed."""
    keys = {edit.key for edit in followed(found, edits) if edit.dropped}
    return tuple(finding for finding in found if finding.key in keys)


def with_text(edits: Edits, finding: Finding, text: str) -> Edits:
    """The edits with another text for a finding; an empty one, or the generated one, takes the edit back."""
    words = " ".join(text.split())
    before = _edit_of(edits, finding)
    if finding.own:
        return _set(edits, replace(before, text=words)) if words else without(edits, finding)
    generated = finding.generated or finding.text
    if not words or words == generated:
        return _set(edits, replace(before, text=None, was=""))
    return _set(edits, replace(before, text=words, was=generated))


def without(edits: Edits, finding: Finding) -> Edits:
    """The edits with a finding dropped; one of the user's own is forgotten."""
    if finding.own:
        return removed(edits, finding.key)
    was = finding.generated or finding.text
    return _set(edits, replace(_edit_of(edits, finding), dropped=True, was=was))


def removed(edits: Edits, key: str) -> Edits:
    """The edits without this one: what it was done to is as it was computed."""
    return tuple(edit for edit in edits if edit.key != key)


def kept_as_own(edits: Edits, study: str, key: str) -> Edits:
    """The edits with the words of one that belongs to no finding now as a sentence of the user's own, at the top."""
    words = next((edit.text for edit in edits if edit.key == key and not edit.own), None)
    return with_own(removed(edits, key), study, words) if words else edits


def restored(edits: Edits, keys: Iterable[str]) -> Edits:
    """The edits with dropped findings back in the list."""
    back = set(keys)
    return _tidy(_undropped(edit) if edit.key in back else edit for edit in edits)


def of_study(edits: Iterable[FindingEdit], study: str) -> Edits:
    """The edits without the user's own sentences on other studies."""
    return tuple(edit for edit in edits if not edit.own or edit.key.startswith(f"{study}/{OWN}:"))


def with_own(edits: Edits, study: str, text: str) -> Edits:
    """The edits with a sentence of the user's own on a study (its folder), at the top."""
    words = " ".join(text.split())
    if not words:
        return edits
    numbers = [int(tail) for edit in edits if edit.own and (tail := edit.key.rpartition(":")[2]).isdigit()]
    key = f"{study}/{OWN}:{max(numbers, default=0) + 1}"
    return (FindingEdit(key, words, own=True, ordered=True), *edits)


def moved(edits: Edits, shown: Sequence[Finding], key: str, by: int) -> Edits:
    """The edits with a finding `by` places further down (up where below 0) among those shown, ends staying ends."""
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
    # The words are the user's, whatever they call a configuration; only figures that changed are worth a caveat.
    if edit.was and renamed(edit.was, edit.about, one.about) != one.text:
        caveats = (f"The figures have changed since this was written; they now say: {one.text}", *caveats)
    return replace(one, text=edit.text, edited=True, generated=one.text, caveats=caveats)


def _dropped(edit: FindingEdit | None) -> bool:
    return edit is not None and edit.dropped


def _reordered(kept: Sequence[Finding], keys: Sequence[str]) -> list[Finding]:
    """The places that the findings of `keys` hold are shared out among them in the order of `keys`."""
    by_key = {finding.key: finding for finding in kept}
    wanted = iter(keys)
    placed = set(keys)
    return [by_key[next(wanted)] if finding.key in placed else finding for finding in kept]


def _with_own(found: list[Finding], edits: Sequence[FindingEdit]) -> tuple[Finding, ...]:
    """The user's own sentences, each behind the moved finding before it, the first ones at the top."""
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
    """The edit of a finding, which from now on is about what the finding is about now."""
    before = next((edit for edit in edits if edit.key == finding.key), FindingEdit(finding.key))
    return replace(before, about=finding.about)


def _set(edits: Edits, changed: FindingEdit) -> Edits:
    if any(edit.key == changed.key for edit in edits):
        return _tidy(changed if edit.key == changed.key else edit for edit in edits)
    return _tidy((*edits, changed))


def _tidy(edits: Iterable[FindingEdit]) -> Edits:
    """Without those that say nothing."""
    return tuple(edit for edit in edits if not edit.nothing)
