"""The exported C header, compiled by a C compiler: the labels of the model."""

import os
import random
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import ProgramTest, clouds, libsvm

HEADER = r"""
#include <stdio.h>
#include "model.h"
int main(void) {
    model_real x[model_features];
    for (;;) {
        for (int f = 0; f < model_features; ++f) {
            double value;
            if (scanf("%lf", &value) != 1) return 0;
            x[f] = (model_real)value;
        }
        puts(model_labels[model_predict(x)]);
    }
}
"""


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class CHeader(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(clouds(4, 200, flip=0.05)))
        rows = clouds(4, 10_000, seed=2)
        self.test = self.write("t.libsvm", libsvm(rows))
        self.rows = self.write("t.txt", "".join(f"{x} {y}\n" for _, (x, y) in rows))

    def labels(self, model):
        return self.succeed("predict", model, self.test, "-q").out.split()

    def test_c_header(self):
        self.write("main.c", HEADER)
        kernels = [["--kernel", "rbf", "--standardize"], ["--kernel", "linear"],
                   ["--kernel", "poly", "--coef0", "1"], ["--kernel", "laplacian"],
                   ["--kernel", "exponential"], ["--kernel", "imq"],
                   ["--kernel", "wendland", "--gamma", "0.1"],
                   ["--multi-class", "ovr"], ["--positive", "2"]]  # fmt: skip
        for options in kernels:
            for more in ([], ["--float"]):
                with self.subTest(options, more=more):
                    self.train(self.data, *options, "-o", "m")
                    self.succeed("export", "m", "--to", "c", "-o", "model.h", *more)
                    self.check_header(10 if more else 0)

    def check_header(self, most_others, *flags):
        """Compiled, the header gives the labels of the model m, but for so many."""
        command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", *flags,
                   "main.c", "-o", "main", "-lm"]  # fmt: skip
        subprocess.run(command, cwd=self.folder, check=True)
        with open(self.folder / self.rows) as rows:
            found = subprocess.run(["./main"], cwd=self.folder, check=True, stdin=rows,
                                   stdout=subprocess.PIPE, text=True)  # fmt: skip
        theirs, ours = found.stdout.split(), self.labels("m")
        self.assertEqual(len(theirs), len(ours))
        differ = sum(a != b for a, b in zip(theirs, ours, strict=True))
        self.assertLessEqual(differ, most_others)

    def test_c_header_for_every_processor(self):
        """Features odd in number; without AVX-512, and without vectors, too."""
        self.write("main.c", HEADER)
        noise = random.Random(7)
        parts = [[(label, (x, y, noise.gauss(0, 1))) for label, (x, y) in clouds(*size)]
                 for size in ((2, 200, 1, 0.05), (2, 10_000, 2))]  # fmt: skip
        self.data, self.test = (self.write(f"odd{k}.libsvm", libsvm(rows))
                                for k, rows in enumerate(parts))  # fmt: skip
        lines = (" ".join(map(str, row)) + "\n" for _, row in parts[1])
        self.rows = self.write("t.txt", "".join(lines))
        for kernel in ("rbf", "linear", "laplacian"):
            for more in ([], ["--float"]):
                with self.subTest(kernel, more=more):
                    self.train(self.data, "--kernel", kernel, "--standardize", "-o", "m")
                    self.succeed("export", "m", "--to", "c", "-o", "model.h", *more)
                    self.check_header(10 if more else 0)
                    self.check_header(10 if more else 0, "-DHINGE0_PLAIN")
                    header = self.read("model.h")
                    older = header.replace('__builtin_cpu_supports("avx512f")', "0")
                    self.assertEqual(older == header, bool(more))  # floats need no AVX-512
                    self.write("model.h", older)
                    self.check_header(10 if more else 0)

    def test_c_header_under_fast_math(self):
        """Whose freedom breaks exp: values were wrong without a word."""
        self.write("main.c", HEADER)
        for kernel, refused in (("rbf", True), ("linear", False)):
            self.train(self.data, "--kernel", kernel, "-o", "m")
            self.succeed("export", "m", "--to", "c", "-o", "model.h")
            command = ["cc", "-std=c99", "-O2", "-ffast-math", "main.c", "-o", "main"]
            told = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(told.returncode != 0, refused, told.stderr)
            self.assertEqual("without -ffast-math" in told.stderr, refused)


class Documented(ProgramTest):
    """The table of docs/export.md: it had sizes of another default of --thin."""

    def sizes(self, *more):
        self.succeed("export", "m", "--to", "c", "-o", "m.h", *more)
        words = r"(\d+) support vectors.* tables take (\d+) bytes"
        return [int(word) for word in re.search(words, self.read("m.h"), re.DOTALL).groups()]

    def test_what_fits(self):
        page = (Path(__file__).parents[2] / "docs" / "export.md").read_text()
        number = r"\| ([\d,]+) "
        lines = re.findall(rf"^\| (\S+) {number * 5}\|", page, re.MULTILINE)
        self.assertEqual(len(lines), 4)
        sets = {"HINGE0_DATA": os.environ.get("HINGE0_DATA", "")}
        for name, *columns in lines:
            _, _, *told = (int(column.replace(",", "")) for column in columns)
            with self.subTest(name):
                trained = self.program("train", name, "--standardize", "-o", "m", env=sets)
                if "cannot open" in trained.err:
                    self.skipTest(f"{name} is not in $HINGE0_DATA")
                self.assertEqual(trained.status, 0, trained)
                found = [*self.sizes(), self.sizes("--float")[1]]
                for expected, size in zip(told, found, strict=True):
                    # Not to the row: rounding is another one on other processors.
                    self.assertAlmostEqual(size / expected, 1, delta=0.1)
