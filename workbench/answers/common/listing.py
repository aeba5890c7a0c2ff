"""Many configurations: the rows that a page lists instead of cards, their order, and the ones that it draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from workbench.answers.common.choices import Choices
from workbench.answers.common.looks import looks
from workbench.answers.common.names import DRAWN, EVERY, FILTER, GROUPED, SORTED
from workbench.answers.common.sources import source_of
from workbench.charts.content import Card, Content, Listing
from workbench.charts.figure import Figure, Look
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, Column, Spark, TableData, without_columns
from workbench.measures.configurations import Group
from workbench.measures.measure import Measure, value_words
from workbench.words.captions import captioned
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, decimal_mark, plural

# Up to this many configurations, each has a card and all are drawn.
MANY = 12
# Number of configurations that can be distinguished side by side on a laptop: bars with names in three panels, and
# lines in one panel.
BARS, LINES = 6, 5
NAME = "All configurations"
_MOST_BUILDS = 3
GROUPS = CONFIGURATION, BUILD, PROVISIONING = "Configuration", "Build", "Provisioning"
ORDERS = AS_LISTED, BY_NAME, HIGHEST, LOWEST = "As in the tree", "Name", "Highest first", "Lowest first"
NOT_STATED = "not stated"
# Maximum number of runs named in a tooltip.
_TOLD_RUNS = 12


@dataclass(frozen=True, eq=False)
class Figured:
    """A column of the list: for each configuration, the `measure` of its runs in a `phase`. `cell` replaces the mean as
    text and sort value. `title` is its header (default: the phase)."""

    phase: str
    measure: Measure
    cell: Callable[[Group], Cell] | None = None
    title: str = ""

    def cell_of(self, group: Group) -> Cell:
        """The text of a configuration, and its sort value (None: not available)."""
        if self.cell is not None:
            return self.cell(group)
        mean = group.mean(self.phase, self.measure.key)
        return Cell(value_words(mean, self.measure.unit), mean, source=source_of(group, self.phase, self.measure.key))

    def of_runs(self, group: Group) -> tuple[float | None, ...]:
        """The value of each run in the order of the runs, None if not measured."""
        rows = (run.phase(self.phase) for run in group.runs)
        return tuple(None if row is None else getattr(row, self.measure.key) for row in rows)


@dataclass(frozen=True, eq=False)
class Chosen:
    """The list of a page with many configurations, and the `groups` that it draws, in the order of the list."""

    listing: Listing
    groups: tuple[Group, ...]

    def content(self, figure: Figure, tables: tuple[TableData, ...] = (), inputs: tuple[Input, ...] = ()) -> Content:
        """The list above the figure of the drawn configurations. It says which are drawn, also in exports."""
        words = self.listing.words
        caption, method = captioned((words, figure.caption), figure.method)
        told = replace(figure, caption=caption, method=method, summary=f"{words}. {figure.summary}")
        drawn = None if figure.empty else told
        caption = figure.empty if drawn is None and self.groups else told.caption
        return Content(figure.question, caption, (), drawn, tables, inputs=inputs, listing=self.listing)


def listed(
    groups: Sequence[Group],
    choices: Choices,
    columns: Sequence[Figured],
    phase: str,
    room: int,
    cards: Sequence[Card] = (),
    look: Mapping[str, Look] | None = None,
) -> Chosen | None:
    """The configurations as the user filters and sorts them, by the column of `phase`, and the `room` of them that are
    drawn; None if there are so few that all are drawn. The change that their `cards` would show is a column. `look` is
    the look in the whole study, if the groups are only a part of it."""
    if len(groups) <= MANY or choices.number(EVERY, 0.0):
        return None
    text = str(choices.input(FILTER, ""))
    grouping, order = (_one_of(choices, key, words) for key, words in ((GROUPED, GROUPS), (SORTED, ORDERS)))
    by = next((column for column in columns if column.phase == phase), None)
    blocks = _blocks(_ordered([group for group in groups if _matches(group, text)], order, by), grouping)
    rows = [group for _, members in blocks for group in members]
    # The rows that the user has ticked, the latest ones if there are too many; otherwise the first rows.
    ticked = str(choices.input(DRAWN, "")).split("\n")
    labels = {group.label for group in rows}
    kept = [label for label in ticked if label in labels][:room]
    drawn = [group for group in rows if group.label in kept] if kept else list(rows[:room])
    inputs = (
        Input(GROUPED, "Group by", grouping, choices=GROUPS),
        Input(SORTED, "Sort by", order, choices=ORDERS, tip=_order_tip(by)),
    )
    legend = _legend(drawn, len(rows), len(groups), text)
    table = _without_build(_table(blocks, groups, columns, drawn, cards, look or looks(groups)), grouping)
    listing = Listing(replace(table, legend=legend), text, inputs, tuple(group.label for group in drawn), len(groups))
    return Chosen(listing, tuple(drawn))


class _Labelled(Protocol):
    @property
    def label(self) -> str: ...


_Member = TypeVar("_Member", bound=_Labelled)


def picked(groups: Sequence[_Member], chosen: Chosen | None) -> list[_Member]:
    """The drawn configurations in the order of the list; all if nothing is listed."""
    if chosen is None:
        return list(groups)
    members = {group.label: group for group in groups}
    return [members[group.label] for group in chosen.groups if group.label in members]


def build_of(group: Group) -> str:
    """Guest system, hypervisor and build as stated by the runs of a configuration. Several are joined with ` + `; of
    more than three, only the first and the last."""
    stated = ((r.run.guest_os, r.run.hypervisor, r.run.build) for r in group.runs)
    builds = sorted({" · ".join(filter(None, facts)) or NOT_STATED for facts in stated})
    if len(builds) > _MOST_BUILDS:
        return f"{builds[0]} + … + {builds[-1]} ({len(builds)} builds)"
    return " + ".join(builds)


def _one_of(choices: Choices, key: str, words: Sequence[str]) -> str:
    chosen = str(choices.input(key, words[0]))
    return chosen if chosen in words else words[0]


def _matches(group: Group, text: str) -> bool:
    """True if the label contains every word of the filter, or the build does. They are not searched together: both
    contain numbers, so a word in either would match too much."""
    words = text.casefold().split()
    return any(all(word in told.casefold() for word in words) for told in (group.label, build_of(group)))


def _ordered(groups: list[Group], order: str, by: Figured | None) -> list[Group]:
    if order == BY_NAME:
        return sorted(groups, key=lambda group: natural(group.label))
    if order == AS_LISTED or by is None:
        return groups
    values = {group.label: by.cell_of(group).value for group in groups}
    measured = [group for group in groups if values[group.label] is not None]
    measured.sort(key=lambda group: values[group.label], reverse=order == HIGHEST)
    return [*measured, *(group for group in groups if values[group.label] is None)]


def natural(label: str) -> list[tuple[int, str]]:
    """A sort key that puts 512 MB before 1024 MB."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d{1,18})", label.casefold())]


