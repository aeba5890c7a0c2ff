"""The collectors of the counters: data collector sets and lists of Windows, a configuration of esxtop, poolmon.

Data collector set: the elements of MS-PLA 3.2.4.19, "Schema"
(https://learn.microsoft.com/openspecs/windows_protocols/ms-pla/b5be2d38-3f21-478d-a8b9-a61128eb2751); PLA fills in
missing elements. The codes are those of AutoPathFormat (2.2.2.1) and FileFormat (2.2.2.7). `Counter` takes English
names on every Windows; `typeperf` takes those of the local language.

Also the scripts that write events.csv, one line for each event, as docs/formats.md describes it: for Windows PowerShell
5.1, and a batch file for machines without PowerShell scripts. Times contain their offset from UTC and have one format
in every language of Windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workbench.model.session import EventKind
from workbench.readers.common.counters import Collected

# AutoPathFormat: a pattern after the name, and the computer's name before it.
_PATTERN, _COMPUTER = 0x1, 0x2
_CSV, _BINARY = 0, 3
# Minimum seconds between two samples of esxtop.
_ESXTOP_LEAST_S = 2
_ROOT = "%SystemDrive%\\PerfLogs\\vdi-workbench"


def set_name(place: str) -> str:
    """The name of the data collector set of such machines."""
    return f"vdi-workbench-{place}"


def collector_set(place: str, counters: Sequence[Collected], interval_s: int, binary: bool = False) -> str:
    """The set as XML for `logman import -xml`. A `binary` log also contains instances that appear later, such as the
    VMs of a host and the sessions of a desktop; a text log only has the columns that exist at its start."""
    collector: list[tuple[str, object]] = [
        ("DataCollectorType", 0),
        ("Name", "counters"),
        ("FileName", f"_{place}"),
        ("FileNameFormat", _PATTERN | _COMPUTER),
        ("FileNameFormatPattern", r"\_yyyyMMdd\_HHmmss"),
        ("LogAppend", 0),
        ("LogCircular", 0),
        ("LogOverwrite", 0),
        ("SampleInterval", interval_s),
        ("SegmentMaxRecords", 0),
        ("LogFileFormat", _BINARY if binary else _CSV),
        *(("Counter", path) for path in counter_paths(counters)),
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<DataCollectorSet>",
        "    <Duration>0</Duration>",
        "    <Description>Counters of this machine for VDI Workbench</Description>",
        f"    <Name>{set_name(place)}</Name>",
        f"    <RootPath>{_ROOT}</RootPath>",
        "    <Segment>0</Segment>",
        "    <Subdirectory></Subdirectory>",
        "    <SubdirectoryFormat>0</SubdirectoryFormat>",
        "    <PerformanceCounterDataCollector>",
        *(f"        <{name}>{escape(str(value), quote=False)}</{name}>" for name, value in collector),
        "    </PerformanceCounterDataCollector>",
        "</DataCollectorSet>",
    ]
    return "\n".join(lines) + "\n"


def counter_paths(counters: Sequence[Collected]) -> tuple[str, ...]:
    """The paths of perfmon's counters, each once."""
    return tuple(dict.fromkeys(counter.name for counter in counters if counter.tool == "perfmon"))


def counter_list(counters: Sequence[Collected]) -> str:
    """The list for `typeperf -cf`: one path per line."""
    return "".join(f"{path}\n" for path in counter_paths(counters))


def install_script(place: str, at_start: bool) -> str:
    """A batch file that imports the set. `at_start`: Windows starts it, so the boot is in the log."""
    name = set_name(place)
    lines = [
        "@echo off",
        "rem Run as administrator. If desktops are reset when they restart, run it in the master image.",
        # An existing set with that name, from an earlier kit, would make the import fail.
        f"logman stop {name} > nul 2>&1",
        f"logman delete {name} > nul 2>&1",
        f'logman import -n {name} -xml "%~dp0{place}.xml" || exit /b 1',
    ]
    if at_start:
        lines.append(f'schtasks /create /f /tn {name} /sc onstart /ru SYSTEM /tr "logman start {name}" || exit /b 1')
    return (
        "\n".join(
            [
                *lines,
                f"echo {name} is installed. start.cmd starts it. stop.cmd FOLDER stops it and moves the log to FOLDER.",
            ]
        )
        + "\n"
    )


