"""XML from untrusted files: a tree, or the reason why there is none.

defusedxml rejects entities and external references. In addition the depth and the length are limited, and the bytes
must be in the stated encoding. Measuring tools write no document type, so any is rejected. Console redirection makes
UTF-16 of XML that states UTF-8 or nothing: a byte order mark overrides the prolog.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException, DTDForbidden
from defusedxml.ElementTree import XMLParser

from workbench.readers.text.documents import LoadedText, decode
from workbench.readers.text.encodings import utf16_encoding

MAX_DEPTH = 64
MAX_LENGTH = 65_536
_PROLOG = re.compile(rb"\s*<\?xml[^>]{0,200}?\?>")
_STATED = re.compile(rb"""encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_EXTERNAL = re.compile(r"<!(?:ENTITY|DOCTYPE|NOTATION)[^<>]{0,2000}\b(?:SYSTEM|PUBLIC)\b")
_TEXT_PROLOG = re.compile(r"<\?xml[^>]{0,200}?\?>")

# What is wrong with a document, by the words of the parser.
_FAULTS = {
    "junk after document element": "it contains text after its end",
    "mismatched tag": "an end tag does not match its start tag",
    "undefined entity": "it contains an undefined entity",
    "not well-formed (invalid token)": "it contains an invalid character or tag",
}


@dataclass(frozen=True, slots=True)
class Unusable:
    """The reason why a document is not read: a stable code, a sentence, and the faulty line if there is one."""

    code: str
    reason: str
    line: int | None = None


class _LimitError(Exception):
    def __init__(self, why: Unusable) -> None:
        super().__init__(why.reason)
        self.why = why


class _Builder(TreeBuilder):
    """Builds the tree without the elements in `skip`, and stops at content that no result has."""

    def __init__(self, skip: frozenset[str]) -> None:
        super().__init__()
        self._skip = skip
        self._depth = 0
        self._skipped_at = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _LimitError(Unusable("nested-too-deep", "it is nested too deeply"))
        if any(len(value) > MAX_LENGTH for value in attrs.values()):
            raise _LimitError(Unusable("oversized", f"an attribute is longer than {MAX_LENGTH:,} characters"))
        if not self._skipped_at and tag in self._skip:
            self._skipped_at = self._depth
        return Element(tag) if self._skipped_at else super().start(tag, attrs)

    def end(self, tag: str) -> Element:
        skipped = self._skipped_at
        if skipped == self._depth:
            self._skipped_at = 0
        self._depth -= 1
        return Element(tag) if skipped else super().end(tag)

    def data(self, data: str) -> None:
        if not self._skipped_at:
            super().data(data)


def decode_xml(data: bytes) -> LoadedText | Unusable:
    """Returns the document as text. A stated encoding must be correct; without one a code page is accepted."""
    if utf16_encoding(data) is not None:
        return decode(data)
    prolog = _PROLOG.match(data.removeprefix(codecs.BOM_UTF8))
    if prolog is None:
        return decode(data)
    match = _STATED.search(prolog[0])
    stated = match[1].decode("ascii") if match else "utf-8"
    try:
        if codecs.lookup(stated).name.startswith("utf-16"):
            return Unusable("encoding", f"it declares the encoding {stated}, but has a different encoding", 1)
        text = data.removeprefix(codecs.BOM_UTF8).decode(stated)
    except LookupError:
        return Unusable("encoding", f"it declares the encoding {stated}, which is unknown", 1)
    except UnicodeError:
        return Unusable("encoding", f"it contains bytes that are invalid in its encoding {stated}", 1)
    return LoadedText(text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\0"), stated.lower())


def parse(text: str, skip: frozenset[str] = frozenset()) -> Element | Unusable:
    """Returns the root element, without the elements named in `skip`. Never raises."""
    builder = _Builder(skip)
    # The text is already decoded, so a prolog with its former encoding would only confuse.
    body = _TEXT_PROLOG.sub(lambda match: " " * len(match[0]), text, count=1)
    try:
        parser: Any = XMLParser(target=builder, forbid_dtd=True)
        parser.feed(body.lstrip("\ufeff"))
        root = parser.close()
    except _LimitError as limit:
        return limit.why
    except DTDForbidden:
        return _document_type(text)
    except DefusedXmlException:
        return Unusable("xml-entity", "it declares entities, which is not allowed")
    except ParseError as error:
        return _malformed(text, error)
    except (ValueError, LookupError, AssertionError):  # a lone surrogate, an unfinished tree
        return Unusable("not-xml", "it is not valid XML")
    return root if isinstance(root, Element) else Unusable("not-xml", "it has no root element")


def _document_type(text: str) -> Unusable:
    line = text.count("\n", 0, max(0, text.find("<!DOCTYPE"))) + 1
    if _EXTERNAL.search(text):
        return Unusable("xml-external", "it refers to another file or address, which is not allowed", line)
    if "<!ENTITY" in text:
        return Unusable("xml-entity", "it declares entities, which is not allowed", line)
    return Unusable("xml-doctype", "it declares a document type, which is not allowed", line)


def _malformed(text: str, error: ParseError) -> Unusable:
    line = error.position[0]
    words = str(error).split(": line")[0]
    at_end = line >= text.rstrip().count("\n") + 1
    if at_end and words in ("no element found", "unclosed token", "unclosed CDATA section"):
        return Unusable("truncated", "it is cut off", line)
    return Unusable("not-xml", _FAULTS.get(words, "it is not valid XML"), line)
