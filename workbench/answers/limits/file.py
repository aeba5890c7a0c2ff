"""limits.toml: the agreed limits. A limit that cannot be read is reported as an error, because it was not checked. The
others are still checked.

Source of the format: this project (docs/formats/limits-toml.md).
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
from collections.abc import Sequence
from datetime import date, time
from typing import Any

from workbench.answers.common.choices import Choices
from workbench.answers.limits.limit import OVERFLOW, Limit, Limited, LimitsFile, limited, limited_called
from workbench.model.phase import STANDARD_PHASES
from workbench.model.problem import Problem, Severity, all_named
from workbench.model.run import Study
from workbench.study.discovery.manifest import LIMITS, LimitsText, line_of_fault, lines_of, shown_value, toml_text
from workbench.study.discovery.toml_faults import toml_fault
from workbench.words.metrics import phase_called

# More limits than any study needs.
MOST_LIMITS = 500
_LONGEST = 200
_BOUNDS = ("at_most", "at_least")
_KEYS = ("name", "measure", "phase", "against", "configurations", *_BOUNDS)
_KEY = re.compile(r"[ \t]*[\"']?([A-Za-z0-9_-]+)[\"']?[ \t]*=")
_MOST = 1e15


class _LimitError(ValueError):
    """The error in a limit, as the end of a sentence and, after a semicolon, the advice; `key` is the faulty key."""

    def __init__(self, words: str, key: str = "") -> None:
        super().__init__(words)
        self.key = key


def parse_limits(text: str, file: str, phases: Sequence[str] | None = None) -> LimitsFile:
    """The limits in the text of a limits.toml; `file` is its name for users.

    `phases` are those of the checked runs (None: unknown yet). A custom phase that is not among them is an error; a
    standard phase may be missing in the runs.
    """
    try:
        text = toml_text(text.encode("utf-8", "replace"))
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = line_of_fault(text, error)
        why = f"{file} cannot be read: {toml_fault(error)}; correct the file"
        return LimitsFile(file, (), (_unread(file, why, line, "limits not checked"),))
    lines, keys = text.split("\n"), lines_of(text, "limits")
    problems = [
        _unread(
            file,
            f"'{key[:_LONGEST]}' is not a key of limits.toml{_nearest(key, ('limits',))}",
            keys.keys.get(key),
            "key ignored",
        )
        for key in table
        if key != "limits"
    ]
    entries = table.get("limits", [])
    if not isinstance(entries, list):
        why = "'limits' is not a list of tables; write each limit as [[limits]]"
        return LimitsFile(file, (), (*problems, _unread(file, why, keys.keys.get("limits"), "limits not checked")))
    if len(entries) > MOST_LIMITS:
        why = f"The file has {len(entries):,} limits, but the maximum is {MOST_LIMITS}; merge or delete limits"
        problems.append(_unread(file, why, done=f"only the first {MOST_LIMITS} checked"))
    limits: list[Limit] = []
    for number, entry in enumerate(entries[:MOST_LIMITS], start=1):
        line = keys.table(number, len(entries))
        try:
            limit = _limit(entry, line, phases)
        except _LimitError as error:
            at = _line_of_key(lines, line, error.key)
            problems.append(_unread(file, f"Limit {number} {error}", at))
        else:
            # Two equal limits count as one.
            limits += [limit] if limit.key not in {other.key for other in limits} else []
    return LimitsFile(file, tuple(limits), tuple(problems))


def _limit(entry: Any, line: int | None, phases: Sequence[str] | None) -> Limit:
    """The limit. Raises _LimitError if it cannot be checked. A misspelt key is an error, because the limit would be a
    different one without it."""
    if not isinstance(entry, dict):
        raise _LimitError("is not a table; write it as [[limits]]")
    for key in entry:
        if key not in _KEYS:
            raise _LimitError(f"has an unknown key: '{key[:_LONGEST]}'{_nearest(key, _KEYS)}", key)
    figure = _figure(entry)
    phase = _phase(_text(entry, "phase"), figure)
    if phase and phases is not None and phase not in (*STANDARD_PHASES, *phases):
        raise _LimitError(_unknown_phase(phase, phases), "phase")
    against = _text(entry, "against")
    if against and not figure.change_unit:
        raise _LimitError(f"has the key 'against', but '{figure.key}' is not compared; remove this key", "against")
    at_most, bound = _bound(entry, figure, against)
    return Limit(figure.key, bound, at_most, phase, against, _names(entry), _text(entry, "name"), line)


def _figure(entry: dict[str, Any]) -> Limited:
    text = _text(entry, "measure")
    if not text:
        raise _LimitError("has no key 'measure'; name the metric to check")
    figure = limited_called(text)
    if figure is None:
        names = [name for known in limited().values() for name in (known.key, known.name)]
        raise _LimitError(f"names '{text}', but no metric has this name{_nearest(text, names)}", "measure")
    return figure


def _phase(text: str, figure: Limited) -> str:
    if figure.of_run:
        if text:
            raise _LimitError(
                f"names a phase, but '{figure.key}' is a value of the whole run; remove the phase", "phase"
            )
        return ""
    if not text and figure.key != OVERFLOW:
        raise _LimitError("has no phase; name the phase to check")
    return phase_called(text, STANDARD_PHASES) or text


def _unknown_phase(phase: str, phases: Sequence[str]) -> str:
    known = f"only {all_named(phases)}{_nearest(phase, phases)}" if phases else "no phases; set [[phases]] in run.toml"
    return f"names the phase '{phase}', but these runs have {known}"


def _bound(entry: dict[str, Any], figure: Limited, against: str) -> tuple[bool, float | None]:
    stated = [key for key in _BOUNDS if key in entry]
    if figure.key == OVERFLOW:
        if stated:
            raise _LimitError(f"has the key '{stated[0]}', but an overflow has no value; remove this key", stated[0])
        if "against" in entry:
            raise _LimitError("has the key 'against', but an overflow is not compared; remove this key", "against")
        return True, None
    if len(stated) != 1:
        which = "both at_most and at_least; write two limits" if stated else "neither at_most nor at_least; add one"
        raise _LimitError(f"states {which}", stated[0] if stated else "")
    raw, unit = entry[stated[0]], figure.change_unit if against else figure.unit
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not abs(raw) <= _MOST or math.isnan(raw):
        alone = f"write a number without its unit ({unit})" if unit else "write a number"
        raise _LimitError(f"has {_shown(raw)} for '{stated[0]}'; {alone}, at most 10¹⁵", stated[0])
    lowest = -math.inf if unit == "pp" else -100.0 if against else 0.0
    if raw < lowest:
        below = "cannot be below 0; to limit a change, add the key 'against'"
        why = "cannot fall by more than 100 %; write at least -100" if against else below
        raise _LimitError(f"has {_shown(raw)} for '{stated[0]}', but '{figure.key}' {why}", stated[0])
    return stated[0] == "at_most", float(raw)


def _shown(raw: Any) -> str:
    """A value as it may be written in the file; dates are values too."""
    return raw.isoformat() if isinstance(raw, date | time) else shown_value(raw)


def _names(entry: dict[str, Any]) -> tuple[str, ...]:
    raw = entry.get("configurations", [])
    names = [raw] if isinstance(raw, str) else raw
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        shown = "an invalid list" if isinstance(raw, list) else shown_value(raw)
        raise _LimitError(f"has {shown} for 'configurations'; write a list of names", "configurations")
    by_fold: dict[str, str] = {}
    for name in names:
        by_fold.setdefault(name.strip().casefold(), name.strip())
    return tuple(by_fold.values())


def _text(entry: dict[str, Any], key: str) -> str:
    raw = entry.get(key, "")
    if not isinstance(raw, str):
        raise _LimitError(f"has {shown_value(raw)} for '{key}'; write text in quotation marks", key)
    if len(raw) > _LONGEST:
        raise _LimitError(f"has a {key} of {len(raw):,} characters; write at most {_LONGEST}", key)
    return raw.strip()


def nearest(text: str, names: Sequence[str]) -> str:
    """The name closest to a misspelt one, ignoring case; empty if none is close."""
    by_fold = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(text.strip().casefold(), by_fold, n=1)
    return by_fold[close[0]] if close else ""


def _nearest(text: str, names: Sequence[str]) -> str:
    name = nearest(text[:_LONGEST], names)
    return f"; did you mean '{name}'?" if name else "; correct the spelling"


def _line_of_key(lines: Sequence[str], start: int | None, key: str) -> int | None:
    """The line of a key of the limit that starts at a line, otherwise that line."""
    if start is None:
        return None
    for number, line in enumerate(lines[start:], start + 1):
        if line.lstrip().startswith("["):
            break
        if (match := _KEY.match(line)) is not None and match[1] == key:
            return number
    return start


def _unread(file: str, why: str, line: int | None = None, done: str = "limit not checked") -> Problem:
    """The problem of a limit that cannot be read. `why` is the fault and, after the last semicolon, the advice."""
    fault, _, advice = why.rpartition("; ")
    return Problem(Severity.WARNING, file, "limit-unreadable", f"{fault}.", f"{done}; {advice}", line)


_HEAD = "# Acceptance limits: docs/formats.md explains each key.\n"


def limits_toml(limits: Sequence[Limit]) -> str:
    """The text of a limits.toml, which `parse_limits` reads back as equal limits. Without limits it has a comment that
    says so."""
    return _HEAD + "".join(f"\n[[limits]]\n{_lines(limit)}" for limit in limits)


def _lines(limit: Limit) -> str:
    entries: list[tuple[str, str]] = [("name", _quoted(limit.name))] if limit.name else []
    entries.append(("measure", _quoted(limit.measure)))
    entries += [(key, _quoted(value)) for key, value in (("phase", limit.phase), ("against", limit.against)) if value]
    if limit.bound is not None:
        entries.append(("at_most" if limit.at_most else "at_least", f"{limit.bound:.15g}"))
    if limit.configurations:
        entries.append(("configurations", f"[{', '.join(map(_quoted, limit.configurations))}]"))
    return "".join(f"{key} = {value}\n" for key, value in entries)


def _quoted(value: str) -> str:
    """A basic string of TOML: a JSON string, except for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# Inputs of a session: the text of the limits as the user edited or opened them, and the file that holds it.
TEXT, FILE = "limits.text", "limits.file"


def stated(study: Study | None, choices: Choices | None) -> LimitsText | None:
    """The text of the limits that apply to a study; None if there are none."""
    text = "" if choices is None else str(choices.input(TEXT, ""))
    if choices is not None and text:
        return LimitsText(str(choices.input(FILE, "")) or LIMITS, text)
    return None if study is None else study.limits


def limits_of(study: Study | None, choices: Choices | None, phases: Sequence[str] | None = None) -> LimitsFile | None:
    """The parsed limits of a study; None if there are none. `phases` are those of its runs, which limits may name
    (None: any)."""
    text = stated(study, choices)
    return None if text is None else read_limits(text, phases)


def read_limits(text: LimitsText, phases: Sequence[str] | None = None) -> LimitsFile:
    """The limits in a text, or the reason why the file could not be read."""
    if text.problem is not None:
        return LimitsFile(text.file, (), (text.problem,))
    return parse_limits(text.text, text.file, phases)
