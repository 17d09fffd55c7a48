"""The running process: wires platforms, memory and models together."""
