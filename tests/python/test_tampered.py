"""A changed fitted attribute, assigned or from a pickle, is told by an exception, never a crash."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import tampering


@pytest.fixture(scope="module")
def outcomes():
    """How every case ended, and how the process did that ran them."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("tampering.py"))],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    ended = f"status {done.returncode}, {done.stderr.splitlines()[-1]}"
    return dict(json.loads(line) for line in done.stdout.splitlines()), ended


@pytest.mark.parametrize("case", ["-".join(case[:3]) for case in tampering.cases()])
def test_a_changed_attribute_is_told(outcomes, case):
    found, ended = outcomes
    assert case in found, f"the process ended before this case: {ended}"
    assert set(found[case]) <= {"ValueError", "TypeError", "NotFittedError"}
