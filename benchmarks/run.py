"""Measures hinge0 beside its peers, one after the other, and writes docs/benchmarks.md.

Run by benchmarks/run.sh after the `bench` preset is built. Both sides of every ratio are timed in
this one run and must give the same results, or the run fails. Files go to build/bench.
"""

import argparse
import json
import os
import statistics
import sys
from dataclasses import replace
from pathlib import Path

import choosing
import exact
import exported
import growth
import libsvm_to_hinge0
import numpy as np
import prepare
import probabilities
from harness import BIN, FOLDER, QUICK, ROOT, Sizes, require, run, seconds
from page import Figure, Section, figures_table, write_page
from sklearn.datasets import load_svmlight_file

import classes


def train(sizes: Sizes) -> Section:
    """Algorithm 1 against its floors and against a loop that solves from scratch."""
    data = prepare.write_training_part(sizes.training_set, FOLDER / "train.libsvm")
    rows = len(data.read_text().splitlines())
    start = prepare.write_start(rows, FOLDER / "start.txt")
    report, trace = FOLDER / "floor.json", FOLDER / "trace.csv"
    report.write_text(run(BIN / "bench_floor", data, start, trace, sizes.iterations, sizes.repeats))
    floor = json.loads(report.read_text())
    naive = {
        method: json.loads(run(sys.executable, ROOT / "benchmarks/naive_admm.py", data, start,
                               report, trace, "--method", method, "--repeats",
                               sizes.naive_repeats))
        for method in ("lu", "cholesky")
    }  # fmt: skip
    return Section(training_figures(floor, naive, sizes), training_details(floor, naive))


def training_figures(floor: dict, naive: dict[str, dict], sizes: Sizes) -> list[Figure]:
    own = floor["solve"]["seconds"]
    what = f"Algorithm 1, {sizes.training_set}, {floor['rows']} rows, {floor['iterations']} it."
    lapack = min(floor[f"lapack_floor_{kind}"]["seconds"] for kind in ("potrs", "trsv"))
    return [
        Figure.faster(what, own, "numpy.linalg.solve every iteration", naive["lu"]["seconds"], 50),
        Figure.faster(what, own, "scipy Cholesky every iteration", naive["cholesky"]["seconds"]),
        Figure.within(what, own, "floor, hinge0's tiles", floor["tiled_floor"]["seconds"], 2),
        Figure.within(what, own, "floor, plain LAPACK", lapack, 2),
    ]


def training_details(floor: dict, naive: dict[str, dict]) -> str:
    lines = ["| part | Gram s | Cholesky s | iterations s | total s | GFlop/s | GB/s |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    for key, name in (
        ("solve", "hinge0, `Solver::solve`"),
        ("tiled_floor", "floor, hinge0's tiles"),
        ("lapack_floor_potrs", "floor, dgemm + dpotrf + dpotrs"),
        ("lapack_floor_trsv", "floor, dgemm + dpotrf + 2 dtrsv"),
    ):
        part = floor[key]
        numbers = [f"{part[k]:.4f}" for k in ("gram", "factor", "iterations", "seconds")]
        numbers += [f"{part[k]:.1f}" for k in ("gflop_per_second", "gbyte_per_second")]
        lines.append(f"| {name} | {' | '.join(numbers)} |")
    difference = max(result["largest_difference"] for result in naive.values())
    return "\n".join(
        [
            "### Algorithm 1",
            "",
            f"l0 loss, C {floor['C']:g}, sigma {floor['sigma']:g}, rbf with gamma "
            f"{floor['gamma']:g}, {floor['features']} features standardised over all rows, 60 % of "
            f"the rows (random_state 5), {floor['threads']} threads, median of "
            f"{floor['repeats']} alternating runs after one to warm up. It ends by "
            f"`{floor['status']}` as asked (worst residual {floor['worst_residual']:.2g}), with "
            f"{floor['support_vectors']} support vectors and training accuracy "
            f"{floor['train_accuracy']:.2%}. Times start with the data in memory.",
            "",
            *lines,
            "",
            f"The rates count what cannot be avoided: {floor['cholesky_flops'] / 1e9:.3g} GFlop "
            f"(m^3/3) for the Cholesky factor and {floor['bytes_per_iteration'] / 1e6:.3g} MB an "
            "iteration (its lower triangle read down and up). hinge0's Cholesky also inverts the "
            "diagonal tiles; its row includes preparing the samples. The table above compares "
            "with the quicker LAPACK floor.",
            "",
            "The loops that solve from scratch are `benchmarks/naive_admm.py`; objective and bias "
            f"of all iterations agree with hinge0's to {difference:.1e} (1e-6 is required). They "
            "use the OpenBLAS of their wheels on all cores; median of "
            f"{naive['lu']['repeats']} runs.",
        ]
    )