def uninstall_script(place: str, at_start: bool) -> str:
    """A batch file that removes what `install_script` created; logs stay."""
    name = set_name(place)
    lines = ["@echo off", "rem Run as administrator.", f"logman stop {name}"]
    if at_start:
        lines.append(f"schtasks /delete /f /tn {name}")
    return "\n".join([*lines, f"logman delete {name}", f"echo Logs stay in {_ROOT}."]) + "\n"


def start_script(place: str) -> str:
    """A batch file that starts the set."""
    return f"@echo off\nlogman start {set_name(place)}\n"


def stop_script(place: str) -> str:
    """A batch file that stops the set and moves the log of this run away before a desktop reset deletes it. Older logs
    go into a folder `earlier`: otherwise they would count as logs of the same run."""
    return (
        "@echo off\n"
        "rem %1: the folder of the run, on a permanent disk or share. The log of this run is moved there.\n"
        "setlocal\n"
        'if "%~1"=="" (echo usage: %~nx0 FOLDER & exit /b 1)\n'
        f"logman stop {set_name(place)}\n"
        f'set "logs={_ROOT}"\n'
        'set "newest="\n'
        # The names end with their start time, so the last name is the newest.
        f'for /f "delims=" %%f in (\'dir /b /o-n "%logs%\\%COMPUTERNAME%_{place}_*"\') '
        'do if not defined newest set "newest=%%f"\n'
        "if not defined newest (echo %logs% contains no log of this machine. & exit /b 1)\n"
        'if not exist "%~1\\" md "%~1"\n'
        'move /y "%logs%\\%newest%" "%~1"\n'
        'if exist "%logs%\\%newest%" exit /b 1\n'
        f'if not exist "%logs%\\%COMPUTERNAME%_{place}_*" exit /b 0\n'
        'if not exist "%logs%\\earlier\\" md "%logs%\\earlier"\n'
        f'move /y "%logs%\\%COMPUTERNAME%_{place}_*" "%logs%\\earlier"\n'
        "echo Logs of earlier starts are in %logs%\\earlier.\n"
    )


def typeperf_script(interval_s: int) -> str:
    """A batch file that logs the list with typeperf, for machines without data collector sets."""
    return (
        "@echo off\n"
        "rem Ctrl+C ends it. If Windows is not English, use the data collector set: typeperf needs local names.\n"
        "setlocal\n"
        "set number=0\n"
        ":next\n"
        "set /a number+=1\n"
        'if exist "%COMPUTERNAME%_typeperf_%number%.csv" goto next\n'
        f'typeperf -cf "%~dp0counters.txt" -si {interval_s} -f CSV -o "%COMPUTERNAME%_typeperf_%number%.csv"\n'
    )


def remote_script(interval_s: int) -> str:
    """A batch file that logs desktops from another machine, in one window each."""
    return (
        "@echo off\n"
        "rem %1: a file with one desktop name per line. Ctrl+C in a window ends its log.\n"
        "rem The desktops need the service Remote Registry and the firewall rule Performance Logs and Alerts; your\n"
        "rem account must be in their group Performance Log Users. Run this file when the desktops have started.\n"
        "setlocal\n"
        'if "%~1"=="" (echo usage: %~nx0 FILE & exit /b 1)\n'
        'for /f "usebackq delims=" %%m in ("%~1") do '
        f'start "%%m" /min typeperf -s %%m -cf "%~dp0counters.txt" -si {interval_s} -f CSV -o "%%m.csv"\n'
    )


