"""`uv run python -m tests.wording`: writes the counts again if they have fallen; it never raises one.

With `--list`, or with the names of patterns, it lists the hits and writes nothing.
"""

from __future__ import annotations

import sys

from tests.wording.ratchet import COUNTS, as_toml, counted, found, patterns, risen, stored, totals
from tests.wording.texts import texts


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 if a count has risen."""
    names = [pattern.name for pattern in patterns()]
    if unknown := [word for word in arguments if word != "--list" and word not in names]:
        print(f"There is no pattern '{unknown[0]}'. The patterns are {', '.join(names)}.")
        return 2
    hits = found(patterns(), texts())
    if arguments:
        wanted = names if "--list" in arguments else arguments
        print(*(f"{hit.file}:{hit.line}: {hit.words}" for hit in hits if hit.pattern in wanted), sep="\n")
        return 0
    if lines := risen(names, stored(), hits):
        print("These counts have risen, and nothing was written. Reword the texts:", *lines, sep="\n")
        return 1
    before, now = totals(names, stored()), totals(names, counted(hits))
    COUNTS.write_text(as_toml(names, counted(hits)), encoding="utf-8", newline="\n")
    print(*(f"{name}: {before[name]} -> {now[name]}" for name in names), sep="\n")
    print(f"all: {sum(before.values())} -> {sum(now.values())}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
