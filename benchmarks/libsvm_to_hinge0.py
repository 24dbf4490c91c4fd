"""Turns a two-class LIBSVM model with the rbf kernel into a hinge0 model of the same classifier.

    libsvm_to_hinge0.py LIBSVM_MODEL HINGE0_MODEL

Only for prediction: LIBSVM does not write which training rows the support vectors are, nor C and
the objective. They are filled in (rows 1, 2, ..., C 1, objective 0), so `hinge0 verify` refuses it.
"""

import sys
from pathlib import Path

HEAD = """hinge0-model 1
kernel rbf
gamma {gamma}
loss hinge
C 1
class_weight 1 1
classes {classes}
features {features}
training_rows {count}
status converged
objective 0
scaling no
bias {bias}
support_vectors {count}
storage sparse
"""


def checksum(text: bytes) -> int:
    """64-bit FNV-1a (docs/model-format.md)."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def read_libsvm(text: str) -> tuple[dict[str, str], list[tuple[float, list[str]]]]:
    """The head's keys, and (coefficient, index:value words) of every support vector."""
    head, _, body = text.partition("\nSV\n")
    keys = dict(line.split(" ", 1) for line in head.splitlines())
    if (keys.get("svm_type"), keys.get("kernel_type"), keys.get("nr_class")) != (
        "c_svc",
        "rbf",
        "2",
    ):
        raise ValueError("not a two-class c_svc model with the rbf kernel")
    rows = [line.split() for line in body.splitlines()]
    if len(rows) != int(keys["total_sv"]):
        raise ValueError(f"{len(rows)} support vectors, the head says {keys['total_sv']}")
    return keys, [(float(row[0]), row[1:]) for row in rows]


def convert(text: str) -> str:
    keys, rows = read_libsvm(text)
    first, second = keys["label"].split()
    # LIBSVM's decision value sum - rho is positive for its first label, hinge0's for the larger.
    sign = 1 if float(first) > float(second) else -1
    classes = f"{second} {first}" if sign > 0 else f"{first} {second}"
    pairs = [[word.split(":") for word in words] for _, words in rows]
    features = max(int(index) for row in pairs for index, _ in row)
    model = HEAD.format(
        gamma=repr(float(keys["gamma"])),
        classes=classes,
        features=features,
        count=len(rows),
        bias=repr(-sign * float(keys["rho"])),
    )
    for number, ((coefficient, _), row) in enumerate(zip(rows, pairs, strict=True), 1):
        values = "".join(f" {index}:{float(value)!r}" for index, value in row)
        model += f"{number} {sign * coefficient!r}{values}\n"
    return model + f"checksum fnv1a64 {checksum(model.encode()):016x}\n"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: libsvm_to_hinge0.py LIBSVM_MODEL HINGE0_MODEL")
    try:
        Path(sys.argv[2]).write_text(convert(Path(sys.argv[1]).read_text()))
    except (OSError, ValueError) as error:
        sys.exit(f"libsvm_to_hinge0: {error}")


if __name__ == "__main__":
    main()
