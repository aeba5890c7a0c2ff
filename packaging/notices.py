"""Writes the licences of the libraries in a bundle, as installed here: `python packaging/notices.py FILE`."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
_TEXTS = re.compile(r"(^|/)(LICEN[CS]E|COPYING|NOTICE|COPYRIGHT)[^/]*$", re.IGNORECASE)
_LINE = "=" * 78
_OWN = """Third-party software in the bundles of VDI Workbench

Qt and PySide6 are under the GNU Lesser General Public License 3.0. Their libraries are separate files in the folder
of the program. You may replace them with your own versions.
"""


def libraries(project: Path = ROOT / "pyproject.toml") -> list[Distribution]:
    """The installed libraries that the program needs, directly or indirectly, by name."""
    settings = tomllib.loads(project.read_text(encoding="utf-8"))
    waiting, known = list(settings["project"]["dependencies"]), dict[str, Distribution]()
    while waiting:
        requirement, _, marker = waiting.pop().partition(";")
        name = re.split(r"[<>=!~\[ (]", requirement.strip(), maxsplit=1)[0].lower().replace("_", "-")
        if name in known or "extra ==" in marker:
            continue
        try:
            known[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for another system
        waiting += known[name].requires or []
    return [known[name] for name in sorted(known)]


def licence(library: Distribution) -> str:
    """The name of the licence in the library's metadata."""
    metadata = library.metadata
    classified = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if "License ::" in line]
    stated = metadata.get("License-Expression") or ", ".join(classified) or metadata.get("License") or "not stated"
    return stated.splitlines()[0]


def texts(library: Distribution) -> Iterator[str]:
    """The full texts of the licence."""
    for file in library.files or ():
        if ".dist-info/" in file.as_posix() and _TEXTS.search(file.as_posix()):
            yield Path(str(file.locate())).read_text(encoding="utf-8", errors="replace").strip()


def notices() -> str:
    """The whole file."""
    parts = [_OWN]
    for library in libraries():
        head = f"{library.metadata['Name']} {library.version}\nLicence: {licence(library)}"
        parts.append("\n\n".join([f"{_LINE}\n{head}", *texts(library)]))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(notices(), encoding="utf-8", newline="\n")
