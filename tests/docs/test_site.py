"""The docs site: built without a warning, searchable, and without files from the network."""

from __future__ import annotations

import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

SITE = runpy.run_path(str(ROOT / "docs" / "tools" / "site.py"))
# The files that a page loads by itself: scripts, styles, images, fonts.
LOADED = re.compile(r"<(?:script|img|iframe)[^>]* src=\"([^\"]+)\"|<link[^>]* href=\"([^\"]+)\"")


@pytest.mark.parametrize(
    ("source", "link", "on_the_site"),
    [
        ("README.md", "docs/tour.md", "tour.md"),
        ("docs/tour.md", "../sample_data/README.md", "sample_data/README.md"),
        ("docs/tour.md", "../README.md#try-it", "index.md#try-it"),
        ("docs/how-to/present.md", "../pictures/storyboard-light.png", "../pictures/storyboard-light.png"),
        ("docs/files.md", "../SECURITY.md", "SECURITY.md"),
        ("sample_data/README.md", "../docs/tour.md", "../tour.md"),
        ("SECURITY.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_that_a_repository_link_points_to_the_same_page_of_the_site(
    source: str, link: str, on_the_site: str
) -> None:
    assert SITE["followed"](f"see [it]({link}).", source) == f"see [it]({on_the_site})."


def test_that_an_image_with_two_themes_follows_the_theme_of_the_reader() -> None:
    shown = SITE["in_both_themes"]("![Overview](pictures/overview-light.png)", "docs/tour.md")
    assert shown == (
        "![Overview](pictures/overview-light.png#only-light)![Overview](pictures/overview-dark.png#only-dark)"
    )
    alone = "![What if](pictures/what-if-light.png)"
    assert SITE["in_both_themes"](alone, "docs/tour.md") == alone


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed: uv sync --group docs")
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(folder),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_that_every_page_is_on_the_site_and_in_its_search(built: Path) -> None:
    index = (built / "search" / "search_index.js").read_text("utf-8")
    for page in ("tour.html", "how-to/first-study.html", "json.html", "SECURITY.html", "sample_data/index.html"):
        assert (built / page).is_file()
        assert f'"location":"{page}' in index


def test_that_pages_load_no_files_from_the_network(built: Path) -> None:
    for page in built.rglob("*.html"):
        loaded = [src or href for src, href in LOADED.findall(page.read_text("utf-8"))]
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page.name
    for style in built.rglob("*.css"):
        assert re.findall(r"url\((?:https?:)?//[^)]*\)|@import", style.read_text("utf-8")) == [], style.name
