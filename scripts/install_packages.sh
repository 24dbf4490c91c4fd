#!/usr/bin/env bash
# Installs the Debian packages of the named groups that are missing; silent and quick when none is.
#   scripts/install_packages.sh GROUP...    groups: build test tsan python lint demo bench coverage
#                                           fuzz
set -euo pipefail

packages_of() {
  case "$1" in
    build) echo g++ make cmake ninja-build pkg-config libeigen3-dev libopenblas-dev liblapack-dev \
                libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libbz2-dev liblzma-dev \
                libcairo2-dev libsvm-dev ;;
    test) echo ccache libgtest-dev librapidcheck-dev libsvm-tools clang-format \
               python3 python3-venv ;;
    python) echo python3 python3-venv python3-dev ;;
    lint) echo clang clang-tidy libomp-dev git ;;
    demo) echo gnuplot-nox libsvm-tools python3 ;;
    bench) echo libbenchmark-dev libsvm-tools python3 python3-venv ;;
    coverage) echo gcovr ;;
    tsan | fuzz) echo clang libomp-dev ;;
    *) echo "install_packages: unknown group: $1" >&2; exit 2 ;;
  esac
}

is_installed() {
  [[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

wanted=()
for group in "$@"; do
  names="$(packages_of "$group")"
  read -r -a names <<<"$names"
  wanted+=("${names[@]}")
done

refuse() {
  echo "install_packages: $1; please install by hand: $2" >&2
  exit 1
}

command -v apt-get >/dev/null ||
  refuse "this is not a Debian or Ubuntu system (no apt-get)" "${wanted[*]}"

missing=()
for name in "${wanted[@]}"; do
  is_installed "$name" || missing+=("$name")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
  command -v sudo >/dev/null || refuse "not root and no sudo" "${missing[*]}"
  as_root=(sudo)
fi
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"; }

echo "installing: ${missing[*]}"
apt update || refuse "apt-get update failed (no network?)" "${missing[*]}"
apt install --yes --no-install-recommends "${missing[@]}" ||
  refuse "apt-get install failed" "${missing[*]}"
