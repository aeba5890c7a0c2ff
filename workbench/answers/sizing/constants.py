"""The constants of the capacity plan: the shipped table, the user's own file, and the user's single values.

The shipped table is `resources/sizing.toml`. A user's file contains `name = value` lines, or `name = {value = …, source
= "…"}` if the plan is to show the source.
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from workbench.model.problem import all_named
from workbench.model.resources import resource
from workbench.option_files import option_bytes
from workbench.study.discovery.toml_faults import toml_fault

Origin = Literal["measured", "documented", "assumed", "yours"]
Value = float | str
ORIGINS: tuple[Origin, ...] = get_args(Origin)
_FEEDS = "rough maximum in one direction (published: 'Hyper-V over SMB', 2013)"


class SizingError(ValueError):
    """A sentence for the user: the unusable value, its place, and the possible values."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of a table to choose from: its name and the constants that it sets."""

    name: str
    values: Mapping[str, float]
    origin: Origin = "documented"
    source: str = _FEEDS


@dataclass(frozen=True, slots=True)
class Constant:
    """One input of the plan. `value` None: only a measurement or the user can provide it.

    `choices` are the possible values of a constant of names; `taken_from` is the constant whose chosen row sets this
    one.
    """

    name: str
    label: str
    group: str
    unit: str
    origin: Origin
    source: str
    value: Value | None = None
    least: float = 0.0
    most: float = math.inf
    whole: bool = False
    measured: bool = False
    choices: tuple[Choice, ...] = ()
    taken_from: str = ""
    rds: Constant | None = None


@dataclass(frozen=True, slots=True)
class Own:
    """A user's value and its origin."""

    value: Value
    source: str = "set by you"


@lru_cache(maxsize=1)
def constants() -> dict[str, Constant]:
    """The shipped constants by name, in display order. Raises `SizingError` if the file is invalid."""
    return read_table(resource("sizing.toml"))


def read_table(path: Path) -> dict[str, Constant]:
    """The constants of a full table. Raises `SizingError` with a sentence that names the entry."""
    content = _toml(path)
    tables = {key: _choices(key, rows) for key, rows in content.get("table", {}).items()}
    table: dict[str, Constant] = {}
    for index, entry in enumerate(content.get("constant", ()), start=1):
        name = entry.get("name")
        if not isinstance(name, str) or not name.isidentifier():
            raise SizingError(f"{path.name}: entry {index} has no name; give it one of letters and _.")
        if name in table:
            raise SizingError(f"{path.name}: '{name}' appears twice; remove one of them.")
        table[name] = _constant(name, entry, tables, path.name)
    for constant in table.values():
        if constant.taken_from and constant.taken_from not in table:
            raise SizingError(
                f"{path.name}: '{constant.name}' uses '{constant.taken_from}', but that input does not exist."
            )
    return table


def own_file(path: Path) -> dict[str, Own]:
    """The constants in the user's file. Raises `SizingError` for invalid content."""
    owns: dict[str, Own] = {}
    for name, entry in _toml(path).items():
        value, source = entry, path.name
        if isinstance(entry, dict):
            value, source = entry.get("value"), str(entry.get("source", path.name))
        owns[name] = Own(checked(name, value, f"{path.name}: "), source)
    return owns


def own_values(settings: Mapping[str, Any]) -> dict[str, Own]:
    """The user's single values, each checked. Raises `SizingError`."""
    return {name: Own(checked(name, value)) for name, value in settings.items()}


def own_words(words: str) -> tuple[str, Own]:
    """Values such as `disk_iops=180` from a command line. Raises `SizingError`."""
    name, sign, text = (part.strip() for part in words.partition("="))
    if not sign or not name or not text:
        raise SizingError(f"'{words}' is not NAME=VALUE. Enter, for example, disk_iops=180.")
    return name, Own(checked(name, text))