def poolmon_script(interval_s: int) -> str:
    """A batch file that appends snapshots of the pool tags, each after its time, to one file."""
    return (
        "@echo off\n"
        "rem Run as administrator. poolmon.exe (Windows Driver Kit) must be in this folder.\n"
        "rem %1: the folder for the log. Ctrl+C ends it.\n"
        'if "%~1"=="" (echo usage: %~nx0 FOLDER & exit /b 1)\n'
        'set "log=%~1\\%COMPUTERNAME%_poolmon.log"\n'
        ":again\n"
        'echo %date% %time% >> "%log%"\n'
        '"%~dp0poolmon" /n "%TEMP%\\vdi-workbench-snap.txt"\n'
        'type "%TEMP%\\vdi-workbench-snap.txt" >> "%log%"\n'
        # A wait that also works in a task without a console, where timeout does not.
        f"ping -n {max(interval_s, 60) + 1} 127.0.0.1 > nul\n"
        "goto again\n"
    )


# Eight lines of letters: one letter for each field of a display, capital if shown; then the delay with the first
# display. A public script writes a .esxtop50rc for `resxtop -c` in this way (github.com/mcowger/esxi-perf-collect,
# collectperf.py, commit 8e52f8c9). That script only shows which line belongs to the disk adapters (d); the order of the
# other lines is assumed.
_DISPLAYS = (("c", 10), ("m", 17), ("d", 12), ("u", 16), ("v", 8), ("n", 15), ("i", 6), ("p", 5))


def esxtop_rc(counters: Sequence[Collected], interval_s: int) -> str:
    """A configuration of esxtop with all fields of the displays that contain the counters, and no other display. The
    order of its lines is not verified on a host: `esxtop.sh` works without it."""
    shown = {counter.display for counter in counters if counter.tool == "esxtop"}
    lines = []
    for display, fields in _DISPLAYS:
        letters = "".join(chr(ord("a") + field) for field in range(fields))
        lines.append(letters.upper() if display in shown else letters)
    return "\n".join([*lines, f"{max(interval_s, _ESXTOP_LEAST_S)}{'v' if 'v' in shown else 'c'}"]) + "\n"


def esxtop_script(interval_s: int) -> str:
    """A shell script that logs in batch mode: with the configuration, or everything (`all`)."""
    step_s = max(interval_s, _ESXTOP_LEAST_S)
    return (
        "#!/bin/sh\n"
        "# usage: esxtop.sh SECONDS [all]     logs for SECONDS into HOST_esxtop_TIME.csv in this folder\n"
        "# The file esxtop60rc keeps the log small. It is not verified on a host: try it for a minute. If the log has\n"
        '# no column "Virtual Disk" or "Group Cpu", add the word all (esxtop -a logs everything).\n'
        "# Start it when the VMs are on: VMs that start later may be missing in the log.\n"
        'cd "$(dirname "$0")" || exit 1\n'
        "seconds=${1:?usage: esxtop.sh SECONDS [all]}\n"
        f"samples=$((seconds / {step_s} + 1))\n"
        'if [ "$2" = all ]; then fields="-a"; else fields="-c esxtop60rc"; fi\n'
        f'esxtop -b $fields -d {step_s} -n "$samples" > "$(hostname)_esxtop_$(date +%Y%m%d_%H%M%S).csv"\n'
    )


