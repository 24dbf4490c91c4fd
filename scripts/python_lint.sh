#!/usr/bin/env bash
# Checks all Python sources with ruff (rules in ruff.toml), installed into build/venv.
#   scripts/python_lint.sh [--fix]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=0.17.4
venv=build/venv
if [[ "$("$venv/bin/ruff" --version 2>/dev/null)" != "ruff $version" ]]; then
  [[ -x "$venv/bin/pip" ]] || python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "ruff==$version" || {
    echo "python_lint: cannot install ruff $version: is a Python package index in reach?" >&2
    exit 1
  }
fi

if [[ "${1:-}" == --fix ]]; then
  "$venv/bin/ruff" check --quiet --fix .
  "$venv/bin/ruff" format --quiet .
else
  "$venv/bin/ruff" check --quiet .
  "$venv/bin/ruff" format --quiet --check . ||
    { echo "python_lint: run 'make format'" >&2; exit 1; }
fi
