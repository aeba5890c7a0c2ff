"""Python runs this file at its start where this folder is on PYTHONPATH: so the programs that a test starts run the
mutant, too. It stands in the environment as JSON: the file, the first and the last character, what replaces them."""

import json
import os
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

VARIABLE = "VDI_WORKBENCH_MUTANT"


def load_with(code_of: Callable[[str], CodeType | None]) -> None:
    """From now on modules are made of what `code_of` returns for their path; of their file where that is None."""
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code_of(loader.path) or usual(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def mutant_code(path: str) -> CodeType | None:
    """The changed module, where this is the file of the mutant in the environment."""
    file, start, end, after = json.loads(os.environ.get(VARIABLE, "[null, 0, 0, null]"))
    if path != file:
        return None
    source = Path(path).read_text(encoding="utf-8")
    return compile(source[:start] + after + source[end:], path, "exec", dont_inherit=True)


if VARIABLE in os.environ:
    load_with(mutant_code)
