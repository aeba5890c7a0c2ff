"""Output streams: UTF-8 where possible, plain characters on a terminal with another encoding."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
from collections.abc import Callable
from typing import TextIO

from workbench.answers.common.spec import OK
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
    """Use UTF-8 for pipes and files on every system. On a terminal with another encoding, special characters become
    plain ones. Characters that cannot be written are escaped and never raise an error."""
    codecs.register_error(_HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            terminal = stream.isatty()
            stream.reconfigure(
                encoding=stream.encoding if terminal else "utf-8", errors=_HANDLER if terminal else "backslashreplace"
            )


def until_closed(work: Callable[[], int]) -> int:
    """The exit status that `work` returns. If the receiver of the output closes it early, as `head` does, the work ends
    with success and nothing more is written."""
    try:
        return work()
    except OSError as error:
        if not closed_early(error):
            raise
        _write_nothing_more(sys.stdout)
        return OK
    finally:
        # Help and other short output may still be in the buffer; Python would report an error when it exits.
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)


def closed_early(error: OSError) -> bool:
    """True if writing failed because the output was closed; Windows then reports an invalid argument."""
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
    """Replacements for characters that the encoding lacks, in characters that every encoding has."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    text = re.sub(f"[{_SUPERSCRIPTS}]+", lambda match: "^" + _digits(match[0]), text)
    return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode(), error.end


def _digits(superscripts: str) -> str:
    return "".join(str(_SUPERSCRIPTS.index(superscript)) for superscript in superscripts)


def printable(text: str) -> str:
    """The text on one line. Control characters, which a file may contain to control a terminal, are escaped. Thin
    spaces in numbers, which Python counts as control characters, are kept."""
    return "".join(
        char if char.isprintable() or char == THIN else char.encode("unicode_escape").decode() for char in text
    )
