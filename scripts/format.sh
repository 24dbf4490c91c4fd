#!/usr/bin/env bash
# Formats all C++ sources with clang-format 14 (other versions break lines differently).
#   scripts/format.sh           rewrite      scripts/format.sh --check   only say what differs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=""
for candidate in clang-format-14 clang-format; do
  if [[ "$("$candidate" --version 2>/dev/null)" == *"version 14."* ]]; then
    tool="$candidate"
    break
  fi
done
if [[ -z "$tool" ]]; then
  echo "format: skipped, this machine has no clang-format 14" >&2
  exit 0
fi

mapfile -d '' files < <(find include src apps bindings tests benchmarks examples \
  \( -name '*.hpp' -o -name '*.cpp' \) -print0 2>/dev/null)
if [[ "${1:-}" == --check ]]; then
  if ! findings="$("$tool" --dry-run --Werror "${files[@]}" 2>&1)"; then
    sed -nE 's/^([^:]+:[0-9]+):[0-9]+: error: .*/\1: not as clang-format writes it/p' \
      <<<"$findings" | sort -t: -k1,1 -u >&2
    echo "format: run 'make format'" >&2
    exit 1
  fi
else
  "$tool" -i "${files[@]}"
fi
