"""Perfmon and esxtop text in the shape of public recordings (encoding, delimiter, zone, blanks, size), with invented
names and values. With these files the tests of the recordings also run without the recordings.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tests.readers.blg_files import log

Row = tuple[str, list[str]]
DISK = r"\\GI-01\Disco físico(_Total)"
NET = r"\\GI-01\Interfaz de red(Tarjeta [1])"
SPANISH = (
    *(f"{DISK}\\{name}" for name in ("% de tiempo de disco", "Longitud promedio de la cola de disco")),
    *(f"{DISK}\\Promedio de {name} de disco/transferencia" for name in ("bytes", "segundos")),
    f"{DISK}\\Transferencias de disco/s",
    f"{NET}\\Ancho de banda actual",
    f"{NET}\\Total de bytes/s",
    *(f"\\\\GI-01\\Memoria\\{name}" for name in ("Bytes disponibles", "Bytes confirmados", "Lecturas de páginas/s")),
    *(f"\\\\GI-01\\Memoria\\{name}" for name in ("Páginas/s", "Errores de página/s")),
    *(f"\\\\GI-01\\Procesador(_Total)\\{name}" for name in ("% de tiempo de procesador", "Interrupciones/s")),
)
MACHINES = ("ananke", "hermes", "ouranos", "portunus", "poseidon", "styx")


def rates(count: int, columns: int, first: Sequence[int] = (), seed: int = 1) -> list[list[str]]:
    """Values with as many digits as perfmon writes. In the first row only the columns `first` have a value: a rate has
    none before the second sample."""
    random_values = random.Random(seed)
    rows = [[f"{random_values.lognormvariate(0, 4):.17g}" for _ in range(columns)] for _ in range(count)]
    rows[0] = [value if place in first else " " for place, value in enumerate(rows[0])]
    return rows


def moments(start: datetime, count: int, step: float, form: str) -> list[str]:
    """Local times `step` seconds apart, a few milliseconds late now and then; `%f` in `form` is milliseconds."""
    times = [start + timedelta(seconds=step * place, milliseconds=(place * 7) % 13) for place in range(count)]
    return [moment.strftime(form.replace("%f", f"{moment.microsecond // 1000:03}")) for moment in times]


def pdh(
    zone: str, names: Sequence[str], rows: Sequence[Row], between: str = ",", quote: str = '"', end: str = "\r\n"
) -> str:
    """The text of a log."""
    lines = [(zone, *names), *((time, *values) for time, values in rows)]
    return "".join(between.join(f"{quote}{cell}{quote}" for cell in cells) + end for cells in lines)


def _rows(
    count: int, columns: int, start: datetime, step: float = 1.0, form: str = "%m/%d/%Y %H:%M:%S.%f", **how: object
) -> list[Row]:
    values = rates(count, columns, **how)  # type: ignore[arg-type]
    return list(zip(moments(start, count, step, form), values, strict=True))


def _spanish(count: int, seed: int) -> list[Row]:
    return _rows(count, 14, datetime(2022, 9, 19, 22, 43 + seed % 9, 6, 663000), first=(5, 7, 8), seed=seed)


def _names(machine: str, object_name: str, counter: str, count: int) -> list[str]:
    return [f"\\\\{machine}\\{object_name}({place})\\{counter}" for place in range(count)]


def _esxtop() -> list[str]:
    """7,630 counters; the disks of six machines occur as a sum and by their addresses."""
    of_disk = ("Commands/sec", "Reads/sec", "Writes/sec", "Average MilliSec/Read", "Average MilliSec/Write")
    disks = [name for machine in MACHINES for name in (machine, f"{machine}:scsi0:0")]
    counters = [f"\\\\esx01\\Virtual Disk({disk})\\{counter}" for disk in disks for counter in of_disk]
    return counters + _names("esx01", "Group Cpu", "% Used", 7630 - len(counters))


def _spoiled(rows: list[Row], zone: str, stray: int, rounded: bool, tight: bool) -> str:
    """A copy saved by a spreadsheet: semicolons, decimal commas, spaces around cells, and rows without a time."""

    def cell(text: str) -> str:
        short = f"{float(text):.10g}" if rounded and text.strip() else text
        text = short.replace(".", ",")
        return text if tight and text.strip() else f" {text} "

    lines = [";".join(f" {name} " for name in (zone, *SPANISH))]
    lines += [";".join((f" {time.replace('.', ',')} ", *(cell(value) for value in values))) for time, values in rows]
    lines += [";" * 14] * (stray - 1) + [";" * 12 + "49,62495741;;"] * bool(stray)
    return "".join(f"{line}\r\n" for line in lines)


def files() -> dict[str, bytes]:
    """Every file, by the name of the recording with the same shape."""
    summer, rtz = "(PDH-CSV 4.0) (Hora de verano romance)(-120)", datetime(2021, 9, 20, 16, 48, 17, 954000)
    spanish = {number: _spanish(count, number) for number, count in ((1, 13), (2, 42), (3, 12), (4, 42))}
    russian = [rf"\\DESK-01\Процесс(p{n})\% загруженности процессора" for n in range(1104)]
    disk, process = "Avg. Disk Read Queue Length", "Virtual Bytes"
    utc = "(PDH-CSV 4.0) (UTC)(0)"
    minutes = _rows(514, 11, datetime(2015, 3, 26, 22, 42), 5.0, "%m/%d/%Y %H:%M", first=range(11))
    text: dict[str, tuple[str, str]] = {
        "waflia_DataCollector01.csv": (pdh("(PDH-CSV 4.0) (RTZ 2 (", russian, _rows(26, 1104, rtz)), "cp1251"),
        "ruflas_es_DataCollector01.tsv": (
            pdh(summer.replace("CSV", "TSV"), SPANISH, _rows(323, 14, datetime(2022, 9, 26, 10, 5)), "\t"),
            "cp1252",
        ),
        "rachsharp_esxtop_small.csv": (
            pdh(
                utc, _esxtop(), _rows(3, 7630, datetime(2018, 4, 26, 14, 6), 5, "%m/%d/%Y %H:%M:%S", first=range(7630))
            ),
            "utf-8",
        ),
        "gsliu_esxtop_excel_resaved.csv": (
            pdh(utc, _names("esx02", "Physical Cpu", "% Util Time", 11), minutes, quote=""),
            "utf-8",
        ),
        "ruflas_es_1new_csv.csv": (_spoiled(spanish[1], summer, 0, rounded=False, tight=False), "cp1252"),
        "ruflas_es_2new_csv.csv": (_spoiled(spanish[2], summer, 6, rounded=True, tight=True), "cp1252"),
        "ecs_esxtop_header_only.csv": (pdh(utc, _names("esx03", "Physical Cpu", "% Util Time", 90), []), "utf-8"),
        "ecs_esxtop_report.csv": ("Time,Cpu Load (1 Minute Avg)\n10:00:00,0.5\n", "utf-8"),
        "SOURCES.txt": ("Where the files are from.\n", "utf-8"),
    }
    for number, rows in spanish.items():
        text[f"ruflas_es_OC6VVU5_00000{number}.csv"] = (pdh(summer, SPANISH, rows), "cp1252")
    for name, zone, counter, count, columns in (
        ("narmadha_DataCollector01", " (India Standard Time)(-330)", disk, 21, 12),
        ("jg185342_DataCollector02", " (Eastern Daylight Time)(240)", process, 30, 8),
        ("jg185342_DataCollector03", " (Eastern Daylight Time)(240)", process, 26, 8),
        ("PALX_citrix_xenapp_SYNTHETIC", "", "Number of busy XML threads", 6, 5),
        ("PALX_hyperv_SYNTHETIC", "", "Error Count", 6, 15),
    ):
        rows = _rows(count, columns, datetime(2017, 9, 19, 9, 51), 15)
        names = _names("HOST-01", "LogicalDisk", counter, columns)
        text[f"{name}.csv"] = (pdh(f"(PDH-CSV 4.0){zone}", names, rows, end="\n"), "utf-8")
    return {name: content.encode(encoding) for name, (content, encoding) in text.items()} | {
        "PAL_SampleLog.blg": log(())
    }


def write(folder: Path) -> Path:
    """Writes all of them into `folder`."""
    for name, content in files().items():
        (folder / name).write_bytes(content)
    return folder
