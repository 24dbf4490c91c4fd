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
cache=(-o cache_dir=build/pytest-cache)
export COVERAGE_FILE=build/python-coverage MYPY_CACHE_DIR=build/mypy-cache
echo "types and stubs of the Python package"
build/venv/bin/mypy --strict --config-file pyproject.toml --package hinge0
build/venv/bin/mypy --strict --config-file pyproject.toml tests/python/typed_use.py
for venv in build/venv build/venv-oldest; do
  echo "Python tests in $venv"
  measure=()
  [[ "$venv" != build/venv ]] || measure=(--cov=hinge0 --cov-report=term --cov-fail-under=95)
  "$venv/bin/python" -m pytest -q "${cache[@]}" "${measure[@]}" tests/python
done
