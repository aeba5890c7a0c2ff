"""The declared keys of JSON replies: all keys, and those that may be null.

The modules that write replies (`answers/**/reply.py` and shared parts) write them as dicts with their keys in the
source. A key may be null if its value is `None`, or an attribute or a function whose annotation contains `None`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

WORKBENCH = Path(__file__).parents[2] / "workbench"
DOCUMENTS = ("document.py", "reply.py", "plan.py", "untested/tables.py", "kit/write.py")


def keys() -> dict[str, bool]:
    """Each key that a reply writes -> True if it may be null."""
    fields = _optional(WORKBENCH / folder for folder in ("model", "measures", "answers"))
    declared: dict[str, bool] = {}
    documents = {path for pattern in DOCUMENTS for path in (WORKBENCH / "answers").rglob(pattern)}
    for path in sorted((WORKBENCH / "answers").rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for key, value in (*_row_fields(module), *(_pairs(module) if path in documents else ())):
            declared[key] = declared.get(key, False) or _may_be_none(value, fields)
    return declared


def fields() -> set[str]:
    """The fields of rows that are written under their own names and may be null."""
    return _optional(
        [WORKBENCH / "model" / "benchmark.py", WORKBENCH / "model" / "recording.py", WORKBENCH / "measures"]
    )


def _row_fields(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The key and the value of each `RowField` (declared once for table, JSON and CSV) and of `attributes`."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name("RowField"), args=[ast.Constant(str(key)), ast.Lambda(body=value), *_]) if key:
                yield key, value
            case ast.Call(func=ast.Name("text_field" | "number_field"), args=[_, ast.Lambda(body=value), *more]):
                keys = [*more[:1], *(word.value for word in node.keywords if word.arg == "key")]
                yield from ((key.value, value) for key in keys if isinstance(key, ast.Constant) and key.value)
            case ast.Call(func=ast.Name("attributes"), args=[_, *names]):
                pairs = [(name, name) for name in names] + [
                    (ast.Constant(word.arg), word.value) for word in node.keywords
                ]
                for key, name in pairs:
                    if isinstance(key, ast.Constant) and isinstance(name, ast.Constant):
                        yield key.value, ast.Name(name.value)


def _pairs(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def _optional(places: Iterable[Path]) -> set[str]:
    """The fields and functions whose annotation contains None and another type, in any module."""
    optional: set[str] = set()
    always: set[str] = set()
    for path in (path for place in places for path in ([place] if place.is_file() else place.rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign):
                name, annotation = ast.unparse(node.target), ast.unparse(node.annotation)
            elif isinstance(node, ast.FunctionDef) and node.returns:
                name, annotation = node.name, ast.unparse(node.returns)
            else:
                continue
            (optional if "| None" in annotation else always).add(name)
    return optional - always


def _may_be_none(value: ast.expr, optional: set[str]) -> bool:
    match value:
        case ast.Constant(value=None) | ast.BoolOp(op=ast.And()):
            return True
        case ast.BoolOp(op=ast.Or(), values=parts):
            return _may_be_none(parts[-1], optional)
        case ast.IfExp(body=body, orelse=otherwise):
            return _may_be_none(body, optional) or _may_be_none(otherwise, optional)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) | ast.Attribute(attr=name) | ast.Name(id=name):
            return name in optional
    return False
