"""hinge0 train: the report, the options, every kernel and loss, precomputed kernels."""

import itertools
import json
import math
import unittest

from support import PATIENCE, ProgramTest, blobs, csv, libsvm

KERNELS = ["rbf", "linear", "poly", "exponential", "laplacian", "imq", "wendland"]
LOSSES = ["l0", "hinge", "squared-hinge"]
# At this price the clean blobs are worth keeping whole, and Algorithm 1 converges.
EASILY = ["-C", "1000"]
EXACTLY = ["--tol", "1e-9", "--max-iter", "50000"]
NUMBER = (int, float)
REPORT = {
    "status": str, "solver": str, "objective": NUMBER, "constant_objective": NUMBER,
    "half_norm_squared": NUMBER, "violators": int, "support_vectors": int, "iterations": int,
    "bias": NUMBER, "train_accuracy": NUMBER, "rows": int, "features": int, "C": NUMBER,
    "kernel": dict, "certificate": dict, "seconds": dict, "threads": int,
    "columns": int,
    "memory_estimate_bytes": float,
    "peak_memory_bytes": int,
}  # fmt: skip
CERTIFICATE = ["stationarity", "balance", "feasibility", "proximal", "gamma"]


class Report(ProgramTest):
    """What train --json says."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(blobs(60, flip=0.1)))

    def test_has_every_key_of_the_contract(self):
        report = self.train(self.data, "-C", "2")
        for key, kind in REPORT.items():
            with self.subTest(key=key):
                self.assertIsInstance(report[key], kind)
        for key in CERTIFICATE:
            self.assertIsInstance(report["certificate"][key], NUMBER)
        self.assertIsInstance(report["certificate"]["local_minimum"], bool)
        self.assertEqual(report["kernel"]["name"], "rbf")
        self.assertGreater(report["kernel"]["gamma"], 0)
        self.assertEqual((report["rows"], report["features"], report["C"]), (60, 2, 2))

    def test_values_agree_with_each_other(self):
        report = self.train(self.data, "-C", "2", "--search", "full")
        self.assertEqual((report["status"], report["solver"]), ("converged", "exact"))
        self.assertTrue(report["one_opt"] and report["certificate"]["local_minimum"])
        expected = report["half_norm_squared"] + 2 * report["violators"]
        self.assertAlmostEqual(report["objective"], expected, places=9)
        labels = [label for label, _ in blobs(60, flip=0.1)]
        self.assertEqual(report["constant_objective"], 2 * min(map(labels.count, (-1, 1))))
        self.assertTrue(0 <= report["train_accuracy"] <= 1)
        seconds = report["seconds"]
        parts = seconds["read"] + seconds["gram"] + seconds["solve"]
        self.assertLessEqual(parts, seconds["total"] * 1.01)
        self.assertGreater(report["peak_memory_bytes"], 1 << 20)

    def test_memory_is_stated_before_it_is_taken(self):
        self.succeed("data", "moons", "--samples", "20000", "--flip", "0.1", "-o", "moons")
        result = self.succeed("train", "moons", "--gamma", "2", "-o", "m", "--json")
        self.assertTrue(result.err.startswith("training holds at most 1"), result.err)
        report = json.loads(result.out)
        self.assertLess(report["memory_estimate_bytes"], 1.2 * 2**30)
        if PATIENCE == 1:  # sanitizers hold more
            self.assertLess(report["peak_memory_bytes"], 1.2 * report["memory_estimate_bytes"])

    def test_agrees_with_the_model_and_with_verify(self):
        for options in (["-C", "2"], ["-C", "0.3", "--seed", "7"], ["--loss", "hinge"]):
            with self.subTest(options=options):
                result = self.program("train", self.data, *options, "--json", "-q")
                self.assertIn(result.status, (0, 3))
                report = result.json
                info = self.succeed("info", "d.libsvm.model", "--json").json
                self.assertEqual(report["support_vectors"], len(info["support_rows"]))
                self.assertEqual(report["objective"], info["objective"])
                self.assertEqual(report["bias"], info["bias"])
                checked = self.program("verify", "d.libsvm.model", self.data, "--json", "-q")
                self.assertEqual(checked.err, "")
                for key in ("objective", "half_norm_squared", "train_accuracy", "violators",
                            "support_vectors", "constant_objective"):  # fmt: skip
                    self.assertTrue(math.isclose(report[key], checked.json[key], rel_tol=1e-9), key)
                for key, value in report["certificate"].items():
                    self.assertAlmostEqual(value, checked.json["certificate"][key], delta=1e-6)

    def test_accuracy_is_that_of_predict(self):
        report = self.train(self.data, "-C", "2")
        found = self.succeed("predict", "d.libsvm.model", self.data, "--json", "-q").json
        self.assertEqual(report["train_accuracy"], found["accuracy"])

    def test_hand_solved_problem(self):
        # x = -2, -1, 1, 2 on a line: h(x) = x, two support vectors, |w|^2 / 2 = 1/2
        data = self.write("line.libsvm", "1 1:1\n1 1:2\n-1 1:-1\n-1 1:-2\n")
        report = self.train(data, "--kernel", "linear", "-C", "10", *EXACTLY)
        self.assertEqual(report["status"], "converged")
        self.assertAlmostEqual(report["objective"], 0.5, places=6)
        self.assertAlmostEqual(report["bias"], 0, places=6)
        self.assertEqual((report["support_vectors"], report["violators"]), (2, 0))
        self.assertTrue(report["certificate"]["local_minimum"])


class Streams(ProgramTest):
    """Prose on stderr, numbers on stdout."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(blobs(20)))

    def test_words_go_to_stderr(self):
        result = self.succeed("train", self.data, *EASILY)
        self.assertEqual(result.out, "")
        self.assertIn("support vectors", result.err)
        self.assertIn("d.libsvm.model", result.err)

    def test_json_alone_goes_to_stdout(self):
        result = self.succeed("train", self.data, *EASILY, "--json")
        self.assertEqual(result.out.count("\n"), 1)
        self.assertEqual(json.loads(result.out)["status"], "converged")
        self.assertIn("support vectors", result.err)

    def test_quiet_says_nothing(self):
        result = self.succeed("train", self.data, *EASILY, "--quiet")
        self.assertEqual(result.out + result.err, "")

    def test_status_3_when_not_converged(self):
        fit = ["--solver", "admm", "--max-iter", "1"]
        result = self.program("train", self.data, *fit, "-q", "-o", "m")
        self.assertEqual((result.status, result.err), (3, ""))
        self.assertEqual(self.succeed("info", "m", "--json").json["status"], "max_iterations")

    def test_status_3_when_not_certified(self):
        # The kernel is all but constant: rounding decides what is a violator.
        self.succeed("data", "moons", "--samples", "60", "--flip", "0.1", "--seed", "1", "-o", "x")
        fit = ["train", "x", "--gamma", "1e-10", "-C", "1e12", "-o", "m"]
        result = self.program(*fit, "--json")
        certified = result.json["certificate"]["local_minimum"]
        self.assertEqual(result.status, 0 if certified else 3)
        self.assertEqual("not certified: rounding" in result.err, not certified)
        self.assertEqual(any("not certified" in n for n in result.json["notes"]), not certified)

    def test_model_on_standard_output(self):
        self.succeed("train", self.data, *EASILY, "-q", "-o", "m")
        result = self.succeed("train", self.data, *EASILY, "-o", "-")
        self.assertEqual(result.out, self.read("m"))
        self.assertIn("model written to standard output", result.err)
        self.assertFalse((self.folder / "-").exists())

    def test_tiny_gamma(self):
        # the message was "stod"
        for gamma in ("1e-308", "5e-324"):
            self.assertEqual(self.train(self.data, "--gamma", gamma)["kernel"]["gamma"],
                             float(gamma))  # fmt: skip

    def test_trace_has_one_line_per_iteration(self):
        report = self.train(self.data, *EASILY, "--solver", "admm", "--trace", "t.csv")
        header, *lines = self.read("t.csv").splitlines()
        self.assertEqual(header.split(",")[:3], ["iteration", "objective", "working_set"])
        for name in ("stationarity", "balance", "feasibility", "proximal"):
            self.assertIn(name, header)
        self.assertEqual(len(lines), report["iterations"])
        for number, line in enumerate(lines, 1):
            values = [float(field) for field in line.split(",")]
            self.assertEqual((values[0], len(values)), (number, len(header.split(","))))
            self.assertTrue(all(map(math.isfinite, values)))


