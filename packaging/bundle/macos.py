"""The application's Info.plist for macOS, without the keys that PyInstaller adds."""

from __future__ import annotations

_DOCUMENTS = {"vdiwb": "VDI Workbench workspace file", "vdibundle": "VDI Workbench bundle"}

INFO = {
    "CFBundleDisplayName": "VDI Workbench",
    "CFBundleExecutable": "vdi-workbench",
    # How Finder shows a file type and opens it with a double click.
    "CFBundleDocumentTypes": [
        {
            "CFBundleTypeName": name,
            "CFBundleTypeRole": "Editor",
            "CFBundleTypeExtensions": [ending],
            "LSHandlerRank": "Owner",
        }
        for ending, name in _DOCUMENTS.items()
    ],
    "LSMinimumSystemVersion": "13.0",
    "NSHighResolutionCapable": True,
    "NSRequiresAquaSystemAppearance": False,
}
