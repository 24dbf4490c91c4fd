#!/usr/bin/env bash
# Builds the wheel of the Python package once, installs it into virtual environments under build/.
#   scripts/python_package.sh [newest] [oldest]
# newest: build/venv with the newest scikit-learn; oldest: build/venv-oldest with the oldest that is
# supported. Both also get what the tests need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pip_in() { # venv, pip's arguments
  local venv="$1"
  shift
  [[ -x "$venv/bin/pip" ]] || python3 -m venv "$venv"
  "$venv/bin/pip" --quiet --disable-pip-version-check "$@" || {
    echo "python_package: pip $* failed in $venv: is a Python package index in reach?" >&2
    exit 1
  }
}

# Not in pip's own isolated environment: its path is always new, and all would be compiled anew. The
# compiler is called what CMake calls it, so that ccache knows the objects of the release build.
export CXX="${CXX:-c++}"
pip_in build/venv install --upgrade 'scikit-build-core>=1.1' 'nanobind>=3.1'
rm -rf build/wheel
pip_in build/venv wheel --no-build-isolation --no-deps --wheel-dir build/wheel \
  --config-settings=cmake.define.HINGE0_WARNINGS_AS_ERRORS=ON .

for kind in "${@:-newest}"; do
  case "$kind" in
    newest) venv=build/venv requirements=requirements.txt ;;
    oldest) venv=build/venv-oldest requirements=requirements-oldest.txt ;;
    *) echo "python_package: unknown environment: $kind" >&2; exit 2 ;;
  esac
  pip_in "$venv" install --upgrade --requirement "tests/python/$requirements"
  pip_in "$venv" install --force-reinstall --no-deps build/wheel/hinge0-*.whl
done