def predict(sizes: Sizes) -> Section:
    """The same support vectors in svm-predict and in hinge0, as whole commands."""
    rows = prepare.unpack("ijcnn1", FOLDER / "ijcnn1.part", sizes.support_rows)
    test = prepare.unpack("ijcnn1.t", FOLDER / "ijcnn1.t", sizes.test_rows)
    theirs, ours = FOLDER / "libsvm.model", FOLDER / "hinge0.model"
    run("svm-train", "-q", "-t", "2", "-g", "2", "-c", "10", rows, theirs)
    ours.write_text(libsvm_to_hinge0.convert(theirs.read_text()))

    labels = {side: FOLDER / f"{side}.labels" for side in ("libsvm", "hinge0", "one")}
    predict_ours = [BIN / "hinge0", "predict", ours, test, "--quiet"]
    commands = {
        "libsvm": ["svm-predict", test, theirs, labels["libsvm"]],
        "hinge0": [*predict_ours, "-o", labels["hinge0"]],
        "one": [*predict_ours, "--threads", "1", "-o", labels["one"]],
    }
    times: dict[str, list[float]] = {side: [] for side in commands}
    for _ in range(3):
        for side, command in commands.items():
            times[side].append(seconds(lambda words=command: run(*words)))
    given = {side: np.loadtxt(file) for side, file in labels.items()}
    for side in ("hinge0", "one"):
        different = int(np.count_nonzero(given[side] != given["libsvm"]))
        require(different == 0, f"{different} labels of svm-predict and hinge0 predict differ")
    difference = decision_difference(theirs, ours, test)
    require(difference <= 1e-9, f"decision values differ by {difference:.1e}")

    info = json.loads(run(*predict_ours, "--json"))
    middle = {side: statistics.median(values) for side, values in times.items()}
    what = f"prediction, ijcnn1.t, {info['rows']} rows, {info['support_vectors']} support vectors"
    other, peer = "svm-predict (one thread)", middle["libsvm"]
    figures = [
        Figure.faster(f"{what}, all cores", middle["hinge0"], other, peer, 10),
        Figure.faster(f"{what}, one thread", middle["one"], other, peer),
    ]
    details = (
        f"### Prediction\n\nLIBSVM trains on the first {sizes.support_rows} rows of ijcnn1 "
        "(`svm-train -g 2 -c 10`); `benchmarks/libsvm_to_hinge0.py` rewrites its model, so both "
        "programs have the same support vectors and coefficients. Times are whole commands, start, "
        "model, reading and writing included; median of 3, alternating. All "
        f"{info['rows']} labels are equal (accuracy {info['accuracy']:.4%}) and decision values of "
        f"the first rows agree with numpy's to {difference:.1e}. LIBSVM's programs have no threads."
    )
    return Section(figures, details)


