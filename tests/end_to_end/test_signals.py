"""Long fits: interrupts, time and memory limits, progress."""

import os
import pty
import signal
import subprocess
import threading
import time
import unittest
import zlib

from support import PATIENCE, PROGRAM, ProgramTest, blobs, libsvm

# A fit that never ends by itself: noisy labels, and a tolerance that no residual meets.
ENDLESS = ["--solver", "admm", "--tol", "1e-300", "--max-iter", "100000000"]
PROMPT = 0.5 * PATIENCE  # seconds until an interrupted program must have ended
TOLERATED = 4 * PROMPT  # ... for a single try on a machine that is busy with other things


def memory_gib():
    """What the machine could give."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30


class Interrupts(ProgramTest):
    """Ctrl-C and SIGTERM end a fit within half a second; what there is is written."""

    def wait_for(self, happened, process):
        """Waits until the program is where the test wants it, but not for ever."""
        limit = time.monotonic() + 30 * PATIENCE
        while not happened():
            self.assertIsNone(process.poll(), "the program ended before it was interrupted")
            self.assertLess(time.monotonic(), limit, "the program never came so far")
            time.sleep(0.01)

    def interrupt(self, process, number):
        """Sends a signal; returns the seconds until the end, and what was written to stderr."""
        begin = time.monotonic()
        process.send_signal(number)
        process.wait(timeout=30 * PATIENCE)
        seconds = time.monotonic() - begin
        out, err = process.communicate()
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(seconds, TOLERATED)
        return seconds, out.decode(), err.decode()

    def check_while_iterating(self, number):
        self.write("d", libsvm(blobs(2000, flip=0.1)))
        trace = self.folder / "trace"
        seconds = []
        while len(seconds) < 3 and min(seconds, default=TOLERATED) > PROMPT:
            process = self.start("train", "d", *ENDLESS, "-q", "-o", "m", "--trace", "trace")
            self.wait_for(lambda: trace.exists() and trace.stat().st_size > 0, process)
            latency, out, err = self.interrupt(process, number)
            seconds.append(latency)
            self.assertEqual((out, err), ("", ""))
            info = self.succeed("info", "m", "--json").json
            self.assertEqual((info["status"], info["training_rows"]), ("interrupted", 2000))
            found = self.succeed("predict", "m", "d", "--json", "-q").json
            self.assertGreater(found["accuracy"], 0.6)
            checked = self.program("verify", "m", "d", "--json", "-q")
            self.assertTrue(checked.json["objective_agrees"])
            self.assertEqual(self.files(), ["d", "m", "trace"])
            trace.unlink()
        self.assertLess(min(seconds), PROMPT)

    def test_sigint_while_iterating(self):
        self.check_while_iterating(signal.SIGINT)

    def test_sigterm_while_iterating(self):
        self.check_while_iterating(signal.SIGTERM)

    def test_the_trace_of_an_interrupted_fit_is_whole(self):
        self.write("d", libsvm(blobs(500, flip=0.1)))
        trace = self.folder / "trace"
        process = self.start("train", "d", *ENDLESS, "-q", "--json", "--trace", "trace")
        self.wait_for(lambda: trace.exists() and trace.stat().st_size > 0, process)
        _, out, _ = self.interrupt(process, signal.SIGINT)
        self.assertIn('"status":"interrupted"', out)
        lines = self.read("trace").splitlines()
        self.assertIn(f'"iterations":{len(lines) - 1},', out)
        self.assertTrue(lines[-1].startswith(f"{len(lines) - 1},"))

    def test_sigint_while_computing_the_kernel_matrix(self):
        # Its factor takes seconds on any machine.
        rows = [" ".join(f"{j}:{(i * j) % 17}" for j in range(1, 101)) for i in range(40)]
        self.write("d", "".join(f"{i % 2} {rows[i % 40]} 101:{i}\n" for i in range(12000)))
        fit = ["--solver", "admm", "--kernel", "laplacian", "--gamma", "1e-4"]
        process = self.start("train", "d", *fit, "-o", "m", "-q")
        time.sleep(0.7 * PATIENCE)
        _, out, err = self.interrupt(process, signal.SIGINT)
        self.assertEqual(out, "")
        self.assertRegex(err, r"\Ahinge0: interrupted while [^\n]+\n\Z")
        self.assertEqual(self.files(), ["d"])

    def test_sigint_while_searching(self):
        self.write("d", libsvm(blobs(800, flip=0.2)))
        trace = self.folder / "trace"
        process = self.start(
            "train", "d", "-C", "1", "--starts", "1000000", "-q", "-o", "m", "--trace", "trace"
        )
        self.wait_for(lambda: trace.exists() and trace.stat().st_size > 0, process)
        self.interrupt(process, signal.SIGINT)
        self.assertEqual(self.succeed("info", "m", "--json").json["status"], "interrupted")
        self.assertTrue(self.succeed("verify", "m", "d", "--json", "-q").json["local_minimum"])

    def test_sigint_while_waiting_for_input(self):
        process = self.start("train", "-", "-o", "m", stdin=subprocess.PIPE)
        process.stdin.write(b"1 1:1\n-1 1:2\n")
        process.stdin.flush()
        time.sleep(0.3 * PATIENCE)  # until it waits for more
        _, out, err = self.interrupt(process, signal.SIGINT)
        self.assertEqual(out, "")
        self.assertRegex(err, r"\Ahinge0: interrupted while reading: standard input\n\Z")
        self.assertEqual(self.files(), [])

    def test_sigint_while_waiting_for_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        process = self.start("train", "pipe", "-o", "m")
        time.sleep(0.3 * PATIENCE)
        _, _, err = self.interrupt(process, signal.SIGINT)
        self.assertRegex(err, r"\Ahinge0: interrupted while reading: pipe\n\Z")

    def test_killed_while_writing_leaves_nothing(self):
        # the temporary file of hinge0 data stayed behind
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            process = self.start("data", "moons", "--samples", "3000000", "-o", "d")
            time.sleep(0.4 * PATIENCE)
            process.send_signal(number)
            process.wait(timeout=30 * PATIENCE)
            self.assertIn(self.files(), ([], ["d"]))

    def test_sighup_keeps_the_best(self):
        self.write("d", libsvm(blobs(500, flip=0.1)))
        trace = self.folder / "trace"
        process = self.start("train", "d", *ENDLESS, "-q", "-o", "m", "--trace", "trace")
        self.wait_for(lambda: trace.exists() and trace.stat().st_size > 0, process)
        self.interrupt(process, signal.SIGHUP)
        self.assertEqual(self.succeed("info", "m", "--json").json["status"], "interrupted")

    def test_the_old_model_stays_when_nothing_is_written(self):
        self.write("m", "precious")
        process = self.start("train", "-", "-o", "m", stdin=subprocess.PIPE)
        time.sleep(0.3 * PATIENCE)
        self.interrupt(process, signal.SIGTERM)
        self.assertEqual((self.read("m"), self.files()), ("precious", ["m"]))


class Limits(ProgramTest):
    """Time and memory that a fit may take."""

    def test_time_limit(self):
        data = self.write("d", libsvm(blobs(500, flip=0.1)))
        limit = 0.5 * PATIENCE
        report = self.train(data, *ENDLESS, "--time-limit", limit, "-o", "m", status=3)
        self.assertEqual(report["status"], "time_limit")
        self.assertTrue(0.9 * limit < report["seconds"]["total"] < limit + TOLERATED)
        self.assertEqual(self.succeed("info", "m", "--json").json["status"], "time_limit")
        self.succeed("predict", "m", data, "-q")

    def test_time_limit_before_there_is_anything(self):
        data = self.write("d", libsvm(blobs(4000)))
        result = self.program("train", data, "--solver", "admm", "--time-limit", "0.001", "-o", "m")
        self.assert_refused(result, 1, "time limit of 0.001 s")
        self.assertEqual(self.files(), ["d"])

    def test_time_limit_while_reading(self):
        # two megabytes of gzip can be two thousand of empty lines
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        lines = b"\n" * (1 << 24)
        packed = b"".join(packer.compress(lines) for _ in range(64)) + packer.flush()
        for data, options in ((self.write("d.gz", packed), {}), ("-", {"stdin": subprocess.PIPE})):
            with self.subTest(data=data):
                command = ["train", data, "--time-limit", "0.3", "-o", "m"]
                process = self.start(*command, **options)
                begin = time.monotonic()
                process.wait(timeout=30 * PATIENCE)
                self.assertLess(time.monotonic() - begin, 0.3 + TOLERATED)
                err = process.stderr.read().decode()
                self.assertEqual(process.returncode, 1, err)
                name = "standard input" if data == "-" else data
                words = f"hinge0: the time limit of 0.3 s is over while reading: {name}\n"
                self.assertEqual(err, words)

    def test_memory_limit(self):
        data = self.write("d", libsvm(blobs(2000)))
        result = self.program("train", data, "--solver", "admm", "--memory-limit", "1mb")
        self.assert_refused(result, 1, "2000 rows", "needs", "GiB", "allowed", "fewer rows")
        self.assertLess(result.seconds, 1 * PATIENCE)
        self.assertEqual(self.files(), ["d"])
        # All columns would take 32 MB: the exact solver forgets some, and finds the same.
        self.succeed("train", data, "-q", "-o", "free")
        self.succeed("train", data, "-q", "--memory-limit", "1mb", "-o", "bounded")
        self.assertEqual(self.read("free"), self.read("bounded"))
        for name in ("free", "bounded"):
            (self.folder / name).unlink()
        result = self.program("train", data, "--memory-limit", "10kb", "-o", "m")
        self.assert_refused(result, 1, "reading d", "needs", "allowed")

    @unittest.skipIf(PATIENCE > 1, "sanitizers reserve address space by the terabyte")
    def test_address_space_too_small_for_linear_algebra(self):
        # OpenBLAS asked for its buffer again and again, deaf to every signal
        data = self.write("d", libsvm(blobs(60)))
        script = 'ulimit -v "$1"; shift; exec "$@"'
        for kilobytes in ("60000", "100000", "150000"):
            command = ["bash", "-c", script, "-", kilobytes, PROGRAM, "train", data, "-o", "m"]
            run = subprocess.run(
                command, capture_output=True, text=True, timeout=60, cwd=self.folder
            )
            self.assertEqual(run.returncode, 1, run)
            self.assertIn("address space", run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)

    def test_more_than_there_may_be(self):
        data = self.write("d", "".join(f"{i % 2} 1:{i}\n" for i in range(600000)))
        options = ("--solver", "admm", "--memory-limit", "100mb", "-o", "m")
        result = self.program("train", data, *options)
        self.assert_refused(result, 1, "600000 rows", "needs", "allowed", "fewer rows")
        self.assertEqual(self.files(), ["d"])

    @unittest.skipIf(memory_gib() > 100, "this machine would take them")
    def test_more_features_than_can_be_scaled(self):
        data = self.write("d", "1 2147483647:1\n-1 1:2\n")
        result = self.program("train", data, "--standardize", "-o", "m")
        self.assert_refused(result, 1, "2147483647 features", "needs", "--standardize")


class Terminal(ProgramTest):
    """Progress is for people who wait: on a terminal, after two seconds."""

    def on_terminal(self, *args):
        """Starts the program with standard error on a terminal; returns what collects its text."""
        master, slave = pty.openpty()
        process = self.start(*args, stderr=slave)
        os.close(slave)
        text = []

        def collect():
            while True:
                try:
                    piece = os.read(master, 4096)
                except OSError:  # the program has closed its end
                    break
                if not piece:
                    break
                text.append(piece.decode())
            os.close(master)

        reader = threading.Thread(target=collect)
        reader.start()

        def finish():
            process.communicate(timeout=60 * PATIENCE)
            reader.join()
            return process.returncode, "".join(text)

        return finish

    def test_progress(self):
        data = self.write("d", libsvm(blobs(400, flip=0.1)))
        fit = ["train", data, *ENDLESS, "--time-limit", "3.2", "--threads", "1"]
        seen = self.on_terminal(*fit, "-o", "m1")
        silent = self.on_terminal(*fit, "-o", "m2", "-q")
        piped = self.start(*fit, "-o", "m3")
        status, text = seen()
        self.assertEqual(status, 3)
        self.assertRegex(text, r"\riteration \d+ ")
        self.assertIn("Ctrl-C", text)
        # the last line of progress is wiped before the report
        self.assertRegex(text.rsplit("Ctrl-C", 1)[1], r"\r\x1b\[K.*time_limit")
        self.assertEqual(silent(), (3, ""))
        _, err = piped.communicate(timeout=60 * PATIENCE)
        self.assertEqual(piped.returncode, 3)
        self.assertNotIn(b"\r", err)
        self.assertNotIn(b"Ctrl-C", err)
        self.assertIn(b"time_limit", err)

    def test_short_fits_show_none(self):
        data = self.write("d", libsvm(blobs(40)))
        status, text = self.on_terminal("train", data, "-C", "1000")()
        self.assertEqual(status, 0)
        self.assertNotIn("Ctrl-C", text)
        self.assertIn("support vectors", text)


if __name__ == "__main__":
    unittest.main()
