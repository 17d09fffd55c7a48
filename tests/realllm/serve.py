"""A real small model behind an OpenAI-compatible server on loopback: prints its address, and ends when its input ends.

It runs as a process of its own, one thread, temperature 0: `python -m tests.realllm.serve WEIGHTS`.
"""

from __future__ import annotations

import sys
from importlib import import_module

CONTEXT = 8_192


def main(weights: str) -> None:
    """Serve until the standard input is closed."""
    library = import_module("xllamacpp")
    params = library.CommonParams()
    params.model.path = weights
    params.n_ctx, params.n_parallel, params.verbosity = CONTEXT, 1, 0
    params.cpuparams.n_threads, params.sampling.temp = 1, 0.0
    params.n_predict = 64  # a model this small never ends by itself
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = library.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main(sys.argv[1])
