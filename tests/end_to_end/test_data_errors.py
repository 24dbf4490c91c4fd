"""Bad data: one line that says what and where, status 1, no model, and never a signal."""

import lzma
import math
import os
import unittest

from support import ProgramTest, blobs, csv, libsvm


class Refused(ProgramTest):
    """Data files that cannot be trained on."""

    def check(self, name, content, *words, options=()):
        self.write(name, content)
        result = self.program("train", name, *options, "-o", "m")
        self.assert_refused(result, 1, name, *words)
        self.assertNotIn("m", self.files())

    def test_libsvm_lines(self):
        for line, *words in (
            ("1 1:nan", "'nan'", "finite"),
            ("1 1:NaN", "'NaN'", "finite"),
            ("1 1:inf", "'inf'", "finite"),
            ("1 1:-Infinity", "'-Infinity'", "finite"),
            ("1 1:1e309", "'1e309'", "finite"),
            ("nan 1:1", "label 'nan'"),
            ("inf 1:1", "label 'inf'"),
            ("1 2:1 1:1", "index 1 after 2"),
            ("1 2:1 2:1", "index 2", "repeated"),
            ("1 -1:1", "'-1'", "negative"),
            ("1 0:1", "index 0"),
            ("1 2147483648:1", "'2147483648'", "2147483647"),
            ("1 4294967297:1", "'4294967297'", "2147483647"),
            ("1 99999999999999999999999:1", "2147483647"),
            ("1 1.5:1", "'1.5'", "whole number"),
            ("1 a:1", "'a'", "whole number"),
            ("1 1:1 garbage", "'garbage'"),
            ("1 1:1 7", "'7'"),
            ("1 1:1x", "'1x'", "not a number"),
            ("1 1:", "missing value"),
            ("1 1:1:1", "'1:1'", "not a number"),
            ("1 1:0x10", "'0x10'"),
            ("1 1:1,5", "'1,5'"),
            ("1 qid:3 1:1", "ranking"),
            ("1:1 2:2", "no label"),
            ("a\x00b 1:1", "control byte"),
            ("1 1:1\x00", "control byte"),
        ):
            with self.subTest(line=line):
                self.check("bad.libsvm", f"-1 1:2\n{line}\n", "bad.libsvm:2", *words)

    def test_csv_lines(self):
        for line, *words in (
            ("1,nan,2", "'nan'", "column 2"),
            ("1,2,-inf", "'-inf'", "column 3", "'b'"),
            ("1,2,1e400", "'1e400'", "finite"),
            ("1,,2", "missing value", "column 2"),
            ("1,?,2", "'?'", "column 2"),
            ("1,x,2", "'x'", "not a number"),
            ("1,2", "2 fields", "expected 3"),
            ("1,2,3,4", "4 fields", "expected 3"),
            (",2,3", "missing label"),
            ("nan,2,3", "label 'nan'"),
            ('1,"2,3', "quote"),
            ('1,"2"x,3', "quote"),
        ):
            with self.subTest(line=line):
                self.check("bad.csv", f"y,a,b\n-1,1,2\n{line}\n", "bad.csv:3", *words)

    def test_files_without_rows(self):
        for content in ("", "\n\n", "# only\n# comments\n", "   \t\n", "\ufeff"):
            with self.subTest(content=content):
                self.check("bad.libsvm", content, "no data rows")
                self.check("bad.csv", content, "no data rows")
        self.check("bad.csv", "y,a,b\n", "no data rows")
        result = self.program("train", "-", "-o", "m", stdin_text="")
        self.assert_refused(result, 1, "no data rows", "standard input")

    def test_tables_that_cannot_be_trained_on(self):
        self.check("bad.libsvm", "1 1:1\n1 1:2\n", "two classes", "'1'")
        self.check("bad.libsvm", "1 1:1\n+1 1:2\n1.0 1:3\n", "two classes", "'1'")
        self.check("bad.csv", "1,1\n1,2\n", "two classes")
        self.check("bad.libsvm", "1:1\n1:2\n", "no labels")
        self.check("bad.libsvm", "1\n-1\n", "no features")
        self.check("bad.csv", "1\n-1\n", "column")

    def test_other_kinds_of_files(self):
        pixels = bytes(range(256)) * 8
        for name, content in (
            ("image.png", b"\x89PNG\r\n\x1a\n" + pixels),
            ("program", b"\x7fELF\x02\x01\x01" + pixels),
            ("page.html", b"<html><body>not found</body></html>\n"),
            ("settings.json", b'{"rows": [1, 2], "name": "x"}\n'),
        ):
            with self.subTest(name=name):
                self.check(name, content)

    def test_standard_input_is_named(self):
        for text, *words in (("1 1:nan\n", "standard input:1"), ("1 1:1\n", "standard input")):
            result = self.program("train", "-", "-o", "m", stdin_text=text)
            self.assert_refused(result, 1, *words)


