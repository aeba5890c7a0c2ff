"""Which members of a zip archive may be read, judged by what the archive's directory says of them."""

from __future__ import annotations

import re
import stat
import zipfile
from collections import Counter

MAX_RATIO = 200
# Below this nothing can swell to any harm, and a short file of one repeated sample may well pack 500:1.
RATIO_FROM_BYTES = 2**20
MAX_NAME = 1_024
MAX_NAME_PART = 255
_DRIVE = re.compile(r"^[A-Za-z]:")
_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules", "__MACOSX"))
_ENCRYPTED = 0x1 | 0x40


def reason_against(info: zipfile.ZipInfo, names: Counter[str]) -> tuple[str, str] | None:
    """Code and sentence for a member that must not be read, else None."""
    name = inner_name(info.filename)
    parts = name.split("/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if ".." in parts or name.startswith("/") or _DRIVE.match(name):
        return "member-path", "The name of this file in the archive leads out of the archive."
    if not info.orig_filename.isprintable() or not name:
        return "member-name", "The name of this file in the archive contains forbidden characters."
    if len(name) > MAX_NAME or max(len(part.encode(errors="replace")) for part in parts) > MAX_NAME_PART:
        return "member-name", f"The name of this file in the archive is {len(name):,} characters long."
    if kind not in (0, stat.S_IFREG):
        what = "a link" if kind == stat.S_IFLNK else "not a file"
        return "member-link", f"This entry of the archive is {what}."
    if info.flag_bits & _ENCRYPTED:
        return "member-encrypted", "The file in the archive is encrypted."
    if info.file_size > RATIO_FROM_BYTES and info.file_size > MAX_RATIO * max(1, info.compress_size):
        return "member-ratio", f"The file in the archive would grow by more than {MAX_RATIO} times."
    if names[name] > 1:
        return ("member-twice", "The archive contains several files with this name.")
    return None


def inner_name(name: str) -> str:
    """The name with `/` between its parts; some packers on Windows write backslashes."""
    parts = name.replace("\\", "/").split("/")
    last = len(parts) - 1
    # `./guest/a.csv`, as bsdtar packs, is the same file as `guest/a.csv`.
    kept = (
        part for index, part in enumerate(parts) if part not in (".", "") or index == last or (index == 0 and not part)
    )
    return "/".join(kept)


def is_folder(info: zipfile.ZipInfo) -> bool:
    """Whether the member is a folder, with whichever slash it was packed."""
    return inner_name(info.filename).endswith("/")


def is_hidden(name: str) -> bool:
    """As in folders; a name that leads out of the archive is reported, hidden or not."""
    parts = inner_name(name).split("/")
    if ".." in parts or not parts[0]:
        return False
    return any(part in _SKIPPED_FOLDERS for part in parts[:-1]) or any(part.startswith((".", "~$")) for part in parts)


def shown(name: str) -> str:
    """A name that can be shown: control characters escaped, and no longer than a line."""
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name[:300])
    return text + "…" if len(name) > 300 else text
