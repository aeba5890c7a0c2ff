#!/bin/sh
# Installs VDI Workbench for the current user, or with `--prefix /usr/local` for all users. `--remove` removes it.
set -eu
prefix="${HOME}/.local"
remove=no
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix) [ $# -gt 1 ] || { echo "--prefix needs a folder" >&2; exit 2; }; prefix="$2"; shift 2 ;;
        --remove) remove=yes; shift ;;
        *) echo "usage: install.sh [--prefix FOLDER] [--remove]" >&2; exit 2 ;;
    esac
done
here="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$prefix"
prefix="$(cd "$prefix" && pwd)"
program="$prefix/lib/vdi-workbench"

rm -rf "$program"
rm -f "$prefix/bin/vdiwb" "$prefix/bin/vdi-workbench"
(cd "$here/share" && find . -type f) | while read -r file; do rm -f "$prefix/share/$file"; done
if [ "$remove" = no ]; then
    mkdir -p "$prefix/bin" "$prefix/lib" "$prefix/share"
    cp -R "$here/vdi-workbench" "$program"
    cp -R "$here/share/." "$prefix/share/"
    ln -s ../lib/vdi-workbench/vdiwb "$prefix/bin/vdiwb"
    ln -s ../lib/vdi-workbench/vdi-workbench "$prefix/bin/vdi-workbench"
    # The menu entry gets the full path, because the folder may not be on the PATH of the menu.
    entry="$prefix/share/applications/vdi-workbench.desktop"
    awk -v start="Exec=\"$prefix/bin/vdi-workbench\" %F" '/^Exec=/ { print start; next } { print }' \
        "$here/share/applications/vdi-workbench.desktop" > "$entry"
fi
updated() {
    if command -v "$1" >/dev/null 2>&1; then "$1" "$2" >/dev/null 2>&1 || true; fi
}
updated update-desktop-database "$prefix/share/applications"
updated update-mime-database "$prefix/share/mime"
[ "$remove" = yes ] || echo "Installed in $prefix. Start it from the menu, or with: $prefix/bin/vdi-workbench"
