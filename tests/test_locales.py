from __future__ import annotations

import ast
import builtins
import re
import string
from collections import Counter

import pytest
import yaml
from babel import Locale

from core import errors
from core.i18n import LOCALES, Words, load_words
from tests.tree import PACKAGES, ROOT, called, calls, docstrings, modules, name, parsed


def is_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)


WORDS = load_words(ROOT / "locales")
PRODUCT = {name(path): parsed(path) for path in modules(*PACKAGES)}
KEY = re.compile(r"[a-z][a-z_]*(\.[A-Za-z0-9_]+)+")
CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
SENTENCE = re.compile(r"[A-Za-z][a-z']*,? [A-Za-z]*[a-z'][a-z']* [A-Za-z']")
# A date is written from other fields in each language.
OWN_FIELDS = {"relative.stamp", "relative.monthDay", "timeline.monthName", "offline.day"}
# Where Chinese is data, not words for people: what is recognised in a person's text, and where its lines may break.
RECOGNISES_CHINESE = (
    *("core/language/", "core/relative", "core/identity.py", "core/card/", "core/recall/", "core/llm/offline/"),
    *("core/slices/scalars.py", "adapters/terminal/wrap.py", "adapters/prose.py"),
    *("adapters/telegram/emphasis.py", "adapters/telegram/parting.py"),
)
# Errors and the log are for the operator, and a model hears what a tool refused.
LOGGING = {"debug", "info", "warning", "error", "exception", "critical"}
RAISED = {name for module in (builtins, errors) for name, kind in vars(module).items() if is_error(kind)}
SPEAKS_TO_OPERATORS = (
    *(
        "bot/variables.py",
        "bot/settings.py",
        "bot/checks.py",
        "bot/arguments.py",
        "bot/logs.py",
        "core/errors.py",
        "core/storage/",
    ),
    "core/slices/",
)
MODELS_PAGES = (
    *("prompt", "brief", "notice", "links", "tools", "desk", "ranges", "specs", "recalling", "reading"),
    *("browsing", "filing", "thinking", "taint"),
)
SPEAKS_TO_MODELS = (
    *(f"core/turn/{part}.py" for part in MODELS_PAGES),
    *("core/recall/", "core/marks.py", "core/llm/", "core/agent/", "core/web/", "core/card/", "core/identity.py"),
    *("core/strands/", "core/timeline/"),
)
KNOWS_LANGUAGES = ("core/language/", "core/relative/spoken.py")
WRITES_THE_COGNITION_LOG = ("core/turn/keeping.py",)
STYLES = {"not bold dim", "not bold default"}


def fields(message: str | dict[str, str]) -> set[str]:
    forms = message.values() if isinstance(message, dict) else (message,)
    return {field for form in forms for _, field, _, _ in string.Formatter().parse(form) if field is not None}


def literals(tree: ast.AST) -> list[ast.Constant]:
    alone = docstrings(tree)
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in alone)
    return [node for node in nodes if isinstance(node.value, str)]


def constants() -> set[str]:
    return {str(node.value) for tree in PRODUCT.values() for node in literals(tree)}


def patterns() -> list[re.Pattern[str]]:
    """The keys that f-strings can make, where these begin with a dotted literal."""
    found = []
    for tree in PRODUCT.values():
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
            parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[A-Za-z0-9_.]+" for p in node.values]
            if re.match(r"[a-z][a-z_]*\\\.", parts[0]):
                found.append(re.compile("".join(parts)))
    return found


def asked() -> list[tuple[str, str, set[str] | None]]:
    """Every key that is asked for by name: where, the key, and the fields given (None: not written out there)."""
    found: list[tuple[str, str, set[str] | None]] = []
    for place, tree in PRODUCT.items():
        for call in calls(tree):
            if not called(call).endswith("words") or not call.args:
                continue
            given = {word.arg for word in call.keywords if word.arg}
            loose = any(word.arg is None for word in call.keywords)
            choices = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
            keys = [key for key in choices if isinstance(key, str) and KEY.fullmatch(key)]
            if not isinstance(call.args[0], ast.JoinedStr):
                found += [(f"{place}:{call.lineno}", key, None if loose else given) for key in keys]
    return found


def test_every_locale_has_the_same_keys() -> None:
    english, chinese = (set(WORDS[locale].messages) for locale in LOCALES)

    assert english ^ chinese == set()


