"""Pseudonyms for names, and texts with their names replaced.

The table is made once for all documents of the same results. Without the table a pseudonym cannot be turned back into
its name: names are numbered, not hashed. The module also contains the list of words that reveal nothing about a
customer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, pairwise
from pathlib import Path

from workbench.csv_files import csv_text
from workbench.model.resources import resource
from workbench.study.store.temporary import write_whole

# Shown at the top of a document.
NOTICE = "Names are replaced"
ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])|"
    r"(?<![\w-])(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}(?![\w-])"
)
MAIL = re.compile(r"(?<![\w.+-])(?P<user>[\w.+-]++)@(?P<domain>[\w-]++(?:\.[\w-]++)*+)")
ACCOUNT = re.compile(r"(?<![\w\\/:.-])(?P<domain>[^\W_][\w.-]*)\\(?P<user>[\w.$-]+)")
UNC = re.compile(r"^\\\\(?P<host>[^\\/:*?\"<>|]+)|(?<=[\s'\"(=])\\\\(?P<inner>[^\\/:*?\"<>|\s]+)")
_SPECIAL = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", pattern.pattern) for pattern in (UNC, MAIL, ACCOUNT, ADDRESS)))
# The start of the tags of a line. They end at its last bracket: a pattern for both ends takes quadratic time.
_TAGS = re.compile(r" \[(?=[^=\[\]\\\n]{1,200}=)")
_SPLIT = re.compile(r", (?=[^=,\n]{1,200}=)")
_LABEL = re.compile(r"((?<=[{,])\s{0,9}(?!__name__)\w{1,200}\s{0,9}(?:=~?|!=|:)\s{0,9}[\"'])([^\"'\n]{1,1000})([\"'])")
# A mark within a word, as in `it's`, is not a quotation mark.
_OPENING = re.compile(r"(?<!\w)['\"]")
_CLOSING = {mark: re.compile(rf"{mark}(?!\w)") for mark in "'\""}
# A name with at least this many letters is also replaced within a longer word: `acmecloud` reveals as much as
# `acme-cloud`.
_WITHIN = 5


def in_tags(text: str, change: Callable[[str], str]) -> str:
    """Returns the text with the value of each tag replaced by the result of `change`. Tags are those in brackets after
    a counter's path (`… [customer=Acme, user=jdoe]`, the form used here for InfluxDB) and labels of Prometheus
    (`{customer="Acme"}`)."""
    text = _LABEL.sub(lambda match: f"{match[1]}{change(match[2])}{match[3]}", text)
    return _with_tags(text, lambda tags: f" [{', '.join(_tag(part, change) for part in _SPLIT.split(tags))}]")


def without_tags(text: str) -> str:
    """Returns the text without its tags and labels."""
    return _with_tags(_LABEL.sub("", text), lambda _: "")


def _with_tags(text: str, change: Callable[[str], str]) -> str:
    """The text with the tags of each line, ` [key=value, …]`, replaced by what `change` returns for `key=value, …`."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        end = line.rfind("]")
        if end > 0 and (start := _TAGS.search(line, 0, end)):
            lines[place] = f"{line[: start.start()]}{change(line[start.end() : end])}{line[end + 1 :]}"
    return "\n".join(lines)


def _tag(part: str, change: Callable[[str], str]) -> str:
    name, sign, value = part.partition("=")
    return f"{name}{sign}{change(value)}" if sign else part


