"""A logon without a recorded end: no session is called stuck without evidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.logons.login_storms import group, sessions
from tests.builders import T0, event, run
from workbench.answers.findings.rules.logons import logon_findings
from workbench.answers.findings.words import Asked
from workbench.answers.logons.compute import LogonCounts, LogonFigures, group_logons, logon_figures
from workbench.answers.logons.document import _counts
from workbench.answers.logons.figures import logon_times_figure
from workbench.answers.logons.sentences import stuck_words
from workbench.answers.logons.session_logons import LogonOutcome, session_logons
from workbench.model.session import Event, EventKind, Session


def storm(count: int, *kinds: EventKind) -> tuple[Event, ...]:
    """A session a minute, with these events 10, 20, … seconds after its start."""
    return tuple(
        event(kind, 60 * place + 10 * step, f"VM{place}", f"u{place}")
        for place in range(count)
        for step, kind in enumerate((EventKind.LOGON_START, *kinds))
    )


def figures(*events: Event, **facts: object) -> LogonFigures:
    found = logon_figures(run(events=events, **facts))
    assert found is not None
    return found


def test_that_a_session_with_application_starts_is_logged_on_without_a_logon_end() -> None:
    found = figures(*storm(4, EventKind.APPS_STARTED))
    assert [logon.outcome for logon in found.logons] == [LogonOutcome.LOGGED_ON] * 4
    assert (found.counts.launched, found.counts.logged_on, found.counts.stuck) == (4, 4, 0)
    assert found.spread is None
    assert any("no logon end is recorded" in note for note in found.notes)
    assert [logon.begin for logon in found.logons] == [T0 + 60 * place for place in range(4)]


def test_that_a_clean_test_without_logon_ends_has_no_stuck_sessions() -> None:
    clean = run(events=storm(4, EventKind.APPS_STARTED))
    texts = [finding.text for finding in logon_findings(Asked("study", [group(clean)]))]
    assert not [text for text in texts if "stuck" in text]


def test_that_the_page_names_missing_times_and_does_not_report_failed_logons(snapshot: SnapshotAssertion) -> None:
    found = [group_logons(group(run(events=storm(4, EventKind.APPS_STARTED))))]
    assert logon_times_figure(found, {}).empty == snapshot
    assert logon_times_figure([], {}).empty.startswith("No logons were recorded.")


def test_that_a_logoff_proves_that_the_session_was_logged_on() -> None:
    found = figures(*storm(4, EventKind.LOGOFF))
    assert (found.counts.logged_on, found.counts.stuck) == (4, 0)


def test_that_application_starts_without_ends_leave_the_outcome_unknown() -> None:
    found = figures(*storm(4))
    assert [logon.outcome for logon in found.logons] == [LogonOutcome.UNKNOWN] * 4
    assert (found.counts.never_logged_on, found.counts.not_recorded) == (0, 4)
    assert any(note.startswith("4 ") and "not recorded" in note for note in found.notes)
    assert (found.counts.stuck, found.counts.stuck_percent) == (None, None)
    assert stuck_words(found.counts) == ("logon end not recorded", "")
    assert _counts(found.counts) == {
        "launched": 4,
        "logged_on": 0,
        "never_logged_on": 0,
        "failed": 0,
        "without_end": None,
        "stuck": None,
        "stuck_percent": None,
        "not_recorded": 4,
    }


def test_that_one_hanging_session_of_five_is_stuck() -> None:
    found = figures(*storm(4, EventKind.APPS_STARTED), event(EventKind.LOGON_START, 5, "VM9", "u9"))
    assert found.counts.never_logged_on == 1
    assert found.counts.stuck_percent == pytest.approx(20.0)


def test_that_a_script_on_one_of_five_vms_does_not_make_sessions_of_the_others_stuck(
    snapshot: SnapshotAssertion,
) -> None:
    found = figures(*storm(1, EventKind.LOGON_END), *storm(5)[1:])
    assert (found.counts.never_logged_on, found.counts.not_recorded, found.counts.stuck) == (0, 4, 0)
    assert stuck_words(found.counts) == snapshot


def test_that_a_logon_that_begins_just_before_the_end_of_the_record_is_not_stuck() -> None:
    late = event(EventKind.LOGON_START, 240, "VM9", "u9")
    ends = storm(4, EventKind.LOGON_END)
    assert figures(*ends, late, event(EventKind.RUN_END, 245)).counts.not_recorded == 1
    assert figures(*ends, late, event(EventKind.RUN_END, 900)).counts.never_logged_on == 1


def test_that_one_early_logoff_does_not_make_other_sessions_stuck() -> None:
    found = figures(*storm(20, EventKind.LOGON_END), event(EventKind.LOGOFF, 1500, "VM3", "u3"))
    assert (found.counts.without_end, found.counts.stuck) == (None, 0)
    assert any("1 of 20 sessions" in note for note in found.notes)
    most = figures(*storm(20, EventKind.LOGON_END, EventKind.LOGOFF)[:-1])
    assert (most.counts.without_end, most.counts.stuck) == (1, 1)


def test_that_a_session_of_a_load_generator_with_application_starts_is_logged_on() -> None:
    bare = tuple(replace(one, logon_end=None, logon_s=None) for one in sessions(np.full(5, 3.0)))
    assert {logon.outcome for logon in session_logons(run(sessions=bare)).logons} == {LogonOutcome.LOGGED_ON}
    hanging = Session("late", "VM1", logon_start=T0 + 99)
    found = logon_figures(run(sessions=(*sessions(np.full(5, 3.0)), *(hanging,) * 9)))
    assert found is not None
    # The load generator records every end itself: if some sessions logged on, the others did not.
    assert found.counts.never_logged_on == 9


def test_that_a_configuration_sums_its_unrecorded_sessions() -> None:
    one, other = run(events=storm(4)), run(events=storm(3, EventKind.LOGON_END))
    assert group_logons(group(one, other)).counts == LogonCounts(7, 3, 0, 0, None, 4)
