"""Files and streams that cannot be written: one line, status 1, and nothing lost or left behind."""

import os
import subprocess
import unittest

from support import PROGRAM, ProgramTest, blobs, libsvm

EASILY = ["-C", "1000", "-q"]


class ModelFiles(ProgramTest):
    """Where train -o points."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d", libsvm(blobs(40)))

    def check(self, target, *words):
        before = self.files()
        result = self.program("train", self.data, *EASILY, "-o", target)
        self.assert_refused(result, 1, target, *words)
        self.assertEqual(self.files(), before)

    def test_missing_folder(self):
        self.check("missing/m", "No such file")

    def test_folder(self):
        (self.folder / "folder").mkdir()
        self.check("folder", "directory")
        self.check("folder/", "directory")
        self.assertEqual(list((self.folder / "folder").iterdir()), [])

    def test_file_as_folder(self):
        self.check("d/m", "Not a directory")

    def test_full_disk(self):
        self.check("/dev/full", "No space left")

    def test_name_too_long(self):
        self.check("m" * 300, "too long")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_no_permission(self):
        (self.folder / "closed").mkdir(mode=0o500)
        self.check("closed/m", "Permission denied")
        self.write("fixed", "precious")
        (self.folder / "fixed").chmod(0o400)
        self.check("fixed", "Permission denied")

    def test_existing_model_is_replaced_whole(self):
        self.write("m", "old" * 10000)
        self.succeed("train", self.data, *EASILY, "-o", "m")
        self.succeed("info", "m")
        self.assertEqual(self.files(), ["d", "m"])

    def test_existing_model_stays_when_training_fails(self):
        self.write("m", "precious")
        bad = self.write("bad", "1 1:nan\n")
        self.assert_refused(self.program("train", bad, "-o", "m"), 1)
        self.assertEqual(self.read("m"), "precious")

    def test_existing_model_stays_when_writing_fails(self):
        # A limit on the size of files stands for a full disk.
        self.write("m", "precious")
        limited = f"ulimit -f 0; trap '' XFSZ; exec {PROGRAM} train d -C 1000 -q -o m"
        process = subprocess.run(["sh", "-c", limited], cwd=self.folder, capture_output=True,
                                 check=False, env=self.environment())  # fmt: skip
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertRegex(process.stderr, rb"\Ahinge0: cannot write \(File too large\): m\n\Z")
        self.assertEqual(self.read("m"), "precious")
        self.assertEqual(self.files(), ["d", "m"])

    def test_symbolic_links_are_followed(self):
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to("real/m")
        self.succeed("train", self.data, *EASILY, "-o", "link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.succeed("info", "real/m")

    def test_devices_and_pipes(self):
        self.succeed("train", self.data, *EASILY, "-o", "/dev/null")
        text = self.succeed("train", self.data, *EASILY, "-o", "/dev/stdout").out
        self.succeed("info", self.write("m", text))
        loaded = self.succeed("info", "/dev/stdin", "--json", stdin_text=text)
        self.assertEqual(loaded.json["training_rows"], 40)


class OtherFiles(ProgramTest):
    """What predict, data and --trace write."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d", libsvm(blobs(40)))
        self.train(self.data, "-C", "1000", "-o", "m")
        self.before = self.files()

    def test_predictions(self):
        for target, words in (("/dev/full", "No space left"), ("missing/p", "No such file")):
            result = self.program("predict", "m", self.data, "-o", target)
            self.assert_refused(result, 1, target, words)
        self.assertEqual(self.files(), self.before)

    def test_synthetic_data(self):
        for target, words in (("/dev/full", "No space left"), ("missing/p", "No such file")):
            result = self.program("data", "moons", "-o", target)
            self.assert_refused(result, 1, target, words)
        self.assertEqual(self.files(), self.before)

    def test_trace_that_cannot_be_opened(self):
        result = self.program("train", self.data, "--trace", "missing/t", "-o", "new")
        self.assert_refused(result, 1, "missing/t", "No such file")
        self.assertEqual(self.files(), self.before)

    def test_trace_that_cannot_be_written_does_not_cost_the_fit(self):
        result = self.program("train", self.data, *EASILY, "--trace", "/dev/full", "-o", "new")
        self.assert_refused(result, 1, "/dev/full", "No space left")
        self.assertEqual(self.read("new"), self.read("m"))


