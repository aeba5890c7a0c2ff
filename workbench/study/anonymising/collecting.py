"""Collects the names in studies and in the user's changes to them, and assigns a pseudonym to each.

The module visits every string of a nested value together with its kind, to collect names from it or to replace names in
it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum, StrEnum, auto
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec

from workbench.model.run import Study
from workbench.study.anonymising.pseudonyms import (
    ACCOUNT,
    ADDRESS,
    LETTERS,
    MAIL,
    UNC,
    Pseudonyms,
    in_tags,
    is_common,
    pieces,
    without_tags,
)

T = TypeVar("T")
_DIGITS = re.compile(r"(\d+)")
# Serial numbers: at least 12 letters and digits with a digit among them, or at least 9 digits alone.
_SERIAL = re.compile(r"(?<![^\W_])(?=[^\W\d_]*+\d)[^\W_]{12,}+|\d{9,}")
_PATH = re.compile(r"(?<![\w/])(?:[A-Za-z]:[\\/]|\\\\|/(?=[^/\s'\"]+/))[^\s'\"<>|,;]+")
_DOMAIN = re.compile(
    r"(?<![\w.@/\\-])(?:[\w-]+\.)+"
    r"(?:com|net|org|edu|gov|mil|local|lan|corp|internal|intern|intranet|biz|info|cloud|de|uk|us|fr|nl|eu|ch|at|ca|au|jp|it"
    r"|es|se|no|dk|fi|pl|be|ie|io|co|cz|pt|br|in|cn|ru|nz|za)(?![\w-]|\.\w)",
    re.IGNORECASE,
)
# A name with fewer characters, or fewer digits only, is not replaced in a text.
_SHORTEST, _FEWEST_DIGITS = 2, 5
_LETTERS_OF_PIECE = 3


@dataclass
class _Names:
    """The spelling of each name, keyed by the name in lower case, in the order of appearance."""

    machines: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    met: set[tuple[NameKind, str]] = field(default_factory=set)

    def take(self, kind: NameKind, text: str) -> str:
        """Collects the names of a string, and returns the string unchanged."""
        if text and (kind, text) not in self.met:
            self.met.add((kind, text))
            self._take(kind, text)
        return text

    def _take(self, kind: NameKind, text: str) -> None:
        match kind:
            case NameKind.MACHINE:
                self._machine(text, self.machines)
            case NameKind.HOST:
                self._machine(text, self.hosts)
            case NameKind.USER:
                self._user(text)
            case NameKind.LABEL:
                self._free(text)
                self._label(text)
            case NameKind.KEPT | NameKind.COUNTER:
                self._by_form(text)
                if kind is NameKind.COUNTER and "=" in text:
                    in_tags(text, self._tag)
                    text = without_tags(text)
                self.kept |= {word.casefold() for word in LETTERS.findall(text)}
            case _:
                self._free(text)

    def _machine(self, name: str, names: dict[str, str]) -> None:
        if _is_address(name):
            self.addresses.setdefault(name.casefold(), name)
            return
        short, _, domain = name.partition(".")
        names.setdefault(short.casefold(), short)
        self._label(short)
        if domain:
            self._domain(domain)

    def _user(self, name: str) -> None:
        if match := ACCOUNT.fullmatch(name) or MAIL.fullmatch(name):
            self._domain(match["domain"])
            name = match["user"]
        self.users.setdefault(name.casefold(), name)
        self._label(name)

    def _domain(self, name: str) -> None:
        if not _is_address(name):
            self.domains.setdefault(name.casefold(), name)

    def _label(self, text: str) -> None:
        """Collects the words of a label that the customer chose, without words that reveal nothing."""
        for match in _SERIAL.finditer(text):
            words = LETTERS.findall(match[0])
            if not words or not all(map(is_common, words)):
                self.words.setdefault(match[0].casefold(), match[0])
        for word in LETTERS.findall(text):
            if not is_common(word) and (len(word) >= _LETTERS_OF_PIECE or (len(word) == _SHORTEST and word.isupper())):
                self.words.setdefault(word.casefold(), word)

    def _tag(self, value: str) -> str:
        """Collects the value of a tag, and returns it."""
        self.tags.setdefault(value.casefold(), value)
        self._free(value)
        self._label(value)
        return value

    def _free(self, text: str) -> None:
        """Collects names that only their form reveals, including accounts and paths: counters may look like these."""
        self._by_form(text)
        for match in ACCOUNT.finditer(text):
            if not is_common(match["domain"]) and _is_word(match["domain"]):
                self._user(match[0])
        for match in _PATH.finditer(text):
            self._label(match[0])

    def _by_form(self, text: str) -> None:
        for match in ADDRESS.finditer(text):
            if _is_address(match[0]):
                self.addresses.setdefault(match[0].casefold(), match[0])
        for match in MAIL.finditer(text):
            self._user(match[0])
        for match in UNC.finditer(text):
            self._machine(match["host"] or match["inner"], self.hosts)
        for match in _DOMAIN.finditer(text):
            self._full_name(match[0])

    def _full_name(self, name: str) -> None:
        """Collects a host with its domain, or a domain."""
        host, _, domain = name.partition(".")
        if "." in domain:
            self._machine(name, self.hosts)
        elif not is_common(host):
            self._domain(name)


def pseudonyms_of(studies: Sequence[Study], *done: object, more: Iterable[str] = ()) -> Pseudonyms:
    """Returns the pseudonyms for the names in the studies and in `done`, the user's changes; `more` are words that the
    user also wants replaced.

    Names are numbered in natural order, `VM2` before `VM10`. Names that occur only in `done` come after these, so an
    additional note does not change other pseudonyms.
    """
    names = _Names()
    stages = []
    for value, kind in (*((one, NameKind.TEXT) for one in (tuple(studies), *done)), (tuple(more), NameKind.LABEL)):
        each_string(value, names.take, kind)
        stages.append({table: dict(getattr(names, table)) for table in _TABLES})
    hosts = [{key: name for key, name in stage["hosts"].items() if key not in names.machines} for stage in stages]
    machines = _counted([stage["machines"] for stage in stages], "VM", 3)
    machines |= _counted(hosts, "host", 2)
    users = _counted([stage["users"] for stage in stages], "User", 3)
    domains = _counted_domains([stage["domains"] for stage in stages])
    addresses = _counted([stage["addresses"] for stage in stages], "address", 1)
    known = machines.keys() | users.keys() | domains.keys()
    words = _counted([{k: w for k, w in stage["words"].items() if k not in known} for stage in stages], "name", 2)
    for key, stands in list(words.items()):
        for piece in pieces(names.words[key]):
            if len(piece) >= _LETTERS_OF_PIECE and not is_common(piece):
                words.setdefault(piece.casefold(), stands)
    in_text = {_bare(key): stands for key, stands in (words | users | machines | domains).items() if _in_text(key)}
    values = _counted([stage["tags"] for stage in stages], "tag", 2)
    tags = {key: (machines | users | domains).get(key, stands) for key, stands in values.items()}
    return Pseudonyms(machines, users, domains, addresses, in_text, tags, frozenset(names.kept))


def _bare(name: str) -> str:
    """Returns the name without leading and trailing characters that are not letters or digits. In a text, a name begins
    and ends with letters or digits."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", name)


