"""The first start of each VM and the first logon of each session, from events or from load generator sessions.

A VM starts again with a second `power_on`. A session comes back with a second `logon_start` (or continues after its
`logoff`). Times of the second start or logon are kept separately. Events without VM and user apply to the whole run.
Names are compared without regard to case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from workbench.model.session import Event, EventKind, Session


@dataclass(frozen=True, slots=True)
class Stay:
    """The first start of a VM (`power_on` to `registered`) or the first logon of a session, in seconds since 1970 UTC.

    `again` is the time of the second start, `later` its end. `repeated` is a second `registered` without a start.
    `over` is the first log-off, `gone` the last one.
    """

    name: str
    start: float | None
    end: float | None
    again: float | None = None
    later: float | None = None
    repeated: float | None = None
    over: float | None = None
    gone: float | None = None


@dataclass(slots=True)
class _Moments:
    """The recorded times of one VM or session."""

    name: str
    user: str = ""
    starts: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    offs: list[float] = field(default_factory=list)


def vm_starts(events: Iterable[Event]) -> list[Stay]:
    """The first start of every VM that events name, in order of their first event."""
    by_vm: dict[str, _Moments] = {}
    for event in sorted(events, key=lambda event: event.at):
        if event.vm and event.kind in (EventKind.POWER_ON, EventKind.REGISTERED):
            moments = by_vm.setdefault(event.vm.casefold(), _Moments(event.vm))
            (moments.starts if event.kind is EventKind.POWER_ON else moments.ends).append(event.at)
    return [_start(moments) for moments in by_vm.values()]


def event_logons(events: Sequence[Event], end: EventKind) -> list[Stay]:
    """The first logon of every session that events name. `end` is the event that completes a logon."""
    lists = {EventKind.LOGON_START: "starts", end: "ends", EventKind.LOGOFF: "offs"}
    named = sorted((event for event in events if event.kind in lists and _named(event)), key=lambda event: event.at)
    owners = _owners(named)
    by_session: dict[tuple[str, str], _Moments] = {}
    for event in named:
        vm, user = owners[event.vm.casefold(), event.user.casefold()]
        name = " on ".join(part for part in (event.user, event.vm) if part)
        moments = by_session.setdefault((vm, user), _Moments(name, user))
        getattr(moments, lists[event.kind]).append(event.at)
    return _logons(list(by_session.values()))


def recorded_logons(sessions: Iterable[Session], apps: bool) -> list[Stay]:
    """The first logon of every session of a load generator. With `apps`, it is complete when the applications
    started."""
    by_session: dict[tuple[str, ...], _Moments] = {}
    for index, session in enumerate(sessions):
        who = (session.user.casefold(), session.vm.casefold())
        name = " on ".join(part for part in (session.user, session.vm) if part) or session.id or f"session {index + 1}"
        key = who if session.user else (*who, str(index))
        moments = by_session.setdefault(key, _Moments(name, who[0]))
        end = session.apps_started if apps else session.logon_end
        for values, at in (
            (moments.starts, session.logon_start),
            (moments.ends, end),
            (moments.offs, session.session_end),
        ):
            if at is not None:
                values.append(at)
    return _logons(list(by_session.values()))


def _named(event: Event) -> bool:
    return bool(event.vm or event.user)


def _owners(events: Iterable[Event]) -> dict[tuple[str, str], tuple[str, str]]:
    """The session of each (VM, user) pair. A missing half is filled in if exactly one session fits."""
    pairs = {(event.vm.casefold(), event.user.casefold()) for event in events}
    whole = [pair for pair in pairs if all(pair)]
    owners = {pair: pair for pair in pairs}
    for vm, user in pairs.difference(whole):
        fitting = [pair for pair in whole if (vm and pair[0] == vm) or (user and pair[1] == user)]
        if len(fitting) == 1:
            owners[vm, user] = fitting[0]
    return owners


def _start(moments: _Moments) -> Stay:
    stay, own = _split(moments)
    return replace(stay, end=min(own, default=None), repeated=own[1] if len(own) > 1 else None)


def _logons(every: Sequence[_Moments]) -> list[Stay]:
    return [_logon(moments) for moments in _returned(every)]


def _logon(moments: _Moments) -> Stay:
    stay, own = _split(moments)
    offs = sorted(at for at in moments.offs if stay.start is None or at >= stay.start)
    stay = replace(stay, over=offs[0] if offs else None, gone=offs[-1] if offs else None)
    back = [at for at in own if stay.over is not None and at > stay.over]
    if stay.again is None and back:
        stay, own = replace(stay, again=back[0], later=back[-1]), [at for at in own if at not in back]
    return replace(stay, end=max(own, default=None))


def _split(moments: _Moments) -> tuple[Stay, list[float]]:
    """The known times except the end of the first start, and the candidates for that end."""
    starts, ends = sorted(set(moments.starts)), sorted(set(moments.ends))
    first, again = (*starts[:2], None, None)[:2]
    later = [at for at in ends if again is not None and at >= again]
    own = [at for at in ends if at not in later and (first is None or at >= first)]
    # If clocks differ by seconds, the end may be before the start. This is better than no end.
    own = own or [at for at in ends if at not in later]
    return Stay(moments.name, first, None, again, min(later, default=None)), own


def _returned(every: Sequence[_Moments]) -> Iterable[_Moments]:
    """The sessions. Those of a user who comes back on another VM after a log-off are joined. Accounts with sessions on
    several VMs at once are treated as several people."""
    by_user: Mapping[str, list[_Moments]] = defaultdict(list)
    for moments in every:
        by_user[moments.user].append(moments)
    for user, several in by_user.items():
        ordered = sorted(several, key=lambda moments: min(moments.starts, default=float("inf")))
        if user and len(several) > 1 and _one_after_another(ordered):
            yield _Moments(
                ordered[0].name,
                user,
                [at for moments in ordered for at in moments.starts],
                [at for moments in ordered for at in moments.ends],
                [at for moments in ordered for at in moments.offs],
            )
        else:
            yield from several


def _one_after_another(ordered: Sequence[_Moments]) -> bool:
    return all(
        before.offs and after.starts and max(before.offs) <= min(after.starts) for before, after in pairwise(ordered)
    )
