"""Many classes, weights, probabilities and exports, as users type them."""

import json
import shutil
import subprocess
import unittest
from itertools import combinations

from support import ProgramTest, clouds, csv, libsvm


class ManyClasses(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(clouds(4, 200, flip=0.05)))
        self.test = self.write("t.libsvm", libsvm(clouds(4, 400, seed=2)))

    def test_train_predict_verify_info(self):
        for scheme, pairs in (("ovo", 6), ("ovr", 4)):
            with self.subTest(scheme):
                found = self.train(self.data, "--multi-class", scheme, "-o", "m", "--standardize")
                self.assertEqual(found["classes"], ["1", "2", "3", "4"])
                self.assertEqual(len(found["pairs"]), pairs)
                self.assertTrue(found["certificate"]["local_minimum"])
                self.assertEqual(
                    found["violators"], sum(pair["violators"] for pair in found["pairs"])
                )
                told = self.succeed("predict", "m", self.test, "--json", "-q").json
                self.assertGreater(told["accuracy"], 0.93)
                checked = self.succeed("verify", "m", self.data, "--json", "-q").json
                self.assertTrue(checked["local_minimum"] and checked["objective_agrees"])
                self.assertEqual(len(checked["pairs"]), pairs)
                info = self.succeed("info", "m", "--json").json
                self.assertEqual(info["multi_class"], scheme)
                self.assertEqual(info["support_vectors"], found["support_vectors"])
                self.assertIn("4 classes", self.succeed("info", "m").out)

    def test_decision_values_are_votes(self):
        self.train(self.data, "-o", "m")
        labels = self.succeed("predict", "m", self.test, "-q").out.split()
        lines = self.succeed("predict", "m", self.test, "-q", "--decision-values").out.splitlines()
        for label, line in zip(labels, lines, strict=True):
            votes = dict.fromkeys("1234", 0)
            for (low, high), h in zip(combinations("1234", 2), line.split(), strict=True):
                votes[high if float(h) > 0 else low] += 1
            self.assertEqual(label, max(votes, key=votes.get))  # the first of equal ones

    def test_tune(self):
        grid = ["--grid", "C=1,8", "--grid", "gamma=0.1,1"]
        result = self.succeed("tune", self.data, *grid, "-o", "m", "--json", "-q", "--html", "p")
        self.assertEqual(len(result.json["grid"]), 4)
        self.assertEqual(len(result.json["pairs"]), 6)
        self.assertGreater(result.json["best"]["cv_accuracy"], 0.85)
        self.succeed("verify", "m", self.data, "-q")
        self.assertIn("<svg", self.read("p"))
        refused = self.program("tune", self.data, "--metric", "auc", "-q")
        self.assert_refused(refused, 1, "d.libsvm", "auc", "two classes")
        refused = self.program("tune", self.data, "--metric", "brier", "-q")
        self.assert_refused(refused, 1, "d.libsvm", "brier", "two classes")
        refused = self.program("tune", self.data, "--rule", "consensus", "-q")
        self.assert_refused(refused, 1, "consensus", "two classes")

    def test_a_class_with_one_row(self):
        rows = [*clouds(3, 60), (9, [20.0, 20.0])]
        data = self.write("one.libsvm", libsvm(rows))
        found = self.train(data, "-o", "m")
        self.assertEqual(found["classes"], ["1", "2", "3", "9"])
        refused = self.program("tune", data, "-q")
        self.assert_refused(refused, 1, "one.libsvm", "class '9' has 1 row,")
        refused = self.program("train", data, "--calibrate", "sigmoid", "-q")
        self.assert_refused(refused, 1, "one.libsvm", "class '9' has 1 row,", "5 folds")

    def test_folds_of_a_calibration(self):
        data = self.write("few.libsvm", libsvm([*clouds(2, 60), (9, [20, 20]), (9, [21, 9])]))
        refused = self.program("train", data, "--calibrate", "sigmoid", "-q")
        self.assert_refused(refused, 1, "class '9' has 2 rows", "use at most 2 folds")
        self.train(data, "--calibrate", "sigmoid", "--folds", "2", "-o", "m")
        refused = self.program("train", data, "--folds", "2", "-q")
        self.assert_refused(refused, 2, "--folds", "--calibrate")

    def test_a_class_named_rest(self):
        rows = [(["a", "b", "rest"][label - 1], point) for label, point in clouds(3, 90)]
        data = self.write("rest.csv", csv(rows))
        self.train(data, "--multi-class", "ovr", "-o", "m")
        self.succeed("verify", "m", data, "-q")

    def test_a_column_that_is_no_label(self):
        data = self.write("n.csv", csv([(i / 7, [i % 3]) for i in range(1200)]))
        refused = self.program("train", data, "-q")
        self.assert_refused(refused, 1, "n.csv", "1200 classes", "at most 1000", "--label")

    def test_time_limit_and_memory(self):
        data = self.write("big.libsvm", libsvm(clouds(3, 3000, flip=0.3)))
        started = self.program("train", data, "--starts", "1000", "--time-limit", "0.5", "-q",
                               "-o", "m")  # fmt: skip
        self.assertIn(started.status, (1, 3))
        small = ("--solver", "admm", "--memory-limit", "60mb", "--threads", "1", "--max-iter", "5")
        self.assertEqual(self.program("train", data, *small, "-o", "m", "-q").status, 3)

    def test_a_class_that_is_only_in_the_test_file(self):
        self.train(self.data, "-o", "m")
        test = self.write("u.libsvm", "7 1:1 2:1\n1 1:3 2:5\n")
        told = self.succeed("predict", "m", test, "--json", "-q").json
        self.assertLessEqual(told["accuracy"], 0.5)
        said = self.succeed("predict", "m", test, "-o", "p").err
        self.assertIn("1 row with a label that the model does not know, such as '7'", said)

    def test_what_is_for_two_classes(self):
        for option in (("--trace", "t.csv"), ("--start", "m")):
            self.train(self.data, "-o", "m")
            refused = self.program("train", self.data, *option, "-o", "n", "-q")
            self.assert_refused(refused, 2, option[0], "two classes")
        wrong = self.program("verify", "m", self.test, "-q")
        self.assert_refused(wrong, 1, "t.libsvm", "200 rows")
        refused = self.program("train", self.data, "--weight", "5=2", "-q")
        self.assert_refused(refused, 2, "'5'", "'1', '2', '3', '4'")


