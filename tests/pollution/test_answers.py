"""Damage of a Prometheus answer or a Terraform file is reported, or the figures equal those of the undamaged file."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.readers.test_prometheus import whole
from tests.readers.test_terraform import CATALOG
from tests.tools.fuzz.formats import formats
from tests.tools.fuzz.outcome import Outcome
from workbench.readers.terraform import READER as TERRAFORM

_PLACES = 90
_DELIMITERS = ',:{}[]"'
_OTHERS: tuple[Any, ...] = (True, None, {}, [], "x")


def _nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _nodes(one, (*path, key))


def _holder(path: tuple[Any, ...]) -> tuple[Any, Any]:
    """Returns a copy of the answer, and the part of it that contains a value."""
    answer = json.loads(whole())
    part = answer
    for key in path[:-1]:
        part = part[key]
    return answer, part


def _missing_keys() -> Iterator[str]:
    for path, _ in _nodes(json.loads(whole())):
        # Series do not need a job label.
        if path and isinstance(path[-1], str) and path[-1] != "job":
            answer, part = _holder(path)
            del part[path[-1]]
            yield json.dumps(answer)


def _wrong_types() -> Iterator[str]:
    for path, value in _nodes(json.loads(whole())):
        for other in _OTHERS if path else ():
            if type(other) is not type(value):
                answer, part = _holder(path)
                part[path[-1]] = other
                yield json.dumps(answer)


def _lost_delimiters() -> Iterator[str]:
    text = whole()
    is_within = False
    for at, letter in enumerate(text):
        is_within ^= letter == '"'
        if letter in _DELIMITERS and (letter == '"' or not is_within):
            yield text[:at] + text[at + 1 :]


def _cut() -> Iterator[str]:
    text = whole()
    return (text[:end] for end in range(60, len(text) - 1))


def _doubled() -> Iterator[str]:
    """Repeats each series with other values."""
    series = json.loads(whole())["data"]["result"]
    for one in series:
        other = copy.deepcopy(one)
        other["values"] = [[time, str(2 * float(value))] for time, value in one["values"]]
        yield json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [*series, other]}})


DAMAGES = {
    "missing key": _missing_keys,
    "wrong type": _wrong_types,
    "lost delimiter": _lost_delimiters,
    "cut": _cut,
    "doubled series": _doubled,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_that_a_damaged_input_gives_no_different_figures_and_is_reported(tmp_path: Path, damage: str) -> None:
    read = formats()["prometheus"].read
    clean = read(whole().encode(), "answer.json", tmp_path)
    damaged = list(DAMAGES[damage]())
    wrong = []
    for text in islice(damaged, 0, None, max(1, len(damaged) // _PLACES)):
        found = read(text.encode(), "answer.json", tmp_path)
        if fault := _fault(clean, found):
            wrong.append((fault, text))
    assert not wrong


def _fault(clean: Outcome, found: Outcome) -> str:
    if found.faults:
        return found.faults[0]
    told = bool(set(found.remarks) - set(clean.remarks))
    other = [key for key, value in found.figures.items() if clean.figures.get(key) != value]
    # The processor's figure is the mean of the remaining cores.
    moved = [key for key in other if key in clean.figures and "% Processor Time" not in key]
    gone = found.figures.keys() != clean.figures.keys()
    return f"other figures: {moved[:2]}" if moved else "without a word" if (other or gone) and not told else ""


def test_that_a_damaged_latency_affects_only_its_point(tmp_path: Path) -> None:
    answer = json.loads(whole())
    del answer["data"]["result"][0]["values"][2]
    read = formats()["prometheus"].read
    clean = read(whole().encode(), "answer.json", tmp_path)
    found = read(json.dumps(answer).encode(), "answer.json", tmp_path)
    latency = [key for key in clean.figures if "Avg. Disk sec/Read" in key]
    assert len(latency) == 4  # of five samples: at one, Windows was started again
    # At the second, the operations are missing; the third is that of both intervals: 2.7 s and 450 operations.
    assert [found.figures.get(key) for key in latency] == [
        clean.figures[latency[0]],
        None,
        pytest.approx(2.7 / 450),
        clean.figures[latency[3]],
    ]


def _terraform_damages() -> Iterator[tuple[str, str]]:
    start = CATALOG.index("{")
    for end in range(start + 1, len(CATALOG.rstrip())):
        yield "cut", CATALOG[:end]
    for at in range(start, len(CATALOG)):
        if CATALOG[at] in '{}"=':
            yield "lost delimiter", CATALOG[:at] + CATALOG[at + 1 :]
    for line in CATALOG.splitlines():
        name, is_stated, value = line.partition("=")
        if not is_stated or '"' not in value + '"':
            continue
        for other in ("var.x", '"x"', "[1]", "-1", "null", 'lookup(var.x, "a")', "true && var.x"):
            yield f"{name.strip()} = {other}", CATALOG.replace(line, f"{name}= {other}")
    for key in ("provisioning_type", "persist_wbc", "writeback_cache_memory_size_mb"):
        line = next(line for line in CATALOG.splitlines() if line.strip().startswith(f"{key} "))
        other = line.replace("MCS", "PVSStreaming").replace("false", "true").replace("256", "512")
        yield f"two values of {key}", CATALOG.replace(line, f"{line}\n{other}")
        yield f"no key {key}", CATALOG.replace(f"{key} ", "", 1)
    yield "no key writeback_cache", CATALOG.replace("writeback_cache =", "", 1)
    yield "a text with a statement", CATALOG.replace('"Standard_LRS"', '"persist_wbc = true"')


def test_that_a_damaged_catalogue_gives_no_different_guess_without_a_report(tmp_path: Path) -> None:
    path = tmp_path / "main.tf"
    wrong = []
    for kind, text in _terraform_damages():
        path.write_text(text, encoding="utf-8")
        reading = TERRAFORM.read(path, "main.tf", tmp_path / "columns")
        facts = dict(reading.facts)
        if facts != {"provisioning": "MCSIO", "ram_cache_mb": "256"} and (facts or not reading.problems):
            wrong.append((kind, facts, text))
    assert not wrong
