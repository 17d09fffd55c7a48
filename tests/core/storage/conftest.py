"""The contract is a plain module: let its asserts explain themselves all the same."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.core.storage.contract")
