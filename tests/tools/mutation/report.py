"""The report of a mutation run: the share of killed mutants with its interval, and the survivors."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.tools.mutation.judging import Verdict
from tests.tools.mutation.mutants import Mutant

# The normal deviate of a two-sided interval of 95 %.
_Z = 1.959964
# Longer code is cut to this length in the report.
_LONG = 60


def wilson(killed: int, judged: int) -> tuple[float, float]:
    """The 95 % interval by Wilson of the share `killed` of `judged`; 0 to 1 if `judged` is zero."""
    if not judged:
        return 0.0, 1.0
    share, z2 = killed / judged, _Z * _Z / judged
    middle, half = share + z2 / 2, _Z * math.sqrt(share * (1 - share) / judged + z2 / (4 * judged))
    return max(0.0, (middle - half) / (1 + z2)), min(1.0, (middle + half) / (1 + z2))


def summary(verdicts: Sequence[Verdict], drawn: int, seed: int) -> str:
    """The share in one sentence, then a line for each survivor: place, change, and the tests that did not notice."""
    killed, judged = sum(verdict.killed for verdict in verdicts), len(verdicts)
    low, high = wilson(killed, judged)
    share = f"{100 * killed / judged:.1f} %" if judged else "none"
    head = f"Killed: {killed} of {judged} mutants, {share} [{100 * low:.1f}, {100 * high:.1f}], seed {seed}"
    if judged < drawn:
        head += f"; {drawn - judged} more were drawn and not judged"
    survivors = sorted((verdict for verdict in verdicts if not verdict.killed), key=lambda each: each.mutant)
    return "\n".join([f"{head}.", *map(_survivor, survivors)])


def _survivor(verdict: Verdict) -> str:
    mutant = verdict.mutant
    why = f"these tests pass with it: {verdict.how}" if verdict.how else "no test imports the module"
    return f"{mutant.file}:{mutant.line}: {_short(mutant.before)} -> {_short(mutant.after)}\n    {why}"


def _short(code: str) -> str:
    line = " ".join(code.split())
    return (line if len(line) <= _LONG else f"{line[: _LONG - 1]}…") or "(nothing)"


def kept(file: Path, verdicts: Iterable[Verdict]) -> None:
    """Adds verdicts to a file, one JSON object a line."""
    with file.open("a", encoding="utf-8") as stream:
        for verdict in verdicts:
            stream.write(json.dumps(asdict(verdict)) + "\n")


def known(file: Path) -> dict[Mutant, Verdict]:
    """The verdicts in such a file; empty if the file is missing."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    read = [json.loads(line) for line in lines]
    verdicts = [Verdict(**{**each, "mutant": Mutant(**each["mutant"])}) for each in read]
    return {verdict.mutant: verdict for verdict in verdicts}
