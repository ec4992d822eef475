# What each target does is printed by `make help`; settings go behind it: make run PORT=8080

PORT ?= 8000
export PORT
# With it, each of the many programs that the tests start would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON_IN := .venv/bin/python
BY_FILE := --dist loadfile --no-loadscope-reorder
CORES := $(shell getconf _NPROCESSORS_ONLN)
AT_ONCE = $(MAKE) --no-print-directory --jobs=4
ON_BOTH_DATABASES = test-sqlite test-postgresql
OTHER_TESTS := browser games/rules ratings/systems tournament/pairing tournament/simulation tournament/standings tournament/trf
checksum = $(shell cksum < deploy/$(1) 2>/dev/null | tr ' ' '-')
RUN_STAMP := .venv/.run-lock-$(call checksum,requirements.txt)
TEST_STAMP := .venv/.test-lock-$(call checksum,requirements-test.txt)

.PHONY: help env run demo test test-long lint audit bench lock messages schema
.DEFAULT_GOAL := help

help: ## print this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 12

env: $(RUN_STAMP) ## make .venv from the lock with what `run` and `demo` need
	@echo ".venv is ready"

run: $(RUN_STAMP) ## start the service on PORT (8000), with its data in var/; Ctrl-C ends it
	@exec $(PYTHON_IN) manage.py up

demo: $(RUN_STAMP) ## play two sample events through the API of the service running on PORT
	@exec $(PYTHON_IN) -m deploy.demo

test: $(TEST_STAMP) ## run lint, the tests on SQLite, and those of the database on PostgreSQL
	@$(AT_ONCE) lint $(ON_BOTH_DATABASES) PROFILE=quick MARKS="not long" \
	    DATABASE_MARKS="database_bound and not further_case and not long"

test-long: $(TEST_STAMP) ## run every test, the long ones too, on both databases
	@$(AT_ONCE) $(ON_BOTH_DATABASES) PROFILE=long MARKS="" DATABASE_MARKS="database_bound" \
	    MIGRATIONS=--migrations

# At the same time, the first on all cores. Many of its tests wait for a program, and the second,
# which is `nice`, uses that time. It runs fewer tests, so it takes half of the cores, and of two
# cores one, without a process that shares out; it prints all when it ends.
HALF_OF_CORES = $$(( $(CORES) > 2 ? ($(CORES) + 1) / 2 : 0 ))
.PHONY: test-sqlite test-postgresql
test-sqlite: $(TEST_STAMP)
	@echo "== tests on SQLite"
	@$(PYTHON_IN) -m pytest -n $(CORES) $(BY_FILE) --hypothesis-profile=$(PROFILE) \
	    -m "$(MARKS)"

test-postgresql: $(TEST_STAMP)
	@folder=$$(mktemp -d /tmp/perihelion.XXXXXX) || exit 1; \
	DATABASE_URL="postgresql://postgres@/postgres?host=$$folder/pg" \
	    nice -n 10 $(PYTHON_IN) -m pytest $(MIGRATIONS) -n $(HALF_OF_CORES) $(BY_FILE) \
	    $(OTHER_TESTS:%=--ignore=tests/%) \
	    -m "$(DATABASE_MARKS)" >"$$folder/output" 2>&1; \
	status=$$?; echo; echo "== tests of the database, on PostgreSQL"; cat "$$folder/output"; \
	rm -rf "$$folder"; exit $$status

lint: $(TEST_STAMP) ## check format, style, the import order and the types
	@echo "== lint"
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/ruff check --quiet .
	@.venv/bin/lint-imports --no-logo --verbose >.venv/imports.log 2>&1 || { cat .venv/imports.log; exit 1; }
	@.venv/bin/mypy

audit: $(RUN_STAMP) ## fail if a pinned package has a known advisory; asks PyPI
	@$(PYTHON_IN) -m venv build/audit
	@build/audit/bin/pip install --quiet "pip-audit>=2.10,<3"
	@build/audit/bin/pip-audit --strict --disable-pip \
	    -r deploy/requirements.txt -r deploy/requirements-test.txt

bench: $(TEST_STAMP) ## measure speed against named peers and print a table; ONLY=referee runs one
	@exec $(PYTHON_IN) -m tests.bench $(ONLY)

lock: $(RUN_STAMP) ## write deploy/requirements*.txt from pyproject.toml; UPGRADE=1 takes newer versions
	@sh deploy/lock.sh $(if $(UPGRADE),--upgrade)

messages: $(RUN_STAMP) ## collect the texts of the pages in deploy/locale and compile the translations
	@$(PYTHON_IN) manage.py makemessages -v 0 -l de -l fr --no-location --no-obsolete \
	    -i ".venv/*" -i "tests/*"
	@$(PYTHON_IN) manage.py compilemessages -v 0 -i .venv

schema: $(TEST_STAMP) ## write deploy/openapi.json, and the modules of the Python client that follow from it
	@$(PYTHON_IN) manage.py write_schema

$(RUN_STAMP):
	@sh deploy/environment.sh deploy/requirements.txt $@

$(TEST_STAMP):
	@sh deploy/environment.sh deploy/requirements-test.txt $@
	@touch $(RUN_STAMP)
