"""What the console writes into: UTF-8 wherever it can be, plain signs on a terminal that knows none of ours."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
from collections.abc import Callable
from typing import TextIO

from workbench.answers.common.exit_status import OK
from workbench.words.numbers import THIN

_HANDLER = "vdiwb-plain"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN = str.maketrans(
    {
        "\u2009": " ",
        "\u00a0": " ",
        "\u202f": " ",
        "—": "-",
        "–": "-",
        "−": "-",
        "─": "-",
        "…": "...",
        "·": "-",
        "×": "x",
        "÷": "/",
        "±": "+/-",
        "≥": ">=",
        "≤": "<=",
        "≈": "~",
        "→": "->",
        "“": '"',
        "”": '"',
        "’": "'",
        "‘": "'",
        "Δ": "delta ",
        "µ": "u",
    }
)


def speak_utf8() -> None:
    """UTF-8 into pipes and files on every system; on a terminal of another encoding our signs become plain ones.
    Names that cannot be written are shown escaped, never fatal."""
    codecs.register_error(_HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            terminal = stream.isatty()
            stream.reconfigure(
                encoding=stream.encoding if terminal else "utf-8", errors=_HANDLER if terminal else "backslashreplace"
            )


def until_closed(work: Callable[[], int]) -> int:
    """The exit status that `work` returns. What reads our output may have seen enough, as `head` does: that ends the
    work, all is well then, and nothing more is written."""
    try:
        return work()
    except OSError as error:
        if not closed_early(error):
            raise
        _write_nothing_more(sys.stdout)
        return OK
    finally:
        # Help, and what is short, is still on its way: Python would complain of it when it ends.
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)


def closed_early(error: OSError) -> bool:
    """Whether writing failed because nobody reads any more; Windows then calls the argument invalid."""
    if isinstance(error, BrokenPipeError):
        return True
    return sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None


def _flush(stream: TextIO | None) -> None:
    if stream is None or stream.closed:
        return
    try:
        stream.flush()
    except OSError as error:
        if not closed_early(error):
            raise
        _write_nothing_more(stream)


def _write_nothing_more(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """The characters that the encoding lacks in signs that every encoding has."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    text = re.sub(f"[{_SUPERSCRIPTS}]+", lambda match: "^" + _digits(match[0]), text)
    return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode(), error.end


def _digits(superscripts: str) -> str:
    return "".join(str(_SUPERSCRIPTS.index(superscript)) for superscript in superscripts)


def printable(text: str) -> str:
    """The text on one line; control characters, which a file may hold to steer a terminal, shown escaped. The thin
    spaces of our own numbers, which Python counts among them, are kept."""
    return "".join(
        char if char.isprintable() or char == THIN else char.encode("unicode_escape").decode() for char in text
    )
