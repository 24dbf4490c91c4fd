#!/usr/bin/env python3
"""Records what numpy, scikit-learn and Python's random give for the paper's seeds.

record_protocol.py > tests/data/paper_protocol.txt      (needs numpy and scikit-learn)

One line a row of the paper's Tables 1-3: name, rows, checksum of the flipped row numbers in the
order drawn, checksum of the training row numbers in order, sum of the labels of the training part,
then the first training sample after standardisation. Real sets have only rows and split.
"""

import random

import numpy as np
from sklearn.datasets import make_circles, make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

# rows of each table: samples, name, flipped labels
SYNTHETIC = ((500, "500", 0), (1000, "1000", 0), (1500, "1500", 0),
             (500, "r1", 10), (500, "r5", 50), (500, "r10", 100))  # fmt: skip
REAL = {"breast_cancer": 569, "australian": 690, "diabetes": 768, "heart": 270, "fourclass": 862,
        "german.numer": 1000, "svmguide1": 3089}  # fmt: skip


def checksum(numbers):
    """A polynomial of the numbers modulo a prime: order and every number matter."""
    value = 0
    for number in numbers:
        value = (value * 31 + int(number) + 1) % 1000000007
    return value


def synthetic(kind, samples, flips):
    if kind == "circles":
        points, labels = make_circles(samples, noise=0.1, factor=0.1, random_state=3)
    elif samples == 1500:
        points, labels = make_moons(samples, shuffle=False, noise=0.1, random_state=43)
    else:
        points, labels = make_moons(samples, noise=0.1, random_state=3)
    signs = np.where(labels == 1, 1, -1)
    if kind == "circles" or flips == 0:
        points = StandardScaler().fit_transform(points)
    random.seed(6)
    flipped = random.sample(range(samples), flips)
    signs[flipped] *= -1
    return points, signs, flipped


def split(rows, seed):
    return train_test_split(np.arange(rows), test_size=0.4, random_state=seed)[0]


def main():
    print("# written by scripts/record_protocol.py")
    for kind in ("circles", "moons"):
        for samples, row, flips in SYNTHETIC:
            points, signs, flipped = synthetic(kind, samples, flips)
            train = split(samples, 33)
            first = " ".join(repr(float(x)) for x in points[train[0]])
            print(f"{kind}-{row} {samples} {checksum(flipped)} {checksum(train)} "
                  f"{signs[train].sum()} {first}")  # fmt: skip
    for name, rows in REAL.items():
        print(name, rows, 0, checksum(split(rows, 5)))


if __name__ == "__main__":
    main()
