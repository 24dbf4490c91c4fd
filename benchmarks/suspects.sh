#!/usr/bin/env bash
# How well wrong labels are found, beside cleanlab; writes the tables of docs/suspects.md. Called by
# `make bench`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=build/venv
"$venv/bin/pip" install --quiet --disable-pip-version-check cleanlab pandas || {
  echo "bench: cannot install cleanlab: is a package index in reach?" >&2
  exit 1
}
exec "$venv/bin/python" benchmarks/suspects.py --write "$@"
