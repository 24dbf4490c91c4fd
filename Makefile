# Two commands do everything on a fresh Debian machine: `make demo` and `make test`.
# The logic lives in CMake presets and scripts/; this file only puts it in order.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
STRESS_FITS ?= 100000
STRESS_SEED ?= 1
BASE ?=
WRITE_DOCS ?=
PYTHON ?= python3
TRY_PYTHONS ?= $(PYTHON)
# clang 14's ThreadSanitizer finds no room for its tables where the kernel scatters memory too widely.
NO_ASLR := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# $(call build,preset): configure and build one preset.
build = cmake --preset $(1) && cmake --build --preset $(1) --parallel $(JOBS)

.PHONY: all demo python wheel test bench bench-large paper docs docs-figures format lint coverage fuzz stress clean help

all: ## build the program: build/bin/hinge0
	scripts/install_packages.sh build
	$(call build,release)

demo: ## train on double moons with wrong labels, compare with LIBSVM, draw build/demo/moons.png
	scripts/install_packages.sh build demo
	$(call build,release)
	python3 scripts/demo.py

python: ## install the Python package into build/venv
	scripts/install_packages.sh build python
	scripts/python_package.sh newest

wheel: ## a wheel that installs anywhere and a source package: build/dist; PYTHON=python3.12: stable ABI
	scripts/install_packages.sh build python
	PYTHON="$(PYTHON)" TRY_PYTHONS="$(TRY_PYTHONS)" scripts/wheel.sh

# The shared library and the Python package compile the release build's sources again: with ccache not twice.
test: export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
test: export CCACHE_DIR ?= $(CURDIR)/build/ccache
test: export CCACHE_DEPEND ?= 1
# Paths in a build folder count from there: sources that CMake joins in one folder are those of another.
test: export CCACHE_BASEDIR ?= $(CURDIR)/build
test: ## every check: house rules, format, tests, tests under three sanitizers, installed package, Python
	scripts/install_packages.sh build test tsan python bench
	python3 scripts/check_house.py --self-test
	python3 scripts/check_house.py
	scripts/format.sh --check
	scripts/python_lint.sh
	$(call build,test)
	ctest --preset test --parallel $(JOBS)
	$(call build,asan)
	ctest --preset asan --parallel $(JOBS) --label-exclude slow
	$(call build,tsan)
	$(NO_ASLR) ctest --preset tsan --parallel $(JOBS)
	tests/install/run.sh
	scripts/python_tests.sh
	@echo "hinge0: all checks passed"

bench: ## the tables of docs/benchmarks.md and docs/suspects.md
	scripts/install_packages.sh build bench python
	$(call build,bench)
	scripts/python_package.sh newest
	benchmarks/run.sh
	benchmarks/suspects.sh

bench-large: ## large data beside scikit-learn-intelex, into docs/benchmarks.md
	scripts/install_packages.sh build bench python
	$(call build,bench)
	scripts/python_package.sh newest
	benchmarks/large.sh

docs: ## the documentation as a website: build/docs/html/index.html
	scripts/install_packages.sh build python
	scripts/python_docs.sh

paper: ## the paper's tables and figures: build/paper/index.html, and docs/reproduction.md from it
	scripts/install_packages.sh build
	$(call build,release)
	build/bin/hinge0 paper all --out build/paper
	install -D -m 644 build/paper/reproduction.md docs/reproduction.md
	install -D -m 644 -t docs/images build/paper/images/paper-figure1.svg build/paper/images/paper-figure2.svg

docs-figures: demo ## renew the pictures in docs/images
	scripts/search.sh
	install -D -m 644 build/demo/moons.png docs/images/moons.png
	install -D -m 644 build/search/search.png docs/images/search.png

format: ## rewrite C++ and Python sources in the house style
	scripts/install_packages.sh test
	scripts/format.sh
	scripts/python_lint.sh --fix

lint: ## clang-format, ruff, and clang-tidy on files changed since BASE (default: main; all: every file)
	scripts/install_packages.sh build test bench lint
	scripts/format.sh --check
	scripts/python_lint.sh
	cmake --preset lint
	scripts/clang_tidy.sh $(BASE)

coverage: ## coverage of the tests: build/coverage/report/index.html; WRITE_DOCS=1: docs/quality.md too
	scripts/install_packages.sh build test coverage
	$(call build,coverage)
	ctest --preset coverage --parallel $(JOBS)
	scripts/coverage.sh $(if $(WRITE_DOCS),--write-docs)

fuzz: ## run every fuzz harness for FUZZ_SECONDS (default 600)
	scripts/install_packages.sh build fuzz
	$(call build,fuzz)
	scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

stress: ## STRESS_FITS random fits under sanitizers (default 100000), each checked
	scripts/install_packages.sh build test
	$(call build,stress)
	scripts/stress.sh $(STRESS_FITS) $(STRESS_SEED) $(JOBS)

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
	  while IFS=$$'\t' read -r target text; do printf '  make %-13s %s\n' "$$target" "$$text"; done
