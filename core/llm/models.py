"""The models as the house uses them: one that answers, one for the work inside, chosen anew for every call."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from core.errors import OverBudget, Unavailable
from core.llm import roles
from core.llm.catalog import Catalog, Lister, Silent
from core.llm.ceiling import Ceiling, Spending, Spent, State
from core.llm.driver.limits import DEFAULT_PATIENCE, Patience
from core.llm.driver.model import DrivenModel
from core.llm.driver.signatures import Signatures
from core.llm.driver.wire import Target, Wire
from core.llm.fallback import DOWN, KEY, FallbackModel
from core.llm.offline.model import OfflineModel
from core.llm.providers import PROVIDERS, Access, Entry, variable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.clock import Clock
    from core.config import Config, Preferences
    from core.i18n import Words
    from core.llm.base import ChatModel, Listen, Message, ToolSpec, Usage
    from core.llm.effort import Thinking

Effort = Literal["low", "medium", "high"]

_log = logging.getLogger("previously.models")


@dataclass(frozen=True, slots=True)
class Wish:
    """What one request wants otherwise than the settings: "answer again with ...", a fragment of thinking."""

    model: str = ""
    thinking: bool | None = None
    effort: Effort | None = None


NO_WISH: Final = Wish()


@dataclass(frozen=True, slots=True)
class Description:
    """What is in force: for `/model`, `/status` and `/why`. `main` is None while no key is set.

    `missing` and `worker_missing` are ids of the settings that are not to be had; `thinking` is "" for off; `down`
    says that the model failed a moment ago, so that memory alone answers, `silent` who named no model just now.
    """

    main: Entry | None = None
    missing: str = ""
    worker: Entry | None = None
    worker_missing: str = ""
    thinking: Thinking = ""
    effort: Effort = "medium"
    entries: tuple[Entry, ...] = ()
    ceiling: Ceiling | None = None
    spent: Spent = field(default_factory=Spent)
    state: State = "open"
    down: bool = False
    silent: tuple[Silent, ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """What every model of the house is made of. `ceiling` holds where the person has set none."""

    access: Access
    catalog: Catalog
    wire: Wire
    clock: Clock
    config: Config
    spending: Spending
    ceiling: Ceiling | None
    patience: Patience
    signatures: Signatures

    def ceiling_of(self, preferences: Preferences) -> Ceiling | None:
        """The ceiling in force."""
        own = preferences.bot.ceiling
        return self.ceiling if own is None else Ceiling(own)


class RoutedModel:
    """The model of a role, as settings, catalog and ceiling have it at the moment of the call."""

    def __init__(self, parts: Parts, role: Literal["main", "worker"], wish: Wish = NO_WISH) -> None:
        self._parts = parts
        self._role = role
        self._wish = wish
        self._last = wish.model or role

    @property
    def name(self) -> str:
        """The id of the model that was asked last; before that the one wished for, or the role."""
        return self._last

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        """The next message. Raises as `DrivenModel` does, and `OverBudget` at the ceiling."""
        parts = self._parts
        preferences = await parts.config.load()
        zone = preferences.bot.zone
        self._mind(parts.spending.state(parts.ceiling_of(preferences), zone))
        chosen = self._choose(await parts.catalog.entries(), preferences)
        thinking = thinking_of(preferences, self._wish) if self._role == "main" else ""
        self._last = chosen.entry.id
        _log.info("%s model=%s thinking=%s", self._role, chosen.entry.id, thinking or "off")
        model = DrivenModel(
            parts.wire,
            target(parts.access, chosen.entry),
            parts.clock,
            thinking=thinking,
            patience=parts.patience,
            signatures=parts.signatures,
        )
        message = await model.complete(messages, tools, on_event)
        parts.spending.add(message.usage, zone)
        return message

    def _mind(self, state: State) -> None:
        if state == "shut":
            raise OverBudget("the ceiling of the day is reached", key="model.ceiling")
        if state == "thrift" and self._role == "worker":
            raise OverBudget("near the ceiling of the day only answers are paid for", key="model.thrift")

    def _choose(self, entries: tuple[Entry, ...], preferences: Preferences) -> roles.Chosen:
        chosen = roles.main(entries, preferences.user, self._wish.model)
        if chosen is None:
            refused = [one for one in self._parts.catalog.silent if one.refused]
            if refused:
                raise Unavailable("the key is refused", key="model.key", model="", variable=refused[0].variable)
            raise Unavailable("no provider names a model", key="model.none")
        return chosen if self._role == "main" else roles.worker(entries, preferences.user, chosen.entry)


class Models:
    """The house's models. `main` answers and falls back to memory alone, `worker` raises when it cannot be had."""

    def __init__(self, parts: Parts, words: Mapping[str, Words], *, keeps: bool = True) -> None:
        """`keeps` says whether what is said outlives the process."""
        self._parts = parts
        self._bare = OfflineModel(words, keeps=keeps)
        self._stand_in = partial(OfflineModel, words, keeps=keeps)
        self.main: ChatModel = self.asked(NO_WISH)
        self.worker: ChatModel = RoutedModel(parts, "worker") if parts.catalog.configured else self._bare

    @property
    def configured(self) -> bool:
        """Whether there is any model but the offline one."""
        return self._parts.catalog.configured

    def asked(self, wish: Wish) -> ChatModel:
        """The model that answers, for one request that wants it otherwise."""
        if not self.configured:
            return self._bare
        return FallbackModel(RoutedModel(self._parts, "main", wish), self._stand_in, self._parts.clock)

    def direct(self, wish: Wish) -> ChatModel:
        """As `asked`, for what only a language model can do: it raises where memory alone would answer."""
        return RoutedModel(self._parts, "main", wish)

    def count(self, usage: Usage) -> None:
        """Count what a provider did for us apart from answering: a search."""
        if usage.prompt or usage.completion:
            self._parts.spending.add(usage)

    async def describe(self, wish: Wish = NO_WISH) -> Description:
        """What is in force. Raises what the settings raise when they cannot be read."""
        preferences = await self._parts.config.load()
        entries = await self._parts.catalog.entries()
        ceiling, zone = self._parts.ceiling_of(preferences), preferences.bot.zone
        state, spent = self._parts.spending.state(ceiling, zone), self._parts.spending.today(zone)
        chosen = roles.main(entries, preferences.user, wish.model)
        if chosen is None:
            return Description(
                thinking=thinking_of(preferences, wish),
                effort=wish.effort or preferences.user.model.effort,
                ceiling=ceiling,
                spent=spent,
                state=state,
                down=self._down,
                silent=self._parts.catalog.silent,
            )
        light = roles.worker(entries, preferences.user, chosen.entry)
        return Description(
            main=chosen.entry,
            missing=chosen.missing,
            worker=light.entry,
            worker_missing=light.missing,
            thinking=thinking_of(preferences, wish),
            effort=wish.effort or preferences.user.model.effort,
            entries=entries,
            ceiling=ceiling,
            spent=spent,
            state=state,
            down=self._down,
        )

    def wake(self) -> None:
        """Ask the model with the next message even though one failed a moment ago: it may be another one now."""
        if isinstance(self.main, FallbackModel):
            self.main.wake()

    @property
    def _down(self) -> bool:
        return isinstance(self.main, FallbackModel) and self.main.down in {DOWN, KEY}


