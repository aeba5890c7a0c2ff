"""A failed run of fio is reported with its error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.fio.texts import started
from tests.readers.fio_results import read_text
from workbench.model.problem import Severity
from workbench.readers.fio.reader import READER

IO_ERROR = "fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=No space left on device\n"
VERIFY = "verify: bad header numberio 3932, wanted 0 at file /data/f offset 4096, length 4096 (requested block)\n"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (IO_ERROR, "The file contains no results, because fio failed with error 28 (“No space left on device”).", 1),
        (
            started() + IO_ERROR + IO_ERROR,
            "The file contains no results, because fio failed with error 28 (“No space left on device”) in 2 jobs.",
            5,
        ),
        (
            started() + VERIFY + VERIFY,
            "The file contains no results, because fio failed: 2 blocks do not contain the written data (verify).",
            5,
        ),
        (
            "fio: engine nosuch not loadable\nfio: failed to load engine\n",
            "The file contains no results, because fio failed: “engine nosuch not loadable”.",
            1,
        ),
        (started(), "fio's text report ends before any result: fio was stopped, or the file was cut off.", 1),
    ],
)
def test_that_a_file_without_figures_is_rejected_with_fios_own_reason(
    tmp_path: Path, text: str, message: str, line: int
) -> None:
    assert READER.identify(text.encode(), "fio.out") >= 0.8
    (problem,) = read_text(tmp_path, text).problems
    assert (problem.severity, problem.message, problem.line) == (Severity.REFUSED, message, line)
    assert "repeat the run" in problem.action
