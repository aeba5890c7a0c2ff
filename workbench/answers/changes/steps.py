"""What the user did between two states, one thing at a time: each step with its words and the choices after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath

from workbench.answers.changes.items import Kind
from workbench.answers.common.choices import Choices
from workbench.answers.common.names import BASELINE, LISTED, MARGIN_PERCENT, PRIMARY
from workbench.answers.sizing.chosen import PREFIX
from workbench.answers.sizing.constants import constants
from workbench.measures.catalogue import MEASURES
from workbench.measures.statistics import MARGIN
from workbench.model.edits import RunEdits
from workbench.words.lists import first_named
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, marked

# The fields of a run's edits that are one thing for the user, with its words.
_TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("split into runs", ("split",)),
    ("time zone", ("time_zone",)),
    ("order of dates", ("date_order",)),
    ("configuration", ("configuration",)),
    ("provisioning and caches", ("provisioning", "write_cache", "ram_cache_mb")),
    ("sessions, VMs and users", ("session_type", "vms", "users")),
    ("side of the guest counters", ("guest_counters",)),
    ("machines that count", ("left_out", "counted")),
    ("phases", ("phases", "dropped")),
    ("left out", ("excluded",)),
)
_JUDGED: tuple[Kind, ...] = ("verdict", "baseline", "finding")
_PLANNED: tuple[Kind, ...] = ("sizing", "finding")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the user did. `runs` are the folders of the runs that it can move something of, `kinds` what;
    empty: any."""

    words: str
    choices: Choices
    runs: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ()


def steps(states: Sequence[Choices], names: Mapping[str, str]) -> list[Step]:
    """The steps from the first of the states to the last, in their order; `names` are those of runs by folder."""
    return [step for before, after in pairwise(states) for step in _between(before, after, names)]


def _between(before: Choices, after: Choices, names: Mapping[str, str]) -> Iterator[Step]:
    now = before
    if before.baselines != after.baselines:
        edits = [edit for edit in (*before.edits, *after.edits) if edit.baseline is not None]
        now = now.with_edits(*(replace(now.edits_of(e.run), baseline=after.edits_of(e.run).baseline) for e in edits))
        words = " → ".join(_chosen(choices, names) for choices in (before, after))
        yield Step(f"baseline {words}", now, kinds=_JUDGED)
    alike = set(before.edits) & set(after.edits)
    for folder in dict.fromkeys(edit.run for edit in (*before.edits, *after.edits) if edit not in alike):
        name = names.get(folder, PurePath(folder).name)
        for topic, fields in _TOPICS:
            then, target = now.edits_of(folder), after.edits_of(folder)
            edit = replace(then, **{field: getattr(target, field) for field in fields})
            if edit != then:
                now = now.with_edits(edit)
                yield Step(f"{name}: {_edit_words(topic, then, edit)}", now, frozenset((folder,)))
    stated, wanted = dict(before.inputs), dict(after.inputs)
    for key in dict.fromkeys((*stated, *wanted)):
        if stated.get(key) != wanted.get(key):
            now = now.with_input(key, wanted[key]) if key in wanted else now.without_inputs(frozenset((key,)))
            yield Step(_input_words(key, stated.get(key), wanted.get(key)), now, kinds=_kinds_of(key))
    if after.hidden != before.hidden:
        now = replace(now, hidden=after.hidden)
        turned = (("hidden", after.hidden - before.hidden), ("shown", before.hidden - after.hidden))
        words = "; ".join(f"{word}: {', '.join(sorted(labels))}" for word, labels in turned if labels)
        yield Step(words, now, kinds=_JUDGED)
    if after.findings != before.findings:
        yield Step("findings edited", replace(now, findings=after.findings), kinds=("finding",))


def _chosen(choices: Choices, names: Mapping[str, str]) -> str:
    """The configuration chosen as the baseline, by its runs."""
    runs = [names.get(folder, PurePath(folder).name) for folder in choices.baselines]
    return f"with the runs {first_named(runs, 3)}" if runs else "of the study"


def _kinds_of(key: str) -> tuple[Kind, ...]:
    if key in (BASELINE, MARGIN_PERCENT) or key.startswith(PRIMARY):
        return _JUDGED
    return _PLANNED if key.startswith(PREFIX) else ("finding",)


def _edit_words(topic: str, then: RunEdits, edit: RunEdits) -> str:
    if topic == "left out":
        return f"left out ({edit.excluded})" if edit.excluded else "counted again"
    if topic == "phases":
        changed = {phase.name for phase in set(then.phases) ^ set(edit.phases)} | (
            set(then.dropped) ^ set(edit.dropped)
        )
        return f"edges of {', '.join(map(phase_words, sorted(changed)))}"
    if topic == "configuration":
        return f"configuration {edit.configuration or 'as the files say'}"
    return topic


def _input_words(key: str, then: object, now: object) -> str:
    if key in LISTED:
        return "list of configurations"
    if key == MARGIN_PERCENT:
        return f"margin {_percent(then)} → {_percent(now)}"
    if key == BASELINE:
        return f"baseline {then or 'of the study'} → {now or 'of the study'}"
    if key.startswith(PRIMARY):
        return f"primary measure, {phase_words(key.removeprefix(PRIMARY))}: {_measure(now)}"
    constant = constants().get(key.removeprefix(PREFIX)) if key.startswith(PREFIX) else None
    return f"{constant.label if constant else key}: {_given(then)} → {_given(now)}"


def _percent(value: object) -> str:
    return f"{_given(100 * MARGIN if value is None else value)} %"


def _measure(value: object) -> str:
    return MEASURES[str(value)].within if value in MEASURES else "as the catalogue"


def _given(value: object) -> str:
    return MISSING if value is None else marked(f"{value:g}") if isinstance(value, float) else str(value)
