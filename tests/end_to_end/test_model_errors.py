"""Damaged and hostile model files: one line with file and line number, status 1, no signal."""

import unittest

from support import ProgramTest, blobs, libsvm, with_checksum


class DamagedModels(ProgramTest):
    """Every command that loads a model refuses it alike."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d.libsvm", libsvm(blobs(40)))
        self.train(self.data, "-C", "1000", "-o", "m")
        self.text = self.read("m")
        self.lines = self.text.splitlines()[:-1]
        self.first_row = self.lines.index("storage sparse") + 1

    def check(self, content, *words, commands=None):
        self.write("bad", content)
        for command in commands or (["predict", "bad", self.data],):
            result = self.program(*command)
            self.assert_refused(result, 1, "bad", *words)

    def changed(self, key, line):
        """The model with one line of its head replaced, or removed if None, checksum corrected."""
        number = next(i for i, old in enumerate(self.lines) if old.split()[0] == key)
        lines = list(self.lines)
        lines[number : number + 1] = [] if line is None else [line]
        return with_checksum(lines), f"bad:{number + 1}"

    def test_every_command_refuses(self):
        commands = (
            ["predict", "bad", self.data],
            ["predict", "bad", self.data, "--json", "-o", "labels"],
            ["verify", "bad", self.data],
            ["info", "bad"],
            ["info", "bad", "--json"],
        )
        self.check("nothing like a model\n", "bad:1", commands=commands)
        self.check("", "bad", commands=commands)
        self.check(self.text[:-40], commands=commands)
        self.assertNotIn("labels", self.files())

    def test_changed_bytes_are_found(self):
        for position in range(20, len(self.text) - 20, 97):
            other = "1" if self.text[position] != "1" else "2"
            damaged = self.text[:position] + other + self.text[position + 1 :]
            self.check(damaged, "checksum")

    def test_cut_files(self):
        for size in (1, 10, 14, 100, len(self.text) // 2, len(self.text) - 1):
            self.check(self.text[:size])

    def test_converted_or_extended_files(self):
        self.check(self.text.replace("\n", "\r\n"))
        self.check(self.text + "\n")
        self.check(self.text + self.text)
        self.check("\ufeff" + self.text, "not a hinge0 model")
        self.check(" " + self.text, "not a hinge0 model")

    def test_newer_format(self):
        text, _ = self.changed("hinge0-model", "hinge0-model 3")
        self.check(text, "newer", "format 3")

    def test_control_bytes_in_labels(self):
        # predict wrote two lines for one row, and spoke to the terminal
        for label in ("a%0Ab", "a%1B[31m", "a%00"):
            text, where = self.changed("classes", f"classes 1 {label}")
            self.check(text, where, "control byte", "'a\\x")

    def test_missing_keys(self):
        for line in self.lines[1 : self.first_row]:
            key = line.split()[0]
            with self.subTest(key=key):
                text, where = self.changed(key, None)
                self.check(text, where)

    def test_repeated_and_unknown_keys(self):
        for line in self.lines[: self.first_row]:
            key = line.split()[0]
            number = self.lines.index(line)
            with self.subTest(key=key):
                twice = [*self.lines[: number + 1], line, *self.lines[number + 1 :]]
                self.check(with_checksum(twice), f"bad:{number + 2}")
        self.check(with_checksum([*self.lines[:3], "colour red", *self.lines[3:]]), "bad:4")

    def test_values_out_of_range(self):
        rows = self.lines[self.first_row :]
        for line in (
            "support_vectors 2000000",
            "support_vectors 9223372036854775807",
            "support_vectors 18446744073709551616",
            "support_vectors -5",
            f"support_vectors {len(rows) + 1}",
            f"support_vectors {len(rows) - 1}",
            "support_vectors many",
            "features 0",
            "features 1",
            "features 2147483648",
            "features -1",
            "training_rows 3",
            "training_rows 0",
            "kernel sigmoid",
            "kernel precomputed",
            "gamma nan",
            "gamma -1",
            "gamma 0",
            "gamma 1e999",
            "gamma 0x10",
            "gamma 1 1",
            "loss l1",
            "C inf",
            "C 0",
            "class_weight 1",
            "class_weight 1 -1",
            "classes 1 1",
            "classes 1",
            "classes %zz 1",
            "status finished",
            "objective nan",
            "scaling maybe",
            "scaling yes",
            "bias nan",
            "bias inf",
            "bias",
            "storage dense",
            "storage disk",
        ):
            with self.subTest(line=line):
                text, _ = self.changed(line.split()[0], line)
                self.check(text)

    def test_bad_support_vectors(self):
        row, coefficient, *pairs = self.lines[self.first_row].split()
        for line in (
            f"{row} nan {pairs[0]} {pairs[1]}",
            f"{row} 0 {pairs[0]} {pairs[1]}",
            f"{row} inf {pairs[0]} {pairs[1]}",
            f"41 {coefficient} {pairs[0]} {pairs[1]}",
            f"0 {coefficient} {pairs[0]} {pairs[1]}",
            f"-1 {coefficient} {pairs[0]} {pairs[1]}",
            f"{row} {coefficient} {pairs[1]} {pairs[0]}",
            f"{row} {coefficient} 1:1 1:2",
            f"{row} {coefficient} 3:1",
            f"{row} {coefficient} 0:1",
            f"{row} {coefficient} 1:nan",
            f"{row} {coefficient} 1:",
            f"{row} {coefficient} 1",
            f"{row} {coefficient}  1:1",
            f"{row}",
            "",
        ):
            with self.subTest(line=line):
                lines = list(self.lines)
                lines[self.first_row] = line
                self.check(with_checksum(lines), f"bad:{self.first_row + 1}")
        reordered = [*self.lines[: self.first_row], *reversed(self.lines[self.first_row :])]
        self.check(with_checksum(reordered))

    def test_unread_rows(self):
        self.check(with_checksum([*self.lines, self.lines[-1]]))

    def test_files_that_are_no_models(self):
        self.check(self.read("d.libsvm"), "not a hinge0 model", "bad:1")
        (self.folder / "folder").mkdir()
        for name, *words in (("missing", "No such file"), ("folder", "directory")):
            for command in (["predict", name, self.data], ["info", name]):
                self.assert_refused(self.program(*command), 1, name, *words)
        self.assert_refused(self.program("info", "/dev/zero"), 1, "/dev/zero")
        self.assert_refused(self.program("info", "/dev/null"), 1, "/dev/null")


if __name__ == "__main__":
    unittest.main()