class Weights(ProgramTest):
    def test_a_weight_of_two_is_the_row_twice(self):
        rows = clouds(3, 90, flip=0.1)
        weights = [1 + i % 3 for i in range(90)]
        data = self.write("d.csv", csv(rows))
        file = self.write("w", "".join(f"{w}\n" for w in weights))
        column = self.write(
            "c.csv", csv([(y, [*x, w]) for (y, x), w in zip(rows, weights, strict=True)])
        )
        repeated = [row for row, w in zip(rows, weights, strict=True) for _ in range(w)]
        twice = self.write("r.csv", csv(repeated))
        fixed = ["--gamma", "0.5", "-o", "m"]
        expected = self.train(twice, *fixed)["objective"]
        for arguments in ((data, "--weights", file), (column, "--weight-column", "4")):
            found = self.train(*arguments, *fixed)["objective"]
            self.assertAlmostEqual(found, expected, delta=1e-9 * expected)
            checked = self.succeed("verify", "m", *arguments, "--json", "-q").json
            self.assertTrue(checked["local_minimum"])
        told = self.succeed("predict", "m", column, "--weight-column", "4", "--json", "-q").json
        self.assertGreater(told["accuracy"], 0.7)
        self.assertEqual(self.train(data, "--weight", "balanced", *fixed)["status"], "converged")

    def test_a_row_of_weight_zero_is_no_row(self):
        """Nor is it one for --standardize and gamma."""
        rows = clouds(3, 60)
        data = self.write("d.csv", csv([*rows, (1, [1e6, -1e6])]))
        file = self.write("w", "1\n" * 60 + "0\n")
        without = self.write("n.csv", csv(rows))
        expected = self.train(without, "--standardize", "-o", "m")
        found = self.train(data, "--standardize", "--weights", file, "-o", "m")
        self.assertAlmostEqual(found["objective"], expected["objective"], delta=1e-9)
        self.assertEqual(found["kernel"], expected["kernel"])

    def test_a_class_that_outweighs_the_others(self):
        data = self.write("d.csv", csv(clouds(3, 60)))
        found = self.train(data, "--weight", "1=1000", "-o", "m")
        self.assertEqual([pair["support_vectors"] for pair in found["pairs"]][:2], [0, 0])
        self.succeed("verify", "m", data, "-q")
        weights = ("--weight", "1=0.01", "--weight", "2=10", "--multi-class", "ovr")
        found = self.train(data, *weights, "-o", "m")
        self.assertTrue(all(pair["support_vectors"] > 0 for pair in found["pairs"]))
        self.succeed("verify", "m", data, "-q")

    def test_wrong_weights(self):
        data = self.write("d.csv", csv(clouds(2, 4)))
        for text, words in [
            ("1\n1\n1\n", ("w", "3 lines for 4 rows")),
            ("1\n1\n1\n1\n1\n", ("w:5", "more lines than the 4 rows")),
            ("1\n-1\n1\n1\n", ("w:2", "'-1'", "number from 0")),
            ("1\nx\n1\n1\n", ("w:2", "'x'")),
            ("1\nnan\n1\n1\n", ("w:2", "'nan'")),
        ]:
            self.write("w", text)
            self.assert_refused(self.program("train", data, "--weights", "w", "-q"), 1, *words)
        refused = self.program("train", data, "--weights", "no", "-q")
        self.assert_refused(refused, 1, "no", "cannot open")
        refused = self.program("train", data, "--weight-column", "9", "-q")
        self.assert_refused(refused, 1, "d.csv:1", "no weight column 9")
        refused = self.program("train", data, "--weight-column", "1", "-q")
        self.assert_refused(refused, 1, "d.csv:1", "both label and weight")
        refused = self.program("train", data, "--weight-column", "2", "--weights", "w", "-q")
        self.assert_refused(refused, 2, "--weights", "--weight-column")
        self.write("e.csv", "1,2,-3\n2,1,1\n")
        refused = self.program("train", "e.csv", "--weight-column", "3", "-q")
        self.assert_refused(refused, 1, "e.csv:1", "'-3'", "negative")
        text = self.write("l.libsvm", libsvm(clouds(2, 4)))
        refused = self.program("train", text, "--weight-column", "2", "-q")
        self.assert_refused(refused, 1, "l.libsvm", "for CSV")


