"""`uv run python -m tests.snapshots`: writes the snapshots again, to be reviewed with `git diff` before a commit."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.snapshots.shown import stored, taken, write


def main() -> None:
    """Writes the snapshots and names those that have changed."""
    before = stored()
    with TemporaryDirectory() as folder:
        shown = taken(Path(folder))
    write(shown)
    changed = sorted(name for name in before.keys() | shown.keys() if before.get(name) != shown.get(name))
    print(f"{len(shown)} snapshots; changed: {', '.join(changed) or 'none'}")


# The pool's workers import this module as well.
if __name__ == "__main__":
    main()
