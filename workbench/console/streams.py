"""What the console writes into: UTF-8 wherever it can be, plain signs on a terminal that knows none of ours."""

from __future__ import annotations

import codecs
import io
import re
import sys

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


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """The characters that the encoding lacks in signs that every encoding has."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    text = re.sub(f"[{_SUPERSCRIPTS}]+", lambda match: "^" + _digits(match[0]), text)
    return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode(), error.end


def _digits(superscripts: str) -> str:
    return "".join(str(_SUPERSCRIPTS.index(superscript)) for superscript in superscripts)
