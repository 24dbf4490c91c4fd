"""What DATA may be: formats, compression, labels, scaling, where it is found; and weights."""

import bz2
import gzip
import lzma
import unittest

from support import ProgramTest, blobs, csv, libsvm

# At this price the clean blobs are worth keeping whole, and Algorithm 1 converges.
EASILY = ["-C", "1000", "-q"]


class Sources(ProgramTest):
    """The same rows give the same model, wherever and however packed they are."""

    def setUp(self):
        super().setUp()
        self.text = libsvm(blobs(40))
        self.write("plain.libsvm", self.text)
        self.succeed("train", "plain.libsvm", *EASILY, "-o", "expected")
        self.expected = self.read("expected")

    def check(self, *args, **options):
        self.succeed("train", *args, *EASILY, "-o", "m", **options)
        self.assertEqual(self.read("m"), self.expected)

    def test_compressed_files(self):
        packers = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
        for extension, pack in packers.items():
            with self.subTest(extension=extension):
                packed = pack(self.text.encode())
                self.check(self.write(f"d.libsvm.{extension}", packed))
                self.check("-", stdin_text=packed)
                self.check(self.write("no-extension", packed))

    def test_concatenated_compressed_files(self):
        half = self.text.index("\n", len(self.text) // 2) + 1
        for pack in (gzip.compress, bz2.compress, lzma.compress):
            parts = pack(self.text[:half].encode()) + pack(self.text[half:].encode())
            self.check(self.write("d", parts))

    def test_standard_input(self):
        self.check("-", stdin_text=self.text)

    def test_standard_input_needs_a_model_name(self):
        result = self.program("train", "-", stdin_text=self.text)
        self.assert_refused(result, 2, "-o")

    def test_blank_lines_comments_and_line_ends(self):
        messy = "# a comment\r\n\r\n" + self.text.replace("\n", "  # why\r\n") + "\n\n   \n"
        self.check(self.write("messy.libsvm", messy))
        self.check(self.write("marked.libsvm", "\ufeff" + self.text))
        self.check(self.write("unended.libsvm", self.text.rstrip("\n")))

    def test_default_model_name_is_in_the_current_folder(self):
        (self.folder / "below").mkdir()
        self.write("below/d.libsvm", self.text)
        before = set(self.files())
        self.succeed("train", "below/d.libsvm", *EASILY)
        self.assertEqual(set(self.files()) - before, {"d.libsvm.model"})
        self.assertEqual(self.read("d.libsvm.model"), self.expected)

    def test_bare_names_are_found_in_the_data_folders(self):
        for folder in ("one", "two"):
            (self.folder / folder).mkdir()
        self.write("two/known.libsvm.xz", lzma.compress(self.text.encode()))
        folders = {"HINGE0_DATA": f"{self.folder}/one:{self.folder}/two"}
        self.check("known", env=folders)
        self.check("known.libsvm", env=folders)
        self.succeed("predict", "m", "known", "-q", env=folders)
        self.assertEqual(self.program("verify", "m", "known", "-q", env=folders).err, "")
        self.assert_refused(self.program("train", "known"), 1, "known")
        self.assert_refused(self.program("train", "unknown", env=folders), 1, "unknown")

    def test_format_option_overrides_the_name(self):
        self.check(self.write("odd.csv", self.text), "--format", "libsvm")

    def test_threads_do_not_change_a_byte(self):
        self.write("big.libsvm", libsvm(blobs(700, flip=0.1)))
        models = []
        for threads in ("1", "2", "3"):
            self.train("big.libsvm", "--threads", threads, "-o", "m")
            models.append(self.read("m"))
        self.assertEqual(models, [models[0]] * 3)

    def test_runs_repeat(self):
        for _ in range(2):
            self.check("plain.libsvm")


class CommaSeparated(ProgramTest):
    """CSV, with and without a header, the label anywhere, in words or numbers."""

    def setUp(self):
        super().setUp()
        self.samples = [("yes" if label > 0 else "no", point) for label, point in blobs(40)]

    def coefficients(self, model):
        """A model without what depends on the names in the file: from its bias on."""
        text = self.read(model)
        return text[text.index("\nbias ") : text.index("\nchecksum ")]

    def test_label_by_position_name_and_number(self):
        self.succeed("train", self.write("plain.csv", csv(self.samples)), *EASILY)
        expected = self.coefficients("plain.csv.model")
        headed = csv(self.samples, "ill,age,pressure")
        last = "age,pressure,ill\n" + "".join(f"{a},{b},{y}\n" for y, (a, b) in self.samples)
        middle = "".join(f"{a};{y};{b}\n" for y, (a, b) in self.samples)
        quoted = "".join(f'"{y}", {a} ,"{b}"\n' for y, (a, b) in self.samples)
        for text, options in (
            (headed, []),
            (headed, ["--label", "ill"]),
            (last, ["--label", "ill"]),
            (last, ["--label", "3"]),
            (middle, ["--label", "2"]),
            (quoted, []),
        ):
            with self.subTest(options=options, first=text.splitlines()[0]):
                self.succeed("train", self.write("d.csv", text), *options, *EASILY)
                self.assertEqual(self.coefficients("d.csv.model"), expected)
                found = self.program("verify", "d.csv.model", "d.csv", *options, "-q")
                self.assertIn(found.status, (0, 3))
                self.assertEqual(found.err, "")

    def test_detected_without_a_name(self):
        text = csv(self.samples, "ill,age,pressure")
        self.succeed("train", "-", *EASILY, "-o", "m", stdin_text=text)
        self.succeed("train", self.write("d.csv", text), *EASILY)
        self.assertEqual(self.read("m"), self.read("d.csv.model"))

    def test_words_come_back_as_labels(self):
        data = self.write("d.csv", csv(self.samples))
        self.succeed("train", data, *EASILY, "-o", "m")
        out = self.succeed("predict", "m", data, "-q").out
        self.assertEqual(out.split(), [label for label, _ in self.samples])
        self.assertEqual(self.succeed("info", "m", "--json").json["classes"], ["no", "yes"])

    def test_wrong_label_columns(self):
        data = self.write("d.csv", csv(self.samples, "ill,age,pressure"))
        for column, words in (("well", ["'well'", "'ill'"]), ("0", ["0"]), ("4", ["4", "3"])):
            result = self.program("train", data, "--label", column)
            self.assert_refused(result, 1, "d.csv:1", *words)


class Labels(ProgramTest):
    """Any two labels; more need --positive."""

    def test_numbers_are_compared_as_numbers(self):
        text = "+1 1:1\n1.0 1:2\n-1 1:-1\n-1.0 1:-2\n"
        self.succeed("train", self.write("d", text), *EASILY, "--kernel", "linear")
        self.assertEqual(self.succeed("info", "d.model", "--json").json["classes"], ["-1", "1"])
        self.assertEqual(self.succeed("predict", "d.model", "d", "-q").out, "1\n1\n-1\n-1\n")

    def test_any_two_labels(self):
        for low, high in (("0", "1"), ("1", "2"), ("9", "10"), ("1.5", "2.5"), ("Ja", "Nein")):
            with self.subTest(low=low, high=high):
                samples = [(high if label > 0 else low, point) for label, point in blobs(20)]
                data = self.write("d", libsvm(samples))
                self.succeed("train", data, *EASILY)
                info = self.succeed("info", "d.model", "--json").json
                self.assertEqual(info["classes"], [low, high])
                found = self.succeed("predict", "d.model", data, "--json", "-q").json
                self.assertEqual(found["accuracy"], 1)

    def test_one_class_against_the_rest(self):
        points = [("abc"[i % 3], [3 * (i % 3) + i / 100, i % 2]) for i in range(30)]
        data = self.write("d.csv", csv(points))
        refused = self.program("train", data, "--positive", "z")
        self.assert_refused(refused, 1, "d.csv", "'z'")
        self.succeed("train", data, "--positive", "b", *EASILY, "--gamma", "1")
        out = self.succeed("predict", "d.csv.model", data, "-q").out.split()
        self.assertEqual(out, ["b" if label == "b" else "rest" for label, _ in points])
        found = self.succeed("predict", "d.csv.model", data, "--json", "-q").json
        self.assertEqual(found["accuracy"], 1)
        checked = self.program("verify", "d.csv.model", data, "--json", "-q")
        self.assertEqual((checked.err, checked.json["objective_agrees"]), ("", True))

    def test_the_positive_one_of_two_classes_may_be_chosen(self):
        data = self.write("d", libsvm(blobs(20)))
        self.succeed("train", data, "--positive", "-1", *EASILY)
        self.assertEqual(self.succeed("info", "d.model", "--json").json["classes"], ["1", "-1"])
        found = self.succeed("predict", "d.model", data, "--json", "-q").json
        self.assertEqual(found["accuracy"], 1)
        checked = self.program("verify", "d.model", data, "--json", "-q")
        self.assertEqual((checked.err, checked.json["objective_agrees"]), ("", True))

    def test_a_class_named_rest_is_ambiguous(self):
        data = self.write("d", "rest 1:1\na 1:2\nb 1:3\n")
        self.assert_refused(self.program("train", data, "--positive", "rest"), 1, "'rest'")


class Standardize(ProgramTest):
    """Mean and scale are stored in the model and applied when predicting."""

    def test_units_do_not_matter(self):
        samples = blobs(40)
        in_other_units = [(y, [1000 + 8 * a, 0.25 * b - 3]) for y, (a, b) in samples]
        new = blobs(20, seed=5)
        new_in_other_units = [(y, [1000 + 8 * a, 0.25 * b - 3]) for y, (a, b) in new]
        values = []
        for train, test in ((samples, new), (in_other_units, new_in_other_units)):
            for text in (libsvm, csv):
                self.succeed("train", self.write("d", text(train)), *EASILY, "--standardize")
                self.assertTrue(self.succeed("info", "d.model", "--json").json["standardized"])
                found = self.program("verify", "d.model", "d", "--json", "-q")
                self.assertTrue(found.json["objective_agrees"])
                self.write("new", text(test))
                out = self.succeed("predict", "d.model", "new", "--decision-values", "-q").out
                values.append([float(value) for value in out.split()])
        for other in values[1:]:
            for i, value in enumerate(other):
                self.assertAlmostEqual(value, values[0][i], places=6)

    def test_constant_feature(self):
        constant = [(label, [*point, 5]) for label, point in blobs(40)]
        data = self.write("d", libsvm(constant))
        for options in ([], ["--standardize"], ["--standardize", "--kernel", "linear"]):
            report = self.train(data, "--loss", "hinge", *options)
            self.assertGreater(report["train_accuracy"], 0.9)

    def test_not_for_a_precomputed_kernel(self):
        data = self.write("k.csv", "1,2,1\n-1,1,2\n")
        result = self.program("train", data, "--kernel", "precomputed", "--standardize")
        self.assert_refused(result, 2, "--standardize")


class Weights(ProgramTest):
    """--weight LABEL=NUM multiplies C for one class."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d", libsvm(blobs(60, flip=0.1)))

    def test_equal_weights_are_a_larger_price(self):
        limit = ["--solver", "admm", "--max-iter", "200"]
        plain = self.train(self.data, "-C", "6", *limit, status=3)
        weights = ["--weight", "-1=3", "--weight", "+1=3"]
        weighted = self.train(self.data, "-C", "2", *weights, *limit, status=3)
        for key in ("objective", "bias", "constant_objective", "support_vectors"):
            self.assertEqual(plain[key], weighted[key])

    def test_weights_are_stored_priced_and_verified(self):
        args = ["--weight", "1=5", "--loss", "hinge", "--tol", "1e-8", "--max-iter", "50000"]
        report = self.train(self.data, *args, "-o", "m")
        info = self.succeed("info", "m", "--json").json
        self.assertEqual(info["class_weight"], [1, 5])
        found = self.succeed("verify", "m", self.data, "--json", "-q").json
        self.assertAlmostEqual(found["objective"], report["objective"], places=6)
        out = self.succeed("predict", "m", self.data, "-q").out.split()
        self.train(self.data, *args[2:], "-o", "plain")
        even = self.succeed("predict", "plain", self.data, "-q").out.split()
        self.assertGreater(out.count("1"), even.count("1"))


if __name__ == "__main__":
    unittest.main()
