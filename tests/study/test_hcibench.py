"""A results folder of HCIBench, zipped as it is: the layout is that of HCIBench's own scripts.

Source: xinzweb/HCIBench at 70f80fc1, `automation/lib/io-test.rb`, `parseFioResult.rb` and `parseVdbResult.rb`: for each
parameter file a folder `<name>-<seconds since 1970>` with one result for each VM, `<same>-res.txt` beside it, and
in it `fio.cfg` or `vdbench.cfg`, `hcibench.cfg` and a `.tar.gz` of HCIBench's own logs.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.readers.fio_results import result
from tests.study.test_archive import packed, read, recognised, refused, spooled, store
from workbench.study.store.column_store import Store

__all__ = ["store"]
