"""Stories for crash tests: short, and still with everything that can go wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.house.life import Act
    from tests.house.person import Person


def say(name: str, text: str = "{}", pause: float = 30) -> Act:
    def act(person: Person) -> None:
        person.tell(name, text, pause)

    return act


def command(text: str, pause: float = 30) -> Act:
    return lambda person: person.command(text, pause)


def burst(*names: str) -> Act:
    """Several messages at once."""

    def act(person: Person) -> None:
        person.clock.shift(30)
        for name in names:
            person.tell(name)

    return act


def twice(name: str, token: str) -> Act:
    """An edit and a redelivery of the same message."""

    def act(person: Person) -> None:
        person.repeat(name)
        person.mend(name, token)

    return act


def mend(name: str, token: str) -> Act:
    return lambda person: person.mend(name, token)


def take_back(name: str) -> Act:
    return lambda person: person.take_back(name)


def hurried(name: str) -> Act:
    """A message that is taken back before anybody could answer."""

    def act(person: Person) -> None:
        person.tell(name, pause=30)
        person.hushed.add(name)
        person.take_back(name)

    return act


def crowd(first: str, second: str, then: str) -> Act:
    """A message, a command that writes, and another message, all before the house can look."""

    def act(person: Person) -> None:
        person.tell(first, pause=30)
        person.command(second)
        person.tell(then)

    return act


def picture(name: str, text: str = "{}", pause: float = 30) -> Act:
    def act(person: Person) -> None:
        person.send(name, text, pause)

    return act


def album(*names: str) -> Act:
    """Several pictures at once, each with its caption."""

    def act(person: Person) -> None:
        person.clock.shift(30)
        for name in names:
            person.send(name, group="album")

    return act


def regretted(name: str) -> Act:
    """A picture that is taken back before anybody could answer."""

    def act(person: Person) -> None:
        person.send(name, pause=30)
        person.hushed.add(name)
        person.take_back(name)

    return act


EVERYDAY: tuple[Act, ...] = (
    say("m1"),
    burst("b1", "b2", "b3"),
    say("m2", "please recall {}"),
    command("/timeline"),
    twice("m1", "e1"),
    mend("m1", "e2"),
    take_back("m2"),
    hurried("h1"),
    say("m3", "after a silence {}", pause=20 * 60),
    command("/close"),
    say("m4"),
    crowd("c1", "/close", "c2"),
    lambda person: person.repeat("m1"),
)
"""A question, a burst, a lookup, a command, an edit and a deletion afterwards, a silence, two closings, an echo."""

BRIEF: tuple[Act, ...] = (say("m1", "recall {}"), twice("m1", "e1"), say("m2", pause=20 * 60))
"""The least that has a lookup, an edit, a redelivery, a closing and two slices: for runs of two crashes."""

PICTURES: tuple[Act, ...] = (
    picture("p1"),
    album("p2", "p3"),
    regretted("r1"),
    picture("p4", "after a silence {}", 20 * 60),
    mend("p4", "e4"),
    say("m1"),
)
"""Pictures that open a slice, join one, come together, are taken back, and have their caption edited."""

PLAIN: tuple[Act, ...] = (say("m1"), burst("b1", "b2"), command("/close"), say("m2", "please recall {}"))
"""Talk, a closing and talk again: for runs in which the disk refuses."""
