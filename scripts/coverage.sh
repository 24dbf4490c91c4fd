#!/usr/bin/env bash
# Sums up what a `coverage` build has counted: a table here, pages in build/coverage/report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build/coverage/report
gcovr --root . --object-directory build/coverage --filter 'src/' \
  --filter 'include/' --filter 'apps/' \
  --exclude-throw-branches --exclude-unreachable-branches --print-summary \
  --html-details build/coverage/report/index.html