def checked(name: str, value: Any, where: str = "") -> Value:
    """The value in the form of the constant. Raises `SizingError`: unknown name, not a number, out of range."""
    constant = constants().get(name)
    if constant is None:
        close = difflib.get_close_matches(name, constants(), n=3)
        valid = "Valid inputs are listed in docs/answers/sizing.md."
        hint = f"Did you mean {all_named(close, 'or')}?" if close else valid
        raise SizingError(f"{where}'{name}' is not a sizing input. {hint}")
    if constant.choices:
        return _chosen(constant, value, where)
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SizingError(f"{where}{constant.name} = {_short(value)} is not a number ({_range(constant)}).")
    if not constant.least <= number <= constant.most:
        raise SizingError(f"{where}{constant.name} = {_short(value)} is out of range ({_range(constant)}).")
    if constant.whole and number != int(number):
        raise SizingError(f"{where}{constant.name} = {_short(value)} must be a whole number ({_range(constant)}).")
    return number


def _chosen(constant: Constant, value: Any, where: str) -> str:
    names = {choice.name.casefold(): choice.name for choice in constant.choices}
    text = names.get(str(value).strip().casefold())
    if text is None:
        offered = ", ".join(choice.name for choice in constant.choices)
        raise SizingError(f"{where}{constant.name} = {_short(value)} is not one of: {offered}.")
    return text


def _range(constant: Constant) -> str:
    unit = f" {constant.unit}" if constant.unit else ""
    label = "" if constant.label == constant.unit else f"{constant.label}: "
    return f"{label}{_round(constant.least)} to {_round(constant.most)}{unit}"


def _round(limit: float) -> str:
    return f"{limit:,.0f}" if limit == int(limit) else f"{limit:g}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


_MOST_BYTES = 1 << 20


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(option_bytes(path, _MOST_BYTES).decode("utf-8-sig").replace("\r\n", "\n"))
    except OSError as error:
        raise SizingError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise SizingError(f"{path.name} is not UTF-8 text: save it as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise SizingError(f"{path.name} is not TOML: {toml_fault(error)}. Write lines like disk_iops = 180.") from error


def _choices(key: str, rows: list[dict[str, Any]]) -> tuple[Choice, ...]:
    choices = []
    for row in rows:
        values = {name: float(value) for name, value in row.items() if isinstance(value, int | float)}
        if not row.get("name") or any(value <= 0 for value in values.values()):
            raise SizingError(f"Table '{key}': each row needs a name and numbers above 0.")
        choices.append(Choice(row["name"], values, row.get("origin", "documented"), row.get("source", _FEEDS)))
    return tuple(choices)


def _constant(name: str, entry: dict[str, Any], tables: Mapping[str, tuple[Choice, ...]], file: str) -> Constant:
    taken_from, choices = entry.get("from", ""), entry.get("choices", "")
    origin: Any = entry.get("origin", "documented" if taken_from else None)
    source = entry.get("source", f"the chosen {taken_from}" if taken_from else "")
    for what, good in (
        ("label", entry.get("label")),
        ("group", entry.get("group")),
        ("origin", origin in ORIGINS),
        ("source", source),
    ):
        if not good:
            raise SizingError(f"{file}: '{name}' needs: {what}.")
    if choices and choices not in tables:
        raise SizingError(f"{file}: '{name}' uses the table '{choices}', but that table does not exist.")
    value, least, most = entry.get("value"), float(entry.get("least", 0)), float(entry.get("most", math.inf))
    if choices and value not in [choice.name for choice in tables[choices]]:
        raise SizingError(f"{file}: '{name}' = {value} is not in the table '{choices}'.")
    if not choices and value is not None and not (isinstance(value, int | float) and least <= value <= most):
        raise SizingError(f"{file}: '{name}' = {value} is not a number from {least:g} to {most:g}.")
    stated = value if isinstance(value, str) or value is None else float(value)
    rds = entry.get("rds")
    return Constant(
        name,
        entry["label"],
        entry["group"],
        entry.get("unit", ""),
        origin,
        source,
        stated,
        least,
        most,
        bool(entry.get("whole")),
        bool(entry.get("measured")),
        tables.get(choices, ()),
        taken_from,
        _constant(name, {**entry, "rds": None, **rds}, tables, file) if rds else None,
    )
