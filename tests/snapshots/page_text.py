"""A page as plain text: heading, cards, inputs, captions, table heads, rows and sentences, as the window shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.charts.claim import Lead, claim_words
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Figure, Panel
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, TableData, heading
from workbench.model.problem import Cause
from workbench.words.captions import named, whole_lines
from workbench.words.numbers import fixed

# Rows of a table and names of a chart's marks that are listed; the others are counted.
MAX_ROWS, MAX_NAMES = 12, 8


def page_text(content: Content) -> list[str]:
    """The lines of a page, top to bottom."""
    lines = [*_named("question", content.question), *_named("caption", content.caption)]
    lines += [line for text in whole_lines(content.method) for line in _named("method", text)]
    lines += _named("empty", content.empty)
    lines += [] if content.lead is None else _lead(content.lead)
    lines += [_card(card) for card in content.cards]
    lines += [line for field in content.inputs for line in _input(field)]
    if content.figure is not None:
        lines += _figure(content.figure)
    if content.causes:
        return lines + [_cause(cause) for cause in content.causes]
    return [*lines, *(line for table in content.tables for line in _table(table))]


def _cause(cause: Cause) -> str:
    number = f"{cause.count} {cause.noun}"
    return f"{cause.group}: " + _joined(cause.title, cause.done, number, cause.mending, cause.command)


def _lead(lead: Lead) -> Iterator[str]:
    yield from _named("banner", lead.banner)
    for card in lead.findings:
        yield "finding: " + _joined(card.sentence, card.number, card.foot)
        yield from _named("    chart", claim_words(card.claim) if card.claim is not None else "")


def _named(name: str, text: str) -> Iterator[str]:
    """`name: text`, empty without text; further lines of the text are indented."""
    if text:
        yield f"{name}: " + text.replace("\n", "\n    ")


def _joined(*parts: str) -> str:
    return " | ".join(part for part in parts if part)


def _card(card: Card) -> str:
    return "card: " + _joined(card.title, f"{card.value} {card.unit}".strip(), card.note, card.detail)


def _input(field: Input) -> Iterator[str]:
    decimals = field.decimals
    value = field.name if isinstance(field.value, str) else fixed(round(field.value, decimals), max(0, decimals))
    value = "—" if field.missing else value
    shown = f"{field.label} = {value} {field.counted}".rstrip()
    yield "input: " + _joined(field.group, shown, field.origin, "; ".join(field.names or field.choices))
    yield from _named("    tip", field.tip)


def _figure(figure: Figure) -> Iterator[str]:
    yield "figure: " + _joined(figure.question, figure.empty)
    yield from _named("    caption", figure.caption)
    for text in whole_lines(figure.method):
        yield from _named("    method", text)
    yield from _named("    in words", figure.summary)
    yield from _named("    below", figure.note)
    for panel in figure.panels:
        yield from _panel(panel)


def _panel(panel: Panel) -> Iterator[str]:
    axes = f"x: {_axis(panel.x)}", f"y: {_axis(panel.y)}"
    yield "    panel: " + _joined(panel.title, panel.subtitle, *axes)
    yield from _named("        marks", _listed(mark.name for mark in panel.marks))
    yield from _named("        shaded", _listed(region.name for region in panel.regions))
    yield from _named("        notes", _listed(note.text for note in panel.notes))


def _axis(axis: Axis) -> str:
    # As on the axis, a unit that the label contains is not repeated.
    unit = f" ({axis.unit})" if axis.unit and axis.unit not in axis.label.split() else ""
    scale = ", log scale" if axis.scale == "log" else ""
    names = _listed(named(name) if ", " in name else name for name in axis.categories)
    return ": ".join(part for part in (f"{axis.label}{unit}{scale}", names) if part)


def _listed(names: Iterable[str]) -> str:
    known = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(known) - MAX_NAMES} more" if len(known) > MAX_NAMES else ""
    return ", ".join(known[:MAX_NAMES]) + more


def _table(table: TableData) -> Iterator[str]:
    yield f"table: {table.name}".rstrip()
    yield from _named("    legend", table.legend)
    for text in whole_lines(table.method):
        yield from _named("    method", text)
    yield "    head: " + _joined(*map(heading, table.columns))
    for column in table.columns:
        yield from _named(f"    tip of {column.title}", column.tip)
    for row in table.rows[:MAX_ROWS]:
        yield "    row: " + _row(row)
    if len(table.rows) > MAX_ROWS:
        yield f"    … and {len(table.rows) - MAX_ROWS} more rows"


def _row(cells: Sequence[Cell]) -> str:
    return " | ".join(cell.text.replace("\n", " / ") for cell in cells)
