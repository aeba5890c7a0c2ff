"""The first start of each VM and the first logon of each session: which event belongs to which VM or session."""

from __future__ import annotations

import pytest

from tests.builders import T0, event
from workbench.model.session import Event, EventKind, Session
from workbench.phases.stays import Stay, event_logons, recorded_logons, vm_starts

ON, REGISTERED = EventKind.POWER_ON, EventKind.REGISTERED
LOGON, END, OFF = EventKind.LOGON_START, EventKind.LOGON_END, EventKind.LOGOFF
Moments = dict[str, float]


def told(stay: Stay) -> Moments:
    """The known times of a stay, in seconds since T0."""
    fields = ("start", "end", "again", "later", "repeated", "over", "gone")
    return {name: at - T0 for name in fields if (at := getattr(stay, name)) is not None}


def starts(*moments: tuple[EventKind, float]) -> Moments:
    (stay,) = vm_starts([event(kind, at, "A") for kind, at in moments])
    return told(stay)


def logons(*moments: tuple[EventKind, float, str, str]) -> dict[str, Moments]:
    events = [event(kind, at, vm, user) for kind, at, vm, user in moments]
    return {stay.name: told(stay) for stay in event_logons(events, END)}


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ([(ON, 5), (REGISTERED, 60)], {"start": 5, "end": 60}),
        ([(ON, 5)], {"start": 5}),
        ([(REGISTERED, 60)], {"end": 60}),
        # Two lines at the same moment are one start.
        ([(ON, 5), (ON, 5), (REGISTERED, 60), (REGISTERED, 60)], {"start": 5, "end": 60}),
        ([(ON, 5), (REGISTERED, 60), (REGISTERED, 90)], {"start": 5, "end": 60, "repeated": 90}),
        (
            [(ON, 5), (REGISTERED, 60), (ON, 100), (REGISTERED, 150), (REGISTERED, 170)],
            {"start": 5, "end": 60, "again": 100, "later": 150},
        ),
        ([(ON, 5), (ON, 100), (REGISTERED, 100)], {"start": 5, "again": 100, "later": 100}),
        # A third start does not change the second.
        (
            [(ON, 5), (REGISTERED, 9), (ON, 20), (ON, 40), (REGISTERED, 50)],
            {"start": 5, "end": 9, "again": 20, "later": 50},
        ),
        # A registration before the start belongs to another start, unless there is no other.
        ([(REGISTERED, 2), (ON, 5), (REGISTERED, 60)], {"start": 5, "end": 60}),
        ([(REGISTERED, 2), (ON, 5)], {"start": 5, "end": 2}),
        ([(ON, 5), (REGISTERED, 5)], {"start": 5, "end": 5}),
    ],
)
def test_that_the_first_start_of_a_vm_is_used(moments: list[tuple[EventKind, float]], expected: Moments) -> None:
    assert starts(*moments) == expected
    assert starts(*reversed(moments)) == expected


def test_that_vms_are_reported_in_order_of_their_first_event_without_regard_to_case() -> None:
    events = [event(REGISTERED, 50, "b"), event(ON, 7, "A"), event(ON, 3, "B"), event(OFF, 1, "C"), event(ON, 1)]
    assert [(stay.name, told(stay)) for stay in vm_starts(events)] == [
        ("B", {"start": 3, "end": 50}),
        ("A", {"start": 7}),
    ]


def test_that_a_logon_ends_with_its_last_end_before_the_logoff() -> None:
    assert logons((LOGON, 10, "A", "u"), (END, 20, "A", "u"), (END, 30, "A", "u"), (OFF, 90, "A", "u")) == {
        "u on A": {"start": 10, "end": 30, "over": 90, "gone": 90}
    }


def test_that_an_end_after_the_logoff_is_a_return() -> None:
    moments = [(LOGON, 10), (END, 20), (OFF, 90), (END, 200), (END, 210), (OFF, 300)]
    assert logons(*((kind, at, "A", "u") for kind, at in moments))["u on A"] == {
        "start": 10,
        "end": 20,
        "again": 200,
        "later": 210,
        "over": 90,
        "gone": 300,
    }
    together = [(LOGON, 10), (END, 90), (OFF, 90)]
    assert logons(*((kind, at, "A", "u") for kind, at in together))["u on A"] == {
        "start": 10,
        "end": 90,
        "over": 90,
        "gone": 90,
    }


