#!/usr/bin/env bash
# Everything the Python package must pass: size of the wheel, types, stubs, tests with the newest
# and the oldest scikit-learn, coverage. Needs the release build of the command line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/python_package.sh newest oldest
largest=$((5 * 1000 * 1000))
size="$(stat --format %s build/wheel/hinge0-*.whl)"
[[ "$size" -lt "$largest" ]] ||
  { echo "python_tests: the wheel has $size bytes, at most $largest" >&2; exit 1; }

export HINGE0_PROGRAM="$PWD/build/bin/hinge0" PYTHONDONTWRITEBYTECODE=1
export COVERAGE_FILE=build/python-coverage MYPY_CACHE_DIR=build/mypy-cache
tests_in() { # venv, pytest's options
  # A shell's background jobs ignore Ctrl-C, which some tests send.
  env --default-signal=INT \
    "$1/bin/python" -m pytest -q -o cache_dir="$1/pytest-cache" "${@:2}" tests/python
}

# One test is at work at a time, most on one core: those of the oldest environment run beside.
oldest_log=build/python-oldest.log
tests_in build/venv-oldest >"$oldest_log" 2>&1 &
oldest=$!
trap 'kill "$oldest" 2>/dev/null || true' EXIT

echo "types and stubs of the Python package"
build/venv/bin/mypy --strict --config-file pyproject.toml --package hinge0
build/venv/bin/mypy --strict --config-file pyproject.toml tests/python/typed_use.py
echo "Python tests in build/venv"
tests_in build/venv --cov=hinge0 --cov-report=term --cov-fail-under=95
echo "Python tests in build/venv-oldest"
status=0
wait "$oldest" || status=$?
cat "$oldest_log"
exit "$status"
