"""One configuration name for runs that are set up differently: told where they are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from workbench.model.problem import Problem, Severity
from workbench.model.run import Provisioning, Run

# RAM caches whose sizes differ by no more than this share are the same setting: drivers round what they are given.
SAME_SIZE = 0.02


def same_name_problems(study: str, runs: Iterable[Run]) -> list[Problem]:
    """A warning for each configuration name that runs of different provisioning, write cache or RAM cache have."""
    named: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        named[run.configuration.name].append(run)
    return [
        Problem(
            Severity.WARNING,
            study,
            "same-name",
            f"Runs of configuration '{name}' are set up differently: {' and '.join(kinds)}.",
            "treated as separate configurations; give each its own name in run.toml or in the window",
        )
        for name, members in named.items()
        if (kinds := _kinds(members))
    ]


def _kinds(runs: Sequence[Run]) -> list[str]:
    """What the runs differ in, in words; none where nothing contradicts."""
    made = [run.configuration for run in runs]
    kinds = {
        configuration.provisioning.value
        for configuration in made
        if configuration.provisioning is not Provisioning.OTHER
    }
    caches = {configuration.write_cache for configuration in made if configuration.write_cache}
    sizes = sorted({configuration.ram_cache_mb for configuration in made if configuration.ram_cache_mb is not None})
    for messages in (sorted(kinds), sorted(caches)):
        if len(messages) > 1:
            return messages
    apart = bool(sizes) and sizes[-1] - sizes[0] > SAME_SIZE * sizes[-1]
    return [f"{size} MB" for size in sizes] if apart else []
