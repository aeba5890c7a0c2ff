from __future__ import annotations

import tomllib

import pytest

from workbench.model.metric import Metric, Quantity, Tier, Vantage
from workbench.model.recording import Series
from workbench.model.resources import resource, sample_study
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.perfmon.header import split_path
from workbench.readers.perfmon.series import describe, vm_of_disk


def _one(*paths: str) -> Series:
    return describe(paths)[0]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (r"\\H\Memory\Available MBytes", ("H", "Memory", "", "Available MBytes")),
        (r"\\H\Process(svchost#85)\% Processor Time", ("H", "Process", "svchost#85", "% Processor Time")),
        (r"\\H\NIC(Intel[R] X, Ltd [7])\Bytes/sec", ("H", "NIC", "Intel[R] X, Ltd [7]", "Bytes/sec")),
        (r"\\H\Obj(a(b)c)\Rate (per sec)", ("H", "Obj", "a(b)c", "Rate (per sec)")),
        (r"\\H\Obj(C:\dir\x.vhdx)\Read Bytes/sec", ("H", "Obj", r"C:\dir\x.vhdx", "Read Bytes/sec")),
        (r"\\H\Obj(a)\Rate (in\out)", ("H", "Obj", "a", r"Rate (in\out)")),
        (r"\\H\Memory\Overcommit (1 Minute Avg)", ("H", "Memory", "", "Overcommit (1 Minute Avg)")),
        (r"\\h.dom\Physical Disk(vmhba0:C0)\Reads/sec", ("h.dom", "Physical Disk", "vmhba0:C0", "Reads/sec")),
    ],
)
def test_that_a_path_is_cut_at_the_backslash_outside_parentheses(path: str, parts: tuple[str, ...]) -> None:
    assert tuple(split_path(path)) == parts


@pytest.mark.parametrize(
    ("path", "metric"),
    [
        (r"\\VM\PhysicalDisk(_Total)\Disk Reads/sec", Metric(Quantity.READ_IOPS)),
        (r"\\VM\LogicalDisk(C:)\DISK WRITES/SEC", Metric(Quantity.WRITE_IOPS)),
        (r"\\VM\PhysicalDisk(0 C:)\Avg. Disk sec/Write", Metric(Quantity.WRITE_LATENCY)),
        (r"\\VM\Memory\Available MBytes", Metric(Quantity.MEMORY_AVAILABLE, scale=1_048_576.0)),
        (r"\\VM\Memory\Pool Nonpaged Bytes", Metric(Quantity.POOL_NONPAGED, estimate=True)),
        (r"\\VM\Processor(_Total)\% Processor Time", Metric(Quantity.CPU)),
        (r"\\VM\Processor(0)\% Processor Time", None),
        (r"\\VM\Terminal Services\Active Sessions", Metric(Quantity.ACTIVE_SESSIONS)),
        (r"\\VM\SMB Client Shares(\srv\x)\Data Requests/sec", Metric(Quantity.IOPS, tier=Tier.SHARED)),
        (r"\\VM\Citrix MCS Storage Driver\Cache memory used", Metric(Quantity.CACHE_RAM_USED)),
        (r"\\VM\Citrix MCS Storage Driver\Cache memory target size", Metric(Quantity.CACHE_RAM_SIZE)),
        (r"\\VM\Citrix MCS Storage Driver\Cache disk used", Metric(Quantity.CACHE_DISK_USED)),
        (r"\\VM\Citrix MCS Storage Driver\Cache disk size", Metric(Quantity.CACHE_DISK_SIZE)),
        (
            r"\\VM\Citrix MCS Storage Driver(0)\System disk read bytes/sec",
            Metric(Quantity.READ_THROUGHPUT, tier=Tier.SHARED),
        ),
        (
            r"\\VM\Citrix MCS Storage Driver\Cache disk write bytes",
            Metric(Quantity.WRITE_THROUGHPUT, tier=Tier.CACHE_DISK, estimate=True),
        ),
        (
            r"\\VM\Citrix MCS Storage Driver\Cache memory read bytes/sec",
            Metric(Quantity.READ_THROUGHPUT, tier=Tier.RAM, estimate=True),
        ),
        (
            r"\\VM\Citrix MCS Storage Driver\Cache memory writes",
            Metric(Quantity.WRITE_IOPS, tier=Tier.RAM, estimate=True),
        ),
        (r"\\VM\Citrix MCS Storage Driver\Cache memory average read time", None),
        (r"\\VM\Citrix MCS Storage Driver\Something else", None),
        (r"\\VM\Citrix MCS(0)\RAM Cache Bytes", Metric(Quantity.CACHE_RAM_USED)),
        (r"\\VM\citrix mcs(_Total)\File Bytes", Metric(Quantity.CACHE_DISK_USED)),
        (r"\\VM\Citrix MCS(0)\Something else", None),
        (r"\\VM\Cache\File Bytes", None),
        (r"\\VM\My Own Object\Cache memory used", None),
    ],
)
def test_that_a_guests_counter_has_its_metric(path: str, metric: Metric | None) -> None:
    series = _one(path)
    assert series.metric == metric
    assert series.vm == "VM"


