#!/usr/bin/env bash
# Large data beside scikit-learn-intelex, in an environment of its own; `make bench-large` calls it.
#   benchmarks/large.sh [--repeats N] [--only SET] [--tune]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=build/venv-large
[[ -x "$venv/bin/pip" ]] || python3 -m venv "$venv"
quiet=(--quiet --disable-pip-version-check)
"$venv/bin/pip" install "${quiet[@]}" --requirement benchmarks/requirements-large.txt &&
  "$venv/bin/pip" install "${quiet[@]}" --force-reinstall --no-deps build/wheel/hinge0-*.whl || {
  echo "bench-large: cannot install its Python packages: is a package index in reach?" >&2
  exit 1
}
exec "$venv/bin/python" benchmarks/large.py "$@"
