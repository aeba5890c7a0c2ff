"""Maps counters to canonical names and metrics, using the catalogue and translations in `resources/counters`.

Names are compared case-insensitively. An unknown counter keeps its own name and has no metric; it can still be searched
and drawn. The catalogue also marks the counters that a test kit collects, with the name each has in its tool. One entry
serves both purposes, so every collected counter can be read.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any, Literal

from workbench.model.metric import Metric, Quantity, Tier, Vantage
from workbench.model.resources import resource
from workbench.model.run import Provisioning

_CATALOGUE = "metrics.toml"
_ANY = "*"
_THROUGHPUTS = (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT)
_PER_SECOND = re.compile(r"/\s*s(ec)?\b|per second", re.IGNORECASE)
# The object of the samples of the table WVDConnectionNetworkData. They belong to the machine of a session.
AVD_NETWORK = "WVDConnectionNetworkData"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A metric for counters recognised by words: all of `counter`, none of `without`."""

    object: tuple[str, ...]
    counter: tuple[frozenset[str], ...]
    without: frozenset[str]
    metric: Metric

    def fits(self, object_words: frozenset[str], counter_words: frozenset[str]) -> bool:
        return (
            all(word in object_words for word in self.object)
            and all(alternatives & counter_words for alternatives in self.counter)
            and not self.without & counter_words
        )


@dataclass(frozen=True, slots=True)
class _Catalogue:
    by_name: dict[tuple[str, str], Metric]
    instances: dict[str, str]
    witnesses: dict[tuple[str, str], str]
    rules: tuple[_Rule, ...]


@dataclass(frozen=True, slots=True)
class _Translations:
    objects: dict[str, str]
    counters: dict[tuple[str, str], str]
    pages: dict[str, frozenset[str]]


@lru_cache(maxsize=65_536)
def canonical(object_name: str, counter: str) -> tuple[str, str]:
    """Returns the English names of an object and a counter if a translation is known, otherwise their own names."""
    tables = _translations()
    english = tables.objects.get(_key(object_name), object_name)
    for scope in (_key(english), _ANY):
        text = tables.counters.get((scope, _key(counter)))
        if text is not None:
            return english, text
    return english, counter


def code_page_of(text: bytes) -> str | None:
    """Returns the code page of the Windows language with the most counter names in `text`, or None if no name matches.
    Names of only ASCII letters do not count, because every code page writes them alike."""
    found: dict[str, int] = {}
    for page, names in _translations().pages.items():
        decoded = _key(text.decode(page, errors="replace"))
        found[page] = sum(name in decoded for name in names)
    best = max(found, key=lambda page: found[page])
    return best if found[best] else None


def metric_of(object_name: str, instance: str, counter: str) -> Metric | None:
    """Returns the metric of a counter from its English names, or None if it is not in the catalogue."""
    metric, instances = _meaning(object_name, counter)
    return metric if fnmatchcase(_key(instance), instances) else None


@lru_cache(maxsize=65_536)
def witness_of(object_name: str, counter: str) -> str:
    """Returns the only evidence for the meaning of an undocumented counter; empty for any other counter."""
    return _catalogue().witnesses.get((_key(object_name), _key(counter)), "")


@lru_cache(maxsize=65_536)
def _meaning(object_name: str, counter: str) -> tuple[Metric | None, str]:
    """The metric of a counter, and the pattern of the instances that have it."""
    catalogue = _catalogue()
    meaning = catalogue.by_name.get((_key(object_name), _key(counter)))
    if meaning is not None:
        return meaning, catalogue.instances.get(_key(object_name), _ANY)
    return _by_words(catalogue.rules, object_name, counter), _ANY


def _by_words(rules: tuple[_Rule, ...], object_name: str, counter: str) -> Metric | None:
    object_words = _words(object_name)
    candidates = [rule for rule in rules if set(rule.object) <= object_words]
    if not candidates:
        return None
    counter_words = _words(counter)
    for rule in candidates:
        if rule.fits(object_words, counter_words):
            unsure = rule.metric.quantity in _THROUGHPUTS and not _PER_SECOND.search(counter)
            return _estimate(rule.metric) if unsure else rule.metric
    return None


def _estimate(metric: Metric) -> Metric:
    """Returns the metric marked as an estimate, because the counter does not say that it is a rate."""
    return Metric(metric.quantity, metric.vantage, metric.tier, metric.scale, estimate=True)