def test_that_a_translated_counter_means_the_same_as_the_english_one() -> None:
    for path in (
        r"\\PC\Disco físico(_Total)\Transferencias de disco/s",
        r"\\PC\Физический диск(_Total)\Обращений к диску/с",
        r"\\PC\Disque physique(_Total)\Transferts disque/s",
        r"\\PC\Physikalischer Datenträger(_Total)\Übertragungen/s",
    ):
        series = _one(path)
        assert (series.path, series.object, series.counter) == (path, "PhysicalDisk", "Disk Transfers/sec")
        assert series.metric == Metric(Quantity.IOPS)


def test_that_an_unknown_counter_keeps_its_own_name() -> None:
    series = _one(r"\\PC\Interfaz rara(x)\Cosas/s")
    assert (series.object, series.counter, series.metric) == ("Interfaz rara", "Cosas/s", None)


def test_that_every_translation_has_one_english_name_and_the_tables_agree() -> None:
    for path in resource("counters").glob("??.toml"):
        table = tomllib.loads(path.read_text("utf-8"))
        for scopes, names in table["counters"].items():
            for local, english in names.items():
                for scope in scopes.split(","):
                    assert canonical(scope, local)[1] == english, (path.name, scope, local)
    assert metric_of("PhysicalDisk", "_Total", "Disk Reads/sec") is not None


def test_that_the_disk_of_a_hyper_v_host_belongs_to_no_machine() -> None:
    series = describe(
        [
            r"\\HV01\PhysicalDisk(_Total)\Disk Reads/sec",
            r"\\HV01\Hyper-V Hypervisor Virtual Processor(W10-001:Hv VP 0)\% Guest Run Time",
            r"\\HV01\Hyper-V Dynamic Memory VM(W10-001)\Physical Memory",
            r"\\HV01\Hyper-V Virtual Storage Device(C:-VMs-W10-001.vhdx)\Read Operations/Sec",
            r"\\HV01\Hyper-V Hypervisor Virtual Processor(_Total)\% Guest Run Time",
            r"\\W10-002\PhysicalDisk(_Total)\Disk Reads/sec",
        ]
    )
    assert [one.vm for one in series] == [None, "W10-001", "W10-001", "W10-001", None, "W10-002"]
    vantages = [one.metric.vantage for one in series if one.metric]
    assert vantages == [Vantage.HOST] * 5 + [Vantage.GUEST]
    assert series[2].metric == Metric(Quantity.MEMORY, Vantage.HOST, scale=1_048_576.0)


def test_that_integration_services_do_not_make_a_guest_a_host() -> None:
    series = describe(
        [
            r"\\VM\PhysicalDisk(_Total)\Disk Reads/sec",
            r"\\VM\Hyper-V Dynamic Memory Integration Service\Maximum Memory, Mbytes",
        ]
    )
    assert (series[0].vm, series[0].metric) == ("VM", Metric(Quantity.READ_IOPS))


@pytest.mark.parametrize(
    ("path", "vm"),
    [
        (r"C:\ClusterStorage\Volume1\W10-001\W10-001.vhdx", "W10-001"),
        ("C:-ClusterStorage-Volume1-W10-001-W10-001.vhdx", "W10-001"),
        ("D:-VMs-W10-007-Virtual Hard Disks-W10-007.vhdx", "W10-007"),
        ("D:-VHDs-desktop7.vhd", "desktop7"),
        ("D:-VHDs-W10-001.vhdx", "W10-001"),
        ("VM-VM.vhdx", "VM"),
        ("A-B-A-B.vhdx", "A-B"),
        ("1-2-3.vhdx", "1-2-3"),
        ("7.vhdx", "7"),
        ("D:-VHDs-pc_0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F.avhdx", "pc"),
    ],
)
def test_that_a_virtual_disks_path_shows_its_machine(path: str, vm: str) -> None:
    assert vm_of_disk(path) == vm