class KernelsAndLosses(ProgramTest):
    """Every combination trains, is certified by separate code, and predicts."""

    def test_every_kernel_with_every_loss(self):
        data = self.write("d.libsvm", libsvm(blobs(40)))
        for kernel, loss in itertools.product(KERNELS, LOSSES):
            with self.subTest(kernel=kernel, loss=loss):
                price = "1000" if loss == "l0" else "1"
                report = self.train(data, "--kernel", kernel, "--loss", loss, "-C", price,
                                    "--gamma", "0.5", "--coef0", "1", "-o", "m",
                                    *EXACTLY)  # fmt: skip
                self.assertEqual((report["kernel"]["name"], report["loss"]), (kernel, loss))
                self.assertGreater(report["support_vectors"], 0)
                self.assertGreater(report["train_accuracy"], 0.9)
                found = self.succeed("verify", "m", data, "--json", "-q").json
                self.assertTrue(found["local_minimum"])
                accuracy = self.succeed("predict", "m", data, "--json", "-q").json["accuracy"]
                self.assertEqual(accuracy, report["train_accuracy"])

    def test_gamma_words(self):
        data = self.write("d.libsvm", libsvm(blobs(40)))
        values = [value for _, point in blobs(40) for value in point]
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        for word, expected in (("scale", 1 / (2 * variance)), ("auto", 0.5), ("0.7", 0.7)):
            report = self.train(data, *EASILY, "--gamma", word)
            self.assertAlmostEqual(report["kernel"]["gamma"], expected, places=12)


