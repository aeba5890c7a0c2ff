"""Login Enterprise's JSON that is damaged or from another tool: rejected or reported by name, and never recognised by
mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.login_enterprise_files import AT, MEASUREMENT, SESSION, TEST_RUN, page, read
from workbench.model.problem import Severity
from workbench.readers.login_enterprise import reader as login_enterprise


def test_that_items_read_equal_items_kept_plus_items_rejected(tmp_path: Path) -> None:
    wrong: list[object] = [
        MEASUREMENT | {"duration": "fast"},
        MEASUREMENT | {"duration": None},
        MEASUREMENT | {"timestamp": 7},
        MEASUREMENT | {"timestamp": "0001-01-01T00:00:00Z"},
        MEASUREMENT | {"duration": True},
        {"what": 1},
        5,
        None,
        [],
        "text",
        MEASUREMENT | {"duration": -1},
    ]
    reading = read(tmp_path, page(MEASUREMENT, *wrong, MEASUREMENT))
    assert (reading.report.rows, reading.report.rejected_rows) == (2, len(wrong))
    rejected = [one for one in reading.problems if one.code == "item-rejected"]
    assert len(rejected) == len(wrong)
    assert rejected[0].message.startswith("Item 2 ")


GOOD = json.dumps(page(MEASUREMENT), indent=1)


LONG = json.dumps(page(*[MEASUREMENT] * 4), indent=1)


ATTACKS: dict[str, tuple[str | bytes, str]] = {
    "nesting": ('{"items": [' + json.dumps(MEASUREMENT) + '], "totalCount": ' + "[" * 200_000, "nested-too-deep"),
    "beyond all size": (GOOD.replace("21500.0", "1e999"), "not-a-number"),
    "NaN": (GOOD.replace("21500.0", "NaN"), "not-a-number"),
    "a huge whole number": (GOOD.replace("21500.0", "9" * 400), "not-a-number"),
    "a number with thousands of digits": (GOOD.replace("21500.0", "9" * 5000), "not-json"),
    "keys stated twice": (GOOD.replace('"duration": 21500.0', '"duration": 1.0, "duration": 21500.0'), "repeated-key"),
    "cut file": (LONG[: len(LONG) // 2], "truncated"),
    "cut in a text": (LONG[: LONG.rindex("login_time")], "truncated"),
    "leading text": ("HTTP/1.1 200 OK\nServer: x\n" + GOOD, "leading-text"),
    "trailing text": (GOOD + "\nPS C:\\> exit", "not-json"),
    "no UTF-8": (GOOD.replace("s1", "s\xe9").encode("latin-1"), "encoding"),
    "items of a wrong type": (GOOD.replace("21500.0", '{"value": 5}'), "not-a-number"),
    "a count of a wrong type": (GOOD.replace('"totalCount": 1', '"totalCount": "one"'), "wrong-type"),
    "a comma too many": (GOOD.replace("\n ]", ",\n ]"), "not-json"),
    "single quotes": (GOOD.replace('"s1"', "'s1'"), "not-json"),
}


@pytest.mark.parametrize("kind", ATTACKS)
def test_that_every_attack_is_rejected_or_reported_by_name(tmp_path: Path, kind: str) -> None:
    content, code = ATTACKS[kind]
    reading = read(tmp_path, content)
    told = [one for one in reading.problems if one.code == code]
    assert told
    assert told[0].file == "run/file"
    assert len(told[0].message) < 300
    assert all(one.value == 21500.0 for one in reading.measurements)
    if not reading.measurements:
        assert any(one.severity is Severity.REFUSED for one in reading.problems)
        assert reading.report.rejected_rows > 0


def test_that_a_fault_names_its_line(tmp_path: Path) -> None:
    reading = read(tmp_path, ATTACKS["single quotes"][0])
    expected = GOOD[: GOOD.index('"s1"')].count("\n") + 1
    assert [one.line for one in reading.problems] == [expected]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"text",
        b'{"fio version": "fio-3.1", "jobs": []}',
        b'[{"timestamp": 1}]',
        b'{"items": [], "offset": 0}',
        b'{"counters": [{"metricId": "m", "displayName": "CPU", "dataPoints": [{"timestamp": "x", "value": 1}]}]}',
        b'[{"displayName": "CPU", "dataPoints": [{"timestamp": "2016-05-10T08:00:00Z", "value": 1}]}]',
        b'[{"eventType": "deploy", "timestamp": "2016-05-10T08:00:00Z"}]',
        b'{"items": [{"name": "disk"}], "totalCount": 1, "offset": 0}',
        b'{"note": "a \\"measurementId\\": \\"duration\\":", "duration": 1, "timestamp": 2}',
        b'{"log": {"measurementId": 1, "duration": 2, "timestamp": 3}}',
        b'[{"timestamp": "x", "score": 1, "name": "y"}]',
        b"\xff\xfe[",
    ],
)
def test_that_other_json_is_not_recognised(content: bytes) -> None:
    assert login_enterprise.identify(content, "test-run.json") == 0.0


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_that_no_content_crashes_the_reader(tmp_path: Path, data: st.DataObject) -> None:
    anything = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.just(AT),
        st.just([]),
        st.lists(st.just({"timestamp": AT, "value": 1, "duration": 2}), max_size=2),
        st.just({"score": "x"}),
    )
    base = data.draw(
        st.sampled_from(
            [
                MEASUREMENT,
                SESSION,
                TEST_RUN,
                {"timestamp": AT, "score": 1, "euxTimer": "t"},
                {"euxScores": [1], "baseTimestamp": AT},
                {"metricId": "m", "displayName": "d", "dataPoints": [{"timestamp": AT, "value": 1}]},
                {"userSessionId": "s", "euxMeasurements": []},
                {"id": "i", "eventType": "e", "timestamp": AT, "title": "t"},
            ]
        )
    )
    changed = data.draw(st.dictionaries(st.sampled_from(sorted(base)), anything, max_size=4))
    text = json.dumps([base | changed, data.draw(anything)])
    cut = data.draw(st.integers(0, len(text)))
    path = tmp_path / "file.json"
    path.write_text(text[:cut] if data.draw(st.booleans()) else text)
    reading = login_enterprise.READER.read(path, "file.json", tmp_path / "columns")
    assert reading.report.rows + reading.report.rejected_rows <= 2
    assert all(problem.message and problem.action for problem in reading.problems)
