#!/usr/bin/env bash
# Installs hinge0 as a static and as a shared library and uses each as a stranger would: with
# find_package, with pkg-config, and through the installed program. Needs the release build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
jobs="$(nproc)"
log="$work/log"

fail() {
  echo "install: $1" >&2
  exit 1
}
# step NAME COMMAND...: silent unless it fails.
step() {
  "${@:2}" >"$log" 2>&1 || { cat "$log" >&2; fail "$1"; }
}

try_cmake() { # prefix
  local build="$1-cmake"
  step "$1: configure with find_package" cmake -S examples/cpp -B "$build" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$1"
  step "$1: build with find_package" cmake --build "$build" --parallel "$jobs"
  step "$1: run what find_package built" "$build/train_moons"
  grep -q '^test accuracy' "$log" || fail "$1: the example did not reach its end"
}

try_wrong_version() { # prefix
  mkdir -p "$1-wrong"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(wrong CXX)' \
    'find_package(hinge0 99 REQUIRED)' >"$1-wrong/CMakeLists.txt"
  if cmake -S "$1-wrong" -B "$1-wrong/build" -G Ninja -DCMAKE_PREFIX_PATH="$1" >"$log" 2>&1; then
    fail "$1: version 99 was found"
  fi
  grep -q 'version: 0\.' "$log" || fail "$1: refused version 99 for another reason"
}

try_pkg_config() { # prefix, pkg-config options
  local prefix="$1" flags
  shift
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
  read -r -a flags <<<"$(pkg-config --cflags --libs "$@" hinge0)"
  step "$prefix: build with pkg-config" g++ -std=c++20 -O1 examples/cpp/train_moons.cpp \
    -o "$prefix-pkg-config" "${flags[@]}"
  step "$prefix: run what pkg-config built" env LD_LIBRARY_PATH="$prefix/lib" "$prefix-pkg-config"
}

check_tree() { # prefix
  local private='fmt|nlohmann|CLI|zlib|bzlib|lzma|cblas|lapack|omp'
  if grep -rnE "#include[^a-z]*($private)" "$1/include"; then
    fail "$1: a public header names a private dependency"
  fi
  # The build's own warning and sanitizer flags, and its paths, are nobody else's business.
  if grep -rnE "hinge0_flags|Wconversion|$PWD" "$1/lib/cmake" "$1/lib/pkgconfig"; then
    fail "$1: the package files name what only this build knows"
  fi
  step "$1: the installed program" "$1/bin/hinge0" info
  step "$1: the installed hinge0-paper" "$1/bin/hinge0" paper figure1 --out "$1-paper"
}

step "configure the shared library" cmake -S . -B build/shared -G Ninja \
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DHINGE0_WARNINGS_AS_ERRORS=ON
# Joined sources are in the build folder; by paths from there ccache knows the release build's.
export CCACHE_BASEDIR="$PWD/build/shared"
step "build the shared library" cmake --build build/shared --parallel "$jobs"
step "install the static library" cmake --install build --prefix "$work/static"
step "install the shared library" cmake --install build/shared --prefix "$work/shared"
for prefix in "$work/static" "$work/shared"; do
  check_tree "$prefix"
  try_cmake "$prefix"
  try_wrong_version "$prefix"
done
try_pkg_config "$work/static" --static
try_pkg_config "$work/shared"
echo "install: static and shared packages work"
