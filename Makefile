# Everything runs in .venv; the only things needed are git, python3 (>= 3.11) and make.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
CLIENTS := $(if $(HOLDFAST_CLIENTS),,$(if $(shell command -v npm),.clients/.ready))

.PHONY: demo test check format golden bench bench-diff clean

demo: $(STAMP)  ## condense the bundled session: before, after, memories, receipt
	$(BIN)/holdfast demo

test: check $(CLIENTS)  ## everything that is checked, then all tests; with npm the agents' own clients, too
	$(BIN)/python -m pytest

.clients/.ready:  ## the clients that tests drive (1 GB); the oldest versions that are promised to work
	npm install --prefix .clients --no-audit --no-fund --loglevel error \
	  @anthropic-ai/claude-code@2.1.330 @openai/codex@0.169.0
	touch $@

check: $(STAMP)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: $(STAMP)  ## write the texts of tests/golden anew; the diff shows what people will read
	HOLDFAST_GOLDEN=1 $(BIN)/python -m pytest tests/golden

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

bench: $(STAMP)  ## the benchmark beside the peers, on the bundled sessions: benchmarks/results/ (BENCH="--sessions DIR")
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m benchmarks --peers $(BENCH)

bench-diff: $(STAMP)  ## what got worse since the committed results
	$(BIN)/python -m benchmarks.difference

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
