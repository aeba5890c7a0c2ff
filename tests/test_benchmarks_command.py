"""The command of the benchmarks; what they measure is not tested."""

from __future__ import annotations

import pytest

from tests.benchmarks.__main__ import main


def test_that_a_benchmark_that_is_not_there_is_named_with_those_that_are(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["nix"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("There is no benchmark nix. There are: reading, ")
