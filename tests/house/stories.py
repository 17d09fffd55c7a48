"""Stories for crash tests: short, and still with everything that can go wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.conversation import Incoming
    from tests.doubles.chat import World

EDITED = frozenset({"<e1>", "<e2>"})
TAKEN_BACK = frozenset({"<d2>"})


def everyday() -> list[Callable[[World], None]]:
    """A question, a burst, a lookup, a command, an edit and a deletion afterwards, a silence, a closing."""
    said: dict[str, Incoming] = {}

    def say(name: str, text: str, pause: float = 30) -> Callable[[World], None]:
        def act(world: World) -> None:
            world.clock.shift(pause)
            said[name] = world.say(text)

        return act

    def burst(world: World) -> None:
        world.clock.shift(30)
        for name in ("b1", "b2", "b3"):
            world.say(f"part <{name}>")

    def twice(world: World) -> None:
        """An edit and a redelivery of the same message."""
        world.deliver(said["one"])
        world.edit(said["one"], "edited <e1>")

    def edited_again(world: World) -> None:
        world.edit(said["one"], "edited <e2>")

    def taken_back(world: World) -> None:
        world.delete(said["two"])

    def hurried(world: World) -> None:
        """A message that is taken back before anybody could answer."""
        world.clock.shift(30)
        world.delete(world.say("oh no <d2>"))

    return [
        say("one", "first <m1>"),
        burst,
        say("two", "please recall <m2>"),
        say("page", "/timeline"),
        twice,
        edited_again,
        taken_back,
        hurried,
        say("three", "after a silence <m3>", pause=20 * 60),
        say("close", "/close"),
        say("four", "last <m4>"),
    ]


TOKENS = frozenset({"<m1>", "<b1>", "<b2>", "<b3>", "<m2>", "<e2>", "<d2>", "<m3>", "<m4>"})
UNANSWERED = frozenset({"<e2>", "<d2>"})
