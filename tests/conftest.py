"""What all tests share: Hypothesis does not fail a test because the machine was busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("previously", deadline=None)
settings.load_profile("previously")
