"""A mutant in the running process: the code of the functions of its module is replaced, and restored."""

from __future__ import annotations

import functools
import gc
import importlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.tools.mutation.mutants import Mutant

# Caches of a program, by their class.
_KEPT = ("workbench.model.run_cache", "_Kept")


def module_of(file: str) -> ModuleType:
    """The module of a file below the project, imported."""
    return importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def changed_code(project: Path, mutant: Mutant, path: str) -> CodeType | None:
    """The mutant's module, if this is the path of its file."""
    if path != str(project / mutant.file):
        return None
    return compile(mutant.of(Path(path).read_text(encoding="utf-8")), path, "exec", dont_inherit=True)


@contextmanager
def swapped(project: Path, mutant: Mutant) -> Iterator[None]:
    """Makes the functions of the module run the code of the mutant. Raises ValueError if a function cannot be
    replaced."""
    module_of(mutant.file)
    path = str(project / mutant.file)
    living: dict[tuple[str, int], list[FunctionType]] = defaultdict(list)
    for each in _objects():
        if type(each) is FunctionType and each.__code__.co_filename == path:
            living[_name(each.__code__)].append(each)
    before: list[tuple[FunctionType, CodeType]] = []
    try:
        for old, new in _pairs(project, mutant):
            for function in living[_name(old)]:
                before.append((function, function.__code__))
                function.__code__ = new
        forget()
        yield
    finally:
        for function, code in before:
            function.__code__ = code
        forget()


def forget() -> None:
    """Clears the caches of functions of the program and the tests."""
    for each in _objects():
        if type(each) is functools._lru_cache_wrapper and each.__module__.startswith(("workbench", "tests")):
            each.cache_clear()
        # By name, because the project under test may be another one, with modules that are not imported before.
        elif isinstance(each, dict) and (type(each).__module__, type(each).__name__) == _KEPT:
            each.clear()


def _objects() -> list[object]:
    """Every object of the process, including those that tests/conftest.py hides from the garbage collection."""
    gc.unfreeze()
    return gc.get_objects()


def _pairs(project: Path, mutant: Mutant) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of the module, before and after; names with several functions on either side are skipped."""
    unchanged = replace(mutant, after=mutant.before)
    before, after = (_by_name(changed_code(project, each, str(project / each.file))) for each in (unchanged, mutant))
    for name, codes in before.items():
        if len(codes) == len(after[name]):
            yield from zip(codes, after[name], strict=True)


def _by_name(code: CodeType | None) -> dict[str, list[CodeType]]:
    named: dict[str, list[CodeType]] = defaultdict(list)
    for each in _inside(code):
        named[each.co_qualname].append(each)
    return named


def _inside(code: CodeType | None) -> Iterator[CodeType]:
    for each in code.co_consts if code else ():
        if isinstance(each, CodeType):
            yield each
            yield from _inside(each)


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
