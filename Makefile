# Everything runs in .venv; the only things needed are git, python3 (>= 3.11) and make.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := .venv/bin/uv pip install --quiet --python .venv/bin/python
STAMP := .venv/.ready
FRAMEWORKS := .venv/.frameworks
CLIENTS := $(if $(HOLDFAST_CLIENTS),,$(if $(shell command -v npm),.clients/.ready))

# What was compiled is kept, whatever the shell says: without it every run, and each of its workers, begins anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test unit unit-memory unit-condense adapters check docs format golden bench bench-diff dist sbom clean

demo: $(STAMP)  ## condense the bundled session: before, after, memories, receipt
	$(BIN)/holdfast demo

test: check $(CLIENTS) adapters  ## all checks, all tests; with npm the agents' own clients, too
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not timing" --ignore tests/condense/apps
	$(BIN)/python -m pytest tests/condense/apps  # servers, clients and limits of time: one at a time
	$(BIN)/python -m pytest -m timing --ignore tests/condense/apps

unit:  ## the part to run while one works: memory and condense without apps, nothing that is slow or timed
	$(MAKE) --no-print-directory --jobs 2 unit-memory unit-condense

unit-memory unit-condense: unit-%: $(STAMP)  # two processes without workers: each imports and collects its half alone
	$(BIN)/python -m pytest -p no:xdist -m "not timing and not slow" --hypothesis-profile quick tests/$* --ignore tests/condense/apps

# The newest frameworks are in .venv. CrewAI and LiteLLM's proxy cannot live beside them, and the oldest ones need places
# of their own.
adapters: $(patsubst %,.venvs/%/.ready,floors crewai crewai-floor litellm-proxy)  ## the adapters, by other versions
	HOLDFAST_NO_SKIP= .venvs/floors/bin/python -m pytest -n 2 --dist loadfile tests/adapters  # what is used beside the frameworks is not there
	.venvs/crewai/bin/python -m pytest tests/adapters/test_crewai.py
	.venvs/crewai-floor/bin/python -m pytest tests/adapters/test_crewai.py
	.venvs/litellm-proxy/bin/python -m pytest tests/adapters/test_litellm_proxy.py

.venvs/floors/.ready: INSTALLED := --resolution lowest-direct --editable '.[adapters,test]'
.venvs/crewai/.ready: INSTALLED := --editable '.[crewai,test]'
.venvs/crewai-floor/.ready: INSTALLED := --resolution lowest-direct --editable '.[crewai,test]'
.venvs/litellm-proxy/.ready: INSTALLED := --editable '.[litellm-proxy,anthropic,openai,test]'

.venvs/%/.ready: pyproject.toml | $(FRAMEWORKS)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venvs/$*
	$(BIN)/uv pip install --quiet --python .venvs/$*/bin/python $(INSTALLED)
	touch $@

# The frameworks that adapters are for, by a fast installer: they are many. A wheel of Claude's SDK brings 400 MB along.
$(FRAMEWORKS): $(STAMP)
	$(INSTALL) --editable '.[dev,adapters,companions,claude-agent-sdk]' \
	  --no-binary claude-agent-sdk
	touch $@

.clients/.ready:  ## the clients that tests drive (1 GB); the oldest versions that are promised to work
	npm install --prefix .clients --no-audit --no-fund --loglevel error \
	  @anthropic-ai/claude-code@2.1.330 @openai/codex@0.169.0
	touch $@

check: $(FRAMEWORKS)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(STAMP)  ## the documentation's pages, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

golden: $(STAMP)  ## write the texts of tests/golden anew; the diff shows what people will read
	HOLDFAST_GOLDEN=1 $(BIN)/python -m pytest tests/golden

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(INSTALL) --editable '.[dev]' || $(BIN)/python -m pip install --quiet --editable '.[dev]'  # pip knows its own index
	touch $(STAMP)

bench: $(STAMP)  ## the benchmark beside the peers, on the bundled sessions: benchmarks/results/ (BENCH="--sessions DIR")
	$(INSTALL) --editable '.[bench]'
	$(BIN)/python -m benchmarks --peers $(BENCH)

bench-diff: $(STAMP)  ## what got worse since the committed results
	$(BIN)/python -m benchmarks.difference

dist: $(STAMP)  ## wheel and source package, in dist/
	rm -rf dist
	$(BIN)/uv build --quiet --out-dir dist

sbom: dist  ## what a release brings along, by CycloneDX: dist/holdfast-context.cdx.json
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/sbom
	$(BIN)/uv pip install --quiet --python build/sbom/bin/python "$$(ls dist/*.whl)[cli,proxy,panel,otel]"
	$(BIN)/uv tool run --quiet --from 'cyclonedx-bom>=5' cyclonedx-py environment build/sbom/bin/python \
	  --pyproject pyproject.toml --output-reproducible --output-file dist/holdfast-context.cdx.json

clean:
	rm -rf .venv .venvs .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