class Precomputed(ProgramTest):
    """A kernel matrix instead of features gives the same classifier."""

    def setUp(self):
        super().setUp()
        self.samples = blobs(30)
        data = self.write("d.libsvm", libsvm(self.samples))
        self.options = [*EASILY, *EXACTLY]
        self.expected = self.train(data, "--gamma", "0.5", *self.options)

    def kernel_rows(self, samples):
        """The samples with their kernel values with all training points for features."""
        return [
            (label, [math.exp(-0.5 * math.dist(x, z) ** 2) for _, z in self.samples])
            for label, x in samples
        ]

    def check(self, data, new_data):
        report = self.train(data, "--kernel", "precomputed", *self.options, "-o", "k")
        self.assertEqual(report["support_vectors"], self.expected["support_vectors"])
        self.assertAlmostEqual(report["objective"], self.expected["objective"], places=6)
        self.succeed("verify", "k", data, "-q")
        points = self.write("new.libsvm", libsvm(blobs(20, seed=5)))
        args = ["--decision-values", "-q"]
        mine = self.succeed("predict", "k", new_data, *args).out.split()
        theirs = self.succeed("predict", "d.libsvm.model", points, *args).out.split()
        self.assertEqual((len(mine), len(theirs)), (20, 20))
        for i, value in enumerate(mine):
            self.assertAlmostEqual(float(value), float(theirs[i]), places=6)

    def test_csv(self):
        new = [(None, row) for _, row in self.kernel_rows(blobs(20, seed=5))]
        self.check(
            self.write("k.csv", csv(self.kernel_rows(self.samples))),
            self.write("new.csv", csv(new)),
        )

    def test_libsvm_text_with_serial_numbers(self):
        def text(samples):
            rows = enumerate(self.kernel_rows(samples), 1)
            return libsvm((f"{label} 0:{serial}", row) for serial, (label, row) in rows)

        self.check(
            self.write("k.libsvm", text(self.samples)),
            self.write("newk.libsvm", text(blobs(20, seed=5))),
        )


if __name__ == "__main__":
    unittest.main()
