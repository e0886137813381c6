# Two commands matter to a newcomer: `make run` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:

# The first interpreter that is new enough; override with `make PYTHON=python3.12 …`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11, 5))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
BIN := $(VENV)/bin
RUN_VENV := .venv-run
LOCKS := requirements/runtime.txt requirements/build.txt
WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*')
SOURCES := $(WEB_SOURCES) $(shell find src -type f -not -name '*.pyc' -not -path '*/http/ui/static/*')
# Node and npm of the development lock, and what they installed for web/.
NODE_PATH := $(CURDIR)/web/node_modules/.bin:$(CURDIR)/$(BIN)
PAGES := src/longshore/http/ui/static/index.html
# Whole files to each worker, the longest first.
SPREAD := -q -n auto --dist loadfile --no-loadscope-reorder
# Tests that wait for browsers, servers and databases: three for each two cores.
SPREAD_WAITING = $(SPREAD) -n $$(( ($$(nproc 2>/dev/null || echo 2) * 3 + 1) / 2 ))
PURE := src/longshore/kit/*,src/longshore/as2/*,src/longshore/x12/*,src/longshore/formats/*,src/longshore/mapping/*,src/longshore/engine/*,src/longshore/library/*,src/longshore/domain/*
TEST_REPORT := build/pytest.txt
MEASURED_REPORT := build/measured.txt
# All tests together write gigabytes that nobody keeps: into memory, where a system has that much.
TEST_DISK := $(shell free=$$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1); test "$${free:-0}" -gt 8000000 && echo TMPDIR=/dev/shm)
PIP := -m pip --disable-pip-version-check --quiet
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help pre-commit python-found chromium peers setup run fix gates gates-python gates-web check test durations web web-dev e2e screenshots package bench fuzz faults mutants lock openapi docs clean

help:  ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):[^#]*## /\1\t/' | expand -t 12

python-found:
	@test -n "$(PYTHON)" || { echo "Longshore needs Python 3.11.5 or later; none was found. Name one: make PYTHON=/path/to/python3 run" >&2; exit 2; }

setup: $(VENV)/.ready web/node_modules/.ready  ## the development environment, from the locks

$(VENV)/.ready: requirements/dev.txt $(LOCKS) pyproject.toml | python-found
	@echo "Setting up the development environment in $(VENV) …"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) install --require-hashes -r requirements/dev.txt -r requirements/runtime.txt
	$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	touch $@

web/node_modules/.ready: web/package-lock.json web/package.json | $(VENV)/.ready
	@echo "Setting up the packages of the browser application in web/node_modules …"
	cd web
	PATH="$(NODE_PATH):$$PATH" npm ci --ignore-scripts --silent
	touch node_modules/.ready

$(PAGES): $(WEB_SOURCES) | web/node_modules/.ready
	@echo "Building the browser application …"
	cd web
	PATH="$(NODE_PATH):$$PATH" npm run --silent build

$(RUN_VENV)/.ready: $(LOCKS) pyproject.toml hatch_build.py README.md $(SOURCES) | python-found
	@echo "Setting up Longshore in $(RUN_VENV) …"
	test -x $(RUN_VENV)/bin/python || $(PYTHON) -m venv $(RUN_VENV)
	$(RUN_VENV)/bin/python $(PIP) install --require-hashes -r requirements/runtime.txt -r requirements/build.txt
	$(RUN_VENV)/bin/python $(PIP) install --no-deps --no-build-isolation --force-reinstall .
	touch $@

run: $(RUN_VENV)/.ready  ## set up and serve on http://127.0.0.1:8080
	@exec $(RUN_VENV)/bin/longshore serve $(ARGS)

web: $(PAGES)  ## build the browser application, for a server run from this folder

web-dev: setup  ## the browser application as you change it, beside a server on port 8080
	cd web
	PATH="$(NODE_PATH):$$PATH" vite

# Tests that need a browser are skipped without one; where nothing may be skipped, CI, they fail.
chromium:
	@for program in "$${CHROMIUM:-chromium-headless-shell}" chromium chromium-browser google-chrome google-chrome-stable; do
		if command -v "$$program" >/dev/null; then exit 0; fi
	done
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "Installing Chromium, for the tests of the pages …"
		if apt-get update -qq >/dev/null && apt-get install -qq -y --no-install-recommends chromium-headless-shell >/dev/null; then exit 0; fi
		if apt-get install -qq -y --no-install-recommends chromium >/dev/null; then exit 0; fi
	fi
	echo "── NO BROWSER: the tests of the pages will not run. Install chromium, or name a program: make test CHROMIUM=/path/to/chromium" >&2

# Servers and clients of other projects, for tests that need a real peer; skipped without them.
peers:
	@if test -x /usr/sbin/sshd && test -x /usr/sbin/vsftpd; then exit 0; fi
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "Installing OpenSSH and vsftpd, for the tests of SFTP and FTPS …"
		if apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends openssh-server openssh-sftp-server vsftpd >/dev/null; then exit 0; fi
	fi
	test -x /usr/sbin/sshd || echo "── NO SSHD: the tests against OpenSSH will not run. Install openssh-server." >&2
	test -x /usr/sbin/vsftpd || echo "── NO VSFTPD: the tests against vsftpd, and the page about FTPS, will not run. Install vsftpd." >&2

e2e: setup $(PAGES) chromium  ## the pages in a real browser
	$(BIN)/python -m pytest $(ARGS) tests/e2e

screenshots: setup $(PAGES)  ## every page in both themes and two sizes, into build/screenshots
	$(BIN)/python -m tools.screenshots $(ARGS)

fix: setup  ## format, and fix what a tool can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web
	PATH="$(NODE_PATH):$$PATH" biome check --write .

# What looks at the code without running it. Each step names itself, so that a failure has a place.
# Python and the browser application have a core each.
gates: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target gates-python gates-web

gates-python:
	@step() { echo "── $$*"; $(BIN)/"$$@"; }
	step ruff format --check .
	step ruff check .
	step lint-imports --no-logo
	step mypy
	step python -m tools.lint
	step codespell
	step deptry src

gates-web:
	@cd web
	web_step() { echo "── web: $$*"; PATH="$(NODE_PATH):$$PATH" "$$@"; }
	web_step biome check .
	web_step tsc --noEmit
	web_step vitest run --reporter=dot
	web_step openapi-typescript ../openapi.json --output src/api/schema.d.ts --check

check: gates  ## before every commit: formats, lint, types, contracts, fast tests
	@echo "── pytest: the fast tests"
	$(TEST_DISK) $(BIN)/python -m pytest $(SPREAD) -m fast

pre-commit:  ## install a git hook that runs make check before each commit
	printf '#!/bin/sh\nexec make check\n' > "$$(git rev-parse --git-path hooks)/pre-commit"
	chmod +x "$$(git rev-parse --git-path hooks)/pre-commit"

# Nothing runs twice. The tests under coverage compute, the others mostly wait, for browsers, servers
# and databases: both run at the same time.
# `make test T=tests/unit/x12` runs one path alone, without the gates.
ifdef T
test: setup $(PAGES)
	@$(BIN)/python -m pytest $(T)
else
test: gates $(PAGES) chromium  ## everything: the gates of check, then all tests once, with coverage
	@mkdir -p build
	$(BIN)/coverage erase
	status=0
	$(TEST_DISK) $(BIN)/coverage run -m pytest $(SPREAD) -m measured > $(MEASURED_REPORT) 2>&1 &
	measured=$$!
	$(TEST_DISK) $(BIN)/python -m pytest $(SPREAD_WAITING) -m 'not measured' | tee $(TEST_REPORT) || status=1
	wait $$measured || status=1
	tee -a $(TEST_REPORT) < $(MEASURED_REPORT)
	test $$status = 0
	$(BIN)/coverage combine --quiet
	echo "── coverage: the pure layers, every branch"
	$(BIN)/coverage report --skip-covered --show-missing --include='$(PURE)' --fail-under=100
	echo "── coverage: the rest"
	$(BIN)/coverage report --skip-covered --show-missing --omit='$(PURE)' --fail-under=90
	$(BIN)/python -m tools.test_totals $(TEST_REPORT)
endif

durations: setup $(PAGES)  ## measure how long each file of tests takes, so that the longest begin first
	$(TEST_DISK) $(BIN)/python -m pytest $(SPREAD) --write-durations

package: setup  ## build the wheel, install it alone, and try it
	@rm -rf build/wheel build/alone && mkdir -p build/wheel
	$(BIN)/python $(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(PYTHON) -m venv build/alone
	build/alone/bin/python $(PIP) install --no-index build/wheel/*.whl
	build/alone/bin/python tools/try_wheel.py --library build/alone/bin/longshore
	build/alone/bin/python $(PIP) install --require-hashes -r requirements/runtime.txt
	build/alone/bin/python tools/try_wheel.py build/alone/bin/longshore

bench: setup  ## ratios to the floor; ARGS=--quick for a minute of it
	$(BIN)/python -m tests.bench $(ARGS)
	$(BIN)/python -m tests.bench.submits
	$(BIN)/python -m tests.bench.lists $(if $(findstring --quick,$(ARGS)),20000)
	$(BIN)/python -m tests.bench.round_trips $(if $(findstring --quick,$(ARGS)),--rounds 1)
	$(BIN)/python -m tests.bench.as2 $(if $(findstring --quick,$(ARGS)),--rounds 1)

fuzz: setup  ## a minute of changed documents, more requests, more guessed keys; ARGS="--inputs 2000000 --jobs 2" is the long run
	$(BIN)/python -m tests.fuzz $(ARGS)
	SCHEMATHESIS_EXAMPLES=1000 SCHEMATHESIS_SEED=$$RANDOM KEY_GUESSES=100000 $(BIN)/python -m pytest -q -s tests/http/test_schemathesis.py tests/http/test_key_guesses.py

faults: setup  ## a large backup under load, 1,000 kills on each database and 200 with all transports, lost databases and power, all hostile cases on both databases, a noisy neighbour
	KILLS=100 $(BIN)/python -m pytest -q -s tests/system/test_vault_kills.py
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		KILL_SEED=$$seed KILLS=100 $(BIN)/python -m pytest -q -s tests/system/test_trading_kills.py
	done
	for seed in 1 2; do
		KILL_SEED=$$seed KILLS=100 $(BIN)/python -m pytest -q -s tests/system/test_transport_kills.py
	done
	RESTARTS=6 TERMINATING_SECONDS=30 $(BIN)/python -m pytest -q -s tests/system/test_postgres_restarts.py
	POWER_CUTS=500 $(BIN)/python -m pytest -q -s tests/contract/test_power_loss.py
	CONTROL_NUMBER_DRAWS=8000 $(BIN)/python -m pytest -q -s tests/contract/test_control_numbers.py
	RESTORES=20 $(BIN)/python -m pytest -q -s tests/contract/test_backup.py -k repeat_no_control_number
	BACKUP_MIB=150 HOSTILE_CASES=all $(BIN)/python -m pytest -q -s tests/system/test_backup_under_load.py tests/system/hostile/test_battery.py tests/contract/test_full_disk.py
	NEIGHBOUR=1 $(BIN)/python -m pytest -q -s tests/system/test_noisy_neighbour.py tests/system/test_attackers.py

openapi: setup  ## write openapi.json, and the types of the browser application
	$(BIN)/python -m tools.gen_openapi
	$(BIN)/python -m tools.gen_partner_settings
	cd web
	PATH="$(NODE_PATH):$$PATH" npm run --silent types

docs: setup  ## write the generated pages and the example settings
	$(BIN)/python -m tools.gen_settings
	$(BIN)/python -m tools.gen_docs

mutants: setup  ## plant 60 faults, one at a time, and see that the tests notice each
	@PATH="$(NODE_PATH):$$PATH" $(BIN)/python -m tools.mutants $(ARGS)

lock: setup  ## refresh the lock files, as a commit of its own
	$(BIN)/uv pip compile pyproject.toml --extra server --extra sftp --universal --upgrade --generate-hashes --no-header -q -o requirements/runtime.txt
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev -c requirements/runtime.txt --universal --upgrade --generate-hashes --no-header -q -o requirements/dev.txt
	$(BIN)/uv pip compile --group build --universal --upgrade --generate-hashes --no-header -q -o requirements/build.txt
	(cd web && PATH="$(NODE_PATH):$$PATH" npm update --package-lock-only --ignore-scripts)
	$(BIN)/python -m tools.strip_npm_lock

clean:  ## remove what the targets made, data excepted
	rm -rf $(VENV) $(RUN_VENV) .venv-peers web/node_modules $(dir $(PAGES)) build dist bench-results .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
