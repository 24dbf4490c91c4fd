#!/usr/bin/env bash
# Measures everything in docs/benchmarks.md and writes that page; called by `make bench`.
#   benchmarks/run.sh [--quick] [--only PART] [--splits N] [--output FILE]
# --quick: tiny sizes, to try it; --splits: of every set whose accuracy is compared
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=build/venv
if ! "$venv/bin/python" -c 'import numpy, scipy, sklearn' 2>/dev/null; then
  [[ -x "$venv/bin/pip" ]] || python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check numpy scipy scikit-learn || {
    echo "bench: cannot install numpy, scipy, scikit-learn: is a package index in reach?" >&2
    exit 1
  }
fi
exec "$venv/bin/python" benchmarks/run.py "$@"
