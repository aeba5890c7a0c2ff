"""Attacks on XML and JSON documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.pollution.documents import Attack

Hit = Callable[[Attack], None]


@dataclass(frozen=True, slots=True)
class AttackKind:
    """One kind of attack: its name, its description, and its function."""

    name: str
    words: str
    hit: Hit


@dataclass(eq=False)
class _Attacks:
    kinds: list[AttackKind] = field(default_factory=list)

    def __call__(self, words: str) -> Callable[[Hit], Hit]:
        def register(hit: Hit) -> Hit:
            name = hit.__name__.strip("_").replace("_", "-").removeprefix("json-").removeprefix("xml-")
            self.kinds.append(AttackKind(name, words, hit))
            return hit

        return register


xml = _Attacks()
json_ = _Attacks()


def _prefix(attack: Attack, text: str) -> None:
    attack.data = text.encode() + attack.data


@xml("entities that multiply each other")
def entity_bomb(attack: Attack) -> None:
    entities = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    _prefix(attack, f"<!DOCTYPE Results [{entities}]>\n")
    attack.data = attack.data.replace(b"vm-01", b"&a11;")


@xml("an entity that is used many times")
def quadratic_entity(attack: Attack) -> None:
    _prefix(attack, f'<!DOCTYPE Results [<!ENTITY a "{"x" * 100_000}">]>\n')
    attack.data = attack.data.replace(b"vm-01", b"&a;" * 1000)


@xml("an entity that refers to a local file")
def external_entity(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n')
    attack.data = attack.data.replace(b"vm-01", b"&x;")


@xml("a parameter entity that refers to another address")
def parameter_entity(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]>\n')


@xml("a declared document type")
def document_type(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results SYSTEM "results.dtd">\n')


@xml("an entity that is not declared")
def undeclared_entity(attack: Attack) -> None:
    attack.data = attack.data.replace(b"vm-01", b"&nothing;")


@xml("elements nested to a depth of 100,000")
def xml_deep_nesting(attack: Attack) -> None:
    attack.data = attack.data.replace(b"vm-01", b"<a>" * 100_000 + b"</a>" * 100_000)


@xml("the file is cut off in the middle")
def xml_cut_file(attack: Attack) -> None:
    attack.data = attack.data[: len(attack.data) * 2 // 3]


@xml("a file that states UTF-16 but has another encoding")
def wrong_encoding(attack: Attack) -> None:
    _prefix(attack, '<?xml version="1.0" encoding="UTF-16"?>\n')


@xml("a file that states UTF-8 but is not valid UTF-8")
def xml_invalid_utf8(attack: Attack) -> None:
    _prefix(attack, '<?xml version="1.0" encoding="UTF-8"?>\n')
    attack.data = attack.data.replace(b"vm-01", b"vm-\xff\xfe")


@xml("an attribute of 1 MB")
def huge_attribute(attack: Attack) -> None:
    attack.data = attack.data.replace(b"<System>", b'<System a="' + b"x" * 1_000_000 + b'">')


@xml("text before the document")
def xml_leading_text(attack: Attack) -> None:
    _prefix(attack, "WARNING: could not set the cache mode\n\n")


@xml("text after the document")
def xml_trailing_text(attack: Attack) -> None:
    attack.data += b"\nPS C:\\> exit\n"


@xml("the value 1e999, a number that is too large")
def xml_beyond_all_numbers(attack: Attack) -> None:
    attack.replace_token("1e999")


@xml("the text nan (not a number) instead of a value")
def xml_nan(attack: Attack) -> None:
    attack.replace_token("-nan(ind)")


@xml("a value with a decimal comma")
def xml_decimal_comma(attack: Attack) -> None:
    attack.replace_token("2003,0")
    attack.lost = False


@xml("a value below zero")
def xml_negative(attack: Attack) -> None:
    attack.replace_token("-5.0")


@xml("NUL bytes after the document")
def xml_nul_tail(attack: Attack) -> None:
    attack.data += b"\0" * 4096


@xml("a NUL byte within a value")
def xml_nul_inside(attack: Attack) -> None:
    attack.replace_token("20\0003.0")


@json_("lists nested to a depth of 100,000")
def json_deep_nesting(attack: Attack) -> None:
    attack.data = attack.data.replace(b"{", b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b", ", 1)


@json_("the value 1e999, a number that is too large")
def json_beyond_all_numbers(attack: Attack) -> None:
    attack.replace_token("1e999")


@json_("NaN (not a number) instead of a value")
def json_nan(attack: Attack) -> None:
    attack.replace_token("NaN")


@json_("-Infinity instead of a value")
def json_infinity(attack: Attack) -> None:
    attack.replace_token("-Infinity")


@json_("a key that occurs twice with different values")
def duplicate_keys(attack: Attack) -> None:
    attack.replace_token(f'7, "{attack.document.key}": {attack.document.token}')
    attack.lost = False
    attack.tell = True


@json_("the file is cut off in the middle")
def json_cut_file(attack: Attack) -> None:
    attack.data = attack.data[: len(attack.data) * 2 // 3]


@json_("text before the document")
def json_leading_text(attack: Attack) -> None:
    _prefix(attack, "fio: this platform does not support process shared mutexes\nwarning: low memory\n")


@json_("text after the document")
def json_trailing_text(attack: Attack) -> None:
    attack.data += b"\nPS C:\\> exit\n"


@json_("bytes that are not UTF-8")
def json_invalid_utf8(attack: Attack) -> None:
    attack.data = attack.data.replace(b"{", b'{"note": "\xff\xfe\x80", ', 1)


@json_("UTF-16 with a byte order mark")
def json_utf16(attack: Attack) -> None:
    attack.data = attack.data.decode().encode("utf-16")


@json_("a byte order mark")
def json_utf8_mark(attack: Attack) -> None:
    attack.data = b"\xef\xbb\xbf" + attack.data


@json_("a whole number of 5,000 digits")
def huge_integer(attack: Attack) -> None:
    attack.replace_token("9" * 5000)


@json_("a whole number of 400 digits")
def large_integer(attack: Attack) -> None:
    attack.replace_token("9" * 400)


@json_("a value written as text")
def number_as_text(attack: Attack) -> None:
    attack.replace_token(f'"{attack.document.token}"')
    attack.lost = False


@json_("a list instead of a value")
def list_for_number(attack: Attack) -> None:
    attack.replace_token("[1, 2]")


@json_("an object instead of a value")
def object_for_number(attack: Attack) -> None:
    attack.replace_token('{"value": 7}')


@json_("true or false instead of a value")
def flag_for_number(attack: Attack) -> None:
    attack.replace_token("true")


@json_("a value below zero")
def json_negative(attack: Attack) -> None:
    attack.replace_token("-5")


@json_("null instead of a value")
def null_for_number(attack: Attack) -> None:
    attack.replace_token("null")
    attack.blank = True


@json_("NUL bytes after the document")
def json_nul_tail(attack: Attack) -> None:
    attack.data += b"\0" * 4096


@json_("a comma before the closing bracket")
def trailing_comma(attack: Attack) -> None:
    place = max(attack.data.rindex(b"}"), attack.data.rindex(b"]"))
    attack.data = attack.data[:place] + b"," + attack.data[place:]


XML_KINDS = tuple(xml.kinds)
JSON_KINDS = tuple(json_.kinds)
