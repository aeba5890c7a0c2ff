"""One configuration name for runs with different settings: reported when the runs are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from workbench.model.problem import Problem, Severity
from workbench.model.run import Provisioning, Run

# RAM caches whose sizes differ by at most this share have the same setting: drivers round the given value.
SAME_SIZE = 0.02


def same_name_problems(study: str, runs: Iterable[Run]) -> list[Problem]:
    """Returns a warning for each configuration name shared by runs with different provisioning, write cache or RAM
    cache."""
    named: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        named[run.configuration.name].append(run)
    return [
        Problem(
            Severity.WARNING,
            study,
            "same-name",
            f"Runs of configuration '{name}' have different {what}: {' and '.join(kinds)}.",
            "treated as separate configurations; give each its own name (Run › Edit run… or run.toml)",
        )
        for name, members in named.items()
        for what, kinds in _kinds(members)
    ]


def _kinds(runs: Sequence[Run]) -> list[tuple[str, list[str]]]:
    """Returns the first property in which the runs differ, with its values; empty if nothing contradicts."""
    made = [run.configuration for run in runs]
    kinds = {
        configuration.provisioning.value
        for configuration in made
        if configuration.provisioning is not Provisioning.OTHER
    }
    caches = {configuration.write_cache for configuration in made if configuration.write_cache}
    sizes = sorted({configuration.ram_cache_mb for configuration in made if configuration.ram_cache_mb is not None})
    for what, values in (("provisioning", sorted(kinds)), ("write caches", sorted(caches))):
        if len(values) > 1:
            return [(what, values)]
    apart = bool(sizes) and sizes[-1] - sizes[0] > SAME_SIZE * sizes[-1]
    return [("RAM cache sizes", [f"{size} MB" for size in sizes])] if apart else []