def build_models(  # noqa: PLR0913 - the composition root hands over what differs between a house and a test
    access: Access,
    clock: Clock,
    words: Mapping[str, Words],
    config: Config,
    *,
    wire: Wire,
    lister: Lister,
    spending: Spending | None = None,
    ceiling: Ceiling | None = None,
    patience: Patience = DEFAULT_PATIENCE,
    keeps: bool = True,
) -> Models:
    """The models for these keys; nothing is imported, connected or listed before the first call.

    `keeps` says whether what is said outlives the process.
    """
    parts = Parts(
        access=access,
        catalog=Catalog(access, lister, clock),
        wire=wire,
        clock=clock,
        config=config,
        spending=spending or Spending(clock),
        ceiling=ceiling,
        patience=patience,
        signatures=Signatures(),
    )
    return Models(parts, words, keeps=keeps)


def thinking_of(preferences: Preferences, wish: Wish) -> Thinking:
    """How hard the answering model thinks, "" for not at all."""
    wanted = preferences.user.model
    on = wanted.thinking if wish.thinking is None else wish.thinking
    return (wish.effort or wanted.effort) if on else ""


def target(access: Access, entry: Entry) -> Target:
    """Where a model is reached. A key goes to its own provider, or to the address that was set for that provider."""
    provider, named = PROVIDERS.get(entry.provider), variable(access, entry.provider)
    base = access.bases.get(entry.provider, "") or (provider.base if provider else "")
    return Target(entry.provider, entry.id, access.keys.get(entry.provider, ""), base, entry.thinks, named)
