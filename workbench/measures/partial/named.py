"""VMs that only a run's events or sessions name: they belonged to the test, and no recording has samples of them."""

from __future__ import annotations

from workbench.model.run import Run
from workbench.model.run_cache import kept_with_run


@kept_with_run
def only_named(run: Run) -> tuple[str, ...]:
    """The names, sorted; none where the tester states how many VMs there are. Where events and recordings share no
    name they call the machines differently, and nothing is known."""
    if run.vms is not None and all(guess.field != "vms" for guess in run.guesses):
        return ()
    named: dict[str, str] = {}
    for vm in (*(event.vm for event in run.events), *(session.vm for session in run.sessions)):
        if vm:
            named.setdefault(_key(vm), vm)
    series = [one for recording in run.recordings for one in recording.series]
    sampled = {_key(one.vm) for one in series if one.vm}
    # A machine that is no desktop keeps its name as that of a host.
    known = sampled | {_key(one.host) for one in series} | set(map(_key, run.left_out))
    if sampled.isdisjoint(named):
        return ()
    return tuple(sorted(name for key, name in named.items() if key not in known))


def _key(name: str) -> str:
    """`W10-001.lab.example` and `w10-001` are one machine."""
    return name.casefold().partition(".")[0]
