"""Every link of the docs has a target, and docs/tools/pictures.py draws every image."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.tools.benchmarks.flat.table import PICTURES as FLAT
from tests.docs.pages import PAGES, ROOT, prose, text_of

LINK = re.compile(r"\]\(([^)\s#:]*)(#[^)\s]*)?\)")
PICTURES = ROOT / "docs" / "pictures"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs derive them from plain words."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_that_links_point_to_existing_files_and_headings(page: str) -> None:
    broken = []
    for target, anchor in LINK.findall(prose(page)):
        path = (ROOT / page).parent / target if target else ROOT / page
        if not path.exists() or (anchor and path.suffix == ".md" and anchor[1:] not in anchors(path)):
            broken.append(target + anchor)
    assert broken == []


# The curve of the soak.
SOAK = "soak.png"


def drawn() -> set[str]:
    """Names of the pictures that docs/tools/pictures.py draws, and of the curves that measuring commands draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "tools"))
        plan = runpy.run_path(str(ROOT / "docs" / "tools" / "pictures.py"))
    sheets = {f"{sheet.name}.png" for sheet in plan["SHEETS"]}
    both = {f"{picture.name}-{theme}.png" for picture in plan["PAGES"] for theme in plan["THEMES"]}
    return both | sheets | {f"{picture.name}-light.png" for picture in plan["MORE"]} | {SOAK, *FLAT}


def test_that_every_image_is_drawn_by_one_command() -> None:
    assert {path.name for path in PICTURES.iterdir()} == drawn()


def test_that_every_image_is_on_a_page() -> None:
    shown = {Path(target).name for page in PAGES for target, _ in LINK.findall(prose(page)) if "pictures/" in target}
    assert drawn() - shown == set()


def test_that_the_readme_has_an_image_and_states_the_download_size() -> None:
    readme = prose("README.md")
    assert "](docs/pictures/per-vm-iops-light.png)" in readme
    assert re.search(r"download \d+ to \d+ MB", readme)


def test_that_only_the_benchmarks_page_states_speeds() -> None:
    """A row of the benchmarks on another page would be out of date after the next run."""
    speeds = "docs/developing/benchmarks.md"
    rows = re.findall(r"^\| ([^|`]+) \| (?:[\d.,]+|—) ", text_of(speeds), re.MULTILINE)
    assert len(rows) > 50
    others = [page for page in PAGES if page not in (speeds, "CHANGELOG.md")]
    assert [(page, row) for page in others for row in rows if f"| {row} |" in text_of(page)] == []
