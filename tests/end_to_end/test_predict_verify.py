"""hinge0 predict, verify and info on good models."""

import json
import unittest

from support import PATIENCE, ProgramTest, blobs, csv, libsvm, with_checksum


class Predict(ProgramTest):
    """Labels or decision values, to a file or standard output."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(blobs(40)))
        self.new = blobs(300, flip=0.1, seed=5)
        self.write("new.libsvm", libsvm(self.new))
        self.train(self.data, "-C", "1000", "-o", "m")

    def test_labels_to_standard_output(self):
        result = self.succeed("predict", "m", "new.libsvm")
        labels = result.out.split()
        self.assertEqual((len(labels), set(labels)), (300, {"-1", "1"}))
        self.assertEqual(result.out, "\n".join(labels) + "\n")
        self.assertRegex(result.err, r"\Aaccuracy [0-9.]+ % on 300 rows\n\Z")

    def test_output_file(self):
        expected = self.succeed("predict", "m", "new.libsvm", "-q").out
        result = self.succeed("predict", "m", "new.libsvm", "-q", "-o", "labels.txt")
        self.assertEqual((result.out, result.err), ("", ""))
        self.assertEqual(self.read("labels.txt"), expected)
        result = self.succeed("predict", "m", "new.libsvm", "-q", "-o", "-")
        self.assertEqual(result.out, expected)

    def test_json(self):
        result = self.succeed("predict", "m", "new.libsvm", "--json", "-q", "-o", "labels.txt")
        self.assertEqual((result.err, result.out.count("\n")), ("", 1))
        found = result.json
        labels = self.read("labels.txt").split()
        right = sum(str(label) == labels[i] for i, (label, _) in enumerate(self.new))
        self.assertEqual((found["rows"], found["accuracy"]), (300, right / 300))
        info = self.succeed("info", "m", "--json").json
        self.assertEqual(found["support_vectors"], info["support_vectors"])
        self.assertGreaterEqual(found["seconds"]["total"], found["seconds"]["predict"])
        self.assertGreater(found["accuracy"], 0.8)

    def test_decision_values_have_the_sign_of_the_label(self):
        values = self.succeed("predict", "m", "new.libsvm", "--decision-values", "-q").out.split()
        labels = self.succeed("predict", "m", "new.libsvm", "-q").out.split()
        self.assertEqual(["1" if float(v) > 0 else "-1" for v in values], labels)

    def test_decision_values_follow_from_the_model_file(self):
        self.train(self.data, "-C", "1000", "--kernel", "linear", "-o", "lin")
        lines = self.read("lin").splitlines()
        keys = dict(line.split(" ", 1) for line in lines)
        weights = [0.0, 0.0]
        for line in lines[lines.index("storage sparse") + 1 : -1]:
            _, coefficient, *pairs = line.split()
            for pair in pairs:
                index, value = pair.split(":")
                weights[int(index) - 1] += float(coefficient) * float(value)
        out = self.succeed("predict", "lin", "new.libsvm", "--decision-values", "-q").out.split()
        for i, (_, (a, b)) in enumerate(self.new):
            expected = weights[0] * a + weights[1] * b + float(keys["bias"])
            self.assertAlmostEqual(float(out[i]), expected, places=9)

    def test_same_bits_whatever_the_threads(self):
        args = ["new.libsvm", "--decision-values", "-q"]
        expected = self.succeed("predict", "m", *args).out
        for threads in ("1", "2", "5"):
            out = self.succeed("predict", "m", *args, "--threads", threads).out
            self.assertEqual(out, expected)

    def test_rows_do_not_depend_on_their_neighbours(self):
        args = ["--decision-values", "-q"]
        expected = self.succeed("predict", "m", "new.libsvm", *args).out.split()
        for text, first in ((libsvm(self.new[100:110]), 100), (csv(self.new), 0)):
            out = self.succeed("predict", "m", self.write("part", text), *args).out.split()
            for i, value in enumerate(out):
                self.assertAlmostEqual(float(value), float(expected[first + i]), places=12)

    def test_copied_model_gives_the_same_bits(self):
        self.write("copy", self.read("m"))
        args = ["new.libsvm", "--decision-values", "-q"]
        expected = self.succeed("predict", "m", *args).out
        self.assertEqual(self.succeed("predict", "copy", *args).out, expected)

    def test_data_without_labels(self):
        expected = self.succeed("predict", "m", "new.libsvm", "-q").out
        bare = [(None, point) for _, point in self.new]
        for name, text, options in (
            ("u.libsvm", libsvm(bare), []),
            ("u.csv", csv(bare), []),
            ("headed.csv", csv(bare, "age,pressure"), []),
            ("u.csv", csv(bare), ["--no-labels"]),
        ):
            with self.subTest(name=name, options=options):
                self.write(name, text)
                result = self.succeed("predict", "m", name, *options, "-q")
                self.assertEqual((result.out, result.err), (expected, ""))
                found = self.succeed("predict", "m", name, *options, "--json").json
                self.assertEqual((found["rows"], found["accuracy"]), (300, None))
        piped = self.succeed("predict", "m", "-", "--no-labels", "-q", stdin_text=csv(bare))
        self.assertEqual(piped.out, expected)

    def test_unknown_labels_have_no_accuracy(self):
        strange = self.write("s.libsvm", libsvm(("?", point) for _, point in self.new))
        found = self.succeed("predict", "m", strange, "--json", "-q").json
        self.assertIsNone(found["accuracy"])

    def test_labelled_csv_that_lacks_a_feature_is_refused(self):
        # it was read as features only: the label became feature 1
        lacking = self.write("lacking.csv", csv([(y, point[:1]) for y, point in self.new]))
        result = self.program("predict", "m", lacking)
        words = ["1 features", "expects 2", "--no-labels", "lacking.csv"]
        self.assert_refused(result, 1, *words)
        headed = self.write("headed.csv", csv([(1, [0.5])], header="y,x"))
        self.assert_refused(self.program("predict", "m", headed), 1, "--no-labels")
        piped = self.program("predict", "m", "-", stdin_text="1,0.5\n")
        self.assert_refused(piped, 1, "--no-labels", "standard input")
        taken = self.succeed("predict", "m", lacking, "--no-labels")
        self.assertEqual((taken.out.count("\n"), taken.err), (len(self.new), ""))

    def test_features_only_are_told(self):
        bare = self.write("bare.csv", "0.5,1\n-0.25,2\n")
        result = self.succeed("predict", "m", bare)
        self.assertEqual(result.out.count("\n"), 2)
        self.assertRegex(result.err, r"\Abare.csv is read as features only: '0.5' [^\n]+\n\Z")
        self.assertEqual(self.succeed("predict", "m", bare, "-q").err, "")

    def test_the_rest_may_have_any_label(self):
        rows = [(i % 3, [i % 3 + 0.1 * i, 1]) for i in range(30)]
        self.train(self.write("three.csv", csv(rows)), "--positive", "1", "-C", "9", "-o", "r")
        lacking = self.write("lacking.csv", csv([(7, [0.5])]))
        self.assert_refused(self.program("predict", "r", lacking), 1, "--no-labels")

    def test_missing_features_of_sparse_rows_are_zero(self):
        sparse = self.write("s.libsvm", "1 1:0.5\n1\n")
        dense = self.write("d.csv", "1,0.5,0\n1,0,0\n")
        args = ["--decision-values", "-q"]
        self.assertEqual(
            self.succeed("predict", "m", sparse, *args).out,
            self.succeed("predict", "m", dense, *args).out,
        )

    def test_other_number_of_features(self):
        for name, text in (
            ("more.libsvm", "1 1:1 2:2 3:3\n"),
            ("more.csv", "1,1,2,3\n"),
            ("fewer.csv", "1\n2\n"),
        ):
            with self.subTest(name=name):
                result = self.program("predict", "m", self.write(name, text))
                self.assert_refused(result, 1, name)
        more = self.program("predict", "m", "more.csv")
        self.assert_refused(more, 1, "3 features", "expects 2")


class Verify(ProgramTest):
    """A second opinion, from the model and its data alone."""

    def setUp(self):
        super().setUp()
        self.samples = blobs(40)
        self.data = self.write("d.libsvm", libsvm(self.samples))
        self.exactly = ["-C", "1000", "--tol", "1e-9", "--max-iter", "50000"]
        self.train(self.data, *self.exactly, "-o", "m")

    def edit(self, key, change):
        """Writes the model with another value of one key and the checksum that belongs to it."""
        lines = self.read("m").splitlines()[:-1]
        for i, line in enumerate(lines):
            if line.startswith(key + " "):
                lines[i] = f"{key} {change(float(line.split()[1])):.17g}"
        text = with_checksum(lines)
        self.assertNotEqual(text, self.read("m"))
        return self.write("edited", text)

    def test_certifies_a_local_minimum(self):
        result = self.succeed("verify", "m", self.data, "--json")
        self.assertTrue(result.json["local_minimum"])
        self.assertTrue(result.json["certificate"]["local_minimum"])
        self.assertTrue(result.json["objective_agrees"])
        self.assertIn("local minimum", result.err)
        self.assertEqual(self.succeed("verify", "m", self.data, "-q").err, "")

    def test_says_when_it_is_none(self):
        self.train(self.data, "--solver", "admm", "--max-iter", "3", "-o", "rough", status=3)
        result = self.program("verify", "rough", self.data, "--json", "-q")
        self.assertEqual((result.status, result.err), (3, ""))
        self.assertFalse(result.json["local_minimum"])
        self.assertTrue(result.json["objective_agrees"])

    def test_test_checksum_is_the_format_s(self):
        lines = self.read("m").splitlines()
        self.assertEqual(with_checksum(lines[:-1]), self.read("m"))

    def test_detects_a_changed_bias(self):
        edited = self.edit("bias", lambda bias: bias + 0.01)
        result = self.program("verify", edited, self.data, "--json", "-q")
        found = json.loads(result.out)
        self.assertFalse(found["local_minimum"])
        self.assertNotEqual(result.status, 0)
        self.assertGreater(found["certificate"]["worst_deficit"], 0.009)

    def test_detects_a_changed_objective(self):
        edited = self.edit("objective", lambda objective: objective * 0.9)
        result = self.program("verify", edited, self.data, "-q")
        self.assert_refused(result, 1, "objective", "edited")

    def test_detects_a_changed_coefficient_and_kernel(self):
        lines = self.read("m").splitlines()[:-1]
        row = lines.index("storage sparse") + 1
        number, coefficient, rest = lines[row].split(" ", 2)
        lines[row] = f"{number} {float(coefficient) * 1.05:.17g} {rest}"
        self.write("edited", with_checksum(lines))
        for edited in ("edited", self.edit("gamma", lambda gamma: gamma * 1.01)):
            result = self.program("verify", edited, self.data, "-q")
            self.assert_refused(result, 1, "objective")

    def test_refuses_other_data(self):
        support = self.succeed("info", "m", "--json").json["support_rows"][0] - 1
        moved = list(self.samples)
        moved[support] = (moved[support][0], [point + 1 for point in moved[support][1]])
        for name, samples, words in (
            ("fewer", self.samples[1:], ["40 rows", "39"]),
            ("wider", [(y, [*point, 1]) for y, point in self.samples], ["3 features"]),
            ("renamed", [(y + 5, point) for y, point in self.samples], ["'4'"]),
            ("moved", moved, [f"row {support + 1} ", "support vector"]),
        ):
            with self.subTest(name=name):
                self.write(name, libsvm(samples))
                self.assert_refused(self.program("verify", "m", name), 1, name, *words)
        bare = self.write("bare", libsvm((None, point) for _, point in self.samples))
        self.assert_refused(self.program("verify", "m", bare), 1, "bare", "no labels")

    def test_a_huge_dimension_takes_no_time(self):
        data = self.write("wide", "1 1:1 2147483647:1\n-1 1:2\n")
        self.train(data, "--kernel", "wendland", "--gamma", "1e-9", "-C", "10", "-o", "w")
        result = self.program("verify", "w", data, "--json", "-q")
        self.assertIn(result.status, (0, 3), result)
        self.assertLess(result.seconds, 2 * PATIENCE)

    def test_kernel_values_that_are_not_finite_are_no_local_minimum(self):
        data = self.write("line", "1 1:1\n-1 1:-1\n")
        self.train(data, "--kernel", "imq", "-C", "10", "-o", "m")
        lines = self.read("m").splitlines()[:-1]
        values = {"coef0": "coef0 1e-308", "beta": "beta 1e+308"}
        edited = [values.get(line.split()[0], line) for line in lines]
        self.write("m", with_checksum(edited))
        for options in ([], ["--json"]):
            result = self.program("verify", "m", data, *options)
            self.assert_refused(result, 1, "kernel values of row 1 are not finite: line")


class Info(ProgramTest):
    """A model in words, or the program itself."""

    def test_model(self):
        data = self.write("d", libsvm(blobs(40)))
        report = self.train(data, "-C", "1000", "--gamma", "0.5", "--standardize", "-o", "m")
        info = self.succeed("info", "m", "--json").json
        self.assertEqual(info["kernel"], {"name": "rbf", "gamma": 0.5})
        self.assertEqual((info["loss"], info["C"], info["features"]), ("l0", 1000, 2))
        self.assertEqual((info["training_rows"], info["status"]), (40, "converged"))
        self.assertEqual(info["support_vectors"], report["support_vectors"])
        self.assertEqual(info["support_rows"], sorted(set(info["support_rows"])))
        self.assertTrue(1 <= info["support_rows"][0] <= info["support_rows"][-1] <= 40)
        words = self.succeed("info", "m")
        self.assertIn("rbf (gamma 0.5)", words.out)
        self.assertIn("standardised", words.out)
        self.assertEqual(words.err, "")

    def test_program(self):
        info = self.succeed("info", "--json").json
        self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
        self.assertGreaterEqual(info["threads"], 1)
        self.assertIn("host", info["backends"])
        self.assertIn(info["version"], self.succeed("info").out)
        self.assertEqual(self.succeed("--version").out, f"hinge0 {info['version']}\n")


class Synthetic(ProgramTest):
    """hinge0 data, from which the demonstration starts."""

    def test_moons_and_circles(self):
        for kind in ("moons", "circles"):
            args = ["data", kind, "--samples", "100", "--noise", "0.05", "--seed", "3"]
            text = self.succeed(*args).out
            self.assertEqual(text.count("\n"), 100)
            self.succeed(*args, "-o", "d")
            self.assertEqual(self.read("d"), text)
            self.succeed("train", "d", "-C", "1000", "--gamma", "4", "-q")
            found = self.succeed("predict", "d.model", "d", "--json", "-q").json
            self.assertEqual(found["accuracy"], 1)

    def test_flip_changes_labels_only(self):
        args = ["data", "moons", "--samples", "100", "--seed", "3"]
        clean = self.succeed(*args).out.splitlines()
        noisy = self.succeed(*args, "--flip", "0.1").out.splitlines()
        flipped = [i for i, line in enumerate(clean) if line != noisy[i]]
        self.assertEqual(len(flipped), 10)
        for i in flipped:
            self.assertEqual(clean[i].split()[1:], noisy[i].split()[1:])


if __name__ == "__main__":
    unittest.main()
