"""A mutant in the living process: the code of the functions of its module is exchanged, and put back."""

from __future__ import annotations

import functools
import gc
import importlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.mutation.mutants import Mutant


def module_of(file: str) -> ModuleType:
    """The module of a file below the project, imported."""
    return importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


@contextmanager
def swapped(project: Path, mutant: Mutant) -> Iterator[None]:
    """The functions of the module run the mutant's code. Raises ValueError where a function cannot take it."""
    module_of(mutant.file)
    path = str(project / mutant.file)
    source = Path(path).read_text(encoding="utf-8")
    living: dict[tuple[str, int], list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename == path:
            living[_name(each.__code__)].append(each)
    before: list[tuple[FunctionType, CodeType]] = []
    try:
        for old, new in _pairs(_compiled(source, path), _compiled(mutant.of(source), path)):
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
    """Empties what functions of the program and the tests keep of their results."""
    for each in gc.get_objects():
        if type(each) is functools._lru_cache_wrapper and each.__module__.startswith(("workbench", "tests")):
            each.cache_clear()


def _compiled(source: str, path: str) -> CodeType:
    return compile(source, path, "exec", dont_inherit=True)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of two modules, each with itself; where a name has more functions in one of them, none of it."""
    olds, news = _by_name(old), _by_name(new)
    for name, codes in olds.items():
        if len(codes) == len(news[name]):
            yield from zip(codes, news[name], strict=True)


def _by_name(code: CodeType) -> dict[str, list[CodeType]]:
    named: dict[str, list[CodeType]] = defaultdict(list)
    for each in _inside(code):
        named[each.co_qualname].append(each)
    return named


def _inside(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inside(each)


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
