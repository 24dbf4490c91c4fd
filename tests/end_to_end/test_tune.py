"""hinge0 tune: choice, report, page, limits, wrong input."""

import signal
import time
import unittest
from html.parser import HTMLParser

from support import PATIENCE, ProgramTest, blobs, csv, libsvm


class Tags(HTMLParser):
    """Counts tags, and notices one that is closed without being open."""

    VOID = ("meta", "path", "rect", "circle", "polyline")

    def __init__(self):
        super().__init__()
        self.open, self.count, self.sound = [], {}, True

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in self.VOID or tag in ("rect", "circle"):
            self.open.append(tag)
        self.sound &= not any(name in ("src", "href") for name, _ in attrs)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        self.sound &= bool(self.open) and self.open.pop() == tag


class Tune(ProgramTest):
    GRID = ("--grid", "C=0.5,2,8", "--grid", "gamma=2^-2..2^1")

    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(blobs(80, flip=0.1)))

    def tune(self, *args, status=0):
        result = self.program("tune", *args, "--json", "-q")
        self.assertEqual(result.status, status, result)
        self.assertEqual(result.err, "", result)
        return result.json

    def test_report_holds_choice_grid_and_fit(self):
        found = self.tune(self.data, *self.GRID, "-o", "m")
        self.assertEqual(len(found["grid"]), 12)
        best = found["best"]
        self.assertIn({k: best[k] for k in ("C", "gamma", "score", "scores", "support_vectors")},
                      found["grid"])  # fmt: skip
        self.assertEqual((best["C"], best["gamma"]), (found["C"], found["kernel"]["gamma"]))
        self.assertEqual(best["cv_accuracy"], best["cv_score"])
        self.assertTrue(found["certificate"]["local_minimum"])
        self.assertGreater(found["seconds"]["tune"], 0)
        self.assertEqual((found["rule"], found["metric"]), ("smooth", "accuracy"))
        self.assertEqual(found["splits"], 50)  # 10 repeats
        # The model is that of train with the same parameters.
        self.train(self.data, "-C", best["C"], "--gamma", best["gamma"], "-o", "t")
        self.assertEqual(self.read("m"), self.read("t"))
        self.succeed("verify", "m", self.data)

    def test_words_name_the_choice(self):
        result = self.succeed("tune", self.data, *self.GRID)
        self.assertRegex(result.err, r"\AC = \S+, gamma = \S+ chosen by the rule smooth from ")
        self.assertIn("model written to d.libsvm.model", result.err)
        self.assertEqual(result.out, "")

    def test_same_bits_for_any_number_of_threads(self):
        for threads in (1, 2, 3):
            self.tune(self.data, "--threads", threads, "-o", f"m{threads}", "--repeats", "2")
        self.assertEqual(self.read("m1"), self.read("m2"))
        self.assertEqual(self.read("m1"), self.read("m3"))

    def test_folds_file_rule_and_metric(self):
        folds = "".join(f"fold{i % 4}\n" if i < 70 else "-\n" for i in range(80))
        self.write("folds", folds)
        found = self.tune(self.data, *self.GRID, "--folds-file", "folds", "--rule", "best",
                          "--metric", "auc", "--no-race", "-o", "m")  # fmt: skip
        self.assertEqual(found["splits"], 4)
        self.assertNotIn("cv_accuracy", found["best"])
        self.assertEqual(found["best"]["score"], max(cell["score"] for cell in found["grid"]))

    def test_brier_score_for_probabilities(self):
        found = self.tune(self.data, *self.GRID, "--metric", "brier", "-o", "m")
        self.assertEqual(found["metric"], "brier")
        for cell in found["grid"]:
            self.assertTrue(cell["score"] is None or -0.3 < cell["score"] <= 0)

    def test_an_option_fixes_what_is_not_tuned(self):
        found = self.tune(self.data, "-C", "3", "--gamma", "0.5", "-o", "m")
        self.assertEqual([(cell["C"], cell["gamma"]) for cell in found["grid"]], [(3, 0.5)])
        found = self.tune(self.data, "--kernel", "linear", "-o", "m")
        self.assertEqual({cell["gamma"] for cell in found["grid"]}, {None})
        self.assertEqual(len(found["grid"]), 11)
        found = self.tune(self.data, "-C", "3", "--grid", "gamma/scale=1,2", "-o", "m")
        first, second = found["grid"]
        self.assertAlmostEqual(second["gamma"] / first["gamma"], 2)

    def test_other_losses_kernels_and_scaling(self):
        rows = [("yes" if y > 0 else "no", [1000 * a, b]) for y, (a, b) in blobs(60)]
        self.write("d.csv", csv(rows))
        found = self.tune("d.csv", "--loss", "hinge", "--kernel", "laplacian", "--standardize",
                          *self.GRID, "-o", "m")  # fmt: skip
        self.assertEqual((found["loss"], found["kernel"]["name"]), ("hinge", "laplacian"))
        self.assertGreater(self.succeed("predict", "m", "d.csv", "--json").json["accuracy"], 0.9)

    def test_several_kernels(self):
        options = ("--grid", "kernel=linear,rbf", "--grid", "C=1,4", "-o", "m")
        told = self.succeed("tune", self.data, *options)
        self.assertRegex(told.err, r"kernels: linear 0\.\d+ \(\d+ support vectors\), rbf 0\.\d+ \(")
        self.assertRegex(told.err, r"\nkernel (linear|rbf), C = ")
        found = self.tune(self.data, *options, "--html", "page.html")
        self.assertRegex(self.read("page.html"), r"Tried in .* were the kernels: linear 0")
        self.assertEqual([one["kernel"] for one in found["kernels"]], ["linear", "rbf"])
        self.assertEqual(found["best"]["kernel"], found["kernel"]["name"])
        self.assertIn(found["best"]["score"], [one["score"] for one in found["kernels"]])
        for more, words in ((("--kernel", "rbf"), ("--kernel and --grid kernel",)),
                            (("--grid", "kernel=rbf"), ("kernel is said twice",))):  # fmt: skip
            self.assert_refused(self.program("tune", self.data, *options, *more), 2, *words)
        for kernels, words in (("rbf,sigmoid", "unknown kernel 'sigmoid'"), ("", "unknown kernel"),
                               ("rbf,rbf", "'rbf' is said twice"), ("rbf,", "unknown kernel"),
                               ("rbf,precomputed", "the only one of its data")):  # fmt: skip
            refused = self.program("tune", self.data, "--grid", f"kernel={kernels}")
            self.assert_refused(refused, 2, words)

    def test_limit_of_support_vectors(self):
        found = self.tune(self.data, "--max-support-vectors", "5", "-o", "m")
        self.assertLessEqual(found["support_vectors"], 5)
        result = self.program("tune", self.data, "--max-support-vectors", "1", "-o", "n")
        self.assert_refused(result, 1, "at most 1 support vectors", "the smallest has about")
        self.assertNotIn("n", self.files())

    def test_page_is_whole_and_alone(self):
        data = self.write("<odd> & 'name'.libsvm", libsvm(blobs(60)))
        self.tune(data, *self.GRID, "--html", "page.html", "-o", "m")
        page, tags = self.read("page.html"), Tags()
        tags.feed(page)
        self.assertTrue(tags.sound and not tags.open, tags.open)
        self.assertEqual((tags.count["rect"], tags.count["circle"]), (24, 12))
        self.assertNotIn("<odd>", page)
        self.assertIn("--grid C=0.5,2,8", page)
        for outside in ("http:", "https:", "<script", "nan"):
            self.assertNotIn(outside, page)

    def test_wrong_input_is_one_clear_line(self):
        few = self.write("few", libsvm(blobs(8)[:5]))
        self.assert_refused(self.program("tune", few), 1, "too few for 5 folds", "few")
        self.assert_refused(self.program("tune", self.write("e", "")), 1, "e")
        self.assert_refused(self.program("tune", self.write("n", "1 1:nan\n-1 1:1\n")), 1, "n:1")
        one = self.write("one", "1 1:1\n1 1:2\n")
        self.assert_refused(self.program("tune", one), 1, "one")
        for grid, word in (("C=", "C"), ("C=0", "0"), ("C=nan", "nan"), ("C=2^9..2^1", "2^9..2^1"),
                           ("D=1", "D=1"), ("gamma=1,,2", "''"), ("C=1e999", "1e999")):  # fmt: skip
            self.assert_refused(self.program("tune", self.data, "--grid", grid), 2, "--grid", word)
        twice = self.program("tune", self.data, "--grid", "C=1", "--grid", "C=2")
        self.assert_refused(twice, 2, "twice")
        linear = self.program("tune", self.data, "--kernel", "linear", "--grid", "gamma=1")
        self.assert_refused(linear, 2, "has no gamma")
        self.assert_refused(self.program("tune", self.data, "--folds", "1"), 2, "--folds")
        self.assert_refused(self.program("tune", self.data, "--html", self.data), 2, "--html")
        self.assert_refused(self.program("tune", self.data, "--start", "m.model"), 2, "--start")

    def test_wrong_folds_files(self):
        for text, words in (("a\nb\n", ("2 lines for 80 rows", "f")), ("a\n" * 81, ("f:81",)),
                            ("a\n\n" * 40, ("empty line", "f:2")), ("-\n" * 80, ("no row",)),
                            ("a\n" * 80, ("one class", "split 1"))):  # fmt: skip
            self.write("f", text)
            result = self.program("tune", self.data, "--folds-file", "f", "-o", "m")
            self.assert_refused(result, 1, *words)
        self.assert_refused(self.program("tune", self.data, "--folds-file", "none"), 1, "none")

    def test_constant_features_and_contradictions(self):
        rows = [(y, [1.0, 2.0]) for y, _ in blobs(40)]
        found = self.tune(self.write("c", libsvm(rows)), "--standardize", "-o", "m")
        self.assertEqual(found["support_vectors"], 0)

    def test_interrupt_writes_the_best_so_far(self):
        data = self.write("big", libsvm(blobs(1500, flip=0.2)))
        process = self.start("tune", data, "--repeats", "500", "-o", "m", "--json", "-q")
        time.sleep(2 * PATIENCE)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out)
        self.assertLess(time.monotonic() - begin, 5 * PATIENCE)
        self.assertIn(b'"interrupted"', out)
        self.assertEqual(self.program("verify", "m", data).status, 0)

    def test_time_limit_holds(self):
        data = self.write("big", libsvm(blobs(1500, flip=0.2)))
        options = ("--repeats", "500", "-o", "m", "--time-limit", "2", "-q")
        result = self.program("tune", data, *options)
        self.assertEqual(result.status, 3, result)
        self.assertLess(result.seconds, 4 * PATIENCE)
        self.assertIn("m", self.files())


if __name__ == "__main__":
    unittest.main()