def _blocks(groups: Sequence[Group], grouping: str) -> list[tuple[str, list[Group]]]:
    """The rows under their headings, in the order of their first rows; one block without a heading if the rows are not
    grouped."""
    blocks: dict[str, list[Group]] = {}
    for group in groups:
        heading = {BUILD: build_of, PROVISIONING: _provisioning}.get(grouping, lambda _: "")(group)
        blocks.setdefault(heading, []).append(group)
    return list(blocks.items())


def _provisioning(group: Group) -> str:
    return group.configuration.provisioning.value


def _legend(drawn: Sequence[Group], rows: int, total: int, text: str) -> str:
    if not rows:
        return f"No configuration matches '{text}'. {total} hidden."
    matching = f" {rows} match." if text.strip() else ""
    return f"Shown: {len(drawn)} of {total} configurations.{matching}"


def _order_tip(by: Figured | None) -> str:
    if by is None:
        return ""
    return f"'Highest first' and 'Lowest first' sort by {by.measure.within} ({phase_words(by.phase)})."


def _table(
    blocks: Sequence[tuple[str, Sequence[Group]]],
    groups: Sequence[Group],
    columns: Sequence[Figured],
    drawn: Sequence[Group],
    cards: Sequence[Card],
    look: Mapping[str, Look],
) -> TableData:
    tops, notes = [_top(groups, column) for column in columns], {card.title: card for card in cards}
    heads = (
        Column("Configuration", numeric=False, tip="Ticked configurations are drawn in the chart"),
        Column("Runs"),
        *(_head(column) for column in columns),
        *([Column("Vs. baseline", numeric=False)] if cards else []),
        Column(BUILD, numeric=False, tip="Guest system, hypervisor and build, from run.toml"),
    )
    rows: list[tuple[Cell, ...]] = []
    for heading, members in blocks:
        if heading:
            rows.append(_heading(heading, members, len(heads)))
        rows += [
            _row(group, look[group.label], columns, tops, notes.get(group.label), ticked=group in drawn)
            for group in members
        ]
    return TableData(heads, tuple(rows), name=NAME)


