"""A case: an undamaged file, the damaged file, and the allowed outcomes."""

from __future__ import annotations

import base64
import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

CORPUS = Path(__file__).parent / "corpus"


class Rule(StrEnum):
    """The allowed outcomes of a damage: never an exception, a hang or a fault."""

    ANY = "any"  # the damage may have made another valid file
    CHANGED = "changed"  # missing values need no report; a different figure needs one
    LOUD = "loud"  # missing or different values need a report
    NO_NUMBER = "no number"  # the text of a number was replaced by text that is not a number
    BLANK = "blank"  # … by an empty text
    NUMBER = "number"  # … by another number


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """`clean` and `damaged` are the file before and after. If a number was damaged, `start` and `end` frame it in
    `clean`, and `text` is its replacement."""

    format: str
    name: str
    kind: str
    rule: Rule
    clean: bytes
    damaged: bytes
    start: int = 0
    end: int = 0
    text: str = ""

    @property
    def key(self) -> str:
        """The name of the case's file in the corpus."""
        digest = hashlib.sha256(self.clean + b"\0" + self.damaged + self.kind.encode()).hexdigest()
        return f"{self.format}-{self.kind.replace(' ', '-')}-{digest[:8]}.json"


def keep(case: Case, folder: Path = CORPUS) -> Path:
    """Writes the case next to earlier ones."""
    raw = msgspec.to_builtins(case)
    raw |= {part: _text(getattr(case, part)) for part in ("clean", "damaged")}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / case.key
    file.write_bytes(msgspec.json.format(msgspec.json.encode(raw), indent=1) + b"\n")
    return file


def kept(file: Path) -> Case:
    """The case in a file of the corpus."""
    raw: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    raw |= {part: _bytes(raw[part]) for part in ("clean", "damaged")}
    raw["rule"] = Rule(raw["rule"])
    return Case(**raw)


def _text(data: bytes) -> dict[str, str]:
    """Bytes as readable text as far as possible."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _bytes(held: dict[str, str]) -> bytes:
    return held["text"].encode() if "text" in held else base64.b64decode(held["base64"])