def decision_difference(theirs: Path, ours: Path, test: Path, rows: int = 500) -> float:
    """Between hinge0 and LIBSVM's formula in numpy: no precision may be traded for speed."""
    first = prepare.write_lines(FOLDER / "first.libsvm", test.read_text().splitlines()[:rows])
    output = run(BIN / "hinge0", "predict", ours, first, "--decision-values", "--quiet")
    keys, support = libsvm_to_hinge0.read_libsvm(theirs.read_text())
    vectors = prepare.write_lines(
        FOLDER / "support.libsvm", (" ".join(["0", *words]) for _, words in support)
    )
    X, _ = load_svmlight_file(str(first), n_features=22)
    Z, _ = load_svmlight_file(str(vectors), n_features=22)
    distances = ((X.toarray()[:, None, :] - Z.toarray()[None, :, :]) ** 2).sum(axis=2)
    h = np.exp(-float(keys["gamma"]) * distances) @ np.array([c for c, _ in support])
    h -= float(keys["rho"])
    sign = 1 if float(keys["label"].split()[0]) > 0 else -1
    return float(np.abs(sign * h - np.array(output.split(), dtype=float)).max())


def read(sizes: Sizes) -> Section:
    """read_table against scikit-learn's reader, on the same plain file."""
    file = prepare.unpack("a9a", FOLDER / "a9a", sizes.read_rows)
    ours: list[dict] = []
    theirs: list[float] = []
    for _ in range(3):
        ours.append(json.loads(run(BIN / "bench_read", file, 2 * sizes.repeats + 1)))
        theirs += [seconds(lambda: load_svmlight_file(str(file))) for _ in range(sizes.repeats)]
    X, _ = load_svmlight_file(str(file))
    counts = (ours[0]["rows"], ours[0]["features"], ours[0]["values"])
    require(counts == (*X.shape, X.nnz), f"read {counts}, scikit-learn {(*X.shape, X.nnz)}")
    require(abs(ours[0]["sum"] - X.sum()) <= 1e-9 * abs(X.sum()), "the sums of all values differ")

    own, peer = statistics.median(r["seconds"] for r in ours), statistics.median(theirs)
    bytes_, what = ours[0]["bytes"], f"reading a9a, {ours[0]['rows']} rows"
    figures = [
        Figure.faster(f"{what}, one thread", own, "load_svmlight_file", peer, 5),
        Figure.rate(f"{what}, one thread", bytes_ / own / 1e6, "MB/s", 100),
    ]
    details = (
        f"### Reading\n\n`read_table` and scikit-learn's `load_svmlight_file` on the plain file of "
        f"{bytes_ / 1e6:.2f} MB, warm in the page cache, on one thread each, each in its own "
        f"process, three rounds alternating. Rows, features, stored values and their sum are equal."
    )
    return Section(figures, details)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to try the scripts")
    parser.add_argument("--only", help="measure the parts whose name has this in it")
    parser.add_argument("--splits", type=int, help="of every set whose accuracy is compared")
    parser.add_argument("--output", type=Path, help="the page to write")
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else Sizes()
    if arguments.splits:
        sizes = replace(sizes, choosing_splits=arguments.splits)
    page = Path("build/bench/quick.md" if arguments.quick else "docs/benchmarks.md")
    target = arguments.output or page
    os.chdir(ROOT)
    FOLDER.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    sections: dict[str, Section] = {}
    parts = {
        "train": train,
        "predict": predict,
        "read": read,
        "exact objectives": exact.objectives,
        "exact times": exact.times,
        "choosing": choosing.accuracy,
        "tuning times": choosing.times,
        "growth": growth.steps,
        "many classes": classes.many,
        "probabilities": probabilities.reliability,
        "exported header": exported.latency,
    }
    for name, measure in parts.items():
        if arguments.only and arguments.only not in name:
            continue
        print(f"bench: {name} ...", flush=True)
        try:
            sections[name] = measure(sizes)
        except prepare.MissingDataError as missing:
            print(f"bench: {name} skipped: {missing}")
    if not any(section.figures for section in sections.values()):
        sys.exit(f"bench: nothing measured, {target} is left as it is; set HINGE0_DATA")
    build = json.loads(run(BIN / "hinge0", "info", "--json"))
    write_page(target, parts, sections, build, load)
    print(f"{figures_table(list(sections.values()))}\nbench: written to {target}")


if __name__ == "__main__":
    main()
