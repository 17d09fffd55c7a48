"""What the person is told when a provider fails: the kind of trouble becomes an error with a sentence of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import ModelError, OverBudget, Unavailable, Unusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.llm.driver.wire import Kind, Target, Trouble

_ERRORS: Mapping[Kind, type[ModelError]] = {
    "credit": OverBudget,
    "context": OverBudget,
    "request": Unusable,
    "filtered": Unusable,
    "empty": Unusable,
}


def error(trouble: Trouble, target: Target) -> ModelError:
    """The error to raise: `Unavailable` unless the kind says more; its key is `model.<kind>` of the locales."""
    kind = _ERRORS.get(trouble.kind, Unavailable)
    key, model = f"model.{trouble.kind}", target.model
    return kind(f"{model}: {trouble}", key=key, model=model, variable=target.variable)
