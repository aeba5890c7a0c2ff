"""Attacks on XML and JSON: clean documents whose every figure tells its row and column, and what is done to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.pollution.judge import Grid, GridRow, TrueRow, Truth, Value
from tests.readers.fio_results import direction, job, result
from workbench.model.benchmark import Benchmark
from workbench.model.reading import Reading
from workbench.readers.registry import recognise
from workbench.study.column_store import not_recognised

ROWS = 3
FIGURES = ("iops", "mb_per_s", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")

Rows = tuple[tuple[Value | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A clean document, the rows it holds, and the one token whose figure is attacked: row, column, key, text."""

    name: str
    file: str
    text: str
    names: tuple[str, ...]
    rows: Rows
    row: int
    column: int
    key: str
    token: str


@dataclass(eq=False)
class Attack:
    """A document under attack. `lost`: the attacked figure is gone; `told`: what may stand there with a problem;
    `blank`: nothing stands there, which needs no problem; `tell`: something has to be told."""

    document: Document
    data: bytes
    lost: bool = False
    told: Value | None = None
    tell: bool = False
    blank: bool = False

    def replace_token(self, text: str) -> None:
        """Another text in the place of the attacked figure."""
        old = f'"{self.document.key}": {self.document.token}'.encode()
        if self.document.file.endswith(".xml"):
            old = f"<{self.document.key}>{self.document.token}</{self.document.key}>".encode()
        assert self.data.count(old) == 1, (self.document.name, old, self.data.count(old))
        self.data = self.data.replace(old, old.replace(self.document.token.encode(), text.encode()))
        self.lost = True

    def truth(self, known: frozenset[tuple[str, int | None]]) -> Truth:
        """What may be read."""
        rows = []
        for number, row in enumerate(self.document.rows):
            hit = number == self.document.row and self.lost
            cells = tuple(
                None if hit and place == self.document.column else cell for place, cell in enumerate(row)
            )
            blank = frozenset(place for place, cell in enumerate(row) if cell is None or (hit and self.blank))
            told = {self.document.column: self.told} if hit and self.told is not None else {}
            rows.append(TrueRow(None, 0.0, cells, blank, told))
        return Truth(self.document.file, self.document.names, tuple(rows), None, known, tell=self.tell,
                     counted=False)  # fmt: skip


def read_document(data: bytes, file: str, folder: Path) -> tuple[Reading, Grid | None]:
    """The reading of a document, and its rows as a grid."""
    path = folder / file
    path.write_bytes(data)
    reader = recognise(data[:65_536], file)
    reading = not_recognised(file) if reader is None else reader.read(path, file, folder / "columns")
    if reading.benchmarks:
        rows = tuple(GridRow(0.0, (str(one.op), one.job, *_figures(one))) for one in reading.benchmarks)
        return reading, Grid(("op", "job", *FIGURES), rows, None)
    if reading.measurements:
        rows = tuple(GridRow(0.0, (one.label, one.session, one.value)) for one in reading.measurements)
        return reading, Grid(("label", "session", "value"), rows, None)
    assert reading.recording is None
    return reading, None


def _figures(one: Benchmark) -> tuple[float | None, ...]:
    values = (getattr(one, name) for name in FIGURES)
    return tuple(None if value is None else float(value) for value in values)


def _fio() -> Document:
    jobs = [
        job(f"j{row}", read=direction(
            1000 * row + 1, lat_ns={"min": 1, "max": 9, "mean": (1000 * row + 3) * 1e6, "stddev": 1.0, "N": 5},
        )) for row in range(1, ROWS + 1)
    ]  # fmt: skip
    rows: Rows = tuple(
        ("read", f"j{row}", 1000.0 * row + 1, (1000 * row + 1) * 4096 / 1e6, 1000.0 * row + 3, 1.5, 3.0, 4.0)
        for row in range(1, ROWS + 1)
    )
    return Document("fio", "fio.json", json.dumps(result(*jobs), indent=1), ("op", "job", *FIGURES), rows, 1, 2,
                    "iops", "2001.0")  # fmt: skip


def _vdi_benchmark() -> Document:
    results = [
        {"op": "read", "job": f"j{row}", **{name: 1000 * row + place for place, name in enumerate(FIGURES)}}
        for row in range(1, ROWS + 1)
    ]
    rows: Rows = tuple(
        ("read", f"j{row}", *(1000.0 * row + place for place in range(6))) for row in range(1, ROWS + 1)
    )
    content = {"schema": "vdi-benchmark/1", "tool": "labtool", "results": results}
    return Document("vdi-benchmark", "lab.json", json.dumps(content, indent=1), ("op", "job", *FIGURES), rows, 1, 4,
                    "latency_mean_ms", "2002")  # fmt: skip


