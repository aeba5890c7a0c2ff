"""Benchmark JSON that tools of many kinds write: only what is a storage figure by its unit is read.

| format | source | read |
|---|---|---|
| github-action-benchmark, custom `[{name, unit, value}]` | its README [S], test files [F] | value by `unit` |
| Bencher Metric Format `{name: {measure: {value}}}` | its documentation [D], its test files [F] | see below |
| Google Benchmark | its documentation [D] | `real_time` by `time_unit`, `bytes_per_second` |
| pytest-benchmark | its test file [F] | mean in seconds |
| JMH | its test file [F] | score by `scoreUnit` |
| BenchmarkDotNet | its test file [F] | mean in nanoseconds |

Bencher's file names no units: its built-in measures `latency` (nanoseconds) and `throughput` (operations per second)
are read, with a note. A figure is a row of its own, named as the file names it; whether it read or wrote is
taken from the words `read` and `write` in that name, else it is `total`. A unit or a name that is no storage
figure (percent, requests, memory, minimum, p90 …) is a problem, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.readers.neutral.rows import (
    Found,
    bencher,
    benchmark_dot_net,
    custom_list,
    google_benchmark,
    jmh,
    pytest_benchmark,
)
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Loaded
from workbench.readers.text.json import Json

LABEL = "benchmark-json"
_MAX_PROBLEMS = 50
_OPENS = re.compile(r"\s*[\[{]")
_BMF = re.compile(
    r'\s*\{\s*"(?:[^"\\]|\\.){0,500}"\s*:\s*\{\s*"[^"]{1,200}"\s*:\s*\{\s*"(?:value|lower_value|upper_value)"\s*:'
)
_CUSTOM = re.compile(r'\s*\[\s*\{\s*"(?:name|unit|value|range|extra)"\s*:')


def identify(head: bytes, _name: str) -> float:
    """Below 1.0: storage tools' own JSON comes first."""
    text = bt.head_text(head)
    if not _OPENS.match(text):
        return 0.0
    marks: tuple[tuple[str, ...], ...] = (
        ('"BenchmarkDotNetVersion"',),
        ('"jmhVersion"', '"benchmark"'),
        ('"primaryMetric"', '"scoreUnit"'),
        ('"machine_info"', '"benchmarks"', '"stats"'),
        ('"context"', '"benchmarks"', '"real_time"'),
    )
    if any(all(mark in text for mark in group) for group in marks):
        return 0.9
    if _CUSTOM.match(text) and '"name"' in text and '"unit"' in text and '"value"' in text:
        return 0.8
    return 0.8 if _BMF.match(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """A row per figure; refused when the file holds none or cannot be decoded."""
    loaded = bt.load_json(path, name, LABEL, "benchmark JSON", "copy it again, or repeat the run")
    return loaded if isinstance(loaded, Reading) else _reading(*loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(document: Json, loaded: Loaded, name: str) -> Reading:
    reader = _reader_of(document.content)
    if reader is None:
        message = "The JSON is not in a known benchmark format."
        advice = "write its results as vdi-benchmark JSON (docs/formats.md)"
        return bt.refused(LABEL, name, "unknown-format", message, advice, encoding=loaded.encoding)
    result = reader(document.content, name)
    if not result.rows:
        return _without_figures(result, loaded, name)
    problems = [*_document_problems(document, name), *_first(result.problems, name)]
    return bt.reading_of(LABEL, name, loaded.encoding, result.rows, problems, result.rejected)


def _reader_of(content: Any) -> Callable[[Any, str], Found] | None:
    """Which of the formats the document is."""
    first = content[0] if isinstance(content, list) and content else None
    if isinstance(first, dict):
        return jmh if "primaryMetric" in first else custom_list if "unit" in first else None
    if not isinstance(content, dict):
        return None
    if isinstance(content.get("HostEnvironmentInfo"), dict) and isinstance(content.get("Benchmarks"), list):
        return benchmark_dot_net
    if isinstance(content.get("benchmarks"), list):
        return pytest_benchmark if "machine_info" in content else google_benchmark
    is_bencher = content and all(isinstance(measures, dict) for measures in content.values())
    return bencher if is_bencher else None


def _without_figures(result: Found, loaded: Loaded, name: str) -> Reading:
    if result.problems:
        others = f" {len(result.problems) - 1} more entries have the same problem." if len(result.problems) > 1 else ""
        message = result.problems[0].message + others
    else:
        message = "The benchmark JSON lists no results."
    advice = "it contains no IOPS, MB/s or latency; write those as vdi-benchmark JSON (docs/formats.md)"
    return bt.refused(
        LABEL, name, "no-storage-figures", message, advice, encoding=loaded.encoding, rejected=result.rejected
    )


def _document_problems(document: Json, name: str) -> list[Problem]:
    problems = bt.repeated_keys(document, name)
    if document.before or document.after:
        problems.append(bt.warning(name, "text-around", "There is other text around the JSON.", "ignored"))
    return problems


def _first(problems: list[Problem], name: str) -> list[Problem]:
    """The problems of the first entries, one for all others, and every note on the whole file."""
    entries = [problem for problem in problems if problem.severity is not Severity.INFO]
    if len(entries) <= _MAX_PROBLEMS:
        return problems
    message = f"{len(entries) - _MAX_PROBLEMS} more entries contain no storage metric."
    problem = bt.warning(name, "no-storage-figure", message, "ignored")
    notes = [problem for problem in problems if problem.severity is Severity.INFO]
    return [*entries[:_MAX_PROBLEMS], problem, *notes]
