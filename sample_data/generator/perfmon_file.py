"""Writes samples as Windows Performance Monitor does: PDH-CSV 4.0 or PDH-TSV 4.0, CRLF, every cell quoted."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from .counters import Column, VmSamples
from .plan import FileShape

# Names as Spanish Windows writes them.
SPANISH = {
    "PhysicalDisk": "Disco físico",
    "Disk Reads/sec": "Lecturas de disco/s",
    "Disk Writes/sec": "Escrituras en disco/s",
    "Disk Transfers/sec": "Transferencias de disco/s",
    "Avg. Disk sec/Read": "Promedio de segundos de disco/lectura",
    "Avg. Disk sec/Write": "Promedio de segundos de disco/escritura",
    "Processor": "Procesador",
    "% Processor Time": "% de tiempo de procesador",
    "Memory": "Memoria",
    "Available Bytes": "Bytes disponibles",
    "Pool Nonpaged Bytes": "Bytes de bloque no paginado",
}


def write_run(folder: Path, zero: datetime, shape: FileShape, machines: list[VmSamples]) -> None:
    """Writes a run's counters into `folder`, split into files as `shape` says."""
    folder.mkdir(parents=True, exist_ok=True)
    ending = "tsv" if shape.delimiter == "\t" else "csv"
    if shape.layout == "all-hosts":
        write_file(folder / f"DataCollector01.{ending}", zero, shape, machines, 0, len(machines[0].stamps))
        return
    for machine in machines:
        rows = len(machine.stamps)
        if machine.cut is None:
            write_file(folder / f"{machine.vm}.{ending}", zero, shape, [machine], 0, rows)
            continue
        for number, (first, last) in enumerate(((0, machine.cut), (machine.cut, rows)), 1):
            name = f"{machine.vm}_{zero:%Y%m%d}-{number:06d}.{ending}"
            write_file(folder / name, zero, shape, [machine], first, last)


def write_file(path: Path, zero: datetime, shape: FileShape, machines: list[VmSamples], first: int, last: int) -> None:
    """Writes the rows `first` to `last` of machines with the same stamps."""
    spanish = shape.language == "es"
    kind = "TSV" if shape.delimiter == "\t" else "CSV"
    header = [f"(PDH-{kind} 4.0) ({shape.zone})({shape.bias_minutes})"]
    cells = [[_stamp(zero, int(stamp)) for stamp in machines[0].stamps[first:last]]]
    for machine in machines:
        for column in machine.columns:
            header.append(_path(machine.vm, column, SPANISH if spanish else {}))
            cells.append([number(float(value), column.digits) for value in column.values[first:last]])
    lines = [shape.delimiter.join(f'"{cell}"' for cell in row) for row in (header, *zip(*cells, strict=True))]
    path.write_bytes("".join(line + "\r\n" for line in lines).encode("cp1252"))


def _path(host: str, column: Column, names: dict[str, str]) -> str:
    instance = f"({column.instance})" if column.instance else ""
    counter = names.get(column.counter, column.counter)
    return rf"\\{host}\{names.get(column.object, column.object)}{instance}\{counter}"


def _stamp(zero: datetime, milliseconds: int) -> str:
    at = zero + timedelta(milliseconds=milliseconds)
    return f"{at:%m/%d/%Y %H:%M:%S}.{at.microsecond // 1000:03d}"


def number(value: float, digits: int) -> str:
    """A sample as Windows prints it: three-digit exponent, and a single space if there is no value."""
    if np.isnan(value):
        return " "
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{exponent[0]}{int(exponent[1:]):03d}"
    return text
