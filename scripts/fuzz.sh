#!/usr/bin/env bash
# Runs every harness build/fuzz/bin/fuzz_* for a number of seconds, starting from tests/fuzz/corpus.
# What it learns stays in build/fuzz/corpus, findings in build/fuzz/findings.
#   scripts/fuzz.sh SECONDS [PARALLEL]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run_one() {
  local seconds="$1" name="${2##*/fuzz_}"
  local learned="build/fuzz/corpus/$name" findings="build/fuzz/findings/$name"
  local seeds="tests/fuzz/corpus/$name" log="build/fuzz/$name.log" inputs
  mkdir -p "$learned" "$findings"
  local folders=("$learned")
  [[ ! -d "$seeds" ]] || folders+=("$seeds")
  # No input of 64 kB may take seconds or hundreds of megabytes; the clock also counts what other
  # programs take of the machine.
  if "$2" -max_total_time="$seconds" -max_len=65536 -timeout="${FUZZ_TIMEOUT:-10}" \
      -malloc_limit_mb=256 \
      -artifact_prefix="$findings/" -print_final_stats=1 "${folders[@]}" >"$log" 2>&1; then
    inputs="$(awk '/number_of_executed_units/ {print $2}' "$log")"
    echo "fuzz: $name: no finding, $inputs inputs, $seconds s"
  else
    tail -n 40 "$log"
    echo "fuzz: $name: FINDING, see $findings and $log"
    return 1
  fi
}
export -f run_one

shopt -s nullglob
harnesses=(build/fuzz/bin/fuzz_*)
[[ ${#harnesses[@]} -gt 0 ]] || { echo "fuzz: no harness in build/fuzz/bin" >&2; exit 1; }
# shellcheck disable=SC2016 # the inner shell expands its own arguments
printf '%s\0' "${harnesses[@]}" |
  xargs -0 -P "${2:-1}" -I HARNESS bash -c 'run_one "$1" "$2"' fuzz "$1" HARNESS