def test_that_esxtop_counts_a_disk_in_its_machines_sum_or_by_itself_never_both() -> None:
    series = describe(
        [
            r"\\esx\Virtual Disk(vm1)\Reads/sec",
            r"\\esx\Virtual Disk(vm1:scsi0:0)\Reads/sec",
            r"\\esx\Virtual Disk(vm2:scsi0:0)\Reads/sec",
            r"\\esx\Group Cpu(77:vm1)\% Used",
            r"\\esx\Group Cpu(1:system)\% Used",
        ]
    )
    assert [one.vm for one in series] == ["vm1", "vm1", "vm2", "vm1", None]
    assert [one.metric is not None for one in series] == [True, False, True, True, False]


def test_that_processor_overrides_processor_information() -> None:
    paths = [r"\\VM\Processor Information(_Total)\% Processor Time", r"\\VM\Processor(_Total)\% Processor Time"]
    assert _one(paths[0]).metric == Metric(Quantity.CPU)
    assert [one.metric is not None for one in describe(paths)] == [False, True]


def test_that_the_sample_study_is_outside_the_program() -> None:
    assert (sample_study() / "README.md").is_file()


# Complete paths as public sources write them: scripts that query Windows, or pages of Microsoft.
WRITTEN = (
    (r"Disco fisico(_Total)\Byte scritti su disco/sec", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"Disco fisico(0 D:)\Trasferimenti disco/sec", "PhysicalDisk", "Disk Transfers/sec"),
    (r"Memoria\Byte disponibili", "Memory", "Available Bytes"),
    (r"PhysicalDisk(_Total)\Bytes de gravação de disco/s", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"PhysicalDisk(_Total)\Leituras de disco/s", "PhysicalDisk", "Disk Reads/sec"),
    (r"PhysicalDisk(_Total)\Média de disco s/transferência", "PhysicalDisk", "Avg. Disk sec/Transfer"),
    (r"Disco físico(_Total)\Bytes escritos em disco/seg", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"Processador(_Total)\% Tempo de Processador", "Processor", "% Processor Time"),
    (r"Dysk fizyczny(_Total)\Bajty zapisu dysku/s", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"Dysk fizyczny(0 C:)\Średnia długość kolejki dysku", "PhysicalDisk", "Avg. Disk Queue Length"),
    (r"procesor(_total)\czas procesora (%)", "Processor", "% Processor Time"),
    (r"Pamięć\Dostępne bajty", "Memory", "Available Bytes"),
    (r"FizikselDisk(_Total)\Disk Okuma Bayt/sn", "PhysicalDisk", "Disk Read Bytes/sec"),
    (r"İşlemci(_Toplam)\% İşlemci Zamanı", "Processor", "% Processor Time"),
    (r"Fysieke schijf(_Total)\Geschreven bytes per seconde", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"Fysieke schijf(_Total)\Percentage schijftijd", "PhysicalDisk", "% Disk Time"),
    (r"Processor(_Total)\Percentage processortijd", "Processor", "% Processor Time"),
    (r"Geheugen\Beschikbare megabytes (MB)", "Memory", "Available MBytes"),
    (r"Fysisk disk(_Total)\Disk - skrivna byte/s", "PhysicalDisk", "Disk Write Bytes/sec"),
    (r"Logisk disk(C:)\Disköverföringar/s", "LogicalDisk", "Disk Transfers/sec"),
    (r"Logisk disk(C:)\Medel s/disköverföring", "LogicalDisk", "Avg. Disk sec/Transfer"),
    (r"Processor(_Total)\% processortid", "Processor", "% Processor Time"),
    (r"LogicalDisk(C:)\ディスク読み取り/秒", "LogicalDisk", "Disk Reads/sec"),
    (r"处理器(_Total)\% 处理器时间", "Processor", "% Processor Time"),
    (r"LogicalDisk(C:)\磁盘写入数/秒", "LogicalDisk", "Disk Writes/sec"),
    (r"PhysicalDisk(0 C:)\디스크 읽기/초", "PhysicalDisk", "Disk Reads/sec"),
)


@pytest.mark.parametrize(("path", "kind", "counter"), WRITTEN)
def test_that_counter_names_from_public_sources_are_recognised(path: str, kind: str, counter: str) -> None:
    series = _one(rf"\\PC\{path}")
    assert (series.object, series.counter) == (kind, counter)


def test_that_no_two_languages_give_one_name_two_meanings() -> None:
    meant: dict[tuple[str, str], str] = {}
    for path in resource("counters").glob("??.toml"):
        table = tomllib.loads(path.read_text("utf-8"))
        for scopes, names in {"": table["objects"], **table["counters"]}.items():
            for local, english in names.items():
                for scope in scopes.split(","):
                    assert meant.setdefault((scope, local.casefold()), english) == english, (path.name, local)
