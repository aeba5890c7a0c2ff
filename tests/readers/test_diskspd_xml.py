"""DiskSpd's XML report, and the attacks that XML allows: each is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal, row_of
from workbench.model.benchmark import Op
from workbench.readers.diskspd.xml import READER
from workbench.readers.text.xml import MAX_LENGTH, Unusable, parse

TARGET = """<Target><Path>D:\\t.dat</Path><BytesCount>0</BytesCount><IOCount>5000</IOCount>
<ReadBytes>28672000</ReadBytes><ReadCount>3500</ReadCount>
<WriteBytes>12288000</WriteBytes><WriteCount>1500</WriteCount>
<Iops><Bucket SampleMillisecond="1000" Read="1" Write="1" Total="2"/></Iops></Target>
"""
LATENCY = """<Latency><AverageReadMilliseconds>2.000</AverageReadMilliseconds>
<AverageWriteMilliseconds>3.000</AverageWriteMilliseconds><AverageTotalMilliseconds>2.300</AverageTotalMilliseconds>
<Bucket><Percentile>0</Percentile><ReadMilliseconds>0.1</ReadMilliseconds></Bucket>
<Bucket><Percentile>50</Percentile><ReadMilliseconds>1.5</ReadMilliseconds>
<WriteMilliseconds>2.5</WriteMilliseconds><TotalMilliseconds>1.8</TotalMilliseconds></Bucket>
<Bucket><Percentile>95</Percentile><ReadMilliseconds>3.5</ReadMilliseconds>
<WriteMilliseconds>4.5</WriteMilliseconds><TotalMilliseconds>3.9</TotalMilliseconds></Bucket>
<Bucket><Percentile>99</Percentile><ReadMilliseconds>5.5</ReadMilliseconds>
<WriteMilliseconds>6.5</WriteMilliseconds><TotalMilliseconds>5.9</TotalMilliseconds></Bucket>
<Bucket><Percentile>99.9</Percentile><ReadMilliseconds>7</ReadMilliseconds></Bucket></Latency>
"""
SPAN = f"""<TimeSpan><TestTimeSeconds>10.00</TestTimeSeconds><ThreadCount>2</ThreadCount>
<RequestCount>0</RequestCount><CpuUtilization><CPU><Id>0</Id></CPU></CpuUtilization>
{LATENCY}<Thread><Id>0</Id>{TARGET}</Thread><Thread><Id>1</Id>{TARGET}</Thread></TimeSpan>
"""
ASKED = """<TimeSpan><RequestCount>0</RequestCount><Targets><Target><Path>D:\\t.dat</Path>
<BlockSize>8192</BlockSize><RandomAccess>true</RandomAccess><StrideSize>8192</StrideSize>
<RequestCount>4</RequestCount><WriteRatio>30</WriteRatio><ThreadsPerFile>2</ThreadsPerFile></Target></Targets>
</TimeSpan>
"""
SYSTEM = """<System><ComputerName>vm-01</ComputerName><Tool><Version>2.1</Version></Tool>
<RunTime>2024/03/01 10:00:05 UTC</RunTime></System>
"""
PROFILE = f"<Profile><Progress>0</Progress><TimeSpans>{ASKED}</TimeSpans></Profile>\n"
REPORT = f"<Results>\n{SYSTEM}{PROFILE}{SPAN}</Results>"


def test_that_a_report_gives_both_directions_and_the_total_in_project_units(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT)
    read, write, total = reading.benchmarks
    assert figures(read) == (700.0, 5.7344, 2.0, 1.5, 3.5, 5.5)
    assert figures(write) == (300.0, 2.4576, 3.0, 2.5, 4.5, 6.5)
    assert figures(total) == (1000.0, 8.192, 2.3, 1.8, 3.9, 5.9)
    assert {asked(row) for row in reading.benchmarks} == {(8192, 4, 2, 70.0, "random")}
    assert (read.tool, read.tool_version, read.job, read.host) == ("diskspd", "2.1", "D:\\t.dat", "vm-01")
    assert read.started == "2024-03-01T10:00:05Z"
    assert (reading.problems, reading.report.rejected_rows) == ((), 0)


def test_that_a_test_without_latencies_has_none(tmp_path: Path) -> None:
    row = row_of(read_with(READER, tmp_path, REPORT.replace(LATENCY, "")), Op.READ)
    assert figures(row) == (700.0, 5.7344, None, None, None, None)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-le"])
def test_that_a_redirected_report_reads_as_the_plain_one(tmp_path: Path, encoding: str) -> None:
    data = REPORT.replace("\n", "\r\n").encode(encoding)
    assert READER.identify(data, "x") == 1.0
    assert read_with(READER, tmp_path, data).benchmarks == read_with(READER, tmp_path, REPORT).benchmarks


def test_that_a_correct_prolog_is_accepted_and_utf_16_overrides_it(tmp_path: Path) -> None:
    plain = read_with(READER, tmp_path, REPORT).benchmarks
    stated = f'<?xml version="1.0" encoding="UTF-8"?>\n{REPORT}'
    assert read_with(READER, tmp_path, stated).benchmarks == plain
    assert read_with(READER, tmp_path, stated.encode("utf-16")).benchmarks == plain


def test_that_a_path_in_a_code_page_is_read_and_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT.replace("t.dat", "проба.dat").encode("cp1251"))
    assert reading.benchmarks[0].job == "D:\\проба.dat"
    assert codes(reading) == ["encoding"]


def test_that_console_lines_and_several_reports_in_one_file_are_read(tmp_path: Path) -> None:
    other = REPORT.replace("vm-01", "vm-02")
    text = f"PS C:\\> .\\run.ps1\n{REPORT}\nPS C:\\> .\\run.ps1\n{other}\n"
    reading = read_with(READER, tmp_path, text)
    assert [row.host for row in reading.benchmarks] == ["vm-01"] * 3 + ["vm-02"] * 3


def test_that_each_time_span_has_a_separate_profile(tmp_path: Path) -> None:
    text = REPORT.replace(ASKED, ASKED + ASKED.replace("8192</Block", "4096</Block")).replace(SPAN, SPAN + SPAN)
    reading = read_with(READER, tmp_path, text)
    assert [row.block_bytes for row in reading.benchmarks] == [8192] * 3 + [4096] * 3


def test_that_targets_with_different_settings_have_no_common_parameters(tmp_path: Path) -> None:
    target = ASKED[ASKED.index("<Target>") : ASKED.index("</Targets>")]
    other = target.replace("8192</Block", "65536</Block").replace("true", "false")
    text = REPORT.replace(target, target + other).replace("<Thread><Id>1</Id>" + TARGET, "<Thread><Id>1</Id>")
    assert asked(read_with(READER, tmp_path, text).benchmarks[0]) == (None, 4, 2, 70.0, None)


def test_that_an_interrupted_test_is_shown_as_failed(tmp_path: Path) -> None:
    error = "<TimeSpan><Error>The test was interrupted.</Error></TimeSpan>"
    reading = read_with(READER, tmp_path, REPORT.replace(SPAN, error))
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.error) == (Op.TOTAL, None, "The test was interrupted.")
    assert codes(reading) == ["test-interrupted"]


@pytest.mark.parametrize(
    "bad", ["<ReadCount>x</ReadCount>", "<ReadCount>-5</ReadCount>", "<ReadCount>1e999</ReadCount>", ""]
)
def test_that_an_invalid_count_skips_only_its_time_span(tmp_path: Path, bad: str) -> None:
    broken = SPAN.replace("<ReadCount>3500</ReadCount>", bad, 1)
    reading = read_with(READER, tmp_path, REPORT.replace(SPAN, SPAN + broken))
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    assert codes(reading) == ["not-a-number"]


BOMB = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>\n'
ATTACKS = {
    "an entity bomb": (BOMB + REPORT.replace("vm-01", "&c;"), "xml-entity", "declares entities"),
    "an external entity": (
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n' + REPORT.replace("vm-01", "&x;"),
        "xml-external",
        "another file or address",
    ),
    "an external document type": (
        '<!DOCTYPE r SYSTEM "http://example.org/r.dtd">\n' + REPORT,
        "xml-external",
        "another file or address",
    ),
    "a document type": ("<!DOCTYPE Results [<!ELEMENT Results ANY>]>\n" + REPORT, "xml-doctype", "document type"),
    "deep nesting": (
        "<Results><System>" + "<a>" * 100_000 + "</a>" * 100_000 + "</System></Results>",
        "nested-too-deep",
        "nested too deeply",
    ),
    "a cut file": (REPORT[: len(REPORT) // 2], "truncated", "is cut off"),
    "a wrong encoding": (
        f'<?xml version="1.0" encoding="UTF-16"?>\n{REPORT}',
        "encoding",
        "declares the encoding UTF-16, but has a different encoding",
    ),
    "an unknown encoding": (f'<?xml version="1.0" encoding="klingon"?>\n{REPORT}', "encoding", "klingon"),
    "a huge attribute": (
        REPORT.replace("<Thread>", f'<Thread name="{"x" * (MAX_LENGTH + 1)}">', 1),
        "oversized",
        "attribute",
    ),
    "other bytes than it states": (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{REPORT.replace("vm-01", "вм")}'.encode("cp1251"),
        "encoding",
        "bytes that are invalid in it",
    ),
    "an undeclared entity": (REPORT.replace("vm-01", "&nope;"), "not-xml", "undefined entity"),
    "an unclosed element": (REPORT.replace("</System>", ""), "not-xml", "does not match its start tag"),
}


@pytest.mark.parametrize(("content", "code", "word"), ATTACKS.values(), ids=ATTACKS.keys())
def test_that_an_xml_attack_is_rejected_by_name(tmp_path: Path, content: str | bytes, code: str, word: str) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    assert READER.identify(data[:65_536], "result.xml") >= 0.8
    found = refusal(read_with(READER, tmp_path, data, "result.xml"))
    assert found[0] == code
    assert word in found[2]


def test_that_an_attack_among_several_reports_rejects_the_file(tmp_path: Path) -> None:
    text = f"PS> run\n{REPORT}\n{BOMB}{REPORT.replace('vm-01', '&c;')}"
    assert refusal(read_with(READER, tmp_path, text))[0] == "not-xml"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (PROFILE, "contains no results"),
        (REPORT.replace(SPAN, ""), "no time span"),
        (REPORT.replace("3500", "0").replace("1500", "0"), "contains no I/O"),
    ],
)
def test_that_a_file_without_results_is_rejected_with_a_sentence(tmp_path: Path, text: str, word: str) -> None:
    assert READER.identify(text.encode(), "x.xml") > 0.5
    found = refusal(read_with(READER, tmp_path, text))
    assert found[0] == "no-results"
    assert word in found[2]


def test_that_other_xml_is_not_recognised_as_diskspd() -> None:
    for text in ("<Results><Test/></Results>", "<testsuites/>", "<html><body>DiskSpd</body></html>", ""):
        assert READER.identify(text.encode(), "diskspd.xml") == 0.0


PIECES = st.sampled_from([*REPORT.split("\n"), "<!DOCTYPE", "&a;", "]]>", "<![CDATA[", "\0", "<?xml version='1.0'?>"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=30), st.text(max_size=30))
def test_that_any_order_of_lines_is_read_without_an_error(tmp_path: Path, lines: list[str], other: str) -> None:
    data = "\n".join([*lines, other]).encode("utf-8", "replace")
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, data))


def test_that_a_profile_next_to_a_report_has_no_effect(tmp_path: Path) -> None:
    plain = read_with(READER, tmp_path, REPORT).benchmarks
    for text in (f"{PROFILE}{REPORT}", f"{REPORT}\n{PROFILE}"):
        assert [figures(row) for row in read_with(READER, tmp_path, text).benchmarks] == [figures(row) for row in plain]


@pytest.mark.parametrize(("before", "line"), [("<ThreadCount>2</ThreadCount>", 9), ("</Results>", 30)])
def test_that_malformed_xml_is_rejected_with_the_line_at_fault(tmp_path: Path, before: str, line: int) -> None:
    text = REPORT.replace(before, f"</Wrong>{before}")
    assert text[: text.index("</Wrong>")].count("\n") + 1 == line
    code, told, _ = refusal(read_with(READER, tmp_path, text))
    assert (code, told) == ("not-xml", line)


@pytest.mark.parametrize(("ratio", "pattern"), [("0", "random"), ("1", None), ("99", None), ("100", "random")])
def test_that_a_partly_random_access_is_neither_random_nor_sequential(
    tmp_path: Path, ratio: str, pattern: str | None
) -> None:
    asked_for = f"<Random>8192</Random><RandomRatio>{ratio}</RandomRatio>"
    text = REPORT.replace("<RandomAccess>true</RandomAccess>", asked_for)
    assert {row.pattern for row in read_with(READER, tmp_path, text).benchmarks} == {pattern}


@pytest.mark.parametrize(("deep", "is_read"), [(64, True), (65, False)])
def test_that_elements_nest_up_to_64_deep(deep: int, is_read: bool) -> None:
    outcome = parse("<a>" * deep + "</a>" * deep)
    assert isinstance(outcome, Unusable) != is_read


@pytest.mark.parametrize(("decimal", "parted"), [(".", ","), (",", "."), (",", "\u00a0")])
def test_that_a_report_is_read_in_the_notation_of_its_machine(tmp_path: Path, decimal: str, parted: str) -> None:
    text = re.sub(r">(\d+)\.(\d+)<", rf">\1{decimal}\2<", REPORT)
    text = text.replace(f">10{decimal}00<", f">1{parted}000{decimal}00<").replace(f">2{decimal}1<", ">2.1<")
    assert text != REPORT
    reading = read_with(READER, tmp_path, text)
    plain = read_with(READER, tmp_path, REPORT.replace(">10.00<", ">1000.00<"))
    assert [figures(row) for row in reading.benchmarks] == [figures(row) for row in plain.benchmarks]
    assert len(reading.benchmarks) == 3
    assert {row.tool_version for row in reading.benchmarks} == {"2.1"}
