"""The hooks for MkDocs when it builds the site: `uv run --group docs mkdocs build --strict`.

Files outside docs/ (README, CONTRIBUTING, the page of the sample, ...) become pages of the site. Links to and from them
are changed, so every page reads the same in the repository and on the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = "docs/"
HOME = "README.md"
OUTSIDE = (
    HOME,
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "sample_data/README.md",
    "sample_data/damaged/README.md",
    "resources/counters/metrics.toml",
    "resources/schemas/*.json",
    "resources/fonts/Inter-Regular.otf",
    "resources/fonts/Inter-SemiBold.otf",
    "packaging/icon.svg",
)
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s#]+-light\.png)\)")
# A link or image whose text is on the same line. Links with a scheme and bare anchors stay unchanged.
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")


def outside() -> list[str]:
    """Files outside docs/ that are part of the site, by their path in the repository."""
    return sorted(path.relative_to(ROOT).as_posix() for pattern in OUTSIDE for path in ROOT.glob(pattern))


def place_of(path: str) -> str:
    """The path of a repository file on the site: docs/ is the root, and the README is the first page."""
    return "index.md" if path == HOME else path.removeprefix(DOCS)


def followed(markdown: str, source: str) -> str:
    """The page with its links as they are on the site. `source` is its path in the repository."""
    folder, place = posixpath.dirname(source), posixpath.dirname(place_of(source))

    def moved(match: re.Match[str]) -> str:
        target = place_of(posixpath.normpath(posixpath.join(folder, match[2])))
        return match[1] + posixpath.relpath(target, place or ".") + match[3]

    return LINK.sub(moved, markdown)


def in_both_themes(markdown: str, source: str) -> str:
    """The page in which each image with two themes is shown in the theme of the visitor. `source` is as above."""

    def both(match: re.Match[str]) -> str:
        words, light = match[1], match[2]
        dark = light.replace("-light.png", "-dark.png")
        if not (ROOT / posixpath.dirname(source) / dark).is_file():
            return match[0]
        return f"![{words}]({light}#only-light)![{words}]({dark}#only-dark)"

    return PICTURE.sub(both, markdown)


def on_files(files: Any, config: Any) -> Any:
    """Adds the files outside docs/."""
    from mkdocs.structure.files import File

    for path in outside():
        files.append(File.generated(config, place_of(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Changes links of a page to the moved files."""
    path = page.file.src_uri
    source = HOME if path == "index.md" else path if path in outside() else DOCS + path
    if source == HOME:
        page.meta["hide"] = ["navigation"]
    # The gallery shows both themes next to each other.
    shown = markdown if path == "gallery.md" else in_both_themes(markdown, source)
    return followed(shown, source)
