"""The scripts that write events.csv, one line for each event, as docs/formats.md describes it.

Windows PowerShell 5.1, and a batch file for machines where its scripts are switched off. Times carry their offset from
UTC and are written alike in every language of Windows.
"""

from __future__ import annotations

from workbench.model.event import EventKind

_KINDS = ", ".join(f"'{kind.value}'" for kind in EventKind)
HEADER = "time,event,vm,user,detail"
# .NET: zzz is the offset from UTC; the quotes and the invariant culture keep `T` and `:` from being translated.
TIME_FORMAT = "yyyy-MM-dd'T'HH:mm:sszzz"

ADD_EVENT_PS1 = f"""# Writes one event into events-<this machine>.csv beside this script (or into -File).
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
# The beginning is that of the user's own logon session in Windows; where it cannot be read, only the end is written.
# Not verified on every Windows: compare one logon with a stop watch.
$add = Join-Path $PSScriptRoot 'add-event.ps1'
$now = Get-Date
# A file of each user's own: two logons at once on a session host do not wait for each other.
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
    Write-Warning "The beginning of the logon could not be read: $_"
}
& $add logon_end @who -At $now
"""

# wmic writes 20160510090000.123000+060: the local time, and minutes from UTC.
ADD_EVENT_CMD = f"""@echo off
rem Writes one event into events-<this machine>.csv beside this file, for machines where no PowerShell script may run.
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
