#!/bin/bash
# The picture of docs/exact.md: F along the search of one fit. Writes to build/search; needs the
# release build and gnuplot.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/search
mkdir -p "$folder"
run() { echo "\$ $*"; "$@"; }

run build/bin/hinge0 data moons --samples 500 --noise 0.2 --flip 0.15 --seed 3 \
    -o "$folder/moons.libsvm"
run build/bin/hinge0 train "$folder/moons.libsvm" -C 1 --gamma 2 --starts 4 \
    --trace "$folder/trace.csv" -o "$folder/moons.model"

# Within a start F only falls, so a rise begins the next one: a block of its own in segments.dat.
# The trace does not name kicks. They come after the last start and only count below the best of
# all, so what falls below the other starts there is put into a block of its own.
awk -F, -v starts=4 '
    NR == 1 { next }
    NR > 2 && $2 > last { print "\n"; start++ }
    start == starts - 1 && !kicked && $2 < best { print "\n"; kicked = 1; print at, best }
    NR == 2 || $2 < best { best = $2; at = $1 }
    { print $1, $2; last = $2 }' "$folder/trace.csv" > "$folder/segments.dat"
gnuplot -e "folder='$folder'" scripts/search.gp
echo "Picture: $folder/search.png"
