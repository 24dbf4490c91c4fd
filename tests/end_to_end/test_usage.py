"""Wrong command lines, and the help that prevents them."""

import unittest

from support import ProgramTest, blobs, libsvm


class WrongUsage(ProgramTest):
    """Status 2 and one line, before anything is read or written."""

    def setUp(self):
        super().setUp()
        self.write("d", libsvm(blobs(20)))
        self.train("d", "-C", "1000", "-o", "m")
        self.before = self.files()

    def check(self, *args, words=()):
        with self.subTest(args=args):
            self.assert_refused(self.program(*args), 2, *words)
            self.assertEqual(self.files(), self.before)

    def test_commands(self):
        self.check(words=["subcommand", "hinge0 --help"])
        self.check("teach", words=["'teach'", "hinge0 --help"])
        self.check("tune", "d", "--gird", "C=1", words=["--gird", "hinge0 tune --help"])
        self.check("--frobnicate", words=["--frobnicate"])
        self.check("train", words=["DATA"])
        self.check("predict", "m", words=["DATA"])
        self.check("verify", words=["MODEL"])
        self.check("data", words=["KIND"])
        self.check("data", "squares", words=["squares", "moons"])

    def test_unknown_options(self):
        for command in (["train", "d"], ["predict", "m", "d"], ["verify", "m", "d"], ["info"],
                        ["data", "moons"]):  # fmt: skip
            self.check(*command, "--frobnicate", words=["--frobnicate"])
        self.check("train", "d", "extra", words=["extra"])
        self.check("train", "d", "-C", words=["-C"])
        self.check("train", "d", "d2", "-q", words=["d2"])

    def test_values_of_train(self):
        for option, value, *words in (
            ("--kernel", "sigmoid", "sigmoid", "rbf"),
            ("--loss", "l1", "l1", "l0"),
            ("--solver", "magic", "magic", "admm"),
            ("--format", "arff", "arff", "csv"),
            ("-C", "0", "-C", "positive"),
            ("-C", "-1", "-C"),
            ("-C", "nan", "-C", "nan"),
            ("-C", "inf", "-C"),
            ("-C", "1e999", "-C"),
            ("-C", "2x", "-C"),
            ("-C", "", "-C"),
            ("--gamma", "abc", "--gamma", "'abc'"),
            ("--gamma", "0", "--gamma"),
            ("--gamma", "-1", "--gamma"),
            ("--gamma", "nan", "--gamma"),
            ("--sigma", "0", "--sigma"),
            ("--iota", "2", "iota", "1.618"),
            ("--iota", "0", "--iota"),
            ("--tol", "0", "--tol"),
            ("--tol", "x", "--tol"),
            ("--max-iter", "0", "max-iter"),
            ("--max-iter", "-3", "max-iter"),
            ("--max-iter", "1.5", "--max-iter"),
            ("--max-iter", "99999999999999999999", "--max-iter"),
            ("--time-limit", "0", "--time-limit"),
            ("--time-limit", "nan", "--time-limit"),
            ("--threads", "-1", "threads"),
            ("--threads", "1000000", "threads"),
            ("--seed", "-1", "--seed"),
            ("--memory-limit", "1furlong", "furlong"),
            ("--memory-limit", "-1", "memory-limit"),
            ("--weight", "bad", "--weight", "'bad'"),
            ("--weight", "1=", "--weight"),
            ("--weight", "1=-2", "--weight", "'-2'"),
            ("--weight", "1=nan", "--weight"),
            ("--weight", "7=2", "--weight", "'7'", "'-1'"),
            ("--weight", "=2", "--weight"),
        ):
            self.check("train", "d", option, value, words=words)

    def test_numbers_that_are_too_long(self):
        for seed in ("18446744073709551616", "-1", "1" * 400, "1e3", "0x10"):
            self.check("train", "d", "--seed", seed, words=["--seed", "18446744073709551615"])
            self.assertLess(len(self.program("train", "d", "--seed", seed).err), 200)
        self.check("data", "moons", "--seed", "4294967296", words=["--seed", "4294967295"])

    def test_empty_values(self):
        for option in ("--positive", "--label", "--threads", "--gamma", "--output", "--trace",
                       "--start", "--seed", "--weight", "-C"):  # fmt: skip
            self.check("train", "d", option, "", words=[option, "''"])
        self.check("predict", "m", "d", "-o", "", words=["--output", "''"])

    def test_prices_that_are_no_numbers(self):
        self.check("train", "d", "-C", "1e308", words=["-C 1e+308 is too large", "20 rows"])
        weights = ["--weight", "1=1e300", "-C", "1e300"]
        self.check("train", "d", *weights, words=["too large"])
        self.check("train", "d", "--weight", "1=1e-300", "-C", "1e-300", words=["multiply to 0"])

    def test_outputs_that_would_overwrite_inputs(self):
        (self.folder / "link").symlink_to("d")
        self.before = self.files()
        kept = self.read("d")
        for output in ("d", "./d", f"{self.folder}/d", "link"):
            self.check("train", "d", "-o", output, words=["-o", "overwrite DATA"])
            self.check("train", "d", "--trace", output, words=["--trace", "overwrite DATA"])
            self.check("predict", "m", "d", "-o", output, words=["-o", "overwrite DATA"])
        self.check("train", "d", "--start", "m", "-o", "m", words=["-o", "--start"])
        self.check("train", "d", "--start", "m", "--trace", "m", words=["--trace", "--start"])
        self.check("train", "d", "-o", "new", "--trace", "./new", words=["--trace", "-o"])
        self.check("predict", "m", "d", "-o", "m", words=["overwrite MODEL"])
        with open(self.folder / "d", "rb") as stream:
            result = self.program("train", "-", "-o", "d", stdin=stream)
        self.assert_refused(result, 2, "overwrite DATA")
        self.assertEqual(self.read("d"), kept)

    def test_model_and_report_on_standard_output(self):
        self.check("train", "d", "-o", "-", "--json", words=["-o -", "--json"])

    def test_values_of_kernels(self):
        for kernel, option, value, word in (
            ("poly", "--degree", "0", "degree"),
            ("poly", "--degree", "1000", "degree"),
            ("poly", "--degree", "1.5", "--degree"),
            ("poly", "--coef0", "-1", "coef0"),
            ("poly", "--coef0", "nan", "coef0"),
            ("imq", "--coef0", "0", "coef0"),
            ("imq", "--beta", "0", "beta"),
            ("imq", "--beta", "inf", "beta"),
        ):
            self.check("train", "d", "--kernel", kernel, option, value, words=[word])

    def test_values_of_other_commands(self):
        for threads in ("-1", "100000", "two"):
            self.check("predict", "m", "d", "--threads", threads, words=["threads"])
        for option, value, word in (
            ("--samples", "0", "samples"),
            ("--samples", "-5", "samples"),
            ("--noise", "-1", "noise"),
            ("--noise", "nan", "noise"),
            ("--noise", "1e308", "noise"),
            ("--factor", "2", "factor"),
            ("--flip", "1.5", "flip"),
            ("--seed", "x", "--seed"),
            ("--seed", "-1", "--seed"),
        ):
            self.check("data", "circles", option, value, words=[word])