def _without_build(table: TableData, grouping: str) -> TableData:
    """The rows without builds if the headings contain them, or if no run states one."""
    stated = any(row[-1].value not in (None, NOT_STATED) for row in table.rows)
    return table if stated and grouping != BUILD else without_columns(table, [BUILD])


def _head(column: Figured) -> Column:
    name, unit = column.measure.name, column.measure.shown_unit
    phase = phase_words(column.phase)
    told = f"{name} ({phase}). The small chart shows each run, from 0 to the highest value of the column"
    title = column.title or phase.capitalize()
    return Column(title, unit if column.cell is None else "", tip=told)


def _heading(heading: str, members: Sequence[Group], width: int) -> tuple[Cell, ...]:
    runs = sum(len(group.runs) for group in members)
    text = f"{heading}: {plural(len(members), 'configuration')}, {plural(runs, 'run')}"
    return (Cell(text, heading, heading=True), *[Cell("")] * (width - 1))


def _row(
    group: Group, look: Look, columns: Sequence[Figured], tops: Sequence[float], card: Card | None, *, ticked: bool
) -> tuple[Cell, ...]:
    build = build_of(group)
    figured = (_figured(group, look, column, top) for column, top in zip(columns, tops, strict=True))
    return (
        Cell(group.label, group.label, look=look, key=group.label, ticked=ticked),
        Cell(str(len(group.runs)), len(group.runs)),
        *figured,
        *([Cell(card.note, card.note, card.detail)] if card else []),
        Cell(build, build, build),
    )


def _figured(group: Group, look: Look, column: Figured, top: float) -> Cell:
    cell, values = column.cell_of(group), column.of_runs(group)
    spark = Spark(values, top, Look(look.hue, look.tint))
    known = any(value is not None for value in values)
    tip = "\n".join(filter(None, (cell.tip if known else "", _runs_words(column.measure, values, top))))
    return replace(cell, tip=tip, spark=spark if known else None)


def _runs_words(measure: Measure, values: Sequence[float | None], top: float) -> str:
    """The small chart as text."""
    known = [value for value in values if value is not None]
    if not known:
        return f"{measure.name}: not measured"
    if len(values) > _TOLD_RUNS:
        low, high = (value_words(edge, measure.unit) for edge in (min(known), max(known)))
        told = f"{len(known)} of {len(values)} runs measured, {low} to {high}"
    else:
        # A decimal comma would be taken for a separator.
        between = ", " if decimal_mark() == "." else "; "
        told = between.join(MISSING if value is None else value_words(value, measure.unit) for value in values)
    return f"{measure.name} by run: {told} (chart scale: 0 to {value_words(top, measure.unit)})"


def _top(groups: Sequence[Group], column: Figured) -> float:
    """The highest value of any run, including hidden rows: the scale stays while the filter changes."""
    return max((value for group in groups for value in column.of_runs(group) if value is not None), default=0.0)
