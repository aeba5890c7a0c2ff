"""Reads each object of the Login Enterprise API (v7). Its keys identify it.

Source of keys, types and meanings: the API's OpenAPI description. It states no unit for `duration`; milliseconds are
inferred from the login steps and marked as assumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.model.session import EuxSummary, Event, EventKind, Measurement, MeasurementKind, Session
from workbench.readers.common.row_problems import acted, numbered
from workbench.readers.login_enterprise.csv import EUX_SCORE, LOGIN_STEPS, app_kind
from workbench.readers.login_enterprise.records import (
    EUX_MOST,
    Records,
    count_of,
    part_of,
    property_of,
    take_metric,
    take_series,
)
from workbench.readers.text.json import JsonObject, moment_of, number_of, text_of

_RUN_OVER = ("testRunFinished", "testRunCancelled", "testRunFailed")


def _measurement(item: JsonObject, records: Records) -> None:
    value, moment = records.number(item, "duration", 0.0), records.moment(item, "timestamp")
    label = text_of(item, "measurementId")
    if value is None or moment is None:
        records.lack("is a measurement without " + ("'duration'" if value is None else "'timestamp'"))
        return
    bare = label.lower()
    application = text_of(item, "applicationId")
    kind = (
        MeasurementKind.EUX
        if bare == EUX_SCORE
        else MeasurementKind.LOGIN
        if bare in LOGIN_STEPS
        else app_kind(label)
        if application
        else MeasurementKind.TIMER
    )
    score = kind is MeasurementKind.EUX
    records.measurements.append(
        Measurement(
            moment.at,
            kind,
            label,
            value,
            "" if score else "ms",
            text_of(item, "userSessionId"),
            None,
            moment.has_offset,
            application,
            not score,
        )
    )
    records.rows += 1


def _session(item: JsonObject, records: Records) -> None:
    times, has_offset = records.times(
        item, logon_start="loginStartTime", logon_end="loginEndTime", session_end="sessionEndTime"
    )
    begun, logged_on = times.get("logon_start"), times.get("logon_end")
    length = None if begun is None or logged_on is None else logged_on - begun
    if length is not None and length < 0:
        records.problems.warn(
            "negative-duration",
            f"{records.where} has a logon that ends before it starts.",
            "duration left empty; check it in the file",
        )
        length = None
    records.sessions.append(
        Session(
            user=text_of(item, "accountId"),
            vm=property_of(item, "TargetHost"),
            logon_start=begun,
            logon_end=logged_on,
            session_end=times.get("session_end"),
            logon_s=length,
            state=text_of(item, "loginState"),
            has_offset=has_offset,
            id=text_of(item, "id"),
            product="Login Enterprise",
        )
    )
    records.rows += 1


def _test_run(item: JsonObject, records: Records) -> None:
    eux, vsi = part_of(item, "euxScore", records), part_of(item, "vsiMax", records)
    logins, engines, apps = (
        part_of(item, key, records) for key in ("loginCounts", "engineCounts", "appExecutionCounts")
    )
    times, has_offset = records.times(
        item | {"vsiMaxReached": vsi.get("timestamp")},
        created="created",
        started="started",
        finished="finished",
        ramp_up_completed="rampUpCompleted",
        vsimax_at="vsiMaxReached",
    )
    summary = EuxSummary(
        test=text_of(item, "id"),
        kind=text_of(item, "type"),
        state=text_of(item, "state"),
        score=records.number(eux, "score", 0.0, high=EUX_MOST),
        steady_score=records.number(eux, "steadyStateScore", 0.0, high=EUX_MOST),
        baseline=records.number(eux, "baseline"),
        eux_version=text_of(eux, "version"),
        eux_state=text_of(eux, "state"),
        vsimax=count_of(records, vsi, "maxSessions"),
        vsimax_version=text_of(vsi, "version"),
        vsimax_state=text_of(vsi, "state"),
        logins_ok=count_of(records, logins, "successCount"),
        logins=count_of(records, logins, "totalCount"),
        engines_ok=count_of(records, engines, "successCount"),
        engines=count_of(records, engines, "totalCount"),
        apps_ok=count_of(records, apps, "successCount"),
        apps=count_of(records, apps, "totalCount"),
        active_sessions=count_of(records, item, "activeSessionCount"),
        product_version=text_of(item, "productVersion"),
        comment=text_of(item, "comment"),
        has_offset=has_offset,
    )
    if summary.eux_state == "disabled" and summary.score is not None:
        records.problems.info("eux-off", f"{records.where} reports that EUX was off.", "EUX score ignored")
        summary = replace(summary, score=None, steady_score=None, baseline=None)
    known: dict[str, Any] = dict(times)
    records.summaries.append(replace(summary, **known))
    records.rows += 1


def _score(item: JsonObject, records: Records) -> None:
    value, moment = records.number(item, "score", 0.0, high=EUX_MOST), records.moment(item, "timestamp")
    if value is None or moment is None:
        records.lack("is an EUX result without " + ("'score'" if value is None else "'timestamp'"))
        return
    timer = text_of(item, "euxTimer")
    kind = MeasurementKind.EUX_TIMER if timer else MeasurementKind.EUX
    records.measurements.append(Measurement(moment.at, kind, timer or "EUX score", value, has_offset=moment.has_offset))
    records.rows += 1


def _script(item: JsonObject, records: Records) -> None:
    """Reads a run of the EUX script: one row, with its raw measurements."""
    session, taken = text_of(item, "userSessionId"), item.get("euxMeasurements")
    if not isinstance(taken, list):
        records.lack("is an EUX script execution without any measurement")
        return
    lost = 0
    for script in taken:
        value = number_of(script, "duration") if isinstance(script, dict) else None
        moment = moment_of(script, "timestamp") if isinstance(script, dict) else None
        if value is None or moment is None or value < 0:
            lost += 1
            continue
        records.moments.append(moment)
        records.measurements.append(
            Measurement(
                moment.at,
                MeasurementKind.TIMER,
                text_of(script, "timer"),
                value,
                "ms",
                session,
                None,
                moment.has_offset,
                "EUX",
                True,
            )
        )
    if lost:
        records.problems.warn(
            "item-rejected",
            f"{records.where} has {numbered(lost, 'EUX measurement')} without a usable duration or timestamp.",
            acted("measurement rejected; check it in the file", lost),
        )
    records.rows += 1


def _app_run(item: JsonObject, records: Records) -> None:
    begun, over = records.moment(item, "created"), records.moment(item, "lastModified")
    if begun is None or over is None:
        records.lack("is an application run without 'created' or 'lastModified'")
        return
    records.measurements.append(
        Measurement(
            begun.at,
            MeasurementKind.APP_RUN,
            text_of(item, "state"),
            over.at - begun.at,
            "s",
            text_of(item, "userSessionId"),
            None,
            begun.has_offset,
            text_of(item, "applicationId"),
        )
    )
    records.rows += 1


def _event(item: JsonObject, records: Records) -> None:
    moment = records.moment(item, "timestamp")
    if moment is None:
        records.lack("is an event without 'timestamp'")
        return
    name = text_of(item, "eventType")
    kind = EventKind.RUN_END if name in _RUN_OVER else EventKind.MARKER
    title = text_of(item, "title")
    detail = f"{name}: {title}" if title else name
    records.events.append(Event(moment.at, kind, "", "", detail, moment.has_offset))
    records.rows += 1


def _statistics(item: JsonObject, records: Records) -> None:
    """Reads EUX scores at intervals of one minute from `baseTimestamp`; null means no score in that minute."""
    base, scores = records.moment(item, "baseTimestamp"), item.get("euxScores")
    if base is None or not isinstance(scores, list):
        records.lack("is a statistic without 'baseTimestamp' or 'euxScores'")
        return
    values = [number_of({"score": score}, "score") for score in scores]
    values = [value if value is not None and 0 <= value <= EUX_MOST else None for value in values]
    wrong = sum(value is None and score is not None for value, score in zip(values, scores, strict=True))
    if wrong:
        records.problems.warn(
            "not-a-number",
            f"{records.where} has {numbered(wrong, 'invalid score')} (valid: 0 to {EUX_MOST:.0f}).",
            acted("score rejected; check it in the file", wrong),
        )
    records.problems.info(
        "times-assumed",
        "The scores have no timestamps.",
        "scores assumed to be one minute apart, the first at 'baseTimestamp'",
    )
    records.measurements += [
        Measurement(base.at + 60.0 * minute, MeasurementKind.EUX, "EUX score", value, has_offset=base.has_offset)
        for minute, value in enumerate(values)
        if value is not None
    ]
    records.rows += 1


Take = Callable[[JsonObject, Records], None]
# Keys that identify an object; the first match counts.
KINDS: tuple[tuple[str, tuple[str, ...], Take], ...] = (
    ("measurements", ("measurementId", "duration", "timestamp"), _measurement),
    ("user sessions", ("loginState", "sessionState", "testRunId"), _session),
    ("EUX script executions", ("euxMeasurements", "userSessionId"), _script),
    ("EUX timer results", ("euxTimer", "score", "timestamp"), _score),
    ("metrics", ("metricId", "displayName", "dataPoints"), take_series),
    ("session metrics", ("measurement", "timestamp", "displayName"), take_metric),
    ("platform metrics", ("value", "timestamp", "displayName", "metricId"), take_metric),
    ("events", ("id", "eventType", "timestamp", "title"), _event),
    ("application runs", ("state", "userSessionId", "applicationId", "lastModified"), _app_run),
    ("test runs", ("type", "testId", "created"), _test_run),
    ("test runs", ("euxScore", "vsiMax"), _test_run),
    ("statistics records", ("euxScores", "baseTimestamp"), _statistics),
    ("EUX results", ("score", "timestamp"), _score),
)
