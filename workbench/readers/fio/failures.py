"""What fio says of a run that failed: its own error lines, in any of its formats.

    fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=No space left on device
    fio: engine nosuch not loadable
    error: maximum number of jobs (8) reached.
    verify: bad header numberio 3932, wanted 0 at file /data/f offset 229900288, length 65536 (…)

Source of the format: io_u.c, backend.c, ioengines.c and verify.c of axboe/fio, fio-2.16 to fio-3.42.
"""

from __future__ import annotations

import re

_ERROR_LINE = re.compile(r"^fio: pid=\d{1,12}, err=(\d{1,9})/[^\n]{0,400}?\berror=([^\n]{1,400})", re.MULTILINE)
_JOB_ERROR = re.compile(r"\): err= {0,9}(\d{1,9}) \([^\n]{0,400}?\berror=([^\n]{1,400}?)\): pid=")
_COMPLAINT = re.compile(r"^fio: (?!pid=)(?:file:[^\n]{0,200}?error=)?([^\n]{1,400})", re.MULTILINE)
_ERROR = re.compile(r"^error: ([^\n]{1,400})", re.MULTILINE)
_VERIFY = re.compile(r"^(?:<[^<>\n]{1,255}> )?verify: bad [^\n]{1,400}", re.MULTILINE)
_SPEAKS = re.compile(
    r"^(?:fio: (?:pid=\d{1,12}, err=\d|file:\S{1,200}, func=|engine \S{1,200} not loadable)"
    r"|error: maximum number of jobs \(\d{1,9}\) reached)",
    re.MULTILINE,
)
_TOO_MANY = "maximum number of jobs"
_SET_UP = re.compile(r"\(g=\d{1,9}\): rw=\w{1,20}, bs")
_AGAIN = "fix that and repeat the run"


def speaks(text: str) -> bool:
    """Whether the text holds an error of fio."""
    return _SPEAKS.search(text) is not None


def meanings(text: str) -> dict[int, str]:
    """The sentence that fio printed beside each error number."""
    stated = [*_ERROR_LINE.findall(text), *_JOB_ERROR.findall(text)]
    return {int(code): meaning.strip().rstrip(".") for code, meaning in stated}


def reason(text: str) -> tuple[str, int | None, str, str]:
    """Why a text of fio holds no result: a code, a line, a sentence, and what helps."""
    if match := _ERROR_LINE.search(text):
        jobs = len(_ERROR_LINE.findall(text))
        every = f" ({jobs} jobs reported an error)" if jobs > 1 else ""
        meaning = match[2].strip().rstrip(".")
        message = f"fio failed with error {int(match[1])}: {meaning}{every}. The file contains no results."
        return "fio-failed", _line(text, match), message, _AGAIN
    if match := _VERIFY.search(text):
        blocks = len(_VERIFY.findall(text))
        message = (
            f"fio failed: {blocks:,} blocks had other content than written (verify). The file contains no results."
        )
        return "fio-failed", _line(text, match), message, "check the storage for corruption, and repeat the run"
    if match := _ERROR.search(text) or _COMPLAINT.search(text):
        message = f"fio failed: {match[1].strip().rstrip('.')}. The file contains no results."
        advice = "ask for fewer jobs (numjobs), and repeat the run" if match[1].startswith(_TOO_MANY) else _AGAIN
        return "fio-failed", _line(text, match), message, advice
    if match := _SET_UP.search(text):
        message = "fio's text report ends before any result: fio was stopped, or the file was cut off."
        return "no-results", _line(text, match), message, "repeat the run, and let it end"
    return "no-fio-json", None, "The file contains no fio result.", "run fio with --output-format=json"


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
