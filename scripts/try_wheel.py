"""Tries an installed wheel: fit, tune and predict beside numpy, scipy and scikit-learn, whose own
OpenBLAS and OpenMP are loaded too."""

import threading
import time
from pathlib import Path

import hinge0
import numpy as np
import scipy.linalg
from sklearn.datasets import make_moons
from sklearn.ensemble import HistGradientBoostingClassifier  # brings OpenMP


def main() -> None:
    X, y = make_moons(2000, noise=0.2, random_state=0)
    wrong = np.random.default_rng(0).random(len(y)) < 0.1
    y = np.where(wrong, 1 - y, y)
    HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    A = np.random.default_rng(1).normal(size=(800, 800))

    def multiply() -> None:
        for _ in range(20):
            scipy.linalg.lu_factor(A @ A)

    begin = time.perf_counter()
    other = threading.Thread(target=multiply)  # both at once, which would show a deadlock
    other.start()
    model = hinge0.L0SVC(C=2.0).fit(X, y)
    tuned = hinge0.L0SVCCV({"C": [1.0, 4.0], "gamma": [0.5, 2.0]}, cv=3).fit(X, y)
    other.join()
    assert model.report_["certificate"]["local_minimum"]
    right = (tuned.predict(X) == y).mean()
    assert right > 0.8, right

    here = Path(hinge0.__file__).parent.parent
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    for name in ("libopenblas", "libgomp"):
        files = sorted(f for f in loaded if name in f)
        print(f"{name}:", *files, sep="\n  ")
        outside = [f for f in files if not f.startswith(str(here))]
        assert not outside, f"not from the wheels: {outside}"
    threads = len(list(Path("/proc/self/task").iterdir()))
    seconds = time.perf_counter() - begin
    print(f"hinge0 {hinge0.__version__}: fit, tune and predict in {seconds:.1f} s, "
          f"accuracy {right:.3f}, {threads} threads")  # fmt: skip


if __name__ == "__main__":
    main()
