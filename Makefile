# Two commands do all the set-up: `make demo` and `make test`. Both work in a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench

.PHONY: demo test tests lint bench torture docs snapshots picture clean help

help:
	@echo "make demo     judge the sample campaign, then see which system is better"
	@echo "make test     lint, types, import contract and all tests"
	@echo "make bench    speed, memory and values beside other scorers; key-to-paint times"
	@echo "              PART='score compare pool agreement lead judge ask team cluster', BIG=1 (70 million lines), TREC_EVAL=FILE"
	@echo "make torture  kills, crowds, full disks, files taken away: is any judgment lost? Then the"
	@echo "              properties that tests state, each with hundreds of examples"
	@echo "              PART='killed crowd commands files models team', ARGS='--seed 2 --sessions 50'"
	@echo "make docs     write the parts of the manual that the program itself knows"
	@echo "make snapshots  draw anew the screens that the tests compare; look at them"
	@echo "make picture  draw the pictures of the README anew"
	@echo "make clean    remove the demo's campaign, to start it over"

demo: $(VENV)/.runtime
	@$(BIN)/judge-tui demo

# The tests start hundreds of programs: each would compile all of ours again.
unexport PYTHONDONTWRITEBYTECODE

# Half of what tests do is wait for a screen: types are checked meanwhile.
test: $(VENV)/.development
	@$(MAKE) --no-print-directory -j2 lint tests

# Collected first by one process, which compiles what each of the others would compile by itself.
tests: $(VENV)/.development
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true
	$(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/.development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCH)/.installed
	$(BENCH)/bin/python -m tests.benchmarks.bench $(PART) \
		$(if $(BIG),--big) $(if $(TREC_EVAL),--trec-eval $(TREC_EVAL))

torture: $(VENV)/.development
	$(BIN)/python -m tests.end_to_end.torture $(PART) $(ARGS)
	$(if $(PART)$(ARGS),,HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n auto --dist worksteal -m hypothesis)

docs: $(VENV)/.development
	$(BIN)/python -m tests.manual.generate

snapshots: $(VENV)/.development
	$(BIN)/pytest tests/tui/test_snapshots.py --snapshot-update

picture: $(VENV)/.runtime
	$(BIN)/python sample_runs/make_picture.py

clean:
	rm -rf demo

# Made whole: one that was interrupted has a python, and no pip.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'error: Python 3.11 or newer is needed; name one: make demo PYTHON=python3.12' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.made pyproject.toml
	@echo 'installing judge_tui into $(VENV): a minute or two'
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# What the tests import is compiled as they do: all that comes with it would take half a minute.
$(VENV)/.development: $(VENV)/.made pyproject.toml
	@echo 'installing judge_tui and what its tests need into $(VENV): a minute or two'
	@$(BIN)/pip install --quiet --no-compile --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.runtime

# An environment of its own: a peer may bring other versions than the tests run with.
$(BENCH)/.installed: $(VENV)/.made pyproject.toml
	$(BIN)/python -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@
