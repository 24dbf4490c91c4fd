#!/usr/bin/env python3
"""The demo: double moons with 10 % wrong labels, hinge0 beside LIBSVM, and a picture.

Writes everything to build/demo; prints every command it runs, so that each can be tried by hand.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HINGE0 = "build/bin/hinge0"
FOLDER = Path("build/demo")
MOONS = ["data", "moons", "--samples", "500", "--noise", "0.1"]
GAMMA, C = "2", "1"  # for both programs
GRID = (-1.6, 2.6, 169), (-1.15, 1.65, 113)  # lowest, highest, points along x and y


def run(*command: object, capture: bool = False) -> str:
    """Shows and runs a command; ends the demo when it fails."""
    words = [str(word) for word in command]
    print(f"\n$ {shlex.join(words)}", flush=True)
    result = subprocess.run(words, text=True, stdout=subprocess.PIPE if capture else None)
    if result.returncode != 0:
        sys.exit(f"demo: {words[0]} failed with exit status {result.returncode}")
    return result.stdout or ""


def read_points(file: Path) -> list[tuple[str, float, float]]:
    """(label, x, y) of every row of a two-feature LIBSVM file."""
    points = []
    for line in file.read_text().splitlines():
        label, *pairs = line.split()
        features = dict(pair.split(":") for pair in pairs)
        points.append((label, float(features.get("1", 0)), float(features.get("2", 0))))
    return points


def make_data() -> None:
    run(HINGE0, *MOONS, "--flip", "0.1", "--seed", "3", "-o", FOLDER / "train.libsvm")
    run(HINGE0, *MOONS, "--seed", "3", "-o", FOLDER / "true.libsvm")  # the same points, true labels
    run(HINGE0, *MOONS, "--seed", "4", "-o", FOLDER / "test.libsvm")


def with_hinge0() -> tuple[float, int]:
    """(test accuracy, support vectors) of a certified local minimum."""
    train, model = FOLDER / "train.libsvm", FOLDER / "moons.model"
    report = run(HINGE0, "train", train, "--gamma", GAMMA, "-C", C, "-o", model, "--json",
                 capture=True)  # fmt: skip
    (FOLDER / "report.json").write_text(report)
    run(HINGE0, "verify", model, train)
    output = run(HINGE0, "predict", model, FOLDER / "test.libsvm", "--json", "-o",
                 FOLDER / "test.labels", capture=True)  # fmt: skip
    print(output, end="")
    prediction = json.loads(output)
    return prediction["accuracy"], prediction["support_vectors"]


def with_libsvm() -> tuple[float, int]:
    train, model, test = FOLDER / "train.libsvm", FOLDER / "libsvm.model", FOLDER / "test.libsvm"
    run("svm-train", "-q", "-t", "2", "-g", GAMMA, "-c", C, train, model)
    output = run("svm-predict", test, model, FOLDER / "libsvm.labels", capture=True)
    print(output, end="")
    lines = dict(line.split(" ", 1) for line in model.read_text().splitlines() if " " in line)
    return float(output.split("=")[1].split("%")[0]) / 100, int(lines["total_sv"])


def draw() -> None:
    """Files of x, y (and value) for gnuplot, then the picture."""
    xs, ys = ([a + (b - a) * i / (n - 1) for i in range(n)] for a, b, n in GRID)
    grid = [[(x, y) for x in xs] for y in ys]
    (FOLDER / "grid.libsvm").write_text(
        "".join(f"1 1:{x:.6f} 2:{y:.6f}\n" for row in grid for x, y in row)
    )
    model = FOLDER / "moons.model"
    run(HINGE0, "predict", model, FOLDER / "grid.libsvm", "--decision-values", "-q", "-o",
        FOLDER / "grid.values")  # fmt: skip
    values = iter((FOLDER / "grid.values").read_text().split())
    blocks = ["".join(f"{x} {y} {next(values)}\n" for x, y in row) for row in grid]
    (FOLDER / "grid.dat").write_text("\n".join(blocks))

    points, truth = read_points(FOLDER / "train.libsvm"), read_points(FOLDER / "true.libsvm")
    info = json.loads(run(HINGE0, "info", model, "--json", capture=True))
    selections = {
        "minus": [p for p in points if float(p[0]) < 0],
        "plus": [p for p in points if float(p[0]) > 0],
        "flipped": [p for p, t in zip(points, truth, strict=True) if p[0] != t[0]],
        "support": [points[row - 1] for row in info["support_rows"]],
    }
    for name, chosen in selections.items():
        (FOLDER / f"{name}.dat").write_text("".join(f"{x} {y}\n" for _, x, y in chosen))
    run("gnuplot", "-e", f"folder='{FOLDER}'", "scripts/moons.gp")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    make_data()
    ours, theirs = with_hinge0(), with_libsvm()
    draw()
    print("\nTrained on 500 points, 10 % of the labels wrong; tested on 500 others, all true.")
    print(f"Gaussian kernel with gamma = {GAMMA}, C = {C} for both:\n")
    print(f"{'':24}{'test accuracy':>15}{'support vectors':>18}")
    for name, (accuracy, support) in (("hinge0, l0 loss", ours), ("LIBSVM, hinge loss", theirs)):
        print(f"{name:24}{accuracy:>15.1%}{support:>18}")
    print(f"\nPicture: {FOLDER}/moons.png   report and model: {FOLDER}/")


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