class Unreadable(ProgramTest):
    """Files that are not there, are no files, or are damaged."""

    def check(self, name, *words):
        for command in (["train", name, "-o", "m"], ["predict", "good", name]):
            self.assert_refused(self.program(*command), 1, name, *words)

    def setUp(self):
        super().setUp()
        self.train(self.write("d.libsvm", libsvm(blobs(40))), "-C", "1000", "-o", "good")

    def test_missing_file(self):
        self.check("missing.libsvm", "No such file")
        self.check("missing/d.libsvm", "No such file")
        self.check("d.libsvm/d.libsvm", "Not a directory")
        self.assert_refused(self.program("train", ""), 1, "''")

    def test_folder(self):
        (self.folder / "folder").mkdir()
        self.check("folder", "directory")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_permission(self):
        self.write("secret.libsvm", libsvm(blobs(20)))
        (self.folder / "secret.libsvm").chmod(0)
        self.check("secret.libsvm", "Permission denied")

    def test_damaged_compression(self):
        packed = lzma.compress(libsvm(blobs(200)).encode())
        middle = len(packed) // 2
        flipped = bytes([packed[middle] ^ 0xFF])
        for damaged in (
            packed[:middle],
            packed[:-4],
            packed[:20],
            packed[:middle] + flipped + packed[middle + 1 :],
            packed + b"more",
        ):
            self.write("d.libsvm.xz", damaged)
            self.check("d.libsvm.xz", "damaged compressed file")
        self.write("d.gz", b"\x1f\x8b\x08\x00garbage and no data")
        self.check("d.gz", "damaged compressed file")

    def test_nothing_packed(self):
        self.write("d.xz", lzma.compress(b""))
        self.check("d.xz", "no data rows")


class HugeValues(ProgramTest):
    """Finite values that overflow in a kernel: refused with advice, or trained; never a NaN."""

    def setUp(self):
        super().setUp()
        rows = [(1, [1e308, 1]), (-1, [-1e308, 2]), (1, [0, 1]), (-1, [0, 3])]
        self.data = self.write("huge.libsvm", libsvm(rows))

    def test_without_scaling(self):
        self.assert_refused(self.program("train", self.data), 1, self.data, "--standardize")
        for kernel in ("linear", "poly"):
            with self.subTest(kernel=kernel):
                result = self.program("train", self.data, "--kernel", kernel, "--gamma", "1")
                self.assert_refused(result, 1, self.data, "row 1", "--standardize")
        for kernel in ("rbf", "exponential", "imq", "wendland", "laplacian"):
            with self.subTest(kernel=kernel):  # far apart is far apart: the kernel value is 0
                self.train(self.data, "--kernel", kernel, "--gamma", "1", "-o", "m")
                self.succeed("verify", "m", self.data)

    def test_one_outlier_costs_no_digits_and_no_false_certificate(self):
        for size in (1e12, 1e16):
            rows = [(y, [size if i == 7 else a, b]) for i, (y, (a, b)) in enumerate(blobs(60))]
            self.write("outlier.libsvm", libsvm(rows))
            for kernel in ("rbf", "exponential", "imq", "wendland", "laplacian"):
                with self.subTest(size=size, kernel=kernel):
                    report = self.train("outlier.libsvm", "--kernel", kernel, "--gamma", "1",
                                        "-o", "m")  # fmt: skip
                    self.assertTrue(report["certificate"]["local_minimum"])
                    self.succeed("verify", "m", "outlier.libsvm")

    def test_kernel_values_that_overflow(self):
        self.succeed("data", "moons", "--samples", "60", "-o", "x")
        parameters = ("0.1", "200"), ("0.01", "100"), ("1e-200", "0.5"), ("1e-308", "1e308")
        for coef0, beta in parameters:
            result = self.program("train", "x", "--kernel", "imq", "--coef0", coef0,
                                  "--beta", beta, "-o", "m")  # fmt: skip
            self.assert_refused(result, 1, "row 1", "too large", "beta", "x")

    def test_with_scaling(self):
        report = self.train(self.data, "--standardize", "-C", "1000", "--max-iter", "50000")
        self.assertTrue(math.isfinite(report["objective"]))
        self.assertEqual(report["train_accuracy"], 1)
        values = self.succeed("predict", self.data + ".model", self.data, "--decision-values", "-q")
        self.assertTrue(all(math.isfinite(float(value)) for value in values.out.split()))

    def test_large_but_not_overflowing(self):
        for exponent in (100, 150, 153, 154):
            rows = [(y, [a * 10.0**exponent, b]) for y, (a, b) in blobs(20)]
            self.write("large.libsvm", libsvm(rows))
            for kernel in ("rbf", "linear", "laplacian"):
                with self.subTest(exponent=exponent, kernel=kernel):
                    result = self.program("train", "large.libsvm", "--kernel", kernel, "-q",
                                          "--gamma", "1", "-o", "m")  # fmt: skip
                    if result.status == 1:
                        self.assert_refused(result, 1, "large.libsvm", "--standardize")
                    else:
                        self.assertIn(result.status, (0, 3), result)
                        self.assertNotIn("nan", self.read("m"))

    def test_huge_values_to_predict(self):
        self.train(self.write("d.libsvm", libsvm(blobs(40))), "-C", "1000", "-o", "m")
        result = self.program("predict", "m", self.data, "--decision-values")
        if result.status == 0:
            self.assertTrue(all(math.isfinite(float(v)) for v in result.out.split()))
        else:
            self.assert_refused(result, 1, self.data)


