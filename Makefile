# What each target does is printed by `make help`; settings go behind it: make run PORT=8080

PORT ?= 8000
export PORT
# With it, each of the many programs that the tests start would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
PYTHON_IN := .venv/bin/python
UV := $(shell command -v uv)
PURE := games/rules ratings/systems tournament/pairing tournament/simulation tournament/standings tournament/trf
PYTEST := $(PYTHON_IN) -m pytest -n logical --dist loadfile --no-loadscope-reorder
AUDIT = .venv/bin/pip-audit --strict --disable-pip --progress-spinner off
LONG := -m "" --hypothesis-profile=long
checksum = $(shell cat deploy/$(1) 2>/dev/null | cksum | tr ' ' '-')
RUN_STAMP := .venv/.run-lock-$(call checksum,requirements.txt)
TEST_STAMP := .venv/.test-lock-$(call checksum,requirements-test.txt)
DOCS_STAMP := .venv/.docs-lock-$(call checksum,requirements-docs.txt)

.PHONY: help env run demo docs test test-postgresql test-long lint audit bench lock messages size client release-data screenshots
.DEFAULT_GOAL := help

help: ## print this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 18

env: $(RUN_STAMP) ## make .venv from the lock with what `run` and `demo` need
	@echo ".venv is ready"

run: $(RUN_STAMP) ## start the service on PORT (8000), with its data in var/; Ctrl-C ends it
	@exec $(PYTHON_IN) manage.py up

demo: $(RUN_STAMP) ## play a sample event through the API of the service running on PORT
	@exec $(PYTHON_IN) -m deploy.demo

docs: $(DOCS_STAMP) ## build the documentation as a site in deploy/site; a warning is an error
	@$(PYTHON_IN) -m sphinx --quiet --fresh-env --fail-on-warning --keep-going deploy/docs deploy/site
	@echo "the documentation is in deploy/site/index.html"

test: lint test-sqlite ## run lint, and all tests but the long ones on SQLite

test-long: ## run every test, the long ones too, on both databases
	@$(MAKE) --no-print-directory test-sqlite OPTIONS='$(LONG)'
	@$(MAKE) --no-print-directory test-postgresql OPTIONS='$(LONG) --migrations'

.PHONY: test-sqlite
test-sqlite: $(TEST_STAMP)
	@echo "== tests on SQLite"
	@$(PYTEST) $(OPTIONS)

test-postgresql: $(TEST_STAMP) ## run the tests that touch the database on PostgreSQL
	@echo "== tests on PostgreSQL"
	@folder=$$(mktemp -d /tmp/perihelion.XXXXXX) || exit 1; \
	DATABASE_URL="postgresql://postgres@/postgres?host=$$folder/pg" \
	    $(PYTEST) -m "not long and not any_database" $(OPTIONS) $(PURE:%=--ignore=tests/%) \
	    --ignore=tests/deploy/without_database --ignore=tests/browser; \
	status=$$?; rm -rf "$$folder"; exit $$status

lint: $(TEST_STAMP) ## check format, style, the import order and the types
	@echo "== lint"
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/ruff check --quiet .
	@.venv/bin/lint-imports --no-logo --verbose >.venv/imports.log 2>&1 || { cat .venv/imports.log; exit 1; }
	@.venv/bin/mypy

screenshots: $(TEST_STAMP) ## store pictures of the main pages in build/screenshots; ONLY=run those of some
	@$(PYTHON_IN) -m pytest -q $(LONG) tests/browser/test_screenshots.py

audit: $(TEST_STAMP) ## fail if a pinned package has a known advisory; asks PyPI
	@$(AUDIT) -r deploy/requirements.txt -r deploy/requirements-test.txt -r deploy/requirements-docs.txt

bench: $(TEST_STAMP) ## measure speed against named peers and print a table; ONLY=referee runs one
	@exec $(PYTHON_IN) -m tests.bench $(ONLY)

lock: $(RUN_STAMP) ## write deploy/requirements*.txt from pyproject.toml; UPGRADE=1 takes newer versions
	@sh deploy/lock.sh $(if $(UPGRADE),--upgrade)

messages: $(RUN_STAMP) ## collect the texts of the pages in deploy/locale and compile the translations
	@$(PYTHON_IN) manage.py makemessages -v 0 -l de -l fr --no-location --no-obsolete \
	    -i ".venv/*" -i "tests/*" -i "build/*" -i "deploy/site/*"
	@$(PYTHON_IN) manage.py compilemessages -v 0 -i .venv -i build

release-data: $(TEST_STAMP) ## write the backup of this version that the tests of later ones upgrade
	@exec $(PYTHON_IN) -m tests.deploy.release_data

size: $(TEST_STAMP) ## print how large the product is: lines, files, imports, private API of libraries
	@$(PYTHON_IN) -m deploy.size

client: $(TEST_STAMP) ## make the typed Python client of the API in build/client
	@sh deploy/client/make.sh build/client

# By uv if it is there, else by venv and pip; the locks have the hashes of all files. uv gets a path: for
# a name it would take a Python of its own first, which for root is in /root, where no service can run it.
define INSTALL
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
    { echo "make env: $(PYTHON) is not Python 3.11 or newer; set PYTHON=/path/to/python3.11." >&2; exit 1; }
@test -x $(PYTHON_IN) || $(if $(UV),$(UV) venv --quiet --python "$$(command -v $(PYTHON))" .venv,$(PYTHON) -m venv .venv)
@echo "installing deploy/$(1) into .venv"
@$(if $(UV),$(UV) pip install --python $(PYTHON_IN),$(PYTHON_IN) -m pip install --disable-pip-version-check) \
    --quiet --no-deps --require-hashes -r deploy/$(1) || \
    { echo "make env: deploy/$(1) cannot be installed, see above; 'git checkout deploy/$(1)' restores it." >&2; exit 1; }
@test "$$(id -u)" != 0 || chmod -R a+rX .venv
@test "$$(id -u)" != 0 || setpriv --reuid=65534 --clear-groups "$$(readlink -f $(PYTHON_IN))" -c '' 2>/dev/null || \
    echo "make env: only root can run $$(readlink -f $(PYTHON_IN)): for a service with a user of its own," \
    "remove .venv, and set PYTHON=/usr/bin/python3." >&2
@rm -f $(firstword $(subst -lock-, ,$@))-lock-*; touch $@ $(2)
endef

$(RUN_STAMP):
	$(call INSTALL,requirements.txt)

$(TEST_STAMP):
	$(call INSTALL,requirements-test.txt,$(RUN_STAMP))

$(DOCS_STAMP):
	$(call INSTALL,requirements-docs.txt,$(RUN_STAMP))