def _neutral() -> Document:
    content = [
        {"name": f"j{row} read", "unit": "IOPS", "value": 1000 * row + 1} for row in range(1, ROWS + 1)
    ]
    rows: Rows = tuple(("read", f"j{row} read", 1000.0 * row + 1, *[None] * 5) for row in range(1, ROWS + 1))
    return Document("neutral-json", "bench.json", json.dumps(content, indent=1), ("op", "job", *FIGURES), rows, 1, 2,
                    "value", "2001")  # fmt: skip


def _login_enterprise() -> Document:
    items = [
        {"measurementId": f"m{row}", "userSessionId": f"s{row}", "testRunId": "r1", "duration": 1000.25 * row,
         "timestamp": "2016-05-10T08:00:00Z", "properties": []} for row in range(1, ROWS + 1)
    ]  # fmt: skip
    rows = tuple((f"m{row}", f"s{row}", 1000.25 * row) for row in range(1, ROWS + 1))
    content = {"items": items, "totalCount": ROWS, "offset": 0}
    return Document("login-enterprise", "measurements.json", json.dumps(content, indent=1),
                    ("label", "session", "value"), rows, 1, 2, "duration", "2000.5")  # fmt: skip


def _diskspd() -> Document:
    spans: list[str] = []
    rows: list[tuple[Value | None, ...]] = []
    for row in range(1, ROWS + 1):
        reads, writes = 1000 * row + 1, 1000 * row + 2
        means = {"Read": 1000.0 * row + 3, "Write": 1000.0 * row + 4, "Total": 1000.0 * row + 5}
        latency = "".join(
            f"<Average{op}Milliseconds>{mean}</Average{op}Milliseconds>\n" for op, mean in means.items()
        )
        spans.append(
            "<TimeSpan>\n<TestTimeSeconds>10.00</TestTimeSeconds>\n<ThreadCount>1</ThreadCount>\n"
            f"<Latency>\n{latency}</Latency>\n<Thread><Id>0</Id><Target><Path>t{row}</Path>\n"
            f"<ReadBytes>{reads * 81920}</ReadBytes>\n<ReadCount>{reads * 10}</ReadCount>\n"
            f"<WriteBytes>{writes * 81920}</WriteBytes>\n<WriteCount>{writes * 10}</WriteCount>\n"
            "</Target></Thread>\n</TimeSpan>\n"
        )
        for op, count in (("Read", reads), ("Write", writes), ("Total", reads + writes)):
            rows.append(
                (op.lower(), f"t{row}", float(count), count * 8192 / 1e6, means[op], None, None, None)
            )
    text = (
        "<Results>\n<System>\n<ComputerName>vm-01</ComputerName>\n<Tool><Version>2.1</Version></Tool>\n</System>\n"
        + "".join(spans) + "</Results>\n"
    )  # fmt: skip
    return Document("diskspd-xml", "diskspd.xml", text, ("op", "job", *FIGURES), tuple(rows), 3, 4,
                    "AverageReadMilliseconds", "2003.0")  # fmt: skip


XML = (_diskspd(),)
JSON = (_fio(), _login_enterprise(), _neutral(), _vdi_benchmark())
Hit = Callable[[Attack], None]


@dataclass(frozen=True, slots=True)
class AttackKind:
    """One kind of attack: its name, what it is, what it does."""

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


@xml("an entity of 10 MB, used often")
def quadratic_entity(attack: Attack) -> None:
    _prefix(attack, f'<!DOCTYPE Results [<!ENTITY a "{"x" * 100_000}">]>\n')
    attack.data = attack.data.replace(b"vm-01", b"&a;" * 1000)


