"""run.toml: what the tester states about a run; every key is optional.

Source of the format: this project (docs/formats.md). A key that cannot be used costs only itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from workbench.model.phase import STANDARD_PHASES, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Provisioning, SessionType
from workbench.study.time_zone import offset_minutes

MANIFEST = "run.toml"

_TYPES: dict[str, Any] = {
    "configuration": str, "provisioning": str, "write_cache": str, "ram_cache_mb": int, "session_type": str,
    "vms": int, "users": int, "hypervisor": str, "guest_os": str, "workload": str, "time_zone": str,
    "baseline": bool, "exclude": str, "date_order": str,
}  # fmt: skip
_WORDS = {
    "provisioning": {word.lower(): word.value for word in Provisioning},
    "session_type": {word.lower(): word.value for word in SessionType},
    "date_order": {word: word for word in ("mdy", "dmy", "ymd")},
    "write_cache": {word: word for word in ("server", "device-disk", "device-ram", "device-ram-overflow")},
}
_PHASE_KEYS = frozenset(("name", "start", "end"))
# A clock outside these years was not set; some systems cannot show its times at all.
_YEARS = range(1980, 2200)
_AT_LEAST = {"ram_cache_mb": 0, "vms": 1, "users": 0}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The stated facts of one run: the valid keys of run.toml, and its phases."""

    values: dict[str, Any] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()

    def get(self, key: str) -> Any:
        """The stated value, or None."""
        return self.values.get(key)


def read_manifest(path: Path | bytes, name: str) -> tuple[Manifest, list[Problem]]:
    """What the file (or its content) states, and a Problem for each key that was not used."""
    try:
        content = path if isinstance(path, bytes) else path.read_bytes()
        table = tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        message = "run.toml is not UTF-8 text: save it as UTF-8."
        return Manifest(), [_problem(Severity.REFUSED, name, "manifest-unreadable", message, "file left out")]
    except (ValueError, OSError, RecursionError) as error:
        # tomllib lets through what int() says of thousands of digits, and does not count its own depth.
        message = f"run.toml cannot be read: {str(error).split(';')[0]}."
        return Manifest(), [_problem(Severity.REFUSED, name, "manifest-unreadable", message, "file left out")]
    problems: list[Problem] = []
    values = _values(table, name, problems)
    return Manifest(values, _phases(table, values, name, problems)), problems


def date_orders(sources: Iterable[tuple[Path, bytes | None]]) -> dict[Path, str]:
    """The order of day and month that each run.toml among the files (path, content where it is not on disk)
    states, by the folder it stands for. What cannot be read states none; its problems are told with its run."""
    found: dict[Path, str] = {}
    for path, content in sources:
        if path.name == MANIFEST:
            stated = read_manifest(path if content is None else content, path.name)[0].get("date_order")
            if stated:
                found[path.parent] = stated
    return found


def date_order_of(path: Path, orders: Mapping[Path, str]) -> str:
    """What the nearest folder around a file states; empty where none does."""
    return next((orders[folder] for folder in path.parents if folder in orders), "")


def _values(table: dict[str, Any], name: str, problems: list[Problem]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, raw in table.items():
        if key == "phases":
            continue
        if key not in _TYPES:
            problems.append(_ignored(name, key, "is not a key of run.toml"))
            continue
        try:
            values[key] = _checked(key, raw)
        except ValueError as error:
            problems.append(_ignored(name, key, str(error)))
    return values


def _checked(key: str, raw: Any) -> Any:
    """The value in its type; ValueError (a sentence's end) when it is none."""
    try:
        value = msgspec.convert(raw, _TYPES[key])
    except msgspec.ValidationError:
        raise ValueError(f"should be of type {_TYPES[key].__name__}, not {raw!r}") from None
    if isinstance(value, str):
        value = value.strip()
        if not value:
            raise ValueError("is empty")
    if key in _WORDS:
        found = _WORDS[key].get(value.lower())
        if found is None:
            raise ValueError(f"is {value!r}, which is none of {', '.join(_WORDS[key].values())}")
        return found
    if key in _AT_LEAST and value < _AT_LEAST[key]:
        raise ValueError(f"is {value}, less than {_AT_LEAST[key]}")
    if key == "time_zone":
        offset_minutes(value, 0.0)
    return value


def _phases(
    table: dict[str, Any], values: dict[str, Any], name: str, problems: list[Problem]
) -> tuple[Phase, ...]:
    entries = table.get("phases", [])
    if not isinstance(entries, list):
        problems.append(_ignored(name, "phases", "should be written as [[phases]] tables"))
        return ()
    found: list[Phase] = []
    for number, entry in enumerate(entries, start=1):
        try:
            phase = _phase(entry, values.get("time_zone"))
            if any(other.name == phase.name for other in found):
                raise ValueError(f"names the phase '{phase.name}' a second time")
        except ValueError as error:
            problems.append(_ignored(name, f"phases entry {number}", str(error)))
            continue
        found.append(phase)
        unknown = sorted(set(entry) - _PHASE_KEYS)
        problems += [
            _ignored(name, f"phases entry {number}: {key}", "is not a key of a phase") for key in unknown
        ]
    return tuple(found)


def _phase(entry: Any, time_zone: str | None) -> Phase:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"].strip():
        raise ValueError("has no name")
    name = entry["name"].strip()
    name = name.lower() if name.lower() in STANDARD_PHASES else name
    start, end = (_moment(entry.get(edge), edge, time_zone) for edge in ("start", "end"))
    if not end > start:
        raise ValueError(f"('{name}') does not end after it starts")
    return Phase(name, start, end, "run.toml", "stated in run.toml")


def _moment(value: Any, edge: str, time_zone: str | None) -> float:
    """Seconds since 1970 UTC of a TOML date-time or an ISO-8601 text."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"has {value!r} as its {edge}, which is no date-time") from None
    if not isinstance(value, datetime):
        raise ValueError(f"has no date-time as its {edge}")
    if value.year not in _YEARS:
        raise ValueError(f"has {value.isoformat()} as its {edge}, a year no test was run in")
    if value.tzinfo is not None:
        return value.timestamp()
    if time_zone is None:
        raise ValueError(f"has a {edge} without an offset; write it as 2016-05-10T09:00:00+01:00")
    naive = value.replace(tzinfo=UTC).timestamp()
    return naive - 60 * offset_minutes(time_zone, naive)


def _ignored(name: str, key: str, why: str) -> Problem:
    return _problem(Severity.WARNING, name, "manifest-key", f"'{key}' {why}.", "key left out")


def _problem(severity: Severity, name: str, code: str, message: str, action: str) -> Problem:
    return Problem(severity, name, code, message, action)
