#!/usr/bin/env bash
# Sums up what a `coverage` build has counted: a table and one line here, pages in
# build/coverage/report. Branches that only an exception takes, and those that the compiler knows
# are dead, do not count: gcov sees one behind every call that might throw.
#   scripts/coverage.sh [--write-docs]      --write-docs: the table in docs/quality.md as well
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build/coverage/report
gcovr --root . --object-directory build/coverage --filter 'src/' \
  --filter 'include/' --filter 'apps/' -j "$(nproc)" \
  --exclude-throw-branches --exclude-unreachable-branches \
  --json-summary build/coverage/summary.json --html-details build/coverage/report/index.html
python3 scripts/coverage_table.py build/coverage/summary.json "$@"
