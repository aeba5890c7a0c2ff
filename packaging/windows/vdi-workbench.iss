; The Windows installer, for Inno Setup 6: `python packaging/build.py installer` compiles it.
; It installs for one user without administrator rights; `/ALLUSERS` installs for all users.
#ifndef Version
  #error Give the version: ISCC /DVersion=0.1.0 vdi-workbench.iss
#endif
#ifndef Folder
  #define Folder "..\..\dist\vdi-workbench"
#endif

[Setup]
AppId={{6B0C1A52-5C0B-4B58-9B0D-2F4E9F1B7A63}
AppName=VDI Workbench
AppVersion={#Version}
AppPublisher=The VDI Workbench authors
#ifdef Homepage
AppPublisherURL={#Homepage}
#endif
DefaultDirName={autopf}\VDI Workbench
DefaultGroupName=VDI Workbench
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
OutputBaseFilename=vdi-workbench-{#Version}-setup
SetupIconFile=..\..\build\vdi-workbench.ico
UninstallDisplayIcon={app}\vdi-workbench.exe
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=commandline dialog
ChangesAssociations=yes
ChangesEnvironment=yes
Compression=lzma2/max
SolidCompression=yes
MinVersion=10.0.17763

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "german"; MessagesFile: "compiler:Languages\German.isl"

[CustomMessages]
english.AddToPath=Add the console command vdiwb to the PATH
german.AddToPath=Den Konsolenbefehl vdiwb in den PATH aufnehmen

[Tasks]
Name: "path"; Description: "{cm:AddToPath}"
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\VDI Workbench"; Filename: "{app}\vdi-workbench.exe"
Name: "{autodesktop}\VDI Workbench"; Filename: "{app}\vdi-workbench.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.vdiwb"; ValueType: string; ValueData: "VdiWorkbench.Workspace"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.vdibundle"; ValueType: string; ValueData: "VdiWorkbench.Bundle"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\VdiWorkbench.Workspace"; ValueType: string; ValueData: "VDI Workbench workspace file"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\VdiWorkbench.Workspace\shell\open\command"; ValueType: string; ValueData: """{app}\vdi-workbench.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\VdiWorkbench.Bundle"; ValueType: string; ValueData: "VDI Workbench bundle"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\VdiWorkbench.Bundle\shell\open\command"; ValueType: string; ValueData: """{app}\vdi-workbench.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: NotOnPath

[Run]
Filename: "{app}\vdi-workbench.exe"; Description: "{cm:LaunchProgram,VDI Workbench}"; Flags: nowait postinstall skipifsilent

[Code]
function NotOnPath: Boolean;
var
  Path: string;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', ';' + Lowercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path: string;
begin
  if (Step = usPostUninstall) and RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
  begin
    Path := ';' + Path + ';';
    if StringChangeEx(Path, ';' + ExpandConstant('{app}') + ';', ';', True) > 0 then
      RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Copy(Path, 2, Length(Path) - 2));
  end;
end;
