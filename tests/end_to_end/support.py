"""What the end-to-end tests share: running the program, small data sets, model files."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(os.environ["HINGE0_PROGRAM"])  # tests run it in folders of their own
# Sanitizer builds are several times slower; waits and limits are stretched by this.
PATIENCE = float(os.environ.get("HINGE0_PATIENCE", "1"))


class Result:
    """How one run of the program ended."""

    def __init__(self, status, out, err, seconds):
        self.status = status
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")
        self.seconds = seconds

    @property
    def json(self):
        """The one JSON object that standard output must consist of."""
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.status}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hinge0-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        """Writes text or bytes to a file of the test's folder; returns its name."""
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return name

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        """Names of all files in the folder, hidden ones included."""
        return sorted(entry.name for entry in self.folder.iterdir())

    def environment(self, extra=None):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("HINGE0_")}
        return {**inherited, **(extra or {})}

    def start(self, *args, **options):
        """Starts the program in the folder without waiting for it."""
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options["env"] = self.environment(options.get("env"))
        command = [PROGRAM, *(str(arg) for arg in args)]
        process = subprocess.Popen(command, cwd=self.folder, **options)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def program(self, *args, stdin_text=None, **options):
        """Runs the program in the folder; standard input is empty unless given."""
        if stdin_text is not None:
            options["stdin"] = subprocess.PIPE
            data = stdin_text if isinstance(stdin_text, bytes) else stdin_text.encode()
        else:
            data = None
        begin = time.monotonic()
        process = self.start(*args, **options)
        out, err = process.communicate(data, timeout=60 * PATIENCE)
        return Result(process.returncode, out or b"", err or b"", time.monotonic() - begin)

    def succeed(self, *args, **options):
        """Runs the program, which must end with status 0."""
        result = self.program(*args, **options)
        self.assertEqual(result.status, 0, result)
        return result

    def train(self, *args, status=0, **options):
        """Trains quietly; returns the JSON report."""
        result = self.program("train", *args, "--json", "--quiet", **options)
        self.assertEqual(result.status, status, result)
        self.assertEqual(result.err, "", result)
        return result.json

    def assert_refused(self, result, status, *words):
        """The contract of a failure: its status, one line on stderr that says it, no output."""
        self.assertEqual(result.status, status, result)
        self.assertRegex(result.err, r"\Ahinge0: [^\n]+\n\Z")
        self.assertEqual(result.out, "", result)
        for word in words:
            self.assertIn(word, result.err)


def blobs(rows, flip=0.0, seed=1):
    """Two clouds of points in the plane as (label, [x, y]); a share of the labels is wrong."""
    generator = random.Random(seed)
    samples = []
    for i in range(rows):
        label = 1 if i % 2 else -1
        point = [round(generator.gauss(label, 0.5), 6), round(generator.gauss(0, 1), 6)]
        samples.append((-label if generator.random() < flip else label, point))
    return samples


def clouds(classes, rows, seed=1, flip=0.0):
    """Points around the corners of a polygon; labels 1, 2, ..."""
    generator = random.Random(seed)
    corners = [(5 * (i % 2), 5 * (i // 2)) for i in range(classes)]
    samples = []
    for i in range(rows):
        label = i % classes
        point = [round(generator.gauss(c, 1.0), 6) for c in corners[label]]
        wrong = generator.random() < flip
        samples.append((1 + (label + 1) % classes if wrong else 1 + label, point))
    return samples


def libsvm(samples):
    """LIBSVM text; a label None leaves the label out."""
    lines = []
    for label, values in samples:
        pairs = [f"{i}:{value}" for i, value in enumerate(values, 1)]
        lines.append(" ".join(([] if label is None else [str(label)]) + pairs))
    return "\n".join(lines) + "\n"


def csv(samples, header=None):
    """CSV with the label first; a label None leaves the label out."""
    lines = [header] if header else []
    for label, values in samples:
        lines.append(",".join(([] if label is None else [str(label)]) + [str(v) for v in values]))
    return "\n".join(lines) + "\n"


def fnv1a64(data):
    """The checksum of docs/model-format.md."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def with_checksum(lines):
    """A model file of these lines, ended by the checksum line that belongs to them."""
    text = "".join(line + "\n" for line in lines)
    return text + f"checksum fnv1a64 {fnv1a64(text.encode()):016x}\n"
