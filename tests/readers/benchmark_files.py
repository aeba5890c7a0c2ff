"""Reads small benchmark files, and checks the readings."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading

BENCHMARKS = Path(__file__).parents[3] / "shared" / "data" / "benchmarks"
SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
needs_real_files = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the real result files are not here")


def read_with(reader: Reader, folder: Path, content: str | bytes, name: str = "result.txt") -> Reading:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return reader.read(path, name, folder / "columns")


def read_real(reader: Reader, name: str, below: Path = BENCHMARKS) -> Reading:
    path = below / name
    assert reader.identify(path.read_bytes()[:65_536], path.name) > 0.5
    with tempfile.TemporaryDirectory() as folder:
        return reader.read(path, path.name, Path(folder, "columns"))


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def refusal(reading: Reading) -> tuple[str, int | None, str]:
    (problem,) = reading.problems
    assert problem.severity is Severity.REFUSED
    assert not reading.benchmarks
    assert reading.report.recognised
    assert problem.message.endswith(".")
    assert problem.action
    return problem.code, problem.line, problem.message


def row_of(reading: Reading, op: Op, job: str | None = None) -> Benchmark:
    (found,) = [row for row in reading.benchmarks if row.op is op and job in (None, row.job)]
    return found


def figures(row: Benchmark) -> tuple[float | None, ...]:
    return (row.iops, row.mb_per_s, row.latency_mean_ms, row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms)


def asked(row: Benchmark) -> tuple[object, ...]:
    return (row.block_bytes, row.queue_depth, row.threads, row.read_percent, row.pattern)


def is_whole(reading: Reading) -> bool:
    """Asserts that figures are finite and not negative, and that a file without rows has a problem with the reason."""
    shown = [value for row in reading.benchmarks for value in figures(row) if value is not None]
    explained = bool(reading.benchmarks) or any(one.severity is Severity.REFUSED for one in reading.problems)
    return explained and all(0.0 <= value < float("inf") for value in shown)
