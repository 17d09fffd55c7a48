"""The wire over litellm: the one module that knows it. It is imported when the first call is made, in a thread aside.

Facts it stands on (emulators, tried on the pinned version): the import takes seconds and 190 MB, asks the network for
prices and reads a `.env` unless told not to; its own retries ignore `Retry-After`; an OpenAI-shaped stream with a
corrupt chunk loses a word silently by litellm's own reader, while the OpenAI client notices.
"""

from __future__ import annotations

import logging
import os
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from core.llm.base import Usage
from core.llm.driver.aside import Aside
from core.llm.driver.chunks import Reader
from core.llm.driver.failures import trouble_of
from core.llm.driver.payload import conversation, offered
from core.llm.driver.responses import PRIVATELY, speaks_responses
from core.llm.driver.sight import sees
from core.llm.driver.wire import Chunk, Request, Trouble
from core.llm.effort import Traits, options

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from core.llm.driver.wire import Target

ROUTES: Final = {
    **dict.fromkeys(("deepseek", "openai", "xai", "groq", "custom"), "openai"),
    "google": "gemini",
}
"""Which of litellm's clients speaks to a provider, where it is not the one of the same name.

What speaks OpenAI's protocol goes through OpenAI's own client: it notices corrupt chunks.
"""
_BEFORE_IMPORT: Final = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}
_QUIET: Final = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "openai")
_PRICED: Final = {"google": "gemini", "openai": "", "anthropic": "", "custom": None}


class LiteLLM:
    """Reaches nine providers and every server that speaks OpenAI's protocol."""

    def __init__(self) -> None:
        self._aside = Aside("litellm")
        self._library: Any = None

    async def warm(self) -> None:
        """Import the library now, in its thread, so that the first answer does not wait for it."""
        if self._library is not None:
            return
        async with aclosing(self._aside.run(self._import)) as done:
            async for _ in done:
                pass

    async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The chunks of one answer. Raises `Trouble` alone."""
        async with aclosing(self._aside.run(lambda: self._ask(request))) as chunks:
            async for chunk in chunks:
                yield chunk

    async def hear(self, target: Target, name: str, data: bytes, seconds: float) -> str:
        """What is said in a recording, "" for nothing. Raises `Trouble` alone."""
        async with aclosing(self._aside.run(lambda: self._hear(target, name, data, seconds))) as texts:
            return "".join([text async for text in texts])

    def close(self) -> None:
        """End the thread."""
        self._aside.close()

    async def _import(self) -> AsyncGenerator[None, None]:
        self._loaded()
        yield None

    async def _ask(self, request: Request) -> AsyncGenerator[Chunk, None]:
        library = self._loaded()
        stream = None
        try:
            stream = await library.acompletion(**self._arguments(request))
            reader = Reader(lambda usage: self._priced(request, usage))
            async for raw in stream:
                chunk = reader.read(raw)
                if chunk:
                    yield chunk
        except Trouble:
            raise
        except Exception as error:  # noqa: BLE001 - the library raises many kinds, all of them become `Trouble`
            raise trouble_of(error) from None
        finally:
            close = getattr(stream, "aclose", None)
            if close is not None:
                await close()

    async def _hear(self, target: Target, name: str, data: bytes, seconds: float) -> AsyncGenerator[str, None]:
        library = self._loaded()
        base = {"api_base": target.base} if target.base else {}
        try:
            found = await library.atranscription(
                model=f"{ROUTES.get(target.provider, target.provider)}/{target.model}",
                file=(name, data),
                response_format="json",
                api_key=target.key or "none",
                max_retries=0,
                timeout=seconds,
                **base,
            )
        except Exception as error:  # noqa: BLE001 - the library raises many kinds, all of them become `Trouble`
            raise trouble_of(error) from None
        yield found.text if isinstance(found.text, str) else ""

    def _loaded(self) -> Any:
        if self._library is None:
            os.environ.update(_BEFORE_IMPORT)
            for name in _QUIET:
                logging.getLogger(name).setLevel(logging.CRITICAL)
            try:
                import litellm  # noqa: PLC0415 - five seconds and 190 MB, so only when a model is asked
            except ImportError as error:
                raise Trouble("missing") from error
            for name in _QUIET:  # the library sets its own levels
                logging.getLogger(name).setLevel(logging.CRITICAL)
            litellm.telemetry = False
            litellm.suppress_debug_info = True
            litellm.disable_aiohttp_transport = True
            litellm.drop_params = True
            litellm.modify_params = True
            self._library = litellm
        return self._library

    def _arguments(self, request: Request) -> dict[str, Any]:
        """What litellm is called with: our key and address or none, no retries, no limit on what is generated."""
        import httpx  # noqa: PLC0415 - it comes with litellm

        target = request.target
        route = ROUTES.get(target.provider, target.provider)
        about = self._about(request)
        responses = speaks_responses(target, about)
        forced = next((tool.name for tool in request.tools if tool.forced), "")
        arguments: dict[str, Any] = {
            "model": f"{route}/responses/{target.model}" if responses else f"{route}/{target.model}",
            "messages": conversation(request, sees=sees(target.model, about)),
            "api_key": target.key or "none",
            "stream": True,
            "stream_options": {"include_usage": True},
            "num_retries": 0,
            "max_retries": 0,
            "timeout": httpx.Timeout(None, connect=request.connect),
            **options(target.provider, request.thinking, self._traits(request)),
        }
        if responses:
            arguments |= PRIVATELY
        elif target.provider == "custom":
            arguments["_skip_responses_api_bridge"] = True
        if target.base:
            arguments["api_base"] = target.base
        if request.tools:
            arguments["tools"] = offered(request.tools)
        if forced:
            arguments["tool_choice"] = {"type": "function", "function": {"name": forced}}
        if target.provider == "anthropic":
            arguments["max_tokens"] = self._most(target.model)
        return arguments

    def _about(self, request: Request) -> dict[str, Any]:
        """What the library's bundled table says of a model; empty for one that it does not know."""
        prefix = _PRICED.get(request.target.provider, request.target.provider)
        if prefix is None:
            return {}
        name = f"{prefix}/{request.target.model}" if prefix else request.target.model
        table: dict[str, dict[str, Any]] = self._library.model_cost
        return table.get(name, {})

    def _traits(self, request: Request) -> Traits:
        about = self._about(request)
        return Traits(
            thinks=request.target.thinks,
            adaptive=bool(about.get("supports_adaptive_thinking")),
            none=about.get("supports_none_reasoning_effort") is True,
            minimal=about.get("supports_minimal_reasoning_effort") is not False,
        )

    def _most(self, model: str) -> int:
        """Anthropic wants a limit on the answer with every request: the largest that the model takes."""
        about: dict[str, Any] = self._library.model_cost.get(model, {})
        return int(about.get("max_output_tokens") or 64_000)

    def _priced(self, request: Request, usage: Usage) -> Usage:
        """The usage with its cost by the bundled table; 0 for a server of one's own, None where none is known."""
        if request.target.provider == "custom":
            return Usage(usage.prompt, usage.completion, usage.cached, 0.0)
        about = self._about(request)
        given, taken = about.get("input_cost_per_token"), about.get("output_cost_per_token")
        if given is None or taken is None:
            return usage
        cached = about.get("cache_read_input_token_cost", given)
        cost = (usage.prompt - usage.cached) * given + usage.cached * cached + usage.completion * taken
        return Usage(usage.prompt, usage.completion, usage.cached, float(cost))