class Help(ProgramTest):
    """Help teaches: what it is for, an example, what the exit status means."""

    def test_program(self):
        result = self.succeed("--help")
        self.assertEqual(result.err, "")
        for word in ("hinge0 train", "hinge0 predict", "hinge0 verify", "Exit status", "130"):
            self.assertIn(word, result.out)

    def test_commands(self):
        for command, *words in (
            ("train", "--kernel", "--loss", "-C", "--standardize", "HINGE0_DATA", "Example", "130"),
            ("predict", "--decision-values", "Example"),
            ("verify", "--json", "local minimum"),
            ("info", "--json"),
            ("data", "--flip"),
        ):
            with self.subTest(command=command):
                result = self.succeed(command, "--help")
                self.assertEqual(result.err, "")
                for word in (*words, f"hinge0 {command}", "Exit status"):
                    self.assertIn(word, result.out)

    def test_example_of_the_help_works(self):
        walk = [line.split() for line in self.succeed("--help").out.splitlines()]
        commands = [words[1:] for words in walk if words[:1] == ["hinge0"]]
        self.assertGreaterEqual(len(commands), 4)
        for command in commands:
            result = self.program(*command)
            self.assertIn(result.status, (0, 3), result)
        self.assertEqual(len(self.read("labels.txt").split()), 500)


if __name__ == "__main__":
    unittest.main()
