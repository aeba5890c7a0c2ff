"""Objects in the format of the Login Enterprise API, and the reading of a file with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.readers.login_files import read_as
from workbench.model.reading import Reading

AT = "2016-05-10T08:00:00.123Z"


MEASUREMENT: dict[str, Any] = {
    "measurementId": "total_login_time",
    "userSessionId": "s1",
    "testRunId": "r1",
    "duration": 21500.0,
    "timestamp": "2016-05-10T08:00:00Z",
    "properties": [],
}


SESSION: dict[str, Any] = {
    "id": "s1",
    "testId": "t",
    "testRunId": "r1",
    "created": AT,
    "loginState": "succeeded",
    "sessionState": "completed",
    "stateLastModified": AT,
    "testType": "loadTest",
    "accountId": "a1",
    "launcherName": "L1",
    "loginStartTime": "2016-05-10T08:00:00Z",
    "loginEndTime": "2016-05-10T10:00:21+02:00",
    "sessionEndTime": None,
    "sessionMetricEnabled": False,
    "properties": [{"propertyId": "TargetHost", "value": "W10-001"}],
}


TEST_RUN: dict[str, Any] = {
    "type": "loadTest",
    "id": "r1",
    "testId": "t",
    "created": "2016-05-10T07:59:00Z",
    "started": "2016-05-10T08:00:00Z",
    "finished": "2016-05-10T09:00:00Z",
    "counter": 3,
    "state": "completed",
    "rampUpCompleted": "2016-05-10T08:30:00Z",
    "activeSessionCount": 0,
    "productVersion": "6.1",
    "loginCounts": {"successCount": 89, "totalCount": 90},
    "engineCounts": {"successCount": 88, "totalCount": 90},
    "appExecutionCounts": {"successCount": 7, "totalCount": 8},
    "euxScore": {"score": 7.1, "steadyStateScore": 7.4, "baseline": 8.0, "version": "2023", "state": "completed"},
    "vsiMax": {"maxSessions": 85, "version": "1", "state": "completed", "timestamp": "2016-05-10T08:20:00Z"},
    "comment": "first",
}


def read(folder: Path, content: str | bytes | object) -> Reading:
    return read_as("login-enterprise", folder, content)


def page(*items: object, total: object = None, offset: int = 0) -> dict[str, object]:
    return {"items": list(items), "totalCount": len(items) if total is None else total, "offset": offset}
