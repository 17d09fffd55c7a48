"""The running process: wires platforms, memory and models together."""

from typing import Final

VERSION: Final = "0.1.0"
