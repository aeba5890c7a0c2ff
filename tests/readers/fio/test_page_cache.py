"""Jobs through the page cache of the machine: their figures may be those of RAM, and this is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.fio_results import job, result, text_of
from workbench.readers.fio.reader import READER


@pytest.mark.parametrize(
    ("options", "through"),
    [
        ({}, True),
        ({"size": "1G"}, True),
        ({"direct": "1"}, False),
        ({"direct": ""}, False),
        ({"direct": "0"}, True),
        ({"buffered": "0"}, False),
        ({"buffered": "1"}, True),
        ({"ioengine": "libaio"}, True),
        ({"ioengine": "libaio", "direct": "1"}, False),
        ({"ioengine": "rbd"}, False),
    ],
)
@pytest.mark.parametrize("listed", [True, False])
def test_that_a_job_through_the_page_cache_has_a_caveat(
    options: dict[str, str], through: bool, listed: bool, tmp_path: Path
) -> None:
    content = result(job("vdi", **{"job options": options}))
    content["fio version"] = "fio-3.36" if listed else "fio-2.16"
    if not listed:
        content.pop("global options", None)
    file = tmp_path / "run.json"
    file.write_text(text_of(content))
    reading = READER.read(file, "run.json", tmp_path / "columns")
    found = [problem for problem in reading.problems if problem.code == "page-cache"]
    stated = bool({"direct", "buffered"} & set(options))
    assert len(reading.benchmarks) > 0
    assert (len(found) == 1) == (through and (listed or stated))
    assert all("1G" in problem.message for problem in found if "size" in options)
