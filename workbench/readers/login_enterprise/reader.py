"""Login Enterprise: JSON of its public API (v7), as scripts save it.

The input is single objects (a test run with its `euxScore` and `vsiMax`), lists, and pages `{items, totalCount,
offset}` of measurements, user sessions, EUX results, events, platform and session metrics; also PowerShell's `{value,
Count}`. The keys identify each object (`login_enterprise.objects`). A page with fewer objects than its `totalCount` is
reported: the others must be in other files. Rows are objects; the points of a metric become a recording. Source: the
API's OpenAPI description.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems, none_of
from workbench.readers.login.metrics import recording_of
from workbench.readers.login_enterprise.objects import KINDS
from workbench.readers.login_enterprise.records import Records
from workbench.readers.text.documents import RUN_BYTES, documents_of, load_bytes
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.json import first_objects, kind_of
from workbench.readers.text.timestamps import iso_text

LABEL = "login-enterprise"
_OPENS = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_DESCRIPTION = re.compile(r'\{\s*"(?:openapi|swagger)"\s*:')
_CATEGORY, _COUNTER = re.compile(r'"counterCategory"\s*:'), re.compile(r'"counterName"\s*:')
_QUERY = re.compile(r'"(?:wmiQuery|WmiQuery)"\s*:')
_TEST_RUN = re.compile(r'"type"\s*:\s*"(?:application|load|continuous)Test"', re.IGNORECASE)
_FLAT = re.compile(r"\{[^{}\[\]]*\}")
_EUX_KEYS = frozenset(("timestamp", "score", "count", "euxTimer"))
_GENERIC = frozenset(("EUX results", "test runs"))
_PAGE, _RUN = ("items", "totalCount", "offset"), ("type", "testId", "created")
# Any of these sets of keys identifies an object of Login Enterprise.
_OWN = (*(keys for kind, keys, _ in KINDS if kind not in _GENERIC), ("euxScore", "vsiMax"))
# One document with a test run and its lists, as scripts save it.
_BUNDLE = ("run", "sessions", "measurements")


def identify(head: bytes, _name: str) -> float:
    """Returns how certain the format is by the keys of the first objects: 0.9 for keys that no other format has."""
    text, _ = decode_text(head)
    start = _OPENS.search(text)
    if start is None:
        return 0.0
    text = text[start.start() :]
    if _not_a_result(text) is not None:
        return 0.9
    objects = first_objects(text)
    if any(keys.issuperset(own) for keys in objects for own in _OWN):
        return 0.9
    if _TEST_RUN.search(text) and any(keys.issuperset(_RUN) for keys in objects):
        return 0.9
    if any(keys.issuperset(_BUNDLE) for keys in objects) and _TEST_RUN.search(text):
        return 0.9
    first = _FLAT.search(text)
    if first is not None and _eux_result(first[0]):
        return 0.6
    # A page without objects. A page of other objects does not belong to Login Enterprise.
    return 0.5 if len(objects) == 1 and objects[0].issuperset(_PAGE) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns the content of all objects in the file. Unusable objects are left out, each with a problem."""
    data = load_bytes(path, name, LABEL, RUN_BYTES)
    if isinstance(data, Reading):
        return data
    head, _ = decode_text(data[:65_536])
    other = _not_a_result(head.lstrip())
    if other is not None:
        problem = Problem(
            Severity.INFO, name, "not-a-result", other, "file not imported; save the results of the test run"
        )
        return Reading(FileReport(path=name), (problem,))
    problems = Problems(name)
    documents = documents_of(data, name, LABEL, "save it again from the API", problems)
    if isinstance(documents, Reading):
        return documents
    records = Records(problems)
    for document in documents.found:
        _gather(document, records)
    if not records.rows:
        return _nothing(name, documents.encoding, records)
    return _reading(name, documents.encoding, records, columns)


READER = Reader(LABEL, identify, read)


def _gather(document: Any, records: Records) -> None:
    for number, item in enumerate(_items(document, records.problems), start=1):
        records.where = f"Item {number}"
        if not isinstance(item, dict):
            records.lack(f"is {kind_of(item)}, not an object")
            continue
        for kind, keys, take in KINDS:
            if all(key in item for key in keys):
                before = records.rows
                take(item, records)
                records.kinds[kind] = records.kinds.get(kind, 0) + records.rows - before
                break
        else:
            records.lack("does not match any known API object")


