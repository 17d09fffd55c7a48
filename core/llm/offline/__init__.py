"""A deterministic model without weights: it finds and quotes what was said, and says plainly when there is nothing.

It sees only the messages and tools that a real model would see, and knows only what the tools it calls return.
"""
