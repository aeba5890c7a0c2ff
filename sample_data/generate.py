"""Writes the sample study, and larger ones on demand. See README.md in this folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folder is opened as a study, so it must not contain caches

from generator import bulk, study  # noqa: E402

EXAMPLES = """\
examples:
  python sample_data/generate.py
  python sample_data/generate.py vsphere-150vm OUT
  python sample_data/generate.py large OUT --configurations 3 --vms 150 --samples 30000
  python sample_data/generate.py perfmon OUT.csv --columns 500 --megabytes 100
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        description="Rewrites the sample study; with a command, writes another study or file.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument(
        "--out", type=Path, default=Path(__file__).parent, help="where the sample study goes (default: here)"
    )
    commands = top.add_subparsers(dest="command", title="commands")
    vsphere = commands.add_parser("vsphere-150vm", help="150 desktops and 300 RDS users on vSphere")
    vsphere.add_argument("folder", type=Path, metavar="OUT")
    large = commands.add_parser("large", help="a big study: one run per configuration")
    large.add_argument("folder", type=Path, metavar="OUT")
    large.add_argument("--configurations", type=int, default=3, help="runs to write (default 3)")
    large.add_argument("--vms", type=int, default=150, help="VMs per run (default 150)")
    large.add_argument("--samples", type=int, default=30000, help="samples per VM, one a second (default 30000)")
    large.add_argument("--files", action="store_true", help="one file per VM instead of one per run")
    perfmon = commands.add_parser("perfmon", help="one big perfmon CSV")
    perfmon.add_argument("file", type=Path, metavar="OUT.csv")
    perfmon.add_argument("--columns", type=int, default=500, help="counters (default 500)")
    perfmon.add_argument("--megabytes", type=float, default=100.0, help="size, 10^6 bytes (default 100)")
    return top


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    options = parser().parse_args(arguments)
    if options.command == "vsphere-150vm":
        study.write_vsphere(options.folder)
    elif options.command == "large":
        bulk.write_large(options.folder, options.configurations, options.vms, options.samples, options.files)
    elif options.command == "perfmon":
        bulk.write_perfmon(options.file, options.columns, options.megabytes)
    else:
        study.write_sample_data(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