class Trained(ProgramTest):
    """Awkward data that must train all the same."""

    def test_contradictory_duplicates(self):
        rows = [(y, point) for _, point in blobs(20) for y in (-1, 1)]
        result = self.program("train", self.write("d", libsvm(rows)), "--json", "-q")
        self.assertIn(result.status, (0, 3), result)
        self.assertGreaterEqual(result.json["violators"], 20)  # one of each pair
        report = self.train(self.write("d", "1 1:1\n-1 1:1\n"), "-C", "1", "--loss", "hinge")
        self.assertAlmostEqual(report["objective"], 2, places=3)

    def test_identical_rows(self):
        rows = [(1 if i % 3 else -1, [1, 2]) for i in range(30)]
        for loss in ("l0", "hinge"):
            for options in ([], ["--standardize"], ["--kernel", "linear"]):
                result = self.program("train", self.write("d", libsvm(rows)), *options,
                                      "--loss", loss, "--json", "-q")  # fmt: skip
                self.assertIn(result.status, (0, 3), result)
                self.assertTrue(math.isfinite(result.json["objective"]))

    def test_two_rows(self):
        report = self.train(self.write("d", "1 1:1\n-1 1:-1\n"), "-C", "10", "--tol", "1e-9")
        self.assertEqual((report["support_vectors"], report["train_accuracy"]), (2, 1))

    def test_rare_class(self):
        rows = [(1 if i == 500 else -1, point) for i, (_, point) in enumerate(blobs(1000))]
        result = self.program("train", self.write("d", libsvm(rows)), "--json", "-q",
                              "-C", "1", "--max-iter", "50")  # fmt: skip
        self.assertIn(result.status, (0, 3), result)
        self.assertEqual(result.json["constant_objective"], 1)

    def test_tiny_and_mixed_scales(self):
        rows = [(y, [a * 1e-150, b * 1e6]) for y, (a, b) in blobs(40)]
        self.write("d", libsvm(rows))
        report = self.train("d", "--standardize", "--loss", "hinge", "--max-iter", "20000")
        self.assertGreater(report["train_accuracy"], 0.9)

    def test_features_too_small_for_gamma(self):
        # the message blamed a gamma of inf, or nothing was said
        for size in (1e-160, 1e-200):
            rows = [(y, [a * size, b * size]) for y, (a, b) in blobs(40)]
            result = self.program("train", self.write("d", libsvm(rows)))
            self.assert_refused(result, 1, "too small", "--standardize", "gamma")


class PrecomputedErrors(ProgramTest):
    """Kernel matrices that are none."""

    def check(self, text, *words):
        self.write("k.csv", text)
        result = self.program("train", "k.csv", "--kernel", "precomputed", "-o", "m")
        self.assert_refused(result, 1, "k.csv", *words)
        self.assertNotIn("m", self.files())

    def test_not_square(self):
        self.check("1,1,2,3\n-1,2,1,3\n", "square", "2 rows", "3 columns")

    def test_not_symmetric(self):
        self.check("1,1,2\n-1,3,1\n", "not symmetric", "(2, 1)")

    def test_not_positive_semidefinite(self):
        self.check("1,1,5\n-1,5,1\n", "not positive semidefinite")
        self.check("1,-5,0\n-1,0,1\n", "not positive semidefinite")

    def test_not_finite(self):
        self.check("1,1,0\n-1,0,inf\n", "k.csv:2")
        self.check("1,1e308,0\n-1,0,-1e308\n", "row 1", "too large")
        self.check("1,1,0\n-1,0,-1\n", "not positive semidefinite")

    def test_prediction_needs_values_for_every_training_row(self):
        self.train(self.write("k.csv", csv([(1, [4, 1]), (-1, [1, 4])])), "--kernel",
                   "precomputed", "-C", "10", "-o", "m")  # fmt: skip
        for name, text in (("wide.csv", "1,4,1,0\n"), ("wide.libsvm", "1 1:4 2:1 3:1\n")):
            result = self.program("predict", "m", self.write(name, text))
            self.assert_refused(result, 1, name, "3 features", "expects 2")


if __name__ == "__main__":
    unittest.main()
