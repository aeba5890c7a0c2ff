"""run.toml: the line that a problem names, and files that no program would write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.study.manifests import read
from workbench.model.problem import Severity


def test_that_the_line_of_a_key_is_reported_only_if_certain(tmp_path: Path) -> None:
    text = 'exclude = """\nusers = 3\n"""\nusers = -3\n"vms" = -1\n[other]\nbaseline = 3\n'
    _, problems = read(tmp_path, text)
    assert {problem.message.split()[0]: problem.line for problem in problems} == {
        "'users'": None,
        "'vms'": 5,
        "'other'": None,
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("vms = 5\nusers = ", 2),
        ("vms = 5\n\nusers = " + "9" * 5000 + "\n", 3),
        ("vms = 1\nvms = 2", 2),
        ("vms = 5\n" + "a" + ".a" * 30_000 + " = 1", 2),
        ("vms = 5\n[" + "a" + ".a" * 30_000 + "]\n", 2),
    ],
)
def test_that_a_fault_of_the_complete_file_is_reported_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    manifest, problems = read(tmp_path, text)
    assert manifest.values == {}
    assert [(problem.severity, problem.line) for problem in problems] == [(Severity.REFUSED, line)]


SLOW = """
import sys
from pathlib import Path
from workbench.study.discovery.manifest import read_manifest
print([problem.message for problem in read_manifest(Path(sys.argv[1]), "run.toml")[1]])
"""


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 500_000 + " = 1",
        "[a" + ".a" * 500_000 + "]",
        "x = 1\n" * 2_000_000,
        "[[phases]]\n" * 6_000,
        "\n".join(f"a{'.a' * 400}.b{number} = 1" for number in range(70)),
        "x = " + '"""' * 20_000,
        "\n".join(
            f'[[phases]]\nname = "p{at}"\nstart = 2016-05-10T09:00:00Z\nend = 2016-05-10T09:06:00Z' for at in range(700)
        ),
    ],
)
def test_that_no_run_toml_takes_long_to_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.toml"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", SLOW, str(path)], capture_output=True, text=True, timeout=20, check=True
    )
    assert done.stdout.startswith("[")


@pytest.mark.parametrize(
    "text",
    [
        "leave_out = [" + ", ".join(f'"ESX-{number}.lab.local"' for number in range(300)) + "]",
        "exclude = 'a pause " + "." * 200 + "'",
        "# " + "." * 200,
        'exclude = """\n' + "." * 60 + '\n"""',
    ],
)
def test_that_dots_in_texts_and_comments_separate_no_keys(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "x = {" + ", ".join(f"a.a{number} = 1" for number in range(100)) + "}",
        'x = {k = """\n""", ' + "a." * 100 + 'a = 1, m = """\n"""}',
        'x = "' + '\\"' * 30_000 + '" ' + "." * 100,
    ],
)
def test_that_dots_that_separate_keys_count(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    ((problem),) = read(tmp_path, text)[1]
    assert problem.message == snapshot
    assert problem.line == text[: text.index(".")].count("\n") + 1


def test_that_values_with_too_deep_nesting_are_reported(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    ((problem),) = read(tmp_path, "x = " + "[" * 900 + "]" * 900)[1]
    assert problem.message == snapshot
