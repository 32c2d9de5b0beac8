# Each target does all its own set-up: a private environment in .venv from requirements.lock.
SHELL := /bin/bash
VENV  ?= .venv
PY    := $(VENV)/bin/python
STAMP := $(VENV)/.ready
PYTEST := $(PY) -m pytest -q -p no:cacheprovider
# Two processes where there are two cores; the desktop tests each bring a screen of their own.
JOBS  ?= 2

.PHONY: demo test lint bench soak lock env clean help
help:
	@echo "make demo    the main job on the recordings that ship with the package"
	@echo "make test    the whole suite"
	@echo "make lint    ruff and mypy"
	@echo "make bench   ratios against the peers, in pairs"
	@echo "make soak    long runs, kills, drift"
	@echo "make lock    write requirements.lock again"

env: $(STAMP)
$(STAMP): pyproject.toml requirements.lock tools/make_env.sh
	@bash tools/make_env.sh $(VENV)
	@touch $@

demo: $(STAMP)
	@$(VENV)/bin/curate demo

test: $(STAMP)
	@bash tools/system_packages.sh $(PY)
	$(PYTEST) -n $(JOBS) --dist loadgroup

lint: $(STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check -q .
	$(VENV)/bin/mypy

# The peers, where the package index has them; a benchmark says which it is without.
PEERS := $(VENV)/.peers
$(PEERS): $(STAMP) pyproject.toml
	@UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 $(VENV)/bin/uv pip install -q --python $(PY) --group bench \
		|| $(PY) -m pip install -q --group bench || echo "the peers could not be installed" >&2
	@touch $@

bench: $(PEERS)
	$(PY) benchmarks/run_all.py

soak: $(STAMP)
	$(PY) tools/soak.py
	$(PY) tools/soak_recorder.py --minutes 10
	$(PY) tools/soak_events.py
	$(PY) tools/soak_replay.py
	$(PY) benchmarks/recorder_kills.py --kills 20
	$(PY) tools/soak_trainers.py

lock: $(STAMP)
	$(VENV)/bin/uv pip compile --universal --python-version 3.11 pyproject.toml --group dev -q --no-annotate \
		--custom-compile-command "make lock" --upgrade -o requirements.lock

clean:
	rm -rf $(VENV) dist build
