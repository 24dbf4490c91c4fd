#!/usr/bin/env bash
# Builds the documentation as a website, build/docs/html, running every example of the gallery. Any
# warning is an error. Works on a copy of docs/, since the gallery is written beside the pages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/python_package.sh newest
build/venv/bin/pip install --quiet --disable-pip-version-check -r docs/site/requirements.txt
source=build/docs/source
rm -rf build/docs
mkdir -p "$source"
cp -r docs/*.md docs/images docs/site/* "$source/"
export HINGE0_EXAMPLES="$PWD/examples/python" MPLBACKEND=agg
build/venv/bin/python -m sphinx -W --keep-going -q -b html "$source" build/docs/html
echo "documentation: build/docs/html/index.html"
