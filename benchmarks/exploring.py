#!/usr/bin/env python3
"""The tables of docs/choosing.md: where a fit starts, whether it searches, which cell is chosen.

make python && HINGE0_DATA=... build/venv/bin/python benchmarks/exploring.py [SPLITS [rules]]

rules: only the table of that name.

Test accuracy on many sets and splits, some training labels flipped; the protocol is that of
benchmarks/choosing.py. Writes its tables into docs/choosing.md, between the lines that say so.
"""

import os
import re
import statistics
import sys
import warnings
from collections import defaultdict
from multiprocessing import Pool

import numpy as np
from choosing import FLIPS, Problem, mean_and_error, problem
from harness import FOLDER, ROOT, SMALL
from hinge0 import L0SVC, L0SVCCV
from page import table
from sklearn.svm import SVC

PAGE = ROOT / "docs/choosing.md"
PRICES, MARGINS = (0.7, 1.0, 1.4, 2.0, 2.8), (0.0, 0.2, 0.4, 0.6)
RULES = ("best", "1se", "consensus", "smooth")
# Name of a way to fit or to choose: (points above the reference, share of its support vectors).
Outcome = dict[str, tuple[float, float]]


def beside(model, given: Problem, accuracy: float, size: float) -> tuple[float, float]:
    points = 100 * (model.score(given.unseen, given.truth) - accuracy)
    return points, len(model.support_) / max(1.0, size)


def plain_fits(given: Problem) -> Outcome:
    """Fits without tuning, gamma = 1 / d, beside SVC()."""
    svc = SVC().fit(given.X, given.y)
    reference = svc.score(given.unseen, given.truth), float(svc.n_support_.sum())
    found = {}
    for price in PRICES:
        for margin in MARGINS:
            model = L0SVC(C=price, hinge_share=1.0, keep_margin=margin, n_jobs=1)
            found[f"{price:g} {margin:g}"] = beside(model.fit(given.X, given.y), given, *reference)
    ways = {"default": {}, "full": {"search": "full"}, "16 starts": {"n_starts": 16}}
    for name, parameters in ways.items():
        model = L0SVC(n_jobs=1, **parameters).fit(given.X, given.y)
        found[name] = beside(model, given, *reference)
    return found


class EveryRule(L0SVCCV):
    """Asks all rules about the same scores: `choices_`."""

    def _ranked(self, tried, grid):
        self.choices_ = {}
        for rule in RULES:
            self.rule = rule
            self.choices_[rule] = super()._ranked(tried, grid)[0]
        return [0]


def choices(given: Problem) -> Outcome:
    """Rules on the same scores, beside the highest score of one repeat."""
    chosen = {}
    for repeats in (1, 4):
        tuned = EveryRule(n_repeats=repeats, refit=False, n_jobs=1, random_state=given.seed)
        tuned.fit(given.X, given.y)
        chosen |= {f"{rule}, {repeats}": tuned.choices_[rule] for rule in RULES}
    cells = tuned.cv_results_["params"]
    fits = [L0SVC(n_jobs=1, **cell).fit(given.X, given.y) for cell in cells]
    reference = fits[chosen["best, 1"]]
    accuracy = reference.score(given.unseen, given.truth)
    found = [beside(fit, given, accuracy, float(len(reference.support_))) for fit in fits]
    return {name: found[cell] for name, cell in chosen.items()} | {"nobody's": max(found)}


def measure(case: tuple[str, float, int]) -> tuple[float, Outcome, Outcome]:
    warnings.simplefilter("ignore")
    given = problem(*case)
    return case[1], {} if "rules" in sys.argv else plain_fits(given), choices(given)


def cells(outcomes: list[tuple[float, Outcome]], name: str) -> list[str]:
    by_flip = defaultdict(list)
    for flip, found in outcomes:
        by_flip[flip].append(found[name])
    texts = []
    for flip in FLIPS:
        mean, error = mean_and_error([points for points, _ in by_flip[flip]])
        size = statistics.median(share for _, share in by_flip[flip])
        texts.append(f"{mean:+.2f} ± {error:.2f}, {size:.2f}")
    return texts


def tables(results: list[tuple[float, Outcome, Outcome]]) -> dict[str, str]:
    head = tuple(f"{flip:.0%} flipped" for flip in FLIPS)
    plain = [(flip, found) for flip, found, _ in results]
    chosen = [(flip, found) for flip, _, found in results]
    rules = table(("rule, repeats", *head), [(k, *cells(chosen, k)) for k in chosen[0][1]])
    if "rules" in sys.argv:
        return {"rules": rules}
    starts = [
        (f"{price:g}", f"{margin:g}", *cells(plain, f"{price:g} {margin:g}"))
        for price in PRICES
        for margin in MARGINS
    ]
    words = {
        "default": "the default: hinge at 0.35 C, margin 0.4",
        "full": '`search="full"`',
        "16 starts": "`n_starts=16`",
    }
    return {
        "starts": table(("hinge C", "margin kept", *head), starts),
        "search": table(("fit, C = 4", *head), [(w, *cells(plain, k)) for k, w in words.items()]),
        "rules": rules,
    }


def main() -> None:
    splits = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    os.chdir(ROOT)
    FOLDER.mkdir(parents=True, exist_ok=True)
    cases = [(name, flip, seed) for seed in range(splits) for flip in FLIPS for name in SMALL]
    with Pool() as pool:
        results = pool.map(measure, cases, chunksize=1)
    page = PAGE.read_text()
    for name, text in tables(results).items():
        lines = f"<!-- {name}: written by benchmarks/exploring.py -->"
        note = f"{len(SMALL)} sets, {splits} random split(s) of each."
        page = re.sub(
            rf"{re.escape(lines)}.*?<!-- end -->",
            lambda _, t=f"{lines}\n{note}\n\n{text}\n<!-- end -->": t,
            page,
            flags=re.DOTALL,
        )
    PAGE.write_text(page)
    print(f"exploring: {len(results)} problems, tables written to {PAGE.relative_to(ROOT)}")
    assert np.isfinite([v for r in results for o in r[1:] for v in o.values()]).all()


if __name__ == "__main__":
    main()
