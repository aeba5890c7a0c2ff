"""Manual pages and completions match the command lines."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def shell_files(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return importlib.import_module("shell_files")


def test_that_every_command_and_option_is_in_each_completion_file(shell_files: ModuleType, tmp_path: Path) -> None:
    console, window = shell_files.programs()
    shell_files.write(tmp_path, "1.2.3")
    pages = (tmp_path / "man1" / "vdiwb.1").read_text(encoding="utf-8").replace("\\-", "-")
    pages += (tmp_path / "man1" / "vdi-workbench.1").read_text(encoding="utf-8").replace("\\-", "-")
    assert "1.2.3" in pages
    assert {"inspect", "summary", "export", "import"} <= {command.name for command in console.commands}
    files = [pages, *(file.read_text(encoding="utf-8") for file in sorted((tmp_path / "completions").iterdir()))]
    assert len(files) == 5
    for command in (*console.commands, console, window):
        for option in command.options:
            for name in option.names:
                # fish names options without their dashes
                short = f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}"
                assert all(name in text or short in text for text in files), (command.name, name)


def _complete(script: str, *words: str) -> list[str]:
    """The completions of bash after these words."""
    line = " ".join(f"'{word}'" for word in words)
    function = "_vdiwb" if words[0] == "vdiwb" else "_vdi_workbench"
    asked = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; {function}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    return subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")
def test_that_bash_completes_commands_and_options_and_values(shell_files: ModuleType) -> None:
    script = shell_files.bash(*shell_files.programs())
    assert _complete(script, "vdiwb", "summ") == ["summary"]
    assert _complete(script, "vdiwb", "summary", "--expl") == ["--explain"]
    assert _complete(script, "vdiwb", "summary", "--format", "") == ["table", "json", "csv"]
    assert _complete(script, "vdi-workbench", "--page", "per") == ["per-vm-iops"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")
@pytest.mark.parametrize("line", ["vdiwb summary ", "vdiwb export -o ", "vdi-workbench "])
def test_that_bash_completes_a_path_with_spaces_as_one(shell_files: ModuleType, tmp_path: Path, line: str) -> None:
    """Typed into an interactive bash, with the Tab key."""
    (tmp_path / "Load test.zip").touch()
    script = tmp_path / "completion.bash"
    script.write_text(shell_files.bash(*shell_files.programs()), encoding="utf-8")
    echo = 'vdiwb() { printf \'<%s>\\n\' "$@"; }; vdi-workbench() { vdiwb "$@"; }\n'
    typed = f"{echo}. ./completion.bash\n{line}Lo\t\nexit\n"
    bash = subprocess.run(["bash", "--norc", "-i"], input=typed, cwd=tmp_path, capture_output=True, text=True)
    assert "<Load test.zip>" in bash.stdout, bash.stderr


@pytest.mark.parametrize(("shell", "name"), [("zsh", "_vdiwb"), ("fish", "vdiwb.fish"), ("bash", "vdiwb.bash")])
def test_that_each_shell_accepts_its_completion_file(
    shell: str, name: str, shell_files: ModuleType, tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    shell_files.write(tmp_path, "1.2.3")
    done = subprocess.run([shell, "-n", tmp_path / "completions" / name], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed here")
def test_that_man_shows_the_page_without_a_warning(shell_files: ModuleType, tmp_path: Path) -> None:
    shell_files.write(tmp_path, "1.2.3")
    for name in ("vdiwb.1", "vdi-workbench.1"):
        done = subprocess.run(["man", "--warnings", "-l", tmp_path / "man1" / name], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), name
        assert "OPTIONS" in done.stdout