def test_no_key_stands_twice_in_a_file() -> None:
    # The reader of YAML would keep the last one without a word.
    for locale in LOCALES:
        node = yaml.compose((ROOT / "locales" / f"{locale}.yaml").read_text(encoding="utf-8"))
        assert isinstance(node, yaml.MappingNode)
        counts = Counter(key.value for key, _ in node.value)
        assert [key for key, count in counts.items() if count > 1] == []


def test_every_key_is_flat_and_dotted() -> None:
    assert [key for key in WORDS["en"].messages if not KEY.fullmatch(key)] == []


def test_every_message_has_the_same_fields_in_every_locale() -> None:
    english, chinese = (WORDS[locale].messages for locale in LOCALES)

    differing = {key for key in english if fields(english[key]) != fields(chinese[key])}

    assert differing <= OWN_FIELDS


@pytest.mark.parametrize("locale", LOCALES)
def test_every_plural_message_has_exactly_the_forms_of_its_language(locale: str) -> None:
    forms = set(Locale.parse(locale).plural_form.tags) | {"other"}
    plural = {key: set(message) for key, message in WORDS[locale].messages.items() if isinstance(message, dict)}

    assert {key: found for key, found in plural.items() if found != forms} == {}


@pytest.mark.parametrize("locale", LOCALES)
def test_no_message_is_empty(locale: str) -> None:
    texts = {
        (key, text)
        for key, message in WORDS[locale].messages.items()
        for text in (message.values() if isinstance(message, dict) else (message,))
    }

    assert [key for key, text in texts if not text.strip()] == []


def test_every_message_in_chinese_is_chinese_or_has_no_words() -> None:
    untranslated = {
        key
        for key, message in WORDS["zh"].messages.items()
        for text in (message.values() if isinstance(message, dict) else (message,))
        if not CHINESE.search(text) and re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}|Previously", "", text))
    }

    assert untranslated == set()


def test_every_key_that_the_code_asks_for_exists() -> None:
    wanted = asked()

    assert wanted
    assert [(place, key) for place, key, _ in wanted if key not in WORDS["en"].messages] == []


def test_the_code_gives_every_field_that_a_message_needs() -> None:
    missing = []
    for place, key, given in asked():
        needs = {field for locale in LOCALES for field in fields(WORDS[locale].messages.get(key, ""))}
        plural = any(isinstance(WORDS[locale].messages.get(key), dict) for locale in LOCALES)
        if given is not None and not needs | ({"n"} if plural else set()) <= given:
            missing.append((place, key, needs - given))

    assert missing == []


def test_every_key_is_used() -> None:
    named, made = constants(), patterns()
    heads = {text for text in named if KEY.fullmatch(text)}

    unused = [
        key
        for key in WORDS["en"].messages
        if key not in named
        and not any(pattern.fullmatch(key) for pattern in made)
        and not any(key.startswith(f"{head}.") for head in heads)
    ]

    assert unused == []


def test_chinese_stands_in_the_locales_and_where_it_is_recognised() -> None:
    found = {
        f"{place}:{node.lineno}"
        for place, tree in PRODUCT.items()
        if not place.startswith((*RECOGNISES_CHINESE, *SPEAKS_TO_MODELS))
        for node in literals(tree)
        if CHINESE.search(str(node.value))
    }

    assert found == set()


def test_no_sentence_for_people_stands_in_the_code() -> None:
    found = []
    for place, tree in PRODUCT.items():
        if place.startswith((*SPEAKS_TO_OPERATORS, *SPEAKS_TO_MODELS, *KNOWS_LANGUAGES, *WRITES_THE_COGNITION_LOG)):
            continue
        calm = [node for call in calls(tree) if called(call) in RAISED | LOGGING for node in literals(call)]
        found += [
            f"{place}:{node.lineno}: {node.value!r}"
            for node in literals(tree)
            if node not in calm and node.value not in STYLES and SENTENCE.search(str(node.value))
        ]

    assert found == []


def test_a_message_is_filled_in_both_locales() -> None:
    english, chinese = WORDS["en"], WORDS["zh"]

    assert english("settings.suspect", found="A", meant="B") == "A is set but not read. Did you mean B?"
    assert chinese("settings.suspect", found="A", meant="B").startswith("设置了 A")


def test_an_unknown_key_and_a_missing_field_are_told() -> None:
    words = Words("en", {"a.b": "{x}", "a.n": {"one": "{n} thing", "other": "{n} things"}})

    assert [words("a.n", n=n) for n in (1, 2)] == ["1 thing", "2 things"]
    for key, given in (("a.c", {}), ("a.b", {}), ("a.n", {"n": "1"})):
        with pytest.raises(KeyError):
            words(key, **given)