@dataclass(frozen=True)
class Pseudonyms:
    """Pseudonyms by name in lower case. `machines`, `users`, `domains` and `addresses` apply if the text is exactly
    that name; `names` apply anywhere in a text; `tags` are whole values of tags and labels (`customer=…`). `kept`
    are words that stay in quotations."""

    machines: Mapping[str, str] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict)
    domains: Mapping[str, str] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    _known: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def text(self, text: str) -> str:
        """Returns the text with every known name, account, mail address and network address replaced."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._replaced(text)
        return known

    def machine(self, name: str) -> str:
        """Returns the pseudonym of a machine with any name. Its domain is replaced separately."""
        if name.casefold() in self.addresses:
            return self.addresses[name.casefold()]
        short, dot, domain = name.partition(".")
        stands = self.machines.get(short.casefold())
        return self.text(name) if stands is None else f"{stands}{dot}{self.domain(domain)}"

    def user(self, name: str) -> str:
        r"""Returns the pseudonym of a user, also for `DOMAIN\user` and `user@domain`."""
        if match := ACCOUNT.fullmatch(name):
            return f"{self.domain(match['domain'])}\\{self.user(match['user'])}"
        if match := MAIL.fullmatch(name):
            return f"{self.user(match['user'])}@{self.domain(match['domain'])}"
        stands = self.users.get(name.casefold())
        return self.text(name) if stands is None else stands

    def domain(self, name: str) -> str:
        """Returns the pseudonym of a domain."""
        return self.domains.get(name.casefold()) or self._without_names(name)

    def message(self, text: str) -> str:
        """Returns a message about a file with names replaced as in `text`. Its quotations keep only words that reveal
        nothing."""
        return "\n".join(map(self._masked, self.text(text).split("\n")))

    def _masked(self, line: str) -> str:
        """Returns the line with the text between quotation marks masked. If a mark has no closing partner, no other
        mark of its kind is tried, so the time grows only linearly with the length of the line."""
        parts: list[str] = []
        unclosed: set[str] = set()
        at = done = 0
        while (opening := _OPENING.search(line, at)) is not None:
            mark, at = opening[0], opening.end()
            closing = None if mark in unclosed else _CLOSING[mark].search(line, at + 1)
            if closing is None:
                unclosed.add(mark)
                continue
            parts += [line[done:at], self._quoted(line[at : closing.start()])]
            done, at = closing.span()
        return "".join((*parts, line[done:]))

    def _quoted(self, text: str) -> str:
        return LETTERS.sub(lambda word: word[0] if len(word[0]) < 2 or self._may_stay(word[0]) else "…", text)

    def _may_stay(self, word: str) -> bool:
        return is_common(word) or word.casefold() in self.kept

    def _replaced(self, text: str) -> str:
        # A text without an equals sign has no tags.
        if self.tags and "=" in text:
            text = in_tags(text, lambda value: self.tags.get(value.casefold(), value))
        parts, done = [], 0
        for match in _SPECIAL.finditer(text):
            parts += [self._without_names(text[done : match.start()]), self._special(match[0])]
            done = match.end()
        return "".join((*parts, self._without_names(text[done:])))

    def _special(self, text: str) -> str:
        if text.startswith("\\\\"):
            return f"\\\\{self.machine(text[2:])}"
        if text.casefold() in self.addresses:
            return self.addresses[text.casefold()]
        account = ACCOUNT.fullmatch(text)
        if MAIL.fullmatch(text) or (account and account["domain"].casefold() in self.domains):
            return self.user(text)
        return self._without_names(text)

    def _without_names(self, text: str) -> str:
        """Returns the text with the longest known name at each position replaced, from the left."""
        if not self.names:
            return text
        edges = edges_of(text)
        parts, done = [], 0
        for index, start in enumerate(edges):
            if start < done or text[start : start + 2].casefold() not in self._begins:
                continue
            ends = (end for end in reversed(edges[index + 1 :]) if end - start <= self._longest)
            end = next((end for end in ends if text[start:end].casefold() in self.names), None)
            if end is not None:
                parts += [text[done:start], self.names[text[start:end].casefold()]]
                done = end
        return self._without_hidden("".join((*parts, text[done:])))

    def _without_hidden(self, text: str) -> str:
        """Returns the text with long names also replaced within longer words."""
        if not self._long:
            return text
        return LETTERS.sub(lambda word: self._hidden(word[0]), text)

    def _hidden(self, word: str) -> str:
        if len(word) <= _WITHIN or is_common(word):
            return word
        folded = word.casefold()
        for length in range(min(len(word), self._longest), _WITHIN - 1, -1):
            for start in range(len(folded) - length + 1):
                if folded[start : start + length] in self._long:
                    stands = self.names[folded[start : start + length]]
                    return f"{self._hidden(word[:start])}{stands}{self._hidden(word[start + length :])}"
        return word

    @cached_property
    def _begins(self) -> frozenset[str]:
        return frozenset(name[:2] for name in self.names)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.names), default=0)

    @cached_property
    def _long(self) -> frozenset[str]:
        return frozenset(name for name in self.names if len(name) >= _WITHIN and LETTERS.fullmatch(name))


def write_key(path: Path, pseudonyms: Pseudonyms) -> None:
    """Writes the table of names and pseudonyms as CSV, to look names up. Raises OSError."""
    tables = (
        *(pseudonyms.machines, pseudonyms.users, pseudonyms.domains, pseudonyms.addresses),
        *(pseudonyms.names, pseudonyms.tags),
    )
    pairs = dict.fromkeys((stands, name) for name, stands in chain.from_iterable(table.items() for table in tables))
    text = csv_text([("stands there", "name"), *sorted(pairs)], "\r\n")
    # The folder is not created if it does not exist.
    path.parent.stat()
    write_whole(path, text.encode("utf-8-sig"), private=True)


LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+|\d+")


@cache
def common_words() -> frozenset[str]:
    """Returns the words, in lower case, that are never replaced: words of the field and of plain English, and the words
    of counters and timers."""
    files = [resource("common_words.txt"), resource("vsimax_models.toml"), *sorted(resource("counters").glob("*.toml"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return frozenset(piece.casefold() for run in LETTERS.findall(text) for piece in (run, *pieces(run)))


def is_common(word: str) -> bool:
    """True if a word of letters reveals nothing: it is a common word, or consists of such (`HarddiskVolume`)."""
    known = common_words()
    return word.casefold() in known or all(piece.casefold() in known for piece in pieces(word))


def pieces(word: str) -> list[str]:
    """Returns the parts of a word of letters, split at capitals: `AcmeBank` is `Acme` and `Bank`."""
    return [word[start:end] for start, end in pairwise(edges_of(word))]


def edges_of(text: str) -> list[int]:
    """Returns the positions in a text at which names may begin and end: at the ends of words and numbers, and where
    capitals begin or end (`ACMEbank`: after both `M` and `E`, because either is possible)."""
    edges: set[int] = set()
    for word in _WORD.finditer(text):
        start, end = word.span()
        edges |= {start, end}
        for at in range(start + 1, end):
            before, here = text[at - 1].isupper(), text[at].isupper()
            after = at + 1 < end and text[at + 1].islower()
            capitals_end = before and not here and at - start > 1 and text[at - 2].isupper()
            if (here and (not before or after)) or capitals_end:
                edges.add(at)
    return sorted(edges)
