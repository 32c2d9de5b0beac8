#!/bin/bash
# system_packages.sh: the programs that the desktop and browser tests drive. Installs them where it may (Debian,
# as root); otherwise prints the line that does. Tests that need a missing program say so in one sentence.
set -u
missing() { # program package ...
    while [ $# -gt 0 ]; do
        command -v "$1" >/dev/null 2>&1 || echo "$2"
        shift 2
    done
}
case $(uname -s) in
Linux) ;;
Darwin) echo "macOS: the tests of the X11 recorder and of the report in Chromium are skipped here." >&2; exit 0 ;;
*) exit 0 ;;
esac
packages=$({ missing Xvfb xvfb xauth xauth xdotool xdotool openbox openbox xterm xterm mousepad mousepad xclip xclip \
    xdpyinfo x11-utils xrandr x11-xserver-utils setxkbmap x11-xkb-utils chromium chromium \
    dbus-daemon dbus-daemon dbus-send dbus-bin
    [ -x /usr/libexec/at-spi-bus-launcher ] || echo at-spi2-core; } | sort -u | tr '\n' ' ')
# Debian keeps tkinter apart from its Python; the windows of test programs need it.
"${1:-python3}" -c "import tkinter" >/dev/null 2>&1 || python3 -c "import tkinter" >/dev/null 2>&1 ||
    packages="$packages python3-tk"
[ -n "${packages// /}" ] || exit 0
line="apt-get install -y --no-install-recommends $packages"
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "installing $packages" >&2
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    # shellcheck disable=SC2086
    if { apt-get update -q && $line -o DPkg::Lock::Timeout=600; } >"$log" 2>&1; then rm -f "$log"; exit 0; fi
    tail -n 5 "$log" >&2
fi
echo "Some tests are skipped for want of programs. To run them all: sudo $line" >&2
