"""The mutants of a source file: every place at which one operator, number, condition or call can be changed."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from itertools import pairwise

_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Arguments of these functions are messages.
_MESSAGES = frozenset(("Problem", "_problem", "refused", "info", "warn"))


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """The characters `start` to `end` of a file replaced; `line` counts from 1, `file` is below the project."""

    file: str
    start: int
    end: int
    line: int
    before: str
    after: str

    def of(self, source: str) -> str:
        """The source with this one change."""
        return source[: self.start] + self.after + source[self.end :]


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Every mutant of a file's text, in the order of the text."""
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.found))


class _Finder(ast.NodeVisitor):
    """Collects mutants; skips strings, messages, annotations and decorators. Also skips `zip(…, strict=True)`: it
    raises only if the code contradicts itself, and without it the answer is equal."""

    def __init__(self, file: str, source: str) -> None:
        self.found: list[Mutant] = []
        self._file, self._source = file, source
        self._lines = io.StringIO(source).readlines()
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._tokens = [
            (token.string, self._starts[token.start[0] - 1] + token.start[1])
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type in (tokenize.OP, tokenize.NAME)
        ]

    def visit_Compare(self, node: ast.Compare) -> None:
        for operator, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
            before, others = _COMPARISONS[type(operator)]
            for after in others:
                self._operator(left, right, before, after)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        before, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            self._operator(left, right, before, after)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not (_is_text(node.left) or _is_text(node.right)) and type(node.op) in _ARITHMETIC:
            self._operator(node.left, node.right, *_ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            begin = self._begin(node)
            self._replace(begin, begin + len("not") + self._source[begin:].startswith("not "), "")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not _is_text(node.value) and type(node.op) in _ARITHMETIC:
            before, after = _ARITHMETIC[type(node.op)]
            self._operator(node.target, node.value, f"{before}=", f"{after}=")
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        begin, end = self._begin(node), self._end(node)
        if isinstance(node.value, bool):
            self._replace(begin, end, str(not node.value))
        elif isinstance(node.value, int):
            self._replace(begin, end, str(node.value + 1))
        elif isinstance(node.value, float):
            self._replace(begin, end, repr(node.value * 2 if node.value else 1.0))

    def visit_Call(self, node: ast.Call) -> None:
        if _called(node) in _MESSAGES:
            return
        if isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            self._replace(self._begin(node.func), self._end(node.func), _FUNCTIONS[node.func.id])
        if _called(node) == "zip":
            node.keywords = [each for each in node.keywords if not _is_true(each.value)]
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) or _is_text(node.value)):
            self._replace(self._begin(node.value), self._end(node.value), "None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._replace(self._begin(node), self._end(node), "pass")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if not (_is_text(node.body) or _is_text(node.orelse)):
            self._condition(node.test)
            self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._replace(self._begin(node), self._end(node), "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._replace(self._begin(node), self._end(node), "break")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)):
            self.visit(default)
        for statement in node.body:
            self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An exception's arguments are its message."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Formatted strings are messages."""

    def visit_Import(self, node: ast.Import) -> None:
        """Imports are not changed."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Imports are not changed."""

    def _condition(self, test: ast.expr) -> None:
        """Comparisons and `not` have separate mutants."""
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            text = self._source[self._begin(test) : self._end(test)]
            self._replace(self._begin(test), self._end(test), f"(not ({text}))")

    def _operator(self, left: ast.AST, right: ast.AST, before: str, after: str) -> None:
        """The operator between two operands, also with parentheses and comments between them."""
        words, begin, end = before.split(), self._end(left), self._begin(right)
        between = [(text, at) for text, at in self._tokens if begin <= at < end and text in words]
        if [text for text, _ in between] == words:
            last, at = between[-1]
            self._replace(between[0][1], at + len(last), after)

    def _replace(self, begin: int, end: int, after: str) -> None:
        line = self._source.count("\n", 0, begin) + 1
        self.found.append(Mutant(self._file, begin, end, line, self._source[begin:end], after))

    def _begin(self, node: ast.AST) -> int:
        return self._offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def _end(self, node: ast.AST) -> int:
        return self._offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _offset(self, line: int, column: int) -> int:
        """Python counts columns in bytes of UTF-8."""
        text = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(text)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_true(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
