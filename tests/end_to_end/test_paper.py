"""hinge0 paper: the folder it leaves, and how it refuses."""

import json
import os
import shutil
import unittest
from pathlib import Path

from support import PROGRAM, ProgramTest, blobs, libsvm

BESIDE = Path(PROGRAM).with_name("hinge0-paper")


@unittest.skipUnless(BESIDE.exists(), "this build has no hinge0-paper")
class Paper(ProgramTest):
    def written(self, folder="out"):
        return sorted(
            str(path.relative_to(self.folder / folder))
            for path in (self.folder / folder).rglob("*")
            if path.is_file()
        )

    def test_figure(self):
        result = self.succeed("paper", "figure1", "--out", "out")
        self.assertIn("out/index.html", result.err)
        self.assertEqual(
            self.written(),
            ["images/paper-figure1.png", "images/paper-figure1.svg", "index.html",
             "reproduction.md"],
        )  # fmt: skip
        self.assertTrue(
            (self.folder / "out/images/paper-figure1.png").read_bytes().startswith(b"\x89PNG")
        )
        self.assertIn("<svg", self.read("out/images/paper-figure1.svg"))
        self.assertIn("data:image/svg+xml;base64,", self.read("out/index.html"))

    def test_table3_with_one_set_of_seven(self):
        """The sets that are missing are told, one line each; the row that is there is done."""
        (self.folder / "sets").mkdir()
        self.write("sets/heart.libsvm", libsvm(blobs(270, flip=0.1)))
        out = self.succeed("paper", "table3", "--out", "out", "-q", env={"HINGE0_DATA": "sets"})
        lines = out.err.splitlines()
        self.assertEqual(len(lines), 6, out)
        for line in lines:
            self.assertRegex(line, r"^hinge0: \S+ is left out: .*published at .*place it as ")
        self.assertEqual(
            self.written(),
            ["index.html", "reproduction.md", "splits.json", "table3.csv", "table3.json",
             "table3.md"],
        )  # fmt: skip
        row = json.loads(self.read("out/table3.json"))["rows"][0]
        self.assertEqual((row["row"], row["training_rows"], row["test_rows"]), ("heart", 162, 108))
        by_method = {result["method"]: result for result in row["results"]}
        self.assertEqual(by_method["paper-l0"]["support_vectors"], 76)
        exact = by_method["exact"]
        self.assertTrue(exact["certificate"]["local_minimum"])
        self.assertEqual(exact["on_margin"]["counted"], exact["support_vectors"])
        self.assertEqual({spread["runs"] for spread in row["spreads"]}, {20})
        self.assertIn("svmguide1 is left out", self.read("out/index.html"))

    def test_same_numbers_for_any_number_of_threads(self):
        (self.folder / "sets").mkdir()
        self.write("sets/heart.libsvm", libsvm(blobs(120, flip=0.1)))
        for threads in ("1", "3"):
            self.succeed("paper", "table3", "--out", threads, "-q", "--threads", threads,
                         env={"HINGE0_DATA": "sets"})  # fmt: skip
        rows = []
        for threads in ("1", "3"):
            row = json.loads(self.read(f"{threads}/table3.json"))["rows"][0]
            for result in row["results"]:
                del result["seconds"]
            rows.append(row)
        self.assertEqual(rows[0], rows[1])

    def test_refusals(self):
        self.write("file", "")
        for arguments, status, *words in (
            (["table9", "--out", "o"], 2, "table9", "table1", "hinge0 paper --help"),
            (["table1"], 2, "--out"),
            (["--frobnicate", "--out", "o"], 2, "--frobnicate"),
            (["table1", "--out", "o", "--threads", "-1"], 2, "threads"),
            (["table1", "--out", "file/folder"], 1, "cannot make the folder", "file/folder"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_refused(self.program("paper", *arguments), status, *words)
                self.assertEqual(self.files(), ["file"])

    def test_no_data_at_all(self):
        result = self.program("paper", "table3", "--out", "o", env={"HINGE0_DATA": "nowhere"})
        self.assertEqual(result.status, 1, result)
        self.assertEqual(len(result.err.splitlines()), 8, result)
        self.assertIn("none of the data sets is there", result.err.splitlines()[-1])

    def test_help(self):
        for arguments in (["paper", "--help"], ["paper", "-h"]):
            result = self.succeed(*arguments)
            for word in ("hinge0 paper", "table1", "--out", "HINGE0_DATA", "Exit status"):
                self.assertIn(word, result.out)
        self.assertIn("paper", self.succeed("--help").out)


class Alone(ProgramTest):
    """A hinge0 without hinge0-paper beside it says what is missing."""

    def test_program_alone(self):
        alone = self.folder / "hinge0"
        shutil.copy(PROGRAM, alone)
        os.chmod(alone, 0o755)
        result = self.program("paper", executable=str(alone))
        self.assert_refused(result, 1, "hinge0-paper", str(self.folder))


if __name__ == "__main__":
    unittest.main()
