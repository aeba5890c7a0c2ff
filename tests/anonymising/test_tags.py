"""Values of tags and labels (InfluxDB, Prometheus) are replaced in every output; their names stay."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from workbench.cli import main
from workbench.model.recording import Series
from workbench.study.anonymising.collecting import pseudonyms_of, without_names

SECRET = ("jdoe", "zvq", "finance", "0815")
VALUES = {"customer": "Kunde Zvq, Finance", "user": "ACMEZVQ\\jdoe.zvq", "site": "0815", "vcenter": "zvq-vc01"}


def _study(folder: Path) -> Path:
    run = folder / "lab" / "r"
    run.mkdir(parents=True)
    names = ",".join(VALUES)
    cells = ",".join(f'"{value}"' for value in VALUES.values())
    lines = [
        f"#datatype,string,long,dateTime:RFC3339,double,string,string,string{',string' * len(VALUES)}",
        f"#group,false,false,false,false,true,true,true{',true' * len(VALUES)}",
        f"#default,_result{',' * (6 + len(VALUES))}",
        f",result,table,_time,_value,_field,_measurement,host,{names}",
    ]
    lines += [f",,0,2016-05-10T08:{n:02}:00Z,{n}.5,reads,diskio,W10-001,{cells}" for n in range(20)]
    (run / "i.csv").write_text("\n".join([*lines, ""]))
    return folder / "lab"


def _text(path: Path) -> str:
    data = path.read_bytes()
    if not data.startswith(b"PK"):
        return data.decode(errors="replace").casefold()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "".join(archive.read(name).decode(errors="replace") for name in archive.namelist()).casefold()


@pytest.mark.parametrize("ending", [".html", ".xlsx", ".pptx", ".md", ".csv", ".parquet"])
def test_that_no_value_of_a_tag_is_in_a_document(tmp_path: Path, ending: str) -> None:
    lab, out = _study(tmp_path), tmp_path / f"x{ending}"
    what = ["--only", "data"] if ending in (".csv", ".parquet") else ["--only", "timeline"]
    assert main(["export", str(lab), "-o", str(out), "--anonymise", *what]) == 0
    text = _text(out)
    assert [word for word in SECRET if word in text] == []


@pytest.mark.parametrize("command", ["inspect", "summary"])
@pytest.mark.parametrize("form", ["json", "table"])
def test_that_no_value_of_a_tag_is_in_a_reply(
    tmp_path: Path, command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(_study(tmp_path)), "--anonymise", "--format", form]) == 0
    text = capsys.readouterr().out.casefold()
    assert [word for word in SECRET if word in text] == []


def _series(path: str, counter: str = "reads") -> Series:
    return Series(0, path, "W10-001", "diskio", "", counter, "W10-001", None)


def test_that_equal_values_have_one_pseudonym_and_names_of_tags_stay() -> None:
    path = r"\\W10-001\diskio\reads [customer=Finance, site=0815]"
    other = r"\\W10-001\diskio\writes [customer=Finance, site=4711]"
    before = (_series(path), _series(other))
    after = without_names(before, pseudonyms_of((), before))
    tags = [series.path.partition(" [")[2] for series in after]
    (customer, site), (same, another) = (tag.rstrip("]").split(", ") for tag in tags)
    assert (customer, customer.partition("=")[0]) == (same, "customer")
    assert site != another
    assert all("Finance" not in series.path and "0815" not in series.path for series in after)


def test_that_labels_of_prometheus_are_replaced_in_the_names_of_counters() -> None:
    before = _series('node_disk_reads{customer="Finance", device="sda"}', 'node_disk_reads{customer="Finance"}')
    after = without_names(before, pseudonyms_of((), before))
    assert after.path.startswith("node_disk_reads{customer=")
    assert "Finance" not in after.path + after.counter


def test_that_counters_without_tags_stay_as_they_are() -> None:
    before = _series(r"\\W10-001\PhysicalDisk(_Total)\Avg. Disk sec/Read", "Avg. Disk sec/Read")
    after = without_names(before, pseudonyms_of((), before))
    assert after.path.endswith(r"\PhysicalDisk(_Total)\Avg. Disk sec/Read")


def test_that_the_name_of_a_workload_is_replaced_and_a_common_one_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = _study(tmp_path)
    for workload, kept in (("Kunde Zvq call centre", False), ("Knowledge worker", True)):
        (lab / "r" / "run.toml").write_text(f'workload = "{workload}"\n')
        assert main(["summary", str(lab), "--format", "json", "--anonymise"]) == 0
        shown = capsys.readouterr().out
        assert '"workload":' in shown
        assert ("Knowledge worker" in shown) is kept
        assert "zvq" not in shown.casefold()


def test_that_advice_keeps_the_lines_to_write_in_run_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lab = _study(tmp_path)
    rows = "".join(f"05/0{day}/2024 09:00:00,1,Word,300\n" for day in (1, 2))
    (lab / "r" / "apps.csv").write_text(f"DateTime,ActiveSessions,Label,Value\n{rows}")
    main(["inspect", str(lab), "--anonymise"])
    shown = "".join(capsys.readouterr())
    assert '"mdy" or "dmy"' in shown
