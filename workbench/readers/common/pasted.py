"""Benchmark reports pasted into a document or a program: a README, notes, a saved web page, a parser.

Such a report shows an example of a result, or repeats one. If other files in its folder, or below it, hold benchmark
results, the document's rows would look like another test: they are left out with a note. A document with the only
results is read. vdbench's HTML reports are not treated as documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading

PASTED = "pasted-report"
_ENDINGS = "md|markdown|rst|adoc|html?|ipynb|py|ps1|psm1|sh|bat|cmd|vbs|js|ts|cs|c|cpp|h|go|rs|java|pl|rb|yml|yaml"
_DOCUMENT = re.compile(rf"(?:.*\.(?:{_ENDINGS})|readme(?:\.[^.]*)?)", re.IGNORECASE)
_WRITES_HTML = "vdbench"


def without_pasted(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the readings in their order. Documents lose their benchmarks if other files around them have some."""
    documents = [reading.report.path for reading in readings if _is_document(reading)]
    files = [reading.report.path for reading in readings if reading.benchmarks and not _is_document(reading)]
    around = {path for path in documents if any(_folder(path) in PurePosixPath(file).parents for file in files)}
    return [_left_out(reading) if reading.report.path in around else reading for reading in readings]


def _is_document(reading: Reading) -> bool:
    if not reading.benchmarks or reading.report.reader == _WRITES_HTML:
        return False
    return _DOCUMENT.fullmatch(PurePosixPath(reading.report.path).name) is not None


def _folder(path: str) -> PurePosixPath:
    return PurePosixPath(path).parent


def _left_out(reading: Reading) -> Reading:
    path, number = reading.report.path, len(reading.benchmarks)
    rows = f"{number} {reading.benchmarks[0].tool} benchmark row{'s' * (number != 1)}"
    message = f"The document contains {rows}, but its folder also contains result files."
    action = "ignored as a probable copy; to import it, save it as a .txt file"
    problem = Problem(Severity.INFO, path, PASTED, message, action)
    report = replace(reading.report, recognised=False, rows=0)
    return replace(reading, report=report, benchmarks=(), recording=None, problems=(problem,))
