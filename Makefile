PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
USED := $(VENV)/.used
NATIVE := $(wildcard src/candide/native/*.cpp src/candide/native/*.hpp)

# A command that is started often, by tests and benchmarks, reads its modules compiled, as it does for everybody.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup test thorough lint demo bench docs sanitize clean

setup: $(STAMP)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "candide needs Python 3.11 or newer: make PYTHON=/path/to/python3")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# Build tools live in the environment, so that a changed kernel is rebuilt in seconds; without isolation PySpark, which
# comes as source, is built by them too, and the setuptools that venv brings is too old to make a wheel.
$(VENV)/.tools: | $(BIN)/python
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.11" "nanobind>=2.4" "setuptools>=77" cmake ninja
	@touch $@

$(STAMP): pyproject.toml CMakeLists.txt $(NATIVE) $(VENV)/.tools
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation -e ".[all,lint,test]"
	@touch $@ $(USED)

# What a person needs who only uses it: no tests, no linters.
$(USED): pyproject.toml CMakeLists.txt $(NATIVE) $(VENV)/.tools
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation -e ".[all]"
	@touch $@

test: setup lint
	@$(BIN)/python -c 'import sys, candide; sys.exit(candide.kernels() != "native" and "the compiled kernels were not built")'
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# Examples of other seeds in every run, a thousand of each, and the smallest that fails.
thorough: setup
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder tests

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

demo: $(USED)
	$(BIN)/candide demo

# make bench AGAINST=../candide-0.1 measures that checkout (after its own make setup) beside this one.
bench: setup
	$(BIN)/python -m benchmarks $(if $(AGAINST),--against $(AGAINST))

# The examples first, then the site in site/, from docs/*.md and the docstrings.
docs: setup
	$(BIN)/python -m pytest --quiet README.md docs
	$(BIN)/python -m pip install --quiet "candide[docs]"
	PYTHONPATH=. $(BIN)/zensical build --clean --strict

sanitize: setup
	PYTHON=$(BIN)/python bash scripts/sanitize tests -n 2 --dist loadfile

clean:
	rm -rf $(VENV) build site .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