class Probabilities(ProgramTest):
    def test_calibrated_models(self):
        for classes in (2, 4):
            data = self.write("d.libsvm", libsvm(clouds(classes, 240, flip=0.1)))
            for kind in ("sigmoid", "isotonic"):
                with self.subTest(kind, classes=classes):
                    self.train(data, "--calibrate", kind, "-o", "m")
                    labels = self.succeed("predict", "m", data, "-q").out.split()
                    lines = self.succeed("predict", "m", data, "-q", "--probabilities").out
                    first, *rest = lines.splitlines()
                    names = [str(c) for c in range(1, classes + 1)]
                    self.assertEqual(first.split(), ["labels", *names])
                    for label, line in zip(labels, rest, strict=True):
                        said, *shares = line.split()
                        self.assertEqual(said, label)
                        self.assertAlmostEqual(sum(map(float, shares)), 1, delta=1e-12)
                    self.succeed("verify", "m", data, "-q")
                    self.assertIn(kind, self.succeed("info", "m").out)
        self.train(data, "-o", "m")
        refused = self.program("predict", "m", data, "--probabilities", "-q")
        self.assert_refused(refused, 1, "m", "--calibrate")
        refused = self.program("tune", data, "--calibrate", "sigmoid", "-q")
        self.assert_refused(refused, 2, "--calibrate belongs to train")


