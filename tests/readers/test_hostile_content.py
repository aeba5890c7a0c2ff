"""Hostile content for every text reader: a reading is rows and problems, never an exception."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.readers.fio_results import job, result, text_of
from tests.tools.fuzz.formats import seeds_of
from tests.tools.fuzz.mutations import Seed
from workbench.model.problem import Severity
from workbench.readers.registry import readers
from workbench.readers.text.json import LONE
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store.column_store import Store

LABELS = [reader.label for reader in readers() if reader.label not in ("blg", "login-vsi-share")]
_DIGITS = re.compile(rb"\d+")
_YEAR = re.compile(rb"(?<!\d)20\d\d(?!\d)")
_WORD = re.compile(rb"[A-Za-z]{3,}")


def _utf16(text: bytes) -> bytes:
    wide = text.decode(errors="replace").encode("utf-16")
    return wide.replace("e".encode("utf-16-le"), b"\x00\xd8")


def _on_words(put: bytes) -> Callable[[bytes], bytes]:
    """The text with these bytes in every second word."""

    def damaged(text: bytes) -> bytes:
        count = iter(range(len(text)))
        return _WORD.sub(lambda match: match[0] + put if next(count) % 2 else match[0], text)

    return damaged


def _of_rows(put: bytes) -> Callable[[bytes], bytes]:
    """The text with an unchanged first line, and with these bytes in the words of all other lines."""

    def damaged(text: bytes) -> bytes:
        first, end, rest = text.partition(b"\n")
        return first + end + _on_words(put)(rest)

    return damaged


TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda text: text,
    "no last line end": lambda text: text.rstrip(b"\r\n"),
    "one line without its end": lambda text: text.partition(b"\n")[0].rstrip(b"\r"),
    "no line ends": lambda text: text.replace(b"\r", b"").replace(b"\n", b" "),
    "endless numbers": lambda text: _DIGITS.sub(b"9" * 400, text),
    "numbers of other scripts": lambda text: _DIGITS.sub("٣".encode(), text),
    "years before all clocks": lambda text: _YEAR.sub(b"0001", text),
    "years after all clocks": lambda text: _YEAR.sub(b"9999", text),
    "no numbers": lambda text: _DIGITS.sub(b"nan", text),
    "surrogates as bytes": _on_words(b"\xed\xa0\x80"),
    "surrogates of UTF-16": _utf16,
    "zero bytes": _on_words(b"\0"),
    "quotes": _of_rows(b'"'),
    "escapes": _of_rows(b"\\ud800"),
    "control characters": _of_rows(b"\x1b[2J\x85\x0c"),
}
VALUES: tuple[Any, ...] = (
    "\ud800",
    "x\udfffy\ud83d\ude00",
    "",
    "\0",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+14:00",
    10**400,
    -1,
    float("nan"),
    1e308,
    True,
    None,
    [],
    {},
    [[[]]],
    {"\ud800": ["\udc00"]},
)


def _import(folder: Path, name: str, data: bytes) -> list[str]:
    """The codes of the problems of a file, read as an import reads it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return [problem.code for problem in read_source(path, name, Store(folder / "store")).problems]


def _seeds(label: str) -> Iterator[Seed]:
    yield from (seed for seed in seeds_of(label) if seed.is_text)


@pytest.mark.parametrize("label", LABELS)
def test_that_hostile_text_never_raises_an_exception_in_a_reader(tmp_path: Path, label: str) -> None:
    for seed in _seeds(label):
        for name, damage in TEXTS.items():
            _import(tmp_path, f"{name}/{seed.name}", damage(seed.data))


def _changed(content: Any, value: Any, keys: bool = False) -> Iterator[Any]:
    """The document with this value in the place of each of its parts, one at a time; with `keys` in its names."""
    if isinstance(content, dict):
        for key, part in content.items():
            if keys:
                yield {**{name: each for name, each in content.items() if name != key}, f"{key}{value}": part}
            yield {**content, key: value}
            yield from ({**content, key: other} for other in _changed(part, value, keys))
    elif isinstance(content, list):
        for index, part in enumerate(content):
            for other in (value, *_changed(part, value, keys)):
                yield [*content[:index], other, *content[index + 1 :]]


def _documents(label: str) -> Iterator[tuple[str, Any]]:
    for seed in _seeds(label):
        try:
            yield seed.name, json.loads(seed.data)
        except ValueError:
            continue


JSON_LABELS = [label for label in LABELS if list(_documents(label))]


@pytest.mark.parametrize("label", JSON_LABELS)
def test_that_no_value_at_any_place_of_a_document_raises_an_exception_in_a_reader(tmp_path: Path, label: str) -> None:
    for name, content in _documents(label):
        at = 0
        for index, value in enumerate(VALUES):
            # Each place meets some of the values: all of them at all places would take minutes.
            every = list(_changed(content, value))
            for changed in every[index % 4 :: max(4, len(every) // 12)]:
                at += 1
                _import(tmp_path, f"{at}/{name}", json.dumps(changed, indent=1).encode())


@pytest.mark.parametrize("label", JSON_LABELS)
def test_that_half_a_character_in_a_name_is_reported_and_rejects_no_file(tmp_path: Path, label: str) -> None:
    for number, (name, content) in enumerate(_documents(label)):
        text = re.sub(r'": "(?=[^"])', lambda match: match[0] + "\\ud800", json.dumps(content, indent=1))
        if "\\ud800" not in text:
            continue
        path = tmp_path / str(number) / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
        store = Store(tmp_path / "store")
        store.prepare()
        ((reading, *_),) = [read_each([ImportSource(path, name)], store, read_source, {})]
        codes = [problem.code for problem in reading.problems]
        assert not {"reader-failed", "not-text"} & set(codes)
        assert LONE in codes or not reading.report.recognised or _refused(reading.problems)


def _refused(problems: tuple[Any, ...]) -> bool:
    return any(problem.severity is Severity.REFUSED for problem in problems)


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF", "\\udc00\\ud800", "\\\\\\ud83d"])
def test_that_the_figures_next_to_half_a_character_are_read(tmp_path: Path, half: str) -> None:
    text = text_of(result(job("NAME"))).replace("NAME", f"{half}x")
    path = tmp_path / "run.json"
    path.write_text(text)
    store = Store(tmp_path / "store")
    store.prepare()
    reading = read_source(path, "run.json", store)
    assert [row.iops for row in reading.benchmarks] == [1000.0]
    assert [row.job is not None and row.job.endswith("�x") for row in reading.benchmarks] == [True]
    (problem,) = reading.problems
    line = text[: text.index(half)].count("\n") + 1
    assert (problem.code, problem.severity, problem.line) == (LONE, Severity.WARNING, line)


@pytest.mark.parametrize("whole", ["\\ud83d\\ude00", "\\\\ud800", "\\ufffd"])
def test_that_whole_characters_and_escaped_backslashes_are_not_a_problem(tmp_path: Path, whole: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text_of(result(job("NAME"))).replace("NAME", f"{whole}x"))
    store = Store(tmp_path / "store")
    store.prepare()
    assert read_source(path, "run.json", store).problems == ()
