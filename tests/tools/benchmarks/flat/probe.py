"""One operation at one point, in a separate process: `python -m tests.tools.benchmarks.flat.probe OPERATION STUDY STORE
LEAST LEAST_STORE`. Prints its cost as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.tools.benchmarks.flat.operations import OPERATIONS

# A separate line, because the program may print other lines.
MARK = "spent "


def main(name: str, study: str, store: str, least: str, least_store: str) -> None:
    """Runs the operation on the smallest study, which loads its modules, then on the study."""
    operation = OPERATIONS[name]
    with tempfile.TemporaryDirectory(dir=Path(study).parent) as folder:
        for number, (files, columns) in enumerate(((least, least_store), (study, store))):
            scratch = Path(folder, str(number))
            scratch.mkdir()
            spent = operation(Path(files), Path(columns), scratch)
        print(f"{MARK}{json.dumps(asdict(spent))}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
