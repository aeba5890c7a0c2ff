"""run.toml: the tester's statements about a run; every key is optional.

Source of the format: this project (docs/formats/run-toml.md). An invalid key does not affect the others. tomllib gives
only values, so the module also finds the lines of the keys in run.toml and limits.toml, for problems.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import msgspec

from workbench.model.metric import Side
from workbench.model.phase import STANDARD_PHASES, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import LimitsText, Provisioning, SessionType
from workbench.option_files import option_bytes
from workbench.study.discovery.toml_faults import toml_fault
from workbench.study.series.run_date import YEARS, date_text
from workbench.study.series.time_zone import offset_minutes

MANIFEST = "run.toml"
# The code of a key that is left out.
KEY_LEFT_OUT = "manifest-key"
# Far more than a tester writes about a run, and small enough to be read fast with any content.
MAX_BYTES = 64 * 2**10
# tomllib's time grows with the square of a key's parts. Dots within quotes or comments do not separate keys. If a text
# of several lines may begin or end on the line, every dot counts.
_MAX_POINTS = 64
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*\\?(?:"|$)|'[^']*(?:'|$)""")
_TYPES: dict[str, Any] = {
    "configuration": str,
    "provisioning": str,
    "write_cache": str,
    "guest_counters": str,
    "ram_cache_mb": int,
    "session_type": str,
    "vms": int,
    "users": int,
    "hypervisor": str,
    "guest_os": str,
    "workload": str,
    "build": str,
    "date": str,
    "session": str,
    "time_zone": str,
    "baseline": bool,
    "primary": dict[str, str | list[str]],
    "exclude": str,
    "date_order": str,
    "leave_out": list[str],
}
# The types that are not text, as users write them.
_KINDS = {
    "ram_cache_mb": "a whole number",
    "vms": "a whole number",
    "users": "a whole number",
    "baseline": "true or false",
    "primary": "a table of phases",
    "leave_out": 'a list, such as ["VM-1", "VM-2"]',
}
_EXAMPLE = "use a format such as 2016-05-10T09:00:00+01:00"
_WORDS = {
    "provisioning": {word.lower(): word.value for word in Provisioning},
    "session_type": {word.lower(): word.value for word in SessionType},
    "date_order": {word: word for word in ("mdy", "dmy", "ymd")},
    "write_cache": {word: word for word in ("server", "device-disk", "device-ram", "device-ram-overflow")},
    "guest_counters": {word.value: word.value for word in Side},
}
_PHASE_KEYS = ["name", "start", "end"]
_LEAST = {"ram_cache_mb": 0, "vms": 1, "users": 0}
# The maximum length of the window's fields.
_MOST = 1_000_000
_LONGEST_DAYS = 366
_SHOWN = 60
_LONGEST_WHY = 300


@dataclass(frozen=True, slots=True)
class Manifest:
    """The stated facts of one run: the valid keys of run.toml, and its phases."""

    values: dict[str, Any] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()

    def get(self, key: str) -> Any:
        """Returns the stated value, or None."""
        return self.values.get(key)


Stated = tuple[Manifest, list[Problem]]


def read_manifest(path: Path | bytes, name: str) -> Stated:
    """Returns the statements of the file (or its content), and a Problem for each key that was not used."""
    text = ""
    try:
        text = toml_text(path)
        table = tomllib.loads(text)
    except UnicodeDecodeError:
        return _unreadable(name, "The file is not UTF-8 text.", action="file not imported; save it as UTF-8")
    except (ValueError, OSError, RecursionError) as error:
        # tomllib does not catch the error of int() for thousands of digits, and does not limit its depth.
        line = line_of_fault(text, error)
        return _unreadable(name, f"The file cannot be read: {toml_fault(error)}.", line)
    problems: list[Problem] = []
    lines = lines_of(text, "phases")
    values = _values(table, lines, name, problems)
    return Manifest(values, _phases(table, values, lines, name, problems)), problems


def toml_text(path: Path | bytes) -> str:
    """Returns the text of a run.toml or limits.toml. Raises OSError and ValueError, the latter also for text that would
    take long to parse."""
    if isinstance(path, bytes):
        content = path
    else:
        content = option_bytes(path, MAX_BYTES)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 2**10} KB")
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MAX_POINTS and _key_points(line) > _MAX_POINTS:
            raise ValueError(f"it has more than {_MAX_POINTS} dots in one line (at line {number}, column 1)")
    return text


def _key_points(line: str) -> int:
    """Returns how many dots of a line may separate keys."""
    if line.lstrip().startswith("#"):
        return 0
    within_texts = '"""' in line or "'''" in line
    return (line if within_texts else _QUOTED.sub("", line)).count(".")


