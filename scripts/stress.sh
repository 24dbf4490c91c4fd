#!/usr/bin/env bash
# Runs random fits in several processes, each with its own seeds; exit status 1 if any fit is wrong.
#   scripts/stress.sh FITS SEED PROCESSES      needs build/stress/bin/stress
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fits="$1" seed="$2" processes="$3"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 # the processes share the cores already

share=$(((fits + processes - 1) / processes))
logs=() workers=() failed=0
for ((k = 0; k < processes; ++k)); do
  logs+=("build/stress/stress-$k.log")
  build/stress/bin/stress --fits "$share" --seed "$((seed + k * share))" >"${logs[k]}" 2>&1 &
  workers+=("$!")
done
for worker in "${workers[@]}"; do
  wait "$worker" || failed=1
done
[[ "$failed" == 0 ]] || grep -h --no-group-separator -A2 '^wrong: ' "${logs[@]}" || true
# One line for all: "stress: N fits, A certified, ..." summed word by word.
awk '/^stress: / { lines++; for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) sum[i] += $i; last = $0 }
     END { if (!lines) exit; n = split(last, word, " ")
           for (i = 2; i <= n; i++) if (word[i] ~ /^[0-9]+$/) word[i] = sum[i]
           for (i = 1; i <= n; i++) printf "%s%s", word[i], i < n ? " " : "\n" }' "${logs[@]}"
[[ "$failed" == 0 ]] || echo "stress: all of it is in ${logs[*]}"
exit "$failed"
