"""Short names of configurations: charts, cards and lists show the parts that differ.

The full name is in tooltips, data files and cells of documents.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from workbench.charts.content import Content
from workbench.charts.figure import Axis, Figure
from workbench.charts.tables import Cell, TableData

# Names up to this length are shown whole. Longer names lose the parts that all share, and then the parts that most
# share, down to `ROOM`.
FITS, ROOM = 24, 40
# A part, with the signs before it. A number and its unit are one part: `256 MB`, `5 VMs`; a version, too: `22.03.1`.
_PART = re.compile(
    r"([\s_/.-]*)("
    r"\d[\d.,]*[ \u2009](?:%|[KMGT]i?B|VMs?|vCPUs?|users?|desktops?|sessions?|disks?|hosts?|[mµ]?s|min|h)(?=[\s_/.-]|$)"
    r"|\d+(?:\.\d+)+(?=[\s_/.-]|$)"
    r"|[^\s_/.-]+)"
)
_Part = tuple[str, int]
_FEW_DIGITS = 2


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """Each label with its short name: the parts that differ, in their order.

    Labels are split at blanks and at `-`, `_`, `/` and `.`. All labels are shown whole if each has at most `FITS`
    characters. A short name is never empty and never just a number. It fits one label only: no other label contains all
    its parts, unless the whole label is contained in the other.
    """
    distinct = list(dict.fromkeys(labels))
    if len(distinct) < 2 or max(map(len, distinct)) <= FITS:
        return {label: label for label in distinct}
    parts = {label: _parts(label) for label in distinct}
    counts = Counter(part for of in parts.values() for part, _ in of)
    first = {part: at for of in parts.values() for at, (part, _) in enumerate(of)}
    kept = {label: [part for part, _ in of] for label, of in parts.items()}
    every = {label: frozenset(of) for label, of in kept.items()}
    # Most common first; of equally common parts, the outer parts of a name come first.
    for part in sorted(counts, key=lambda one: (-counts[one], first[one])):
        common = counts[part] == len(distinct)
        texts = {label: _joined(parts[label], kept[label]) for label in distinct} if not common else {}
        if counts[part] == 1 or (not common and max(map(len, texts.values())) <= ROOM):
            break
        fewer = {label: [one for one in of if one != part] for label, of in kept.items() if part in of}
        if all(_fits(label, of, every) for label, of in fewer.items()):
            kept |= fewer
    kept = {label: _with_words(parts[label], of) for label, of in kept.items()}
    short = {label: _joined(parts[label], kept[label]) for label in distinct}
    return short if len({text.casefold() for text in short.values()}) == len(distinct) else {one: one for one in labels}


def bare_names(labels: Sequence[str]) -> dict[str, str]:
    """The short names without a first word that several share, if they still differ: `4 GB` of `MCSIO 4 GB`. No name
    is just a number."""
    short = short_names(labels)
    firsts = Counter(_first_word(name) for name in short.values())
    shared = {word for word, count in firsts.items() if count > 1}
    bare = {
        label: name.removeprefix(word) if (word := _first_word(name)) in shared else name
        for label, name in short.items()
    }
    kept = {label: [part for part, _ in _parts(name)] for label, name in bare.items()}
    every = {label: frozenset(part for part, _ in _parts(name)) for label, name in short.items()}
    named = all(_fits(label, of, every) and not bare[label].isdecimal() for label, of in kept.items())
    return bare if named else short


def with_short_names(content: Content, labels: Iterable[str]) -> Content:
    """The content with short names in its figure, on its cards and in its caption."""
    short = _changed(labels)
    if not short:
        return content
    figure = None if content.figure is None else _figure(content.figure, short)
    cards = tuple(
        replace(
            card,
            short=short.get(card.title, ""),
            note=_replaced(card.note, short),
            detail=_replaced(card.detail, short),
        )
        for card in content.cards
    )
    lead = content.lead
    if lead is not None:
        told = (replace(card, sentence=_replaced(card.sentence, short)) for card in lead.findings)
        lead = replace(lead, findings=tuple(told), caption=_replaced(lead.caption, short))
    return replace(content, figure=figure, cards=cards, lead=lead, caption=_replaced(content.caption, short))


def with_short_rows(content: Content, labels: Iterable[str]) -> Content:
    """The content with short names in the cells and names of its tables, as the window shows them; tooltips and copies
    have the full names."""
    short = _changed(labels)
    if not short:
        return content
    listing = content.listing
    if listing is not None:
        listing = replace(listing, table=_table(listing.table, short))
    return replace(content, listing=listing, tables=tuple(_table(table, short) for table in content.tables))


def _changed(labels: Iterable[str]) -> dict[str, str]:
    return {label: name for label, name in short_names(tuple(labels)).items() if label != name}


def _parts(label: str) -> list[tuple[_Part, str]]:
    """The parts of a label with the signs before them. A repeated part counts as a different part."""
    seen: Counter[str] = Counter()
    found = []
    for signs, text in _PART.findall(label):
        known = text.casefold()
        seen[known] += 1
        found.append(((known, seen[known]), f"{signs}{text}"))
    return found


def _joined(parts: Sequence[tuple[_Part, str]], kept: Sequence[_Part]) -> str:
    """The kept parts, with a blank in place of omitted parts between two of them."""
    text, gap, wanted = "", False, set(kept)
    for part, word in parts:
        if part in wanted:
            text += f" {word.lstrip(' _/.-')}" if gap and text else word
            gap = False
        else:
            gap = True
    return text.strip(" _/.-\t\u2009")


def _fits(label: str, kept: Sequence[_Part], every: Mapping[str, frozenset[_Part]]) -> bool:
    """True if these parts name this label only."""
    own, wanted = every[label], frozenset(kept)
    return bool(kept) and not any(
        wanted <= other and not own <= other for name, other in every.items() if name != label
    )


def _with_words(parts: Sequence[tuple[_Part, str]], kept: Sequence[_Part]) -> list[_Part]:
    """The kept parts, with the word before a number of one or two digits, and before numbers that would be alone: `pod
    1`, `build 1207`. Such a number has no meaning by itself."""
    every = [part for part, _ in parts]
    alone = all(text.isdecimal() for text, _ in kept)
    shown = set(kept)
    for at, part in enumerate(every):
        if part in kept and part[0].isdecimal() and (len(part[0]) <= _FEW_DIGITS or alone):
            shown.add(every[at - 1 if at else min(1, len(every) - 1)])
    return [part for part in every if part in shown]


def _figure(figure: Figure, short: Mapping[str, str]) -> Figure:
    panels = tuple(
        replace(
            panel,
            short=short,
            subtitle=_replaced(panel.subtitle, short),
            x=_axis(panel.x, short),
            y=_axis(panel.y, short),
        )
        for panel in figure.panels
    )
    return replace(figure, panels=panels)


def _axis(axis: Axis, short: Mapping[str, str]) -> Axis:
    """The axis with short names. The text after a name stays: `MCS (105)`."""
    names = tuple(_replaced(name, short) for name in axis.categories)
    return axis if names == axis.categories else replace(axis, categories=names, full=axis.categories)


def _replaced(text: str, short: Mapping[str, str]) -> str:
    """The text with short names for the long ones. If a name begins with another name, the longer one counts."""
    labels = "|".join(map(re.escape, sorted(short, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{labels})(?!\w)", lambda found: short[found.group()], text)


def _table(table: TableData, short: Mapping[str, str]) -> TableData:
    rows = tuple(tuple(_cell(cell, short) for cell in row) for row in table.rows)
    return replace(table, rows=rows, short=_replaced(table.name, short))


def _cell(cell: Cell, short: Mapping[str, str]) -> Cell:
    if cell.text not in short:
        return cell
    tip = cell.tip if cell.text in cell.tip else "\n".join(filter(None, (cell.text, cell.tip)))
    return replace(cell, text=short[cell.text], tip=tip)


def _first_word(label: str) -> str:
    """The first word with the blank after it. The label itself if a comma ends the word, or if nothing follows. A
    number and its unit are not a word."""
    word = re.match(r"[^\s,]+\s+(?=\S)", label)
    part = _PART.match(label)
    if word is None or (part is not None and len(part.group()) >= len(word.group())):
        return label
    return word.group()
