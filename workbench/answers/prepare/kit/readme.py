"""README.txt of the kit: what to start where, in which order, and how the files come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.answers.prepare.kit.mix import Mix
from workbench.answers.prepare.kit.runs import PLANNED, Planned
from workbench.answers.prepare.questions import Fact, Question


def readme(
    questions: Sequence[Question], sample_s: int, files: Mapping[str, str], planned: Planned, mixes: Sequence[Mix] = ()
) -> str:
    """The text, with only the steps that the files are there for; `files` are their paths with what each is, `sample_s`
    the seconds between two samples, `mixes` the loads of the storage test."""
    steps = [text for start, text in _STEPS if any(path.startswith(start) for path in files)]
    if any(Fact.RESPONSES in parts for question in questions for need in question.needs for parts in need.alternatives):
        steps.insert(-1, _RESPONSES)
    lines = [
        "Test kit of VDI Workbench",
        "",
        "The questions:",
        *(f"- {question.text}" for question in questions),
        "",
        f"{len(planned.order)} runs, {planned.runs} of each configuration, a sample every {sample_s} s.",
        *_assumed(mixes),
        "",
        "In this order:",
    ]
    for number, text in enumerate(steps, start=1):
        head, *rest = text.split("\n")
        lines += [f"{number}. {head}", *(f"   {line}" for line in rest)]
    others = {path: about for path, about in files.items() if not path.startswith(f"{PLANNED}/")}
    listed = others | {f"{PLANNED}/…/run.toml": "one for each run: what is known of it"}
    width = max(map(len, listed))
    lines += ["", "The files:", *(f"{path.ljust(width)}  {about}" for path, about in listed.items())]
    return "\n".join(lines) + "\n"


def _assumed(mixes: Sequence[Mix]) -> list[str]:
    """What the storage test takes that nobody stated or measured; nothing where there is none."""
    words = [f"- {mix.desktop_words}: --desktops N states yours" for mix in mixes[:1] if mix.assumed_desktops]
    words += [
        f"- {value.name} in {mix.phase}: {value.value:g} {value.unit}".rstrip() + f" ({value.source})"
        for mix in mixes
        for value in mix.values
        if value.origin == "assumed"
    ]
    return ["", "Assumed in the storage test, not measured:", *words] if words else []


_RESPONSES = """VSImax comes from a load generator: let Login VSI or Login Enterprise drive the sessions,
and put its own result files into the folder of the run, under load-generator."""

# The steps by what the paths of the files that they are about begin with.
_STEPS = (
    (
        "",
        """Read run-plan.txt: the runs and their order. Each has a folder under planned-runs with a run.toml.
Fill in what you know there: VMs, users, workload. Set the clocks of all machines by one time server.""",
    ),
    (
        "guest/",
        """Desktops: copy the folder guest into the master image and start install.cmd as administrator.
From then on the counters are logged from the start of Windows. Before desktops are reset or shut down, start
stop.cmd FOLDER in each: it moves the log of this run to a share. FOLDER is another one for each run.
start.cmd starts the next log without a restart. uninstall.cmd takes the set out of the image after the test.""",
    ),
    (
        "guest/remote",
        """Desktops that lose everything when they restart, if nothing may go into their image: guest\\remote.cmd FILE
logs them from a machine that stays; FILE lists their names. It misses the boot, and sessions that begin later.
Hosts, the load generator and Azure Monitor see such desktops without an agent as well.""",
    ),
    (
        "azure/",
        """Azure Virtual Desktop: AVD Insights logs no Disk Reads/sec, Writes/sec or Transfers/sec, so it cannot answer
IOPS. Add the data source of azure/data-collection-rule.json to its data collection rule, and export the table Perf.""",
    ),
    (
        "guest/poolmon",
        """PVS with a cache in RAM: let guest\\poolmon.cmd FOLDER run as administrator in each desktop;
without it the RAM that the cache uses is only estimated.""",
    ),
    ("hyper-v/", """Hyper-V hosts: install.cmd as administrator, start.cmd before a run, stop.cmd FOLDER after it."""),
    ("esxi/", """ESXi hosts: copy the folder esxi to each, then sh esxtop.sh SECONDS, as long as a run lasts."""),
    (
        "pvs-server/",
        """PVS servers: install.cmd as administrator, start.cmd before a run, stop.cmd FOLDER after it.
Write the servers' names into leave_out of each run.toml: they are not desktops.""",
    ),
    (
        "events/",
        """Events: put the folder events on a share that desktops and launcher can write to.
The launcher calls add-event.ps1 power_on VM as it starts each desktop, and run_end when the test is over.
The users' logon script ends with logon-end.ps1, which writes logon_start and logon_end:
powershell -NoProfile -ExecutionPolicy Bypass -File \\\\SERVER\\SHARE\\events\\logon-end.ps1
Where the broker shows
that a desktop is registered, call add-event.ps1 registered VM; when sessions end, logoff VM USER.
Boot lasts from the first power_on to the last registered, logon from the first logon_start to the last
logon_end, steady state from there to the first logoff. Move the events-*.csv into the run's folder after each run.""",
    ),
    (
        "storage/",
        """Storage: with no desktop running, start fio or DiskSpd on the storage under test.
fio --output-format=json --output=fio-steady.json fio-steady.fio, or diskspd-steady.cmd FOLDER.
Five steps each: the rate of the desktops, twice that rate, and three times full speed with more and more I/Os in
flight. Where more of them bring no more IOPS is the limit. The head of each file says which numbers were measured.
Put the results into results/storage.""",
    ),
    (
        "",
        """After each run put its files into the run's folder: logs of desktops into guest, of hosts into host,
events-*.csv beside run.toml. Names do not matter, as files are recognised by their content. Then move the run's
folder from planned-runs into a folder results beside it.
Open the folder results: vdi-workbench results, or vdiwb findings results.""",
    ),
)
