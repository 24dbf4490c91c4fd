"""An exported C header beside hinge0's own Predictor, one row at a time, and its size in bytes."""

import json
import re

import choosing
import numpy as np
from harness import BIN, FOLDER, ROOT, Sizes, require, run
from page import Figure, Section, table

HEADER = FOLDER / "exported.h"
COMPILE = ("cc", "-O2", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def export(model: object, *options: str) -> int:
    """Writes the header; the bytes of its tables, as it says itself."""
    run(BIN / "hinge0", "export", model, "--to", "c", "--name", "exported", "-o", HEADER, *options)
    return int(re.search(r"The tables take (\d+) bytes", HEADER.read_text())[1])


def measured(rows: object, repeats: int, *flags: str) -> dict:
    """One decision value by the header that is there now."""
    program = FOLDER / "exported"
    run(*COMPILE, *flags, f"-I{FOLDER}", ROOT / "benchmarks/exported.c", "-o", program)
    return json.loads(run(program.resolve(), rows, repeats))


def latency(sizes: Sizes) -> Section:
    """Models of two classes, as hinge0 tune makes them, on their test rows."""
    figures, lines = [], []
    for name in sizes.exported_sets:
        given = choosing.problem(name, 0.0, 0)
        train = choosing.write(FOLDER / "exported.train", given.X, given.y)
        model, rows = FOLDER / "exported.model", FOLDER / "exported.rows"
        said = json.loads(run(BIN / "hinge0", "tune", train, "--standardize", "-o", model,
                              "--json", "-q", allowed=(0, 3)))  # fmt: skip
        given.unseen.astype(np.float64).tofile(rows)
        repeats = 10 * sizes.repeats + 1
        own = json.loads(run(BIN / "bench_one_row", model, rows, repeats))
        double_bytes = export(model)
        double = measured(rows, repeats)
        difference = abs(double["sum"] - own["sum"]) / own["rows"]
        require(difference <= 1e-9, f"decision values of {name} differ by {difference:.1e}")
        native = measured(rows, repeats, "-march=native")
        single_bytes = export(model, "--float")
        single = measured(rows, repeats)
        what = f"exported C header, one row, {name}, {said['support_vectors']} support vectors"
        ratio = double["seconds"] / own["seconds"]
        figures.append(Figure(what, f"{1e9 * double['seconds']:.0f} ns",
                              f"Predictor: {1e9 * own['seconds']:.0f} ns",
                              f"{ratio:.2f} x the time", "at most 2 x", ratio <= 2))  # fmt: skip
        lines.append((name, given.X.shape[1], said["support_vectors"],
                      *(f"{1e9 * side['seconds']:.0f}" for side in (own, double, native, single)),
                      double_bytes, single_bytes))  # fmt: skip
    head = ("set", "features", "support vectors", "Predictor ns", "header ns",
            "with -march=native ns", "--float ns", "bytes", "--float bytes")  # fmt: skip
    details = [
        "### Exported C header",
        "",
        "Models of `hinge0 tune --standardize` on the training rows above (clean labels, first "
        "split), exported with `hinge0 export --to c` and compiled by "
        f"`{' '.join(COMPILE[:3])}`. One decision value after the other on the test rows, scaling "
        "included, on one thread; median of passes. Decision values of header and Predictor agree. "
        "Both choose their instructions at run time. Bytes are those of the tables, by the "
        "header's own comment.",
        "",
        table(head, lines),
    ]
    return Section(figures, "\n".join(details))
