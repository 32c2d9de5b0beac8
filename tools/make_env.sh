#!/bin/bash
# make_env.sh VENV: makes the private environment VENV from requirements.lock, with the project itself on top.
# Uses uv where there is one; else brings uv into the environment by pip; else plain pip does it all.
set -u
venv=$1
lock=requirements.lock
# The system's certificates, as pip on Debian and proxies of companies need; no interpreter is downloaded.
export UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
say() { echo "$*" >&2; }

fill_with_uv() { # the uv to use
    "$1" pip install -q --python "$venv/bin/python" -r "$lock" >>"$log" 2>&1 &&
        "$1" pip install -q --python "$venv/bin/python" --no-deps -e . >>"$log" 2>&1
}
fill_with_pip() { # a pip command
    $1 install -q -r "$lock" >>"$log" 2>&1 && $1 install -q --no-deps -e . >>"$log" 2>&1
}

say "setting up $venv (once; about a minute) ..."
if command -v uv >/dev/null 2>&1 && uv venv -q --clear --python '>=3.11' "$venv" >>"$log" 2>&1 && fill_with_uv uv; then
    uv pip install -q --python "$venv/bin/python" uv >>"$log" 2>&1 || true # for make lock
    exit 0
fi
for python in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    new_enough "$python" || continue
    rm -rf "$venv"
    if "$python" -m venv "$venv" >>"$log" 2>&1; then
        pip="$venv/bin/python -m pip --disable-pip-version-check"
    # Debian without python3-venv has no ensurepip, but its python3-pip can install into a bare environment.
    elif rm -rf "$venv" && "$python" -m venv --without-pip "$venv" >>"$log" 2>&1 && "$python" -m pip --version >>"$log" 2>&1; then
        pip="$python -m pip --python $venv/bin/python --disable-pip-version-check"
    else
        continue
    fi
    if $pip install -q uv >>"$log" 2>&1 && fill_with_uv "$venv/bin/uv"; then exit 0; fi
    if fill_with_pip "$pip"; then exit 0; fi
done
rm -rf "$venv"
tail -n 15 "$log" >&2
say "No private environment could be made; the last lines above say why."
say "It needs Python 3.11 or newer with venv or pip (Debian, Ubuntu: sudo apt-get install python3-venv) and the package index."
exit 1
