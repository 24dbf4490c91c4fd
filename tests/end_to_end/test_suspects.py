"""hinge0 suspects: wrong labels found, as users type it."""

import csv as csv_module
import io
import random
import signal
import subprocess
import unittest

from support import PATIENCE, ProgramTest, csv, libsvm


def planted(classes, rows, seed=1):
    """Points around corners, and the rows, counted from 1, whose label is wrong: one in ten."""
    generator = random.Random(seed)
    samples, wrong = [], set()
    for i in range(rows):
        label = i % classes
        point = [round(generator.gauss(4 * c, 1.0), 6) for c in (label % 2, label // 2)]
        if generator.random() < 0.1:
            wrong.add(i + 1)
            label = (label + 1) % classes
        samples.append((label, point))
    return samples, wrong


def rows_of(text):
    return list(csv_module.DictReader(io.StringIO(text)))


class Suspects(ProgramTest):
    def test_wrong_labels_come_first(self):
        for classes in (2, 3):
            with self.subTest(classes):
                samples, wrong = planted(classes, 300)
                data = self.write("d.libsvm", libsvm(samples))
                told = self.succeed("suspects", data, "-o", "s.csv", "--json").json
                found = rows_of(self.read("s.csv"))
                self.assertEqual(
                    list(found[0]),
                    ["row", "given_label", "predicted_label", "label_quality", "is_label_issue"],
                )
                self.assertEqual(sorted(int(one["row"]) for one in found), list(range(1, 301)))
                worst = {int(one["row"]) for one in found[: len(wrong)]}
                self.assertGreater(len(worst & wrong), 0.8 * len(wrong))
                qualities = [float(one["label_quality"]) for one in found]
                self.assertEqual(qualities, sorted(qualities))
                self.assertTrue(all(0 <= quality <= 1 for quality in qualities))
                issues = [one for one in found if one["is_label_issue"] == "true"]
                self.assertEqual(len(issues), told["issues"])
                for one in found:
                    self.assertEqual(int(one["given_label"]), samples[int(one["row"]) - 1][0])
                for one in issues:
                    self.assertNotEqual(one["given_label"], one["predicted_label"])
                self.assertEqual((told["rows"], told["features"]), (300, 2))
                self.assertEqual(len(told["members"]), 3)
                self.assertGreater(told["seconds"]["total"], 0)

    def test_standard_output_is_the_same_for_any_threads(self):
        data = self.write("d.csv", csv(planted(2, 120)[0]))
        one = self.succeed("suspects", data, "-q", "--threads", "1")
        self.assertEqual(one.err, "")
        self.assertEqual(one.out, self.succeed("suspects", data, "-q", "--threads", "3").out)
        self.assertEqual(len(rows_of(one.out)), 120)
        raw = self.succeed("suspects", data, "-q", "--no-standardize").out
        self.assertNotEqual(one.out, raw)
        self.assertEqual(one.out, self.succeed("suspects", data, "-q", "--standardize").out)

    def test_words_for_labels_and_weights(self):
        samples, _ = planted(2, 60)
        lines = ["weight,x,kind,y"]
        for i, (label, point) in enumerate(samples):
            word = '"good, or so"' if label else "bad"
            lines.append(f"{0 if i == 7 else 1},{point[0]},{word},{point[1]}")
        data = self.write("d.csv", "\n".join(lines) + "\n")
        options = ("--label", "kind", "--weight-column", "weight", "-q")
        found = rows_of(self.succeed("suspects", data, *options).out)
        self.assertEqual({one["given_label"] for one in found}, {"bad", "good, or so"})
        self.assertIn("8", [one["row"] for one in found])
        plain = self.write("p.csv", csv(samples))
        weights = self.write("w.txt", "\n".join("0" if i == 7 else "1" for i in range(60)) + "\n")
        again = rows_of(self.succeed("suspects", plain, "--weights", weights, "-q").out)
        order = [one["row"] for one in found]
        self.assertEqual(order, [one["row"] for one in again])

    def test_one_clear_line(self):
        good = "".join(f"{i % 2} 1:{i}\n" for i in range(20))
        cases = {
            "a class of one row": (good + "2 1:3\n", "class '2' has a single row: every class"),
            "one class": ("1 1:2\n1 1:3\n", "class"),
            "not a number": (good + "0 1:nan\n", "nan"),
            "nothing": ("", ""),
        }
        for name, (text, words) in cases.items():
            with self.subTest(name):
                self.write("d.libsvm", text)
                result = self.program("suspects", "d.libsvm", "-o", "s.csv")
                self.assert_refused(result, 1, words, "d.libsvm")
                self.assertEqual(self.files(), ["d.libsvm"])
        self.write("d.libsvm", good)
        few = self.write("w.txt", "1\n1\n")
        result = self.program("suspects", "d.libsvm", "--weights", few)
        self.assert_refused(result, 1, "2 lines for 20 rows", few)

    def test_usage(self):
        data = self.write("d.libsvm", libsvm(planted(2, 40)[0]))
        for arguments, words in (
            (("-o", "-", "--json"), "standard output"),
            (("-o", data), "DATA"),
            (("--weights", "w", "--weight-column", "v"), "both"),
        ):
            with self.subTest(arguments):
                self.assert_refused(self.program("suspects", data, *arguments), 2, words)
        self.assertIn("label_quality", self.succeed("suspects", "--help").out)

    def test_limits(self):
        data = self.write("d.libsvm", libsvm(planted(2, 900)[0]))
        slow = self.program("suspects", data, "--time-limit", "0.01")
        self.assert_refused(slow, 1, "the time limit of")
        large = self.program("suspects", data, "--memory-limit", "2mb")
        self.assert_refused(large, 1, "judging 900 rows of 2 classes needs")

    def test_sigint_writes_nothing(self):
        process = self.start("suspects", "-", "-o", "s.csv", stdin=subprocess.PIPE)
        text = libsvm(planted(2, 6000)[0]).encode()
        self.assertGreater(len(text), 1 << 17)  # more than a pipe holds: it reads when this is out
        process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60 * PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"interrupted while", err)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