class Exports(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(clouds(4, 200, flip=0.05)))
        self.test = self.write("t.libsvm", libsvm(clouds(4, 10_000, seed=2)))

    def labels(self, model):
        return self.succeed("predict", model, self.test, "-q").out.split()

    @unittest.skipUnless(shutil.which("svm-predict"), "needs LIBSVM")
    def test_libsvm_out_and_in(self):
        for options in (["--gamma", "0.5"], ["--kernel", "linear"],
                        ["--kernel", "poly", "--coef0", "1", "--gamma", "0.2"]):  # fmt: skip
            self.train(self.data, *options, "-o", "m")
            self.succeed("export", "m", "--to", "libsvm", "-o", "svm")
            subprocess.run(["svm-predict", "t.libsvm", "svm", "out"], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
            self.assertEqual(self.read("out").split(), self.labels("m"))
            self.succeed("import", "svm", "-o", "back", "-q")
            self.assertEqual(self.labels("back"), self.labels("m"))
        subprocess.run(["svm-train", "-q", "d.libsvm", "theirs"], cwd=self.folder, check=True)
        subprocess.run(["svm-predict", "t.libsvm", "theirs", "out"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        self.succeed("import", "theirs", "-o", "ours", "-q")
        self.assertEqual(self.read("out").split(), self.labels("ours"))

    def svm_predict_probabilities(self, model):
        subprocess.run(["svm-predict", "-b", "1", "t.libsvm", model, "out"], cwd=self.folder,
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        return self.read("out").splitlines()

    def assert_same_probabilities(self, theirs, ours, within):
        """Whatever the order of the classes."""
        tables = []
        for lines in (theirs, ours):
            names = lines[0].split()[1:]
            tables.append([dict(zip(names, map(float, line.split()[1:]), strict=True))
                           for line in lines[1:]])  # fmt: skip
        for their, our in zip(*tables, strict=True):
            for label, share in their.items():
                self.assertAlmostEqual(our[label], share, delta=within)

    @unittest.skipUnless(shutil.which("svm-predict"), "needs LIBSVM")
    def test_probabilities_of_libsvm(self):
        two = self.write("two.libsvm", libsvm(clouds(2, 200, flip=0.1)))
        for data, within in ((two, 1e-5), (self.data, 0.005)):  # it writes 6 digits
            self.train(data, "--calibrate", "sigmoid", "-o", "m")
            told = self.succeed("export", "m", "--to", "libsvm", "-o", "svm")
            self.assertEqual(told.err, "")
            ours = self.succeed("predict", "m", self.test, "--probabilities", "-q").out
            self.assert_same_probabilities(self.svm_predict_probabilities("svm"),
                                           ours.splitlines(), within)  # fmt: skip
            subprocess.run(["svm-train", "-q", "-b", "1", data, "theirs"], cwd=self.folder,
                           check=True)  # fmt: skip
            told = self.succeed("import", "theirs", "-o", "ours")
            self.assertIn("2 features, probabilities; model written to ours", told.err)
            ours = self.succeed("predict", "ours", self.test, "--probabilities", "-q").out
            self.assert_same_probabilities(self.svm_predict_probabilities("theirs"),
                                           ours.splitlines(), within)  # fmt: skip
        self.train(self.data, "--calibrate", "isotonic", "-o", "m")
        told = self.succeed("export", "m", "--to", "libsvm", "-o", "svm")
        self.assertIn("probabilities of the model are not exported", told.err)

    MODEL = ("svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0.5\nlabel 1 -1\n"
             "nr_sv 1 1\nSV\n1 1:1 2:0 \n-1 1:-1 \n")  # fmt: skip

    def test_what_another_program_trained(self):
        self.write("svm", self.MODEL)
        self.succeed("import", "svm", "-o", "m", "-q")
        told = self.succeed("info", "m").out
        self.assertIn("C not known", told)
        self.assertIn("by another program: cannot be verified", told)
        json_of = self.succeed("info", "m", "--json").json
        for key in ("C", "training_rows", "support_rows"):
            self.assertIsNone(json_of[key])
        refused = self.program("verify", "m", self.data)
        self.assert_refused(refused, 1, "trained by another program", "verified: m")
        self.assertEqual(self.succeed("export", "m", "--to", "json", "-o", "-").err, "")
        self.succeed("export", "m", "--to", "libsvm", "-o", "again")
        self.succeed("import", "again", "-o", "back", "-q")
        self.assertEqual(self.read("back"), self.read("m"))

    def test_features_that_no_support_vector_has(self):
        self.write("svm", self.MODEL)
        rows = self.write("wide.libsvm", "1 1:2 5:7\n-1 1:-2\n")
        self.succeed("import", "svm", "-o", "m", "-q")
        self.assertEqual(self.succeed("predict", "m", rows, "-q").out.split(), ["1", "-1"])
        told = self.succeed("import", "svm", "-o", "wide", "--features", "5")
        self.assertIn("2 support vectors, 5 features; model", told.err)
        self.assertEqual(self.succeed("info", "wide", "--json").json["features"], 5)
        self.assertEqual(self.succeed("predict", "wide", rows, "-q").out.split(), ["1", "-1"])
        # CSV has all features: one more may be the labels, or another file.
        rows = self.write("wide.csv", "7,2,0\n7,-2,0\n")
        refused = self.program("predict", "m", rows, "--no-labels")
        self.assert_refused(refused, 1, "has 3 features", "--features 3: wide.csv")
        self.succeed("import", "svm", "-o", "wide", "--features", "3", "-q")
        self.succeed("predict", "wide", rows, "--no-labels", "-q")
        rows = "wide.libsvm"
        refused = self.program("import", "svm", "-o", "x", "--features", "1")
        self.assert_refused(refused, 1, "svm", "a model of 2 features cannot have 1")
        self.assert_refused(self.program("import", "svm", "--features", "0"), 2, "--features")
        self.train(self.data, "-o", "own")
        refused = self.program("predict", "own", rows)
        self.assert_refused(refused, 1, "wide.libsvm", "features")

    def test_json_reads_back_to_the_same_bytes(self):
        for options in (["--kernel", "rbf", "--standardize"], ["--kernel", "imq"],
                        ["--multi-class", "ovr", "--calibrate", "isotonic"],
                        ["--calibrate", "sigmoid"], ["--positive", "2"],
                        ["--positive", "2", "--calibrate", "isotonic"]):  # fmt: skip
            with self.subTest(options):
                self.train(self.data, *options, "-o", "m")
                told = self.succeed("export", "m", "--to", "json", "-o", "m.json")
                self.assertEqual(told.err, "")
                self.assertEqual(json.loads(self.read("m.json"))["version"], 1)
                self.succeed("import", "m.json", "-o", "back", "-q")
                self.assertEqual(self.read("back"), self.read("m"))
                self.succeed("verify", "back", self.data, "-q")
        text = self.succeed("export", "m", "--to", "json", "-o", "-").out
        self.assertEqual(text, self.read("m.json"))

    def test_hostile_json(self):
        self.train(self.data, "-o", "m", "--positive", "2")
        self.succeed("export", "m", "--to", "json", "-o", "m.json")
        good = self.read("m.json")
        for text, words in [
            ("{", ("bad:1", "not JSON")),
            ("{" + '"a": {' * 100_000, ("bad", "nested deeper")),
            ("[" * 100_000, ("bad:1", "not a LIBSVM model, nor JSON")),
            (good[:-3], ("bad:", "not JSON, or cut off")),
            (good.replace('"C": 4', '"C": NaN'), ("bad:", "not JSON")),
            (good.replace('"C": 4', '"C": 1e999'), ("bad", "too large")),
            (good.replace('"C": 4', '"C": [4]'), ("bad", "C must be a number")),
            (good.replace('"C": 4', '"C": 4, "C": 4'), ("bad", "'C' occurs twice")),
            (good.replace('"features": 2', '"features": 4294967296'), ("bad", "2147483647")),
            (good.replace('["rest", "2"]', '["2", "2"]'), ("bad", "the same label")),
        ]:
            with self.subTest(text=text[:40]):
                self.write("bad", text)
                self.assert_refused(self.program("import", "bad", "-o", "y"), 1, *words)
                self.assertNotIn("y", self.files())

    def test_onnx_is_written(self):
        """What it computes is compared in tests/python/test_export.py."""
        self.train(self.data, "-o", "m", "--calibrate", "sigmoid")
        told = self.succeed("export", "m", "--to", "onnx", "-o", "m.onnx")
        self.assertEqual(told.err, "")
        self.assertIn(b"probabilities", (self.folder / "m.onnx").read_bytes())
        kernel = self.write("k.libsvm", "".join(f"{i % 2} 0:{i + 1} {i + 1}:1\n" for i in range(4)))
        self.train(kernel, "--kernel", "precomputed", "-o", "p")
        refused = self.program("export", "p", "--to", "onnx", "-o", "x")
        self.assert_refused(refused, 1, "p", "precomputed")

    def test_refusals(self):
        self.train(self.data, "-o", "m", "--kernel", "laplacian")
        refused = self.program("export", "m", "--to", "libsvm", "-o", "x")
        self.assert_refused(refused, 1, "m", "no kernel laplacian")
        self.train(self.data, "-o", "m", "--multi-class", "ovr")
        refused = self.program("export", "m", "--to", "libsvm", "-o", "x")
        self.assert_refused(refused, 1, "one-vs-rest")
        refused = self.program("export", "m", "--to", "c", "--name", "a b", "-o", "x")
        self.assert_refused(refused, 1, "'a b'", "no name in C")
        words = self.write("w.csv", csv([("ab"[i % 2], [i % 2 + i / 100]) for i in range(20)]))
        self.train(words, "-o", "m")
        refused = self.program("export", "m", "--to", "libsvm", "-o", "x")
        self.assert_refused(refused, 1, "'a'", "whole numbers")
        self.assertNotIn("x", self.files())
        self.train(self.data, "-o", "m", "--standardize")
        told = self.succeed("export", "m", "--to", "libsvm", "-o", "x")
        self.assertIn("svm-scale -r x.range", told.err)
        good = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\n"
        for text, word in [
            ("", "not a LIBSVM model, or cut off"),
            ("hello\n", "not a LIBSVM model"),
            (good, "no line SV"),
            (good + "nr_sv 1 0\nSV\n", "total_sv"),
            (good + "nr_sv 1 1\nSV\n1 1:1 \n", "total_sv"),
            (good + "nr_sv 1 0\nSV\n1 1:x \n", "'x'"),
            (good + "nr_sv 1 0\nSV\n1 2:1 1:1 \n", "index"),
            (good + "nr_sv 1 0\nSV\n1 1:1 \n1 1:1 \n", "more lines"),
            (good.replace("linear", "sigmoid") + "nr_sv 1 0\nSV\n1 1:1 \n", "'sigmoid'"),
            (good.replace("c_svc", "one_class") + "nr_sv 1 0\nSV\n1 1:1 \n", "'one_class'"),
            (good.replace("1 -1", "1 1") + "nr_sv 1 0\nSV\n1 1:1 \n", "same label"),
            (good.replace("1 -1", "1 x") + "nr_sv 1 0\nSV\n1 1:1 \n", "'x'"),
        ]:
            with self.subTest(text=text):
                self.write("bad", text)
                self.assert_refused(self.program("import", "bad", "-o", "y"), 1, "bad:", word)


if __name__ == "__main__":
    unittest.main()