def catalogue_table() -> dict[str, Any]:
    """Returns the content of the catalogue file."""
    return tomllib.loads(resource("counters", _CATALOGUE).read_text("utf-8"))


@cache
def _catalogue() -> _Catalogue:
    table = catalogue_table()
    by_name: dict[tuple[str, str], Metric] = {}
    witnesses: dict[tuple[str, str], str] = {}
    instances: dict[str, str] = {}
    for entry in table["metric"]:
        objects = [_key(name) for name in entry["objects"]]
        if "instances" in entry:
            instances.update(dict.fromkeys(objects, _key(entry["instances"])))
        for counter, quantity in entry["counters"].items():
            keys = [(name, _key(counter)) for name in objects]
            by_name.update(dict.fromkeys(keys, metric_of_entry(entry, quantity)))
            if "witness" in entry:
                witnesses.update(dict.fromkeys(keys, entry["witness"]))
    rules = tuple(
        _Rule(
            tuple(entry["object"]),
            tuple(frozenset(word.split("|")) for word in entry["counter"]),
            frozenset(entry.get("without", ())),
            metric_of_entry(entry, entry["quantity"]),
        )
        for entry in table["words"]
    )
    return _Catalogue(by_name, instances, witnesses, rules)


@cache
def _translations() -> _Translations:
    objects: dict[str, str] = {}
    counters: dict[tuple[str, str], str] = {}
    pages: dict[str, set[str]] = {}
    for path in sorted(resource("counters").glob("*.toml")):
        if path.name == _CATALOGUE:
            continue
        table = tomllib.loads(path.read_text("utf-8"))
        objects.update({_key(local): english for local, english in table["objects"].items()})
        page = pages.setdefault(table.get("code_page", "cp1252"), set())
        page.update(_key(local) for names in (table["objects"], *table["counters"].values()) for local in names)
        for scopes, names in table["counters"].items():
            for scope in scopes.split(","):
                counters.update({(_key(scope), _key(local)): english for local, english in names.items()})
    own = {page: frozenset(name for name in names if not name.isascii()) for page, names in pages.items()}
    return _Translations(objects, counters, own)


def metric_of_entry(entry: dict[str, Any], quantity: str) -> Metric:
    """Returns the metric of a catalogue entry."""
    tier = entry.get("tier")
    return Metric(
        Quantity(quantity),
        Vantage(entry.get("vantage", "guest")),
        Tier(tier) if tier else None,
        float(entry.get("scale", 1.0)),
        bool(entry.get("estimate", False)),
    )


def _key(name: str) -> str:
    return name.strip().casefold()


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+|%", name.casefold()))


Tool = Literal["perfmon", "esxtop", "poolmon"]


@dataclass(frozen=True, slots=True)
class Collected:
    r"""A collected counter, named as in its tool. perfmon: the path without the machine (`\PhysicalDisk(*)\Disk
    Reads/sec`); esxtop: `Virtual Disk: Reads/sec`; poolmon: the tag. `display` is the key of esxtop's display.
    `desktops` is the only provisioning method that has the counter (None: all have it)."""

    name: str
    tool: Tool
    metric: Metric
    display: str = ""
    desktops: Provisioning | None = None

    @property
    def quantity(self) -> Quantity:
        """Returns the measured quantity."""
        return self.metric.quantity


@cache
def collected_counters() -> tuple[Collected, ...]:
    """Returns every marked counter, in the order of the catalogue."""
    table = catalogue_table()
    named = [
        _collected(entry, quantity, counter)
        for entry in table["metric"]
        for counter, quantity in entry["counters"].items()
    ]
    by_words = [_collected(entry, entry["quantity"], "") for entry in table["words"]]
    return tuple(counter for counter in (*named, *by_words) if counter is not None)


def _collected(entry: dict[str, Any], quantity: str, counter: str) -> Collected | None:
    metric = metric_of_entry(entry, quantity)
    desktops = Provisioning(entry["desktops"]) if "desktops" in entry else None
    if "perfmon" in entry:
        path = f"{entry['perfmon']}\\{counter}" if counter else entry["perfmon"]
        return Collected(path, "perfmon", metric, desktops=desktops)
    if "esxtop" in entry:
        return Collected(f"{entry['objects'][0]}: {counter}", "esxtop", metric, entry["esxtop"], desktops)
    return Collected(entry["poolmon"], "poolmon", metric, desktops=desktops) if "poolmon" in entry else None