@xml("an entity that is a local file")
def external_entity(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n')
    attack.data = attack.data.replace(b"vm-01", b"&x;")


@xml("a parameter entity from another address")
def parameter_entity(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]>\n')


@xml("a document type")
def document_type(attack: Attack) -> None:
    _prefix(attack, '<!DOCTYPE Results SYSTEM "results.dtd">\n')


@xml("an entity that is not declared")
def undeclared_entity(attack: Attack) -> None:
    attack.data = attack.data.replace(b"vm-01", b"&nothing;")


@xml("elements nested 100,000 deep")
def xml_deep_nesting(attack: Attack) -> None:
    attack.data = attack.data.replace(b"vm-01", b"<a>" * 100_000 + b"</a>" * 100_000)


@xml("the file ends in the middle")
def xml_cut_file(attack: Attack) -> None:
    attack.data = attack.data[: len(attack.data) * 2 // 3]


@xml("it says UTF-16 and is not")
def wrong_encoding(attack: Attack) -> None:
    _prefix(attack, '<?xml version="1.0" encoding="UTF-16"?>\n')


@xml("it says UTF-8 and is not")
def xml_invalid_utf8(attack: Attack) -> None:
    _prefix(attack, '<?xml version="1.0" encoding="UTF-8"?>\n')
    attack.data = attack.data.replace(b"vm-01", b"vm-\xff\xfe")


@xml("an attribute of a megabyte")
def huge_attribute(attack: Attack) -> None:
    attack.data = attack.data.replace(b"<System>", b'<System a="' + b"x" * 1_000_000 + b'">')


@xml("text before the document")
def xml_leading_text(attack: Attack) -> None:
    _prefix(attack, "WARNING: could not set the cache mode\n\n")


@xml("text behind the document")
def xml_trailing_text(attack: Attack) -> None:
    attack.data += b"\nPS C:\\> exit\n"


@xml("a figure that is 1e999")
def xml_beyond_all_numbers(attack: Attack) -> None:
    attack.replace_token("1e999")


@xml("a figure that is nan")
def xml_nan(attack: Attack) -> None:
    attack.replace_token("-nan(ind)")


@xml("a figure with a decimal comma")
def xml_decimal_comma(attack: Attack) -> None:
    attack.replace_token("2003,0")
    attack.lost = False


@xml("a figure below zero")
def xml_negative(attack: Attack) -> None:
    attack.replace_token("-5.0")


@xml("NUL bytes behind the document")
def xml_nul_tail(attack: Attack) -> None:
    attack.data += b"\0" * 4096


@xml("a NUL byte in a figure")
def xml_nul_inside(attack: Attack) -> None:
    attack.replace_token("20\0003.0")


@json_("lists nested 100,000 deep")
def json_deep_nesting(attack: Attack) -> None:
    attack.data = attack.data.replace(b"{", b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b", ", 1)


@json_("a figure that is 1e999")
def json_beyond_all_numbers(attack: Attack) -> None:
    attack.replace_token("1e999")


@json_("a figure that is NaN")
def json_nan(attack: Attack) -> None:
    attack.replace_token("NaN")


@json_("a figure that is -Infinity")
def json_infinity(attack: Attack) -> None:
    attack.replace_token("-Infinity")


@json_("a figure that stands twice with different values")
def duplicate_keys(attack: Attack) -> None:
    attack.replace_token(f'7, "{attack.document.key}": {attack.document.token}')
    attack.lost = False
    attack.tell = True


@json_("the file ends in the middle")
def json_cut_file(attack: Attack) -> None:
    attack.data = attack.data[: len(attack.data) * 2 // 3]


@json_("text before the document")
def json_leading_text(attack: Attack) -> None:
    _prefix(attack, "fio: this platform does not support process shared mutexes\nwarning: low memory\n")


@json_("text behind the document")
def json_trailing_text(attack: Attack) -> None:
    attack.data += b"\nPS C:\\> exit\n"


@json_("bytes that are no UTF-8")
def json_invalid_utf8(attack: Attack) -> None:
    attack.data = attack.data.replace(b"{", b'{"note": "\xff\xfe\x80", ', 1)


@json_("UTF-16 with a mark")
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


@json_("a figure as text")
def number_as_text(attack: Attack) -> None:
    attack.replace_token(f'"{attack.document.token}"')
    attack.lost = False


@json_("a list where a figure belongs")
def list_for_number(attack: Attack) -> None:
    attack.replace_token("[1, 2]")


@json_("an object where a figure belongs")
def object_for_number(attack: Attack) -> None:
    attack.replace_token('{"value": 7}')


@json_("a flag where a figure belongs")
def flag_for_number(attack: Attack) -> None:
    attack.replace_token("true")


@json_("a figure below zero")
def json_negative(attack: Attack) -> None:
    attack.replace_token("-5")


@json_("null where a figure belongs")
def null_for_number(attack: Attack) -> None:
    attack.replace_token("null")
    attack.blank = True


@json_("NUL bytes behind the document")
def json_nul_tail(attack: Attack) -> None:
    attack.data += b"\0" * 4096


@json_("a comma before the closing bracket")
def trailing_comma(attack: Attack) -> None:
    place = max(attack.data.rindex(b"}"), attack.data.rindex(b"]"))
    attack.data = attack.data[:place] + b"," + attack.data[place:]


XML_KINDS = tuple(xml.kinds)
JSON_KINDS = tuple(json_.kinds)