class Names(ProgramTest):
    """A name may hold any byte but one; what a person reads of it stays one line without ESC."""

    NAME = "a\nb\x1b[31m"
    SHOWN = "a\\x0ab\\x1b[31m"

    def test_in_errors(self):
        data = self.write("d", libsvm(blobs(40)))
        self.write("bad" + self.NAME, "1 1:x\n")
        self.train(data, "-C", "1000", "-o", "m")
        for command in (
            ["train", self.NAME],
            ["train", "bad" + self.NAME],
            ["train", data, "-o", "missing/" + self.NAME],
            ["train", data, "--trace", "missing/" + self.NAME],
            ["train", data, "--start", self.NAME],
            ["predict", self.NAME, data],
            ["predict", "m", self.NAME],
            ["predict", "m", data, "-q", "-o", "missing/" + self.NAME],
            ["verify", self.NAME, data],
            ["info", self.NAME],
            ["data", "moons", "-o", "missing/" + self.NAME],
        ):
            with self.subTest(command=command):
                self.assert_refused(self.program(*command), 1, self.SHOWN)
        for command in (["train", data, self.NAME], [self.NAME], ["train", data, "-C", self.NAME],
                        ["train", data, "--weight", self.NAME]):  # fmt: skip
            with self.subTest(command=command):
                self.assert_refused(self.program(*command), 2, self.SHOWN)

    def test_in_reports(self):
        data = self.write(self.NAME, libsvm(blobs(40)))
        for command in (["train", data, "-C", "1000"], ["info", data + ".model"],
                        ["verify", data + ".model", data]):  # fmt: skip
            result = self.succeed(*command)
            self.assertIn(self.SHOWN + ".model", result.out + result.err)
            self.assertNotIn("\x1b", result.out + result.err)


class Streams(ProgramTest):
    """Standard output that is full or closed is an error; standard error is not needed."""

    def setUp(self):
        super().setUp()
        self.data = self.write("d", libsvm(blobs(40)))
        self.train(self.data, "-C", "1000", "-o", "m")
        self.commands = (
            ["train", "d", *EASILY, "--json", "-o", "new"],
            ["predict", "m", "d", "-q"],
            ["predict", "m", "d", "-q", "--json"],
            ["verify", "m", "d", "-q", "--json"],
            ["info"],
            ["info", "m"],
            ["info", "m", "--json"],
            ["data", "moons"],
            ["--help"],
            ["train", "--help"],
            ["--version"],
        )

    def shell(self, command, redirection):
        """Runs the program through a shell, which can close its streams."""
        line = f'"$0" "$@" {redirection}'
        return subprocess.run(["sh", "-c", line, PROGRAM, *command], cwd=self.folder, check=False,
                              capture_output=True, env=self.environment())  # fmt: skip

    def test_full_or_closed_output(self):
        for command in self.commands:
            for redirection, reason in ((">/dev/full", b"No space"), (">&-", b"Bad file desc")):
                with self.subTest(command=command, redirection=redirection):
                    result = self.shell(command, redirection)
                    self.assertEqual(result.returncode, 1, result)
                    self.assertRegex(result.stderr, rb"\Ahinge0: cannot write [^\n]+\n\Z")
                    self.assertIn(reason, result.stderr)
                    self.assertIn(b"standard output", result.stderr)
        self.assertEqual(self.read("new"), self.read("m"))

    def test_full_or_closed_error_output(self):
        for command in self.commands:
            expected = self.program(*command).status
            for redirection in ("2>/dev/full", "2>&-"):
                with self.subTest(command=command, redirection=redirection):
                    loud = [argument for argument in command if argument != "-q"]
                    self.assertEqual(self.shell(loud, redirection).returncode, expected)
        for redirection in ("2>/dev/full", "2>&-", ">&- 2>&- <&-"):
            self.assertEqual(self.shell(["train", "missing"], redirection).returncode, 1)
            self.assertEqual(self.shell(["train"], redirection).returncode, 2)

    def test_closed_input(self):
        result = self.shell(["train", "-", "-o", "new"], "<&-")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, rb"\Ahinge0: cannot read [^\n]+: standard input\n\Z")


if __name__ == "__main__":
    unittest.main()
