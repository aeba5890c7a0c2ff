"""The page of the sample study in a real Chromium: axe-core finds no fault, search and links open folded sections."""

from __future__ import annotations

import html
import itertools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.jobs import exported
from tests.samples import sample
from workbench.gui.pictures.painter import load_painter

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _axe() -> Path | None:
    """axe.min.js: from the variable AXE_CORE, otherwise from npm's global packages."""
    if stated := os.environ.get("AXE_CORE"):
        return Path(stated)
    if (npm := shutil.which("npm")) is None:
        return None
    root = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False).stdout.strip()
    file = Path(root, "axe-core", "axe.min.js")
    return file if root and file.is_file() else None


AXE = _axe()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
needs_axe = pytest.mark.skipif(AXE is None, reason="axe-core is not installed: npm install -g axe-core, or AXE_CORE=…")

UNFOLD = "for (const part of document.querySelectorAll('details')) part.open = true;"
LOOK = "const seen = await axe.run(document, { resultTypes: ['violations'] });"
VIOLATIONS = "return seen.violations.map(v => [v.id, v.nodes.slice(0, 5).map(n => n.html + ' ' + n.failureSummary)]);"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, qapp: Any) -> str:
    folder = tmp_path_factory.mktemp("page")
    library = sample("rds-mcsio-cache-sweep")
    exported(library, folder / "a.html", painter=load_painter())
    return (folder / "a.html").read_text(encoding="utf-8")


def _answer(page: str, folder: Path, body: str, *scripts: str, at: str = "") -> Any:
    """The return value of a function with this body in the page, after its own scripts."""
    asked = (
        f"(async () => {{ {body} }})().catch(e => String(e)).then(found => {{ "
        "const out = document.createElement('pre'); out.id = 'answer'; out.textContent = JSON.stringify(found);"
        "document.body.append(out); })"
    )
    # The page forbids foreign scripts.
    freed = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page, count=1)
    added = "".join(f"<script>{script}</script>" for script in (*scripts, asked))
    (folder / "page.html").write_text(freed.replace("</body>", f"{added}</body>"), encoding="utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1366,768"]
    command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=60000", "--dump-dom"]
    done = subprocess.run(
        [*command, (folder / "page.html").as_uri() + at], capture_output=True, timeout=240, check=True
    )
    found = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout.decode("utf-8"), re.DOTALL)
    assert found is not None, "the page gave no answer"
    return json.loads(html.unescape(found[1]))


@needs_axe
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("unfold", ["", UNFOLD], ids=["folded", "unfolded"])
def test_that_axe_finds_no_violation(page: str, tmp_path: Path, theme: str, unfold: str) -> None:
    assert AXE is not None
    shown = page.replace('data-theme="light"', f'data-theme="{theme}"', 1)
    wait = "await new Promise(done => setTimeout(done, 1500));"
    body = f"{unfold}{wait}{LOOK}{VIOLATIONS}"
    assert _answer(shown, tmp_path, body, AXE.read_text(encoding="utf-8")) == []


def test_that_search_opens_the_section_with_the_words(page: str, tmp_path: Path) -> None:
    found = _answer(
        page,
        tmp_path,
        """
        const field = document.getElementById('find');
        field.value = 'welch interval'; field.dispatchEvent(new Event('input'));
        const said = document.getElementById('hits').textContent;
        field.value = 'Sessions (900 rows)'; field.dispatchEvent(new Event('input'));
        const none = document.getElementById('hits').textContent;
        field.value = 'needed to show'; field.value = 'w2012-01-s01'; field.value = 'Verdicts in steady state';
        field.dispatchEvent(new Event('input'));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
        const hit = document.querySelector('.hit');
        return [said, none, hit.textContent, !hit.closest('details:not([open])')];
        """,
    )
    assert found == ["1 found. Press Enter to go to the next match", "Nothing found", "Verdicts in steady state", True]


def test_that_a_link_to_evidence_unfolds_it_and_draws_its_chart(page: str, tmp_path: Path) -> None:
    target = re.search(r'class="evidence" href="(#s\d+)"', page)
    assert target is not None
    body = f"""
        const part = document.querySelector('{target[1]}'), before = part.querySelectorAll('canvas').length;
        document.querySelector('a.evidence').click();
        await new Promise(done => setTimeout(done, 1000));
        return [before, part.querySelector('details').open, part.querySelectorAll('canvas').length > 0];
        """
    assert _answer(page, tmp_path, body) == [0, True, True]


def test_that_figures_are_stacked_in_a_narrow_window_and_the_summary_precedes_the_links(
    page: str, tmp_path: Path
) -> None:
    # A frame can have any width; a window of Chromium is at least 500 pixels wide.
    body = (
        "const frame = document.createElement('iframe'); frame.style.width = '420px'; frame.style.height = '900px';"
        "frame.srcdoc = document.documentElement.outerHTML.replace(/<script[^]*?<\\/script>/g, '');"
        "const done = new Promise(loaded => { frame.onload = loaded; });"
        "document.body.append(frame); await done; const inner = frame.contentDocument;"
        "const top = name => inner.querySelector(name).getBoundingClientRect().top;"
        "const boxes = [...inner.querySelectorAll('article .on-light svg')].map(one => one.getBoundingClientRect());"
        "return [top('#summary'), top('nav'), boxes.map(b => [b.top, b.bottom])];"
    )
    summary, links, boxes = _answer(page, tmp_path, body)
    assert summary < links
    assert len(boxes) > 4
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(boxes))