_KINDS = ", ".join(f"'{kind.value}'" for kind in EventKind)
HEADER = "time,event,vm,user,detail"
# .NET: zzz is the offset from UTC. The quotes and the invariant culture keep `T` and `:` unchanged.
TIME_FORMAT = "yyyy-MM-dd'T'HH:mm:sszzz"
ADD_EVENT_PS1 = f"""# Writes one event into events-<this machine>.csv next to this script (or into -File).
#   powershell -NoProfile -ExecutionPolicy Bypass -File add-event.ps1 power_on W10-001
#   powershell -NoProfile -ExecutionPolicy Bypass -File add-event.ps1 run_end
param(
    [Parameter(Mandatory = $true)][ValidateSet({_KINDS})][string]$Kind,
    [string]$Vm = '',
    [string]$User = '',
    [string]$Detail = '',
    [datetime]$At = (Get-Date),
    [string]$File = (Join-Path $PSScriptRoot "events-$env:COMPUTERNAME.csv")
)
$time = $At.ToString("{TIME_FORMAT}", [Globalization.CultureInfo]::InvariantCulture)
$cells = foreach ($cell in $time, $Kind, $Vm, $User, $Detail) {{
    $cell = $cell -replace '[\\r\\n]+', ' '
    if ($cell -match '[",;]') {{ '"' + ($cell -replace '"', '""') + '"' }} else {{ $cell }}
}}
if (-not (Test-Path -LiteralPath $File)) {{
    Set-Content -LiteralPath $File -Encoding UTF8 -Value '{HEADER}'
}}
Add-Content -LiteralPath $File -Encoding UTF8 -Value ($cells -join ',')
"""
LOGON_END_PS1 = """# The last command of the user's logon script: writes when the logon began, and that it has ended.
# The beginning is that of the user's own logon session in Windows; if it cannot be read, only the end is written.
# Not verified on every Windows: compare one logon with a stop watch.
$add = Join-Path $PSScriptRoot 'add-event.ps1'
$now = Get-Date
# A separate file for each user: two logons at once on a session host do not wait for each other.
$file = Join-Path $PSScriptRoot "events-$env:COMPUTERNAME-$env:USERNAME.csv"
$who = @{ Vm = $env:COMPUTERNAME; User = $env:USERNAME; File = $file }
try {
    $own = Get-CimInstance Win32_LoggedOnUser | Where-Object { $_.Antecedent.Name -eq $env:USERNAME } |
        ForEach-Object { $_.Dependent.LogonId }
    # 2: at the console, 10: remote, 11: with cached credentials, 12: remote with cached credentials
    $session = Get-CimInstance Win32_LogonSession |
        Where-Object { $own -contains $_.LogonId -and 2, 10, 11, 12 -contains $_.LogonType } |
        Sort-Object StartTime | Select-Object -Last 1
    if ($session) { & $add logon_start @who -At $session.StartTime }
} catch {
    Write-Warning "The start of the logon could not be read: $_"
}
& $add logon_end @who -At $now
"""
# wmic writes 20160510090000.123000+060: the local time, and its offset from UTC in minutes.
ADD_EVENT_CMD = f"""@echo off
rem Writes one event into events-<this machine>.csv next to this file, for machines where no PowerShell script may run.
rem usage: add-event.cmd KIND [VM] [USER] ["DETAIL"]       KIND: {", ".join(EventKind)}
setlocal
set "kind="
for %%k in ({" ".join(EventKind)}) do if /i "%~1"=="%%k" set "kind=%%k"
if not defined kind (echo usage: %~nx0 KIND [VM] [USER] ["DETAIL"]   KIND: {", ".join(EventKind)} & exit /b 1)
set "vm=%~2"
set "user=%~3"
set "detail=%~4"
set "now="
for /f "tokens=2 delims==" %%t in ('wmic os get LocalDateTime /value') do if not defined now set "now=%%t"
if not defined now (echo wmic does not answer: use add-event.ps1 & exit /b 1)
set /a minutes=1%now:~22,3%-1000
set /a hours=minutes/60
set /a minutes=minutes%%60
if %hours% lss 10 set "hours=0%hours%"
if %minutes% lss 10 set "minutes=0%minutes%"
set "stamp=%now:~0,4%-%now:~4,2%-%now:~6,2%T%now:~8,2%:%now:~10,2%:%now:~12,2%%now:~21,1%%hours%:%minutes%"
set "file=%~dp0events-%COMPUTERNAME%.csv"
if not exist "%file%" >"%file%" echo {HEADER}
rem UTF-8 while the line is written. What was entered is put in only after the line was read as a command.
for /f "tokens=2 delims=:." %%p in ('chcp') do set "page=%%p"
setlocal EnableDelayedExpansion
(
    chcp 65001 > nul
    >>"!file!" echo !stamp!,!kind!,"!vm!","!user!","!detail!"
    chcp !page! > nul
)
exit /b 0
"""
