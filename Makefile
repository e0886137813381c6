# Two commands matter to a newcomer: `make run` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:

# The first interpreter that is new enough; override with `make PYTHON=python3.12 …`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
BIN := $(VENV)/bin
RUN_VENV := .venv-run
LOCKS := requirements/runtime.txt requirements/build.txt
SOURCES := $(shell find src -type f -not -name '*.pyc')
PIP := -m pip --disable-pip-version-check --quiet
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup run fix check test bench lock openapi docs clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 12

python-found:
	@test -n "$(PYTHON)" || { echo "Longshore needs Python 3.11 or later; none was found. Name one: make PYTHON=/path/to/python3 run" >&2; exit 2; }

setup: $(VENV)/.ready  ## the development environment, from the locks

$(VENV)/.ready: requirements/dev.txt $(LOCKS) pyproject.toml | python-found
	@echo "Setting up the development environment in $(VENV) …"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) install --require-hashes -r requirements/dev.txt -r requirements/runtime.txt
	$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	touch $@

$(RUN_VENV)/.ready: $(LOCKS) pyproject.toml README.md $(SOURCES) | python-found
	@echo "Setting up Longshore in $(RUN_VENV) …"
	test -x $(RUN_VENV)/bin/python || $(PYTHON) -m venv $(RUN_VENV)
	$(RUN_VENV)/bin/python $(PIP) install --require-hashes -r requirements/runtime.txt -r requirements/build.txt
	$(RUN_VENV)/bin/python $(PIP) install --no-deps --no-build-isolation --force-reinstall .
	touch $@

run: $(RUN_VENV)/.ready  ## set up and serve on http://127.0.0.1:8080
	@exec $(RUN_VENV)/bin/longshore serve $(ARGS)

fix: setup  ## format, and mend what a tool can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: setup  ## before every commit: formats, lint, types, contracts, fast tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/deptry src
	$(BIN)/python -m pytest -q -n auto $(wildcard tests/architecture tests/unit tests/contract tests/http)

lock: setup  ## refresh the three lock files, as a commit of its own
	$(BIN)/uv pip compile pyproject.toml --universal --upgrade --generate-hashes --no-header -q -o requirements/runtime.txt
	$(BIN)/uv pip compile pyproject.toml --group dev -c requirements/runtime.txt --universal --upgrade --generate-hashes --no-header -q -o requirements/dev.txt
	$(BIN)/uv pip compile --group build --universal --upgrade --generate-hashes --no-header -q -o requirements/build.txt

clean:  ## remove what the targets made, data excepted
	rm -rf $(VENV) $(RUN_VENV) build dist .coverage* .mypy_cache .ruff_cache .pytest_cache
