"""`python -m tests.tools truth freeze FOLDER` and `python -m tests.tools truth compare OLD NEW`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tests.tools.truth.compare import compare
from tests.tools.truth.freeze import FAILED, freeze
from tests.tools.truth.places import ROOT

PUBLIC_VARIABLE = "VDI_WORKBENCH_PUBLIC_FILES"
MOST_LINES = 20


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 if anything differs or a part of a freeze failed, 2 if the command cannot run."""
    options = _options(arguments)
    if options.command == "freeze":
        return _freeze(options)
    if missing := [folder for folder in (options.old, options.new) if not folder.is_dir()]:
        print(f"{missing[0]} is not a folder.", file=sys.stderr)
        return 2
    number = 0
    for file, differences in compare(options.old, options.new, allow_new=options.allow_new).items():
        number += len(differences)
        print(f"{file}: {len(differences)}")
        shown = differences if options.all else differences[:MOST_LINES]
        print(*(f"    {difference}" for difference in shown), sep="\n")
        if len(shown) < len(differences):
            print(f"    … and {len(differences) - len(shown)} more; --all lists them")
    print(f"{number} differences" if number else "Nothing differs.")
    return 1 if number else 0


def _freeze(options: argparse.Namespace) -> int:
    if options.folder.exists() and any(options.folder.iterdir()):
        print(f"{options.folder} is not empty. Name another folder.", file=sys.stderr)
        return 2
    began = time.monotonic()
    public = options.public if options.public.is_dir() else None
    failed = False
    for done in freeze(options.folder, options.sample, public, options.only, options.workers):
        failed |= f" {FAILED}: " in done
        print(f"{time.monotonic() - began:6.0f} s  {done}", flush=True)
    files = [file for file in options.folder.rglob("*") if file.is_file()]
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB")
    return 1 if failed else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.tools truth", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    freezing = commands.add_parser("freeze", help="write what the program says")
    freezing.add_argument("folder", type=Path, help="an empty or new folder outside the repository")
    freezing.add_argument("--sample", type=Path, default=ROOT / "sample_data", help="studies (default: sample_data)")
    public = os.environ.get(PUBLIC_VARIABLE, str(ROOT.parent / "shared" / "data"))
    freezing.add_argument(
        "--public", type=Path, default=Path(public), help=f"folder with more files (default: ${PUBLIC_VARIABLE})"
    )
    freezing.add_argument("--only", nargs="*", default=(), help="parts of the names of jobs, such as trend or readings")
    freezing.add_argument("--workers", type=int, default=2)
    comparing = commands.add_parser("compare", help="list what differs")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument(
        "--allow-new", action="store_true", help="files and keys that only NEW has are no difference"
    )
    comparing.add_argument("--all", action="store_true", help="every difference of every file")
    return parser.parse_args(arguments)


# Workers of the pool import this module as well.
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