def test_that_a_logoff_before_the_logon_belongs_to_an_earlier_session() -> None:
    assert logons((OFF, 5, "A", "u"), (LOGON, 10, "A", "u"), (END, 10, "A", "u"), (OFF, 10, "A", "u")) == {
        "u on A": {"start": 10, "end": 10, "over": 10, "gone": 10}
    }
    assert logons((OFF, 5, "A", "u")) == {"u on A": {"over": 5, "gone": 5}}


def test_that_an_event_without_user_or_vm_is_assigned_if_only_one_session_fits() -> None:
    one = logons((LOGON, 10, "A", "u"), (END, 20, "A", ""), (OFF, 90, "", "U"))
    assert one == {"u on A": {"start": 10, "end": 20, "over": 90, "gone": 90}}
    two = logons((LOGON, 10, "A", "u"), (LOGON, 11, "A", "v"), (END, 20, "A", ""))
    assert two == {"u on A": {"start": 10}, "v on A": {"start": 11}, "A": {"end": 20}}
    alone = logons((LOGON, 10, "", "u"), (END, 20, "", "u"), (LOGON, 12, "B", ""), (END, 13, "", ""))
    assert alone == {"u": {"start": 10, "end": 20}, "B": {"start": 12}}
    # An event without a VM joins the session of its user, for any VMs of others.
    user = logons((LOGON, 10, "A", "u"), (LOGON, 11, "B", "v"), (END, 20, "", "u"))
    assert user == {"u on A": {"start": 10, "end": 20}, "v on B": {"start": 11}}


def test_that_a_user_who_returns_on_another_vm_is_one_session() -> None:
    first = ((LOGON, 10, "A", "u"), (END, 20, "A", "u"), (OFF, 90, "A", "u"))
    second = ((LOGON, 90, "B", "u"), (END, 120, "B", "u"), (OFF, 200, "B", "u"))
    assert logons(*second, *first) == {
        "u on A": {"start": 10, "end": 20, "again": 90, "later": 120, "over": 90, "gone": 200}
    }


def test_that_a_return_to_the_first_vm_after_a_logoff_there_is_not_a_move() -> None:
    first = ((LOGON, 10, "A", "u"), (OFF, 90, "A", "u"), (LOGON, 150, "A", "u"), (OFF, 300, "A", "u"))
    # The second VM is used from 100 to 140, and again later: before the last log-off of the first.
    second = ((LOGON, 100, "B", "u"), (OFF, 140, "B", "u"), (LOGON, 310, "B", "u"))
    assert list(logons(*first, *second)) == ["u on A", "u on B"]


@pytest.mark.parametrize("off", [None, 91.0])
def test_that_an_account_on_two_vms_at_once_is_two_sessions(off: float | None) -> None:
    events = [(LOGON, 10.0, "A", "u"), (LOGON, 90.0, "B", "u")]
    if off is not None:
        events.append((OFF, off, "A", "u"))
    assert list(logons(*events)) == ["u on A", "u on B"]
    assert list(logons((LOGON, 10, "A", ""), (OFF, 20, "A", ""), (LOGON, 90, "B", ""))) == ["A", "B"]


def session(user: str, vm: str, *at: float | None, name: str = "") -> Session:
    start, end, apps, off = (None if moment is None else T0 + moment for moment in at)
    return Session(user=user, vm=vm, logon_start=start, logon_end=end, apps_started=apps, session_end=off, id=name)


def test_that_recorded_sessions_are_distinguished_by_user_and_vm() -> None:
    every = [
        session("u", "A", 10, 20, 30, 90),
        session("U", "a", 100, 110, 120, 150),
        session("", "A", 11, 21, None, None),
        session("", "A", 12, None, None, None),
        session("", "", 13, None, None, None, name="s-7"),
        session("", "", None, 14, 15, None),
    ]
    by_end = {stay.name: told(stay) for stay in recorded_logons(every[:2] + every[4:], apps=False)}
    assert by_end == {
        "u on A": {"start": 10, "end": 20, "again": 100, "later": 110, "over": 90, "gone": 150},
        "s-7": {"start": 13},
        "session 4": {"end": 14},
    }
    by_apps = [(stay.name, told(stay)) for stay in recorded_logons(every, apps=True)]
    assert by_apps == [
        ("u on A", {"start": 10, "end": 30, "again": 100, "later": 120, "over": 90, "gone": 150}),
        ("A", {"start": 11}),
        ("A", {"start": 12}),
        ("s-7", {"start": 13}),
        ("session 6", {"end": 15}),
    ]


def test_that_events_of_other_kinds_are_not_a_logon() -> None:
    events: list[Event] = [event(ON, 1, "A"), event(REGISTERED, 2, "A"), event(EventKind.RUN_END, 3, "A", "u")]
    assert event_logons(events, END) == []
