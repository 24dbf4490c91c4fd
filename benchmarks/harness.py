"""What all measurements share: where files are, the sizes, running and timing commands."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN, FOLDER = Path("build/bin"), Path("build/bench")

TABLE_3 = ("breast_cancer", "australian", "diabetes", "heart", "fourclass", "german.numer",
           "svmguide1")  # fmt: skip
# The shared sets of 150 to 5,000 rows.
SMALL = ("australian", "breast_cancer", "diabetes", "fourclass", "german.numer", "heart",
         "ionosphere", "iris", "letter.scale.t", "satimage.scale", "satimage.scale.t", "sonar",
         "splice", "splice.t", "svmguide1", "svmguide1.t", "svmguide3", "usps.t",
         "wine")  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """What is measured; `quick` only tries the scripts."""

    training_set: str = "svmguide1"
    iterations: int = 200
    repeats: int = 5
    naive_repeats: int = 3
    support_rows: int = 12000  # of ijcnn1; with -g 2 -c 10 they leave about 1000 support vectors
    test_rows: int | None = None
    read_rows: int | None = None
    exact_sets: tuple[str, ...] = TABLE_3
    exact_prices: tuple[float, ...] = (0.5, 2, 8)
    choosing_sets: tuple[str, ...] = SMALL
    choosing_splits: int = 10
    growth_rows: int = 2000
    growth_sizes: tuple[int, ...] = (125, 250, 500, 1000)
    class_sets: tuple[str, ...] = ("satimage.scale", "letter.scale", "usps", "digits")
    class_rows: int = 5000  # of each that C and gamma are chosen on
    chance_sets: tuple[str, ...] = ("australian", "breast_cancer", "diabetes", "german.numer",
                                    "svmguide3", "satimage.scale")  # fmt: skip
    chance_splits: int = 5
    exported_sets: tuple[str, ...] = ("diabetes", "svmguide1", "german.numer", "splice")


QUICK = Sizes("heart", 20, 1, 1, 500, 2000, 2000, ("heart",), (2,), ("heart",), 1, 400,
              (25, 50, 100, 200), ("digits",), 200, ("heart",), 1, ("heart",))  # fmt: skip


def run(*command: object, allowed: tuple[int, ...] = (0,), stderr: int | None = None) -> str:
    """Standard output of a command; ends the benchmarks if its exit status is not allowed."""
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=stderr, text=True)
    if result.returncode not in allowed:
        sys.exit(f"bench: {' '.join(words)} failed with exit status {result.returncode}")
    return result.stdout


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def require(agrees: bool, what: str) -> None:
    if not agrees:
        sys.exit(f"bench: {what}: the two sides do different work, so no ratio is written")
