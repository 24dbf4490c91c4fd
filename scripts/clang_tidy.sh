#!/usr/bin/env bash
# Runs clang-tidy on the C++ sources changed since a base (default: where this branch left main, or
# the last commit on main itself), or on all of them.
#   scripts/clang_tidy.sh [BASE | all]      needs build/lint/compile_commands.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

all_sources() { find src apps tests benchmarks examples -name '*.cpp' 2>/dev/null; }

base_commit() {
  local base
  base="$(git merge-base HEAD "${1:-main}" 2>/dev/null || true)"
  if [[ -z "$base" || "$base" == "$(git rev-parse HEAD)" ]]; then
    base="$(git rev-parse --verify --quiet HEAD~1 || git hash-object -t tree /dev/null)"
  fi
  echo "$base"
}

# A changed header is checked through the sources that include it directly.
changed_sources() {
  local base="$1" file
  # the binding has no compile command here: pip builds it
  git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!bindings'
  git diff --name-only --diff-filter=d "$base" -- '*.hpp' | while read -r file; do
    file="${file#include/}"
    all_sources | xargs -r grep -lF "#include \"${file#src/}\"" || true
  done
}

if [[ "${1:-}" == all ]]; then
  files="$(all_sources)"
else
  files="$(changed_sources "$(base_commit "$@")" | sort -u)"
fi
# Only what this build compiles has flags that clang-tidy can use.
files="$(for file in $files; do
  grep -qF "\"$PWD/$file\"" build/lint/compile_commands.json && echo "$file"; done || true)"
[[ -n "$files" ]] || { echo "clang-tidy: nothing changed"; exit 0; }
# Some warnings of the build's compiler are not known to clang.
xargs -P "$(nproc)" -n 1 clang-tidy -p build/lint --quiet \
  --extra-arg=-Wno-unknown-warning-option <<<"$files"
echo "clang-tidy: clean ($(wc -l <<<"$files") files)"