_TABLES = ("machines", "hosts", "users", "domains", "addresses", "words", "tags")


def without_names(value: T, pseudonyms: Pseudonyms) -> T:
    """Returns the value with every name in it replaced. It may be studies, values or a state."""
    changes = {
        NameKind.MACHINE: pseudonyms.machine,
        NameKind.HOST: pseudonyms.machine,
        NameKind.USER: pseudonyms.user,
        NameKind.MESSAGE: pseudonyms.message,
    }
    return each_string(value, lambda kind, text: changes.get(kind, pseudonyms.text)(text))


def _counted(stages: Sequence[Mapping[str, str]], prefix: str, digits: int) -> dict[str, str]:
    """Returns numbers for the names of each stage, continuing after the previous stage."""
    counted: dict[str, str] = {}
    digits = max(digits, len(str(len(stages[-1]))))
    for stage in stages:
        for key in sorted(stage.keys() - counted.keys(), key=_natural):
            counted[key] = f"{prefix}-{len(counted) + 1:0{digits}d}"
    return counted


def _counted_domains(stages: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Returns numbers for domains, full domains first: `acme` alone is the domain `acme.com`, and `lab.acme.com` is
    another one."""
    stands = _counted([{k: d for k, d in stage.items() if "." in k} for stage in stages], "domain", 1)
    for domain in list(stands):
        for label in re.split(r"[.\-_]", domain):
            if len(label) >= _LETTERS_OF_PIECE and not is_common(label):
                stands.setdefault(label, stands[domain])
    number = len(set(stands.values()))
    for key in (key for stage in stages for key in sorted(stage, key=_natural)):
        if key not in stands:
            number += 1
            stands[key] = f"domain-{number}"
    return stands


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _DIGITS.split(text)]


def _in_text(name: str) -> bool:
    name = _bare(name)
    if name.isdecimal():
        return len(name) >= _FEWEST_DIGITS
    return len(name) >= _SHORTEST and not (_is_word(name) and is_common(name))


def _is_word(text: str) -> bool:
    return LETTERS.fullmatch(text) is not None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return re.fullmatch(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", text) is not None
    return True


class NameKind(StrEnum):
    """The kind of a string. A label is a name chosen by the customer. Strings that are kept are compared with others (a
    configuration). A counter is kept except for the values of its tags. A text may contain names. A message may quote a
    file."""

    MACHINE = auto()
    HOST = auto()
    USER = auto()
    LABEL = auto()
    TEXT = auto()
    KEPT = auto()
    COUNTER = auto()
    MESSAGE = auto()


_BY_FIELD = {
    **dict.fromkeys(("vm", "machines", "left_out", "counted", "lit_vm"), NameKind.MACHINE),
    **dict.fromkeys(("host", "hosts"), NameKind.HOST),
    "user": NameKind.USER,
    **dict.fromkeys(
        (
            "folder",
            "split_from",
            "file",
            "run",
            "path",
            "paths",
            "study",
            "instance",
            "test",
            "job",
            "label",
            "group",
            "build",
        ),
        NameKind.LABEL,
    ),
    **dict.fromkeys(("message", "action", "error", "reason"), NameKind.MESSAGE),
}
# Fields whose name alone does not tell the kind.
_BY_TYPE = {
    ("Study", "name"): NameKind.LABEL,
    ("Run", "name"): NameKind.LABEL,
    ("Run", "session"): NameKind.LABEL,
    ("SavedSource", "name"): NameKind.LABEL,
    ("BundledFile", "name"): NameKind.LABEL,
    ("Series", "path"): NameKind.COUNTER,
    ("SeriesKey", "path"): NameKind.COUNTER,
    ("Series", "object"): NameKind.COUNTER,
    ("Series", "counter"): NameKind.COUNTER,
    ("Configuration", "name"): NameKind.KEPT,
    ("Run", "read_as"): NameKind.KEPT,
    ("Run", "workload"): NameKind.LABEL,
    ("Phase", "name"): NameKind.KEPT,
    ("Derived", "rule"): NameKind.KEPT,
    ("OwnColumn", "rule"): NameKind.KEPT,
    ("Members", "label"): NameKind.TEXT,
    # Parts are `host n1` or `sd Disk1`; a curve is named after its run definition.
    ("Benchmark", "part"): NameKind.LABEL,
    ("Benchmark", "curve"): NameKind.LABEL,
    ("FileReport", "part"): NameKind.LABEL,
}
# Words of the program, paths of the column store, and words that other programs must recognise.
_LEFT = frozenset(
    (
        *("store_file", "code", "evidence", "tool", "tool_version", "reader", "encoding", "delimiter", "time_zone"),
        *("schema", "program", "saved", "layout", "page", "page_view", "page_views", "theme", "unit", "started", "op"),
        *(
            "first",
            "last",
            "field",
            "hash",
            "measure",
            "verdict",
            "write_cache",
            "scale",
            "vantage",
            "side",
            "date",
            "order",
            "mark",
        ),
    )
)
# Inputs with data from outside the studies: their names have not been collected.
_OUTSIDE = frozenset(("trend.history",))


def each_string(value: T, change: Callable[[NameKind, str], str], kind: NameKind = NameKind.TEXT) -> T:
    """Returns the value with every string replaced by the result of `change`. Unchanged parts are the same objects."""
    return _changed(value, change, kind)  # type: ignore[no-any-return]


def _changed(value: Any, change: Callable[[NameKind, str], str], kind: NameKind) -> Any:
    if isinstance(value, str):
        return value if isinstance(value, Enum) else change(kind, value)
    if value is None or isinstance(value, int | float | Enum | PurePath):
        return value
    if isinstance(value, msgspec.Struct):
        return _fields_changed(value, value.__struct_fields__, change, msgspec.structs.replace)
    if is_dataclass(value):
        return _fields_changed(value, [one.name for one in fields(value)], change, replace)
    if isinstance(value, Mapping):
        return {_changed(key, change, kind): _changed(item, change, kind) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset):
        items = [_changed(item, change, kind) for item in value]
        if all(now is before for now, before in zip(items, value, strict=True)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _fields_changed(
    value: Any, names: Iterable[str], change: Callable[[NameKind, str], str], replaced: Callable[..., Any]
) -> Any:
    changes = {}
    for name in names:
        if name in _LEFT:
            continue
        before = getattr(value, name)
        if name == "inputs":
            before = tuple(pair for pair in before if pair[0] not in _OUTSIDE)
        known = _BY_TYPE.get((type(value).__name__, name)) or _BY_FIELD.get(name) or NameKind.TEXT
        now = _changed(before, change, known)
        if now is not getattr(value, name):
            changes[name] = now
    return replaced(value, **changes) if changes else value
