"""`uv run python -m tests.tools NAME …`: runs a tool by its name; without a name, lists them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

TOOLS = sorted(entry.parent.name for entry in Path(__file__).parent.glob("*/__main__.py"))


def main() -> int:
    """Returns 2 if no tool has the name; a tool that runs ends the process itself."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in TOOLS:
        print(f"usage: python -m tests.tools NAME …\nNAME is one of: {', '.join(TOOLS)}", file=sys.stderr)
        return 2
    sys.argv = [f"python -m tests.tools {name}", *sys.argv[2:]]
    runpy.run_module(f"tests.tools.{name}", run_name="__main__", alter_sys=False)
    return 0


sys.exit(main())
