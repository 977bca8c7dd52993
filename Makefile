# editahead: `make demo` shows it at work, `make test` proves it, `make help` lists the rest.
# Everything is installed into .venv; PYTHON=python3.12 chooses another interpreter (3.10 or newer).

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --disable-pip-version-check -qq --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check editors e2e team bench soak fuzz docs release clean install-all

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.runtime  ## replay an editing session against the real server (DEMO_ARGS=--json for machines)
	@$(BIN)/editahead demo $(DEMO_ARGS)

# What `make e2e` and `make team` run: editors and a cluster take minutes.
ELSEWHERE := $(addprefix --ignore=tests/,editors team bench/team)

test: CHOSEN := $(if $(SLOW),,-m "not slow") $(ELSEWHERE)
test: test-all  ## check, then the tests without those of e2e and team, and without the slow ones but for SLOW=1 (PYTEST_ARGS="-k text" chooses some)

test-all: $(VENV)/.train check  ## check, then every test
	@if $(BIN)/python -c 'import torch' 2>/dev/null; then $(BIN)/mypy models/editahead_models; fi
	$(BIN)/python -m pytest -n $(or $(WORKERS),2) --dist worksteal $(CHOSEN) $(PYTEST_ARGS)

check: $(VENV)/.dev  ## lint, words, types and import contracts
	$(BIN)/ruff check server models tests scripts docs
	$(BIN)/python -m scripts.word_lint
	$(BIN)/mypy
	$(BIN)/lint-imports

editors: $(VENV)/.e2e  ## install Neovim 0.11, 0.12, VS Code, Emacs and Helix into the user's cache folder (once, 0.8 GB)
	$(BIN)/python scripts/install_neovim.py
	$(BIN)/python scripts/install_vscode.py
	$(BIN)/python scripts/install_terminal_editors.py

e2e: editors  ## type in these editors
	EDITAHEAD_NEED_EDITORS=1 $(BIN)/python -m pytest --timeout=1500 -o faulthandler_timeout=0 tests/editors --ignore=tests/editors/nvim/test_team.py -n $(or $(WORKERS),2) --dist load --maxschedchunk 1 $(PYTEST_ARGS)

team: $(VENV)/.train $(VENV)/.team  ## test the team server on a local Ray cluster of two nodes (Ray: once, 0.7 GB)
	$(BIN)/python -m pytest tests/team tests/bench/team tests/editors/nvim/test_team.py $(PYTEST_ARGS)

release: $(VENV)/.release  ## build all release artefacts into dist/, check them, install them with pip, pipx and uv (RELEASE_ARGS="--allow-dirty --without-vscode")
	$(BIN)/python -m scripts.release build $(RELEASE_ARGS)
	EDITAHEAD_INSTALL_TEST=1 $(BIN)/python -m pytest -n $(or $(WORKERS),3) tests/release/test_hook.py tests/release/test_wheels.py $(PYTEST_ARGS)

bench: $(VENV)/.runtime  ## time the real server over stdio (BENCH_ARGS="--json bench.json --quick")
	@$(BIN)/python -m tests.bench $(BENCH_ARGS)

soak: $(VENV)/.train  ## a million keystrokes, 100,000 steps in any order, an hour of fuzz, editors under load (SOAK_ARGS="--keys 10000")
	$(BIN)/python -m tests.hard.soak $(SOAK_ARGS)

fuzz: $(VENV)/.train  ## apply every edit that is shown after random edits; compilers judge (FUZZ_ARGS="FOLDER --minutes 30")
	$(BIN)/python -m tests.hard.breakage.edit_fuzz $(FUZZ_ARGS)

docs: $(VENV)/.docs  ## build the documentation site into build/site; a broken link or a warning fails
	@$(BIN)/python -m scripts.docs_site

install-all: $(VENV)/.all  ## install what all targets need at once: one resolution instead of seven

clean:  ## remove .venv and the caches
	rm -rf $(VENV) build/site build/site-pages build/site-cache build/bytecode .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# Each stamp is one layer of the installation, so that a second run installs nothing.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "editahead needs Python 3.10 or newer: run make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the server into $(VENV) (once, about 200 MB, a minute or less)"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "Installing the test tools into $(VENV) (once)"
	@$(PIP) --editable '.[dev,languages]'
	@touch $@

$(VENV)/.e2e: $(VENV)/.dev
	@echo "Installing the language server that tests run beside ours into $(VENV) (once, 36 MB)"
	@$(PIP) --editable '.[dev,languages,e2e]'
	@touch $@

$(VENV)/.docs: $(VENV)/.runtime
	@echo "Installing the tools of the documentation site into $(VENV) (once)"
	@$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.team: $(VENV)/.dev
	@echo "Installing the team server (Ray) into $(VENV) (once)"
	@$(PIP) --editable '.[dev,languages,team]'
	@touch $@

$(VENV)/.release: $(VENV)/.dev
	@echo "Installing the release tools into $(VENV) (once)"
	@$(PIP) --editable '.[dev,languages,release]'
	@touch $@

# Every layer at once; the stamps of the layers stand in their order. Modules are compiled when they are first imported: most
# of 2 GB never are.
LAYERS := .runtime .dev .train .docs .e2e .team .release
$(VENV)/.all: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the server and the tools of all targets into $(VENV) (once)"
	@$(PIP) --no-compile --editable '.[dev,languages,train,docs,e2e,team,release]'
	@touch $(addprefix $(VENV)/,$(LAYERS)) $@

# Without torch the tests of the model code are left out and named; the stamp is not written, so the next run tries again.
$(VENV)/.train: $(VENV)/.dev
	@echo "Installing the training tools (torch) into $(VENV) (once)"
	@if $(PIP) --editable '.[dev,languages,train]'; then touch $@; \
	  else echo "torch could not be installed for $$($(BIN)/python --version): the tests that need it are left out"; fi