def _unreadable(
    name: str, message: str, line: int | None = None, action: str = "file not imported; correct the file"
) -> tuple[Manifest, list[Problem]]:
    return Manifest(), [Problem(Severity.REFUSED, name, "manifest-unreadable", message, action, line)]


def date_orders(manifests: Mapping[Path, Manifest]) -> dict[tuple[str, ...], str]:
    """Returns the order of day and month that each run.toml states, by the parts of the folder it applies to."""
    orders = {path.parent.parts: manifest.get("date_order") for path, manifest in manifests.items()}
    return {folder: order for folder, order in orders.items() if order}


def date_order_of(path: Path, orders: Mapping[tuple[str, ...], str]) -> str:
    """Returns the order that the nearest folder around a file states; empty if none does."""
    return next((orders[folder.parts] for folder in path.parents if folder.parts in orders), "")


def _values(table: dict[str, Any], lines: Lines, name: str, problems: list[Problem]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, raw in table.items():
        if key == "phases":
            continue
        if key not in _TYPES:
            why = "is not a valid key of run.toml; check the spelling"
            problems.append(_ignored(name, key, why, lines.keys.get(key)))
            continue
        try:
            values[key] = _checked(key, raw)
        except ValueError as error:
            problems.append(_ignored(name, key, str(error), lines.keys.get(key)))
    return values


def _checked(key: str, raw: Any) -> Any:
    """Returns the value in its type. Raises ValueError (the end of a sentence) if the type is wrong."""
    if key == "date":
        return date_text(raw)
    if key == "build" and isinstance(raw, float):
        raise ValueError(f"is a number ({shown_value(raw)}); write it in quotation marks to keep all digits")
    if key in ("build", "session") and type(raw) is int:
        return str(raw)
    try:
        value = msgspec.convert(raw, _TYPES[key])
    except msgspec.ValidationError:
        raise ValueError(f"must be {_KINDS.get(key, 'text in quotation marks')}, not {shown_value(raw)}") from None
    if key == "primary":
        return tuple((phase, (named,) if isinstance(named, str) else tuple(named)) for phase, named in value.items())
    if isinstance(value, str):
        value = value.strip()
        if not value:
            raise ValueError("is empty; write a value, or delete the key")
    if key in _WORDS:
        text = _WORDS[key].get(value.lower())
        if text is None:
            raise ValueError(f"is {shown_value(value)}, which is invalid; use {_choice(list(_WORDS[key].values()))}")
        return text
    if key in _LEAST and value < _LEAST[key]:
        raise ValueError(f"is {shown_value(value)}, but the minimum is {_LEAST[key]}")
    if key in _LEAST and value > _MOST:
        raise ValueError(f"is {shown_value(value)}, but the maximum is {_MOST:,}")
    if key == "time_zone":
        offset_minutes(value, 0.0)
    return value


def shown_value(value: Any) -> str:
    """Returns a value in a form for a sentence, as TOML writes it."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date | time):
        return value.isoformat()
    try:
        text = repr(value)
    except ValueError:  # a number with more digits than Python prints
        return "a number with thousands of digits"
    if len(text) <= _SHOWN:
        return text
    return f"{text[:_SHOWN]}…{text[0] if isinstance(value, str) else ''}"


def _choice(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _phases(
    table: dict[str, Any], values: dict[str, Any], lines: Lines, name: str, problems: list[Problem]
) -> tuple[Phase, ...]:
    entries = table.get("phases", [])
    if not isinstance(entries, list):
        why = "is not a list of tables; write each phase as [[phases]]"
        problems.append(_ignored(name, "phases", why, lines.keys.get("phases")))
        return ()
    phases: list[Phase] = []
    for number, entry in enumerate(entries, start=1):
        line = lines.table(number, len(entries))
        try:
            phase = _phase(entry, values.get("time_zone"))
            if any(other.name == phase.name for other in phases):
                raise ValueError(f"defines the phase '{phase.name}' again; delete one of the entries")
        except ValueError as error:
            problems.append(_ignored(name, "", str(error), line, number))
            continue
        phases.append(phase)
        unknown = sorted(set(entry).difference(_PHASE_KEYS))
        problems += [
            _ignored(name, key, f"is not a valid key; use {_choice(_PHASE_KEYS)}", line, number) for key in unknown
        ]
    return tuple(phases)


def _phase(entry: Any, time_zone: str | None) -> Phase:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"].strip():
        raise ValueError('has no name; add one, such as name = "boot"')
    name = entry["name"].strip()
    name = name.lower() if name.lower() in STANDARD_PHASES else name
    start, end = (_moment(entry.get(edge), edge, time_zone) for edge in ("start", "end"))
    if not end > start:
        raise ValueError(f"('{name}') does not end after its start; correct the times")
    if end - start > _LONGEST_DAYS * 86_400:
        days = f"{(end - start) / 86_400:,.0f} days"
        raise ValueError(f"('{name}') lasts {days}, but the maximum is {_LONGEST_DAYS} days; correct the times")
    return Phase(name, start, end, "run.toml", "stated in run.toml")


def _moment(value: Any, edge: str, time_zone: str | None) -> float:
    """Returns seconds since 1970 UTC of a TOML date-time or an ISO-8601 text."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"has the invalid {edge} {shown_value(value)}; {_EXAMPLE}") from None
    if not isinstance(value, datetime):
        raise ValueError(f"needs a date and time as its {edge}; {_EXAMPLE}")
    if value.year not in YEARS:
        raise ValueError(f"has the {edge} {value.isoformat()}, which is implausible for a test; correct the year")
    if value.tzinfo is not None:
        return value.timestamp()
    if time_zone is None:
        raise ValueError(f"has a {edge} without a UTC offset; {_EXAMPLE}")
    naive = value.replace(tzinfo=UTC).timestamp()
    return naive - 60 * offset_minutes(time_zone, naive)


def _ignored(name: str, key: str, why: str, line: int | None, entry: int = 0) -> Problem:
    """The problem of a key of run.toml, or of an entry of [[phases]] and its key. `why` is the fault and, after a
    semicolon, the advice."""
    parts = (f"Entry {entry} of [[phases]]{':' * bool(key)}" if entry else "", f"'{key[:_SHOWN]}'" if key else "")
    fault, _, advice = why.partition("; ")
    message = f"{' '.join(filter(None, parts))} {fault[:_LONGEST_WHY]}."
    action = f"{'key' if key else 'entry'} ignored; {advice or 'correct it in run.toml'}"
    return Problem(Severity.WARNING, name, KEY_LEFT_OUT, message, action, line)


_KEY = re.compile(r"""[ \t]*(?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*[=.]""")
_TABLE = re.compile(r"[ \t]*\[")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
# Python refuses to convert more digits than this into a number, and its message has no position.
_DIGITS = re.compile(r"(?<![0-9_])[0-9_]{4301}")


@dataclass(frozen=True, slots=True)
class Lines:
    """The line of each key before the first table, and of each table of a list. A key that occurs twice, for example in
    a text of several lines, has none."""

    keys: dict[str, int | None] = field(default_factory=dict)
    tables: tuple[int, ...] = ()

    def table(self, number: int, tables: int) -> int | None:
        """Returns the line of the table `number` (from 1) if the file has exactly `tables` of them."""
        return self.tables[number - 1] if len(self.tables) == tables else None


def lines_of(text: str, listed: str) -> Lines:
    """Returns the lines of the keys of a file that was read, and of its [[listed]] tables."""
    keys: dict[str, int | None] = {}
    tables: list[int] = []
    entry = re.compile(rf"[ \t]*\[\[[ \t]*{listed}[ \t]*\]\]")
    within = False
    for number, line in enumerate(text.split("\n"), 1):
        if entry.match(line):
            tables.append(number)
        within = within or _TABLE.match(line) is not None
        if not within and (match := _KEY.match(line)) is not None:
            key = next(part for part in match.groups() if part is not None)
            keys[key] = None if key in keys else number
    return Lines(keys, tuple(tables))


def line_of_fault(text: str, error: Exception) -> int | None:
    """Returns the line in a parser's error message; None if it names none."""
    match = _AT_LINE.search(str(error))
    if match is not None:
        return int(match[1])
    if "(at end of document)" in str(error):
        return text.rstrip("\n").count("\n") + 1
    digits = _DIGITS.search(text)
    return None if digits is None else text.count("\n", 0, digits.start()) + 1


__all__ = ["LIMITS", "LimitsText", "limits_text"]
LIMITS = "limits.toml"


def limits_text(path: Path | bytes, name: str) -> LimitsText:
    """Returns the text of the file (or its content), which the user sees as `name`, or the reason why it cannot be
    read."""
    try:
        return LimitsText(name, toml_text(path))
    except UnicodeDecodeError:
        return _unread_limits(name, "is not UTF-8 text", "save it as UTF-8")
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    except ValueError as error:
        why = f"cannot be read: {toml_fault(error)}"
    return _unread_limits(name, why)


def _unread_limits(name: str, why: str, advice: str = "correct the file") -> LimitsText:
    action = f"file not imported; {advice}"
    return LimitsText(name, problem=Problem(Severity.REFUSED, name, "limits-unreadable", f"The file {why}.", action))
