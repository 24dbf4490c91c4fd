"""The slowest of many small fits: sets cut to 400 rows, wide and narrow kernels, small and large C.

    HINGE0_DATA=... python3 benchmarks/slowest.py build/bin/hinge0 [--step 2] [options of train]

Prints the ten slowest solves (seconds.solve of the report, one thread) and the median. No fit of a
few hundred rows should take longer than some tens of milliseconds.
"""

import argparse
import json
import lzma
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

SETS = [
    *("australian", "breast_cancer", "diabetes", "fourclass", "german.numer", "heart"),
    *("ionosphere", "sonar", "splice", "svmguide1", "svmguide3", "a9a", "ijcnn1", "cod-rna"),
    *("phishing", "mushrooms", "skin_nonskin"),
]
ROWS = 400


def cut(folder: pathlib.Path, name: str, flip: float) -> str:
    """400 random rows of a set as LIBSVM text, a share of the labels exchanged."""
    with lzma.open(folder / f"{name}.libsvm.xz", "rt") as file:
        lines = file.read().splitlines()
    chosen = random.Random(0).sample(lines, min(ROWS, len(lines)))
    labels = sorted({line.split()[0] for line in chosen})
    draw = random.Random(1)
    rows = []
    for line in chosen:
        label, _, rest = line.partition(" ")
        if draw.random() < flip:
            label = labels[1 - labels.index(label)]
        rows.append(f"{label} {rest}\n")
    return "".join(rows)


def features(text: str) -> int:
    return max(int(pair.split(":")[0]) for line in text.splitlines() for pair in line.split()[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--step", type=int, default=2, help="of the exponents of 2")
    arguments, options = parser.parse_known_args()
    folder = pathlib.Path(os.environ["HINGE0_DATA"].split(":")[0])
    found = []
    with tempfile.TemporaryDirectory() as place:
        data = pathlib.Path(place) / "rows"
        for name in SETS:
            for flip in (0.0, 0.3):
                data.write_text(cut(folder, name, flip))
                width = features(data.read_text())
                for g in range(-10, 5, arguments.step):
                    for c in range(-3, 11, arguments.step):
                        command = [arguments.program, "train", data, "-o", "/dev/null", "--json"]
                        command += ["-q", "--threads", "1", "--standardize", *options]
                        command += ["--gamma", repr(2.0**g / width), "-C", repr(2.0**c)]
                        run = subprocess.run(
                            command,
                            capture_output=True,
                            text=True,
                        )
                        report = json.loads(run.stdout)
                        certified = report["certificate"]["local_minimum"]
                        found.append((report["seconds"]["solve"], name, flip, g, c, certified))
    found.sort(reverse=True)
    median = statistics.median(seconds for seconds, *_ in found)
    certified = sum(fit[-1] for fit in found)
    print(f"{len(found)} fits, {certified} certified, median {1000 * median:.1f} ms; the slowest:")
    for seconds, name, flip, g, c, _ in found[:10]:
        print(f"{1000 * seconds:9.1f} ms  {name}, {flip:.0%} flipped, gamma d = 2^{g}, C = 2^{c}")


if __name__ == "__main__":
    main()
