#!/bin/bash
# Builds the wheel, installs it with plain pip into a clean environment outside the repository, runs the demo there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cd "$root"
base=$(.venv/bin/python -c 'import sys; print(sys._base_executable)')
"$base" -m venv "$away/venv" 2>/dev/null || .venv/bin/uv venv -q --seed --python "$base" "$away/venv"
pip="$away/venv/bin/python -m pip --disable-pip-version-check"
$pip wheel -q --no-deps -w "$away/dist" .
cd "$away"
$pip install -q dist/*.whl
$pip check
"$away/venv/bin/curate" --version
"$away/venv/bin/curate" demo --out "$away/demo" >"$away/demo.txt"
test -s "$away/demo/report.html"
test -s "$away/demo/examples/train-00000.jsonl" || ls "$away/demo/examples"
cat "$away/demo.txt"
echo "the wheel installs with plain pip and runs the demo outside the repository"