def _items(document: Any, problems: Problems) -> list[Any]:
    """Returns the objects of a page, a list, PowerShell's wrapping of a list, or a run with its lists; otherwise the
    single object."""
    if isinstance(document, list):
        return document
    if isinstance(document, dict):
        items = document.get("items")
        if isinstance(items, list) and "totalCount" in document:
            _note_page(document, len(items), problems)
            return items
        wrapped = document.get("value")
        if isinstance(wrapped, list) and "Count" in document:
            return wrapped
        if isinstance(document.get("run"), dict) and all(isinstance(document.get(key), list) for key in _BUNDLE[1:]):
            lists = [item for item in document.values() if isinstance(item, list)]
            return [document["run"], *(item for items in lists for item in items)]
    return [document]


def _note_page(page: dict[str, Any], count: int, problems: Problems) -> None:
    total, offset = page.get("totalCount"), page.get("offset")
    if isinstance(total, bool) or not isinstance(total, int):
        if total is not None:
            problems.warn(
                "wrong-type",
                "'totalCount' of the page is not a number.",
                "the list of items may be incomplete; save all pages in the same folder",
            )
        return
    first = offset if isinstance(offset, int) and not isinstance(offset, bool) else 0
    if count < total:
        problems.warn(
            "incomplete-page",
            f"The page contains {count} of {total} items, starting with item {first + 1}.",
            "only these items were imported; save the other pages (offset, count) in the same folder",
        )


def _reading(name: str, encoding: str, records: Records, columns: Path) -> Reading:
    problems = records.problems
    local = any(not moment.has_offset for moment in records.moments)
    recording = recording_of(records.samples, columns, None if local else 0, problems, machine=records.per_machine)
    if local:
        problems.warn(
            "time-zone-unknown",
            "Some timestamps have no UTC offset.",
            'the time zone of the other files is used for them; to change it, set time_zone = "+01:00" in run.toml',
        )
    if any(measurement.unit_assumed for measurement in records.measurements):
        problems.info(
            "unit-assumed",
            "The API description does not state the unit of durations.",
            "values treated as milliseconds; compare one duration with the source",
        )
    held = ", ".join(
        f"{count:,} {kind.removesuffix('s') if count == 1 else kind}" for kind, count in records.kinds.items() if count
    )
    problems.info("contents", f"Contents of the file: {held}.", "imported")
    ordered = sorted(records.moments, key=lambda moment: moment.at)
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=records.rows,
        columns=len(recording.series) if recording else 0,
        hosts=tuple(sorted({session.vm for session in records.sessions if session.vm})),
        first=iso_text(ordered[0]) if ordered else None,
        last=iso_text(ordered[-1]) if ordered else None,
        utc_offset_minutes=None if local or not ordered else 0,
        encoding=encoding,
        delimiter=None,
        cells=len(records.samples),
        rejected_rows=records.rejected,
    )
    return Reading(
        report,
        problems.all(),
        recording,
        events=tuple(records.events),
        sessions=tuple(records.sessions),
        measurements=tuple(records.measurements),
        eux_summaries=tuple(records.summaries),
    )


def _nothing(name: str, encoding: str, records: Records) -> Reading:
    if records.rejected:
        records.problems.add(
            Severity.REFUSED,
            "no-records",
            f"{none_of(records.rejected, 'item')} could be used.",
            "file not imported; save it again from the API",
        )
    else:
        records.problems.info("empty-list", "The list contains no items.", "nothing imported")
    report = FileReport(path=name, reader=LABEL, recognised=True, encoding=encoding, rejected_rows=records.rejected)
    return Reading(report, records.problems.all())


def _not_a_result(text: str) -> str | None:
    """Returns the kind of a file that describes Login Enterprise but holds no results."""
    text = text.lstrip("\ufeff \t\r\n")
    if _DESCRIPTION.match(text):
        return "The file describes an API (OpenAPI) but contains no results."
    if text.startswith(("[", "{")) and _defines_metrics(text[:20_000]) and '"timestamp"' not in text[:20_000]:
        return "The file defines session metrics of Login Enterprise but contains no results."
    return None


def _defines_metrics(text: str) -> bool:
    """True if a text holds definitions of session metrics: of a counter by its names, or of a query."""
    category = _CATEGORY.search(text)
    counter = None if category is None else _COUNTER.search(text, category.end())
    return counter is not None or _QUERY.search(text) is not None


def _eux_result(text: str) -> bool:
    """True if a flat object has the keys of an EUX result and no others."""
    try:
        item = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(item, dict) and {"timestamp", "score"} <= item.keys() <= _EUX_KEYS
