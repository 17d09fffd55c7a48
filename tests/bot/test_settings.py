from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from bot.arguments import Arguments, parse
from bot.dwelling import StorageChoice, choose_storage
from bot.settings import Settings, given, load, system_locale
from bot.variables import VARIABLES, Suspect, example, suspects, within_one_edit
from core.errors import SettingsError

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "123456789:AAE-abcdefghijklmnopqrstuvwxyz_12345"
PLAIN = "AAE-abcdefghijklmnopqrstuvwxyz_12345"
GITHUB = {"GITHUB_TOKEN": "github_pat_1234567890", "GITHUB_REPO_OWNER": "mara", "GITHUB_REPO_NAME": "memory"}
OWN = Path("/own")
CLOUD = StorageChoice("github", Path("/own-mara-memory"), "settings.github", "push")


def test_the_example_file_is_the_one_that_the_table_makes() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == example()


def test_the_page_on_running_names_no_variable_that_is_not_there() -> None:
    text = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`?\b((?:TELEGRAM|DISCORD|GITHUB|PREVIOUSLY|ACCESS|WEBHOOK)_[A-Z_]+|PORT)\b", text))

    assert len(named) > 5
    assert named <= {variable.name for variable in VARIABLES}


def test_the_procfile_gives_the_signal_to_the_process_itself() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())

    assert lines == {"worker": "exec python -m bot", "web": "exec python -m bot"}


def test_the_example_file_is_printed_by_the_module() -> None:
    done = subprocess.run([sys.executable, "-m", "bot.settings"], cwd=ROOT, capture_output=True, check=True)

    assert done.stdout.decode() == example()


def test_the_table_and_the_settings_name_the_same_variables() -> None:
    secret = {name.upper() for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)}

    assert [variable.name for variable in VARIABLES] == [name.upper() for name in Settings.model_fields]
    assert {variable.name for variable in VARIABLES if variable.secret} == secret


def test_the_example_file_as_it_stands_sets_nothing(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(example(), encoding="utf-8")

    assert given({}, file) == {}


def test_nothing_set_gives_settings_without_secrets() -> None:
    settings = load({})

    assert settings.secrets() == ()


def test_the_environment_goes_before_the_file_and_empty_values_count_as_unset(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    text = f"STORAGE=demo\nPREVIOUSLY_HOME='/from file'\nexport TELEGRAM_BOT_TOKEN={TOKEN}\nGROQ_API_KEY=\n"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())

    found = given({"STORAGE": "local", "XAI_API_KEY": "", "OPENAI_API_KEY": "  "}, file)

    assert found == {"STORAGE": "local", "PREVIOUSLY_HOME": "/from file", "TELEGRAM_BOT_TOKEN": TOKEN}


def test_a_missing_file_sets_nothing(tmp_path: Path) -> None:
    assert given({"STORAGE": "demo"}, tmp_path / ".env") == {"STORAGE": "demo"}


def test_a_file_that_is_not_text_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("STORAGE=démo".encode("latin-1"))

    with pytest.raises(SettingsError, match=r"\.env: the file is not UTF-8 text"):
        given({}, file)


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("STORAGE", "s3", "write local or github or demo"),
        ("STORAGE", '"demo"', "remove the quotes"),
        ("TELEGRAM_BOT_TOKEN", "123:short", "copy it from BotFather"),
        ("TELEGRAM_BOT_TOKEN", f"'{TOKEN}'", "remove the quotes"),
        ("DISCORD_BOT_TOKEN", "two words", "without blanks"),
        ("OPENAI_API_KEY", "sk-“curly”", "visible ASCII"),
        ("OPENAI_API_KEY", "sk-1234\nsk-5678", "without blanks"),
        ("GITHUB_REPO_NAME", "https://host/owner/name", "no address"),
        ("GITHUB_REPO_OWNER", "owner/name", "no address"),
        ("TELEGRAM_OWNER_ID", "@mara", "numeric id"),
        ("TELEGRAM_OWNER_ID", "-1001234567890", "id of a group"),
        ("TELEGRAM_OWNER_ID", "12 34", "numeric id"),
        ("TELEGRAM_OWNER_ID", "٣٤٥٦", "numeric id"),
        ("TELEGRAM_BASE_URL", "api.telegram.org", "https://example.org"),
        ("TELEGRAM_BASE_URL", "https://user:word@host", "password"),
        ("TELEGRAM_FILE_URL", "ftp://host", "https://example.org"),
        ("WEBHOOK_URL", "http://bot.example.org", "https"),
        ("WEBHOOK_SECRET", "short-secret", "16 to 256"),
        ("WEBHOOK_SECRET", "sixteen.letters.and.dots", "dashes and underscores"),
        ("DISCORD_OWNER_ID", "mara#1234", "15 to 20 digits"),
        ("DISCORD_CHANNEL_ID", "123", "15 to 20 digits"),
        ("DISCORD_API_URL", "discord", "https://example.org"),
        ("DISCORD_GATEWAY_URL", "https://gateway.example.org", "wss://"),
        ("GITHUB_API_URL", "host/api", "https://example.org"),
        ("PREVIOUSLY_ACK", "later", "write disk or push"),
        ("PORT", "eighty", "write a whole number from 1 to 65535"),
        ("PORT", "65536", "from 1 to 65535"),
        ("PREVIOUSLY_BIND", "127.0.0.1:8080", "without a port"),
        ("ACCESS_SECRET", "hunter2", "can be guessed"),
        ("PREVIOUSLY_TRANSCRIBE", "whisper-large", "PROVIDER/MODEL"),
        ("PREVIOUSLY_TRANSCRIBE", "nobody/whisper-1", "providers are"),
        ("PREVIOUSLY_SEARXNG_URL", "localhost", "https://example.org"),
        ("BENCHMARK_BASE_URL", "../people", "https://example.org"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_the_fix_and_without_the_value(
    name: str, value: str, fix: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load({name: value})

    assert caught.value.variable == name
    assert str(caught.value).startswith(f"{name}: ")
    assert fix in str(caught.value)
    assert value not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("TELEGRAM_OWNER_ID", " 123456789 ", "123456789"),
        ("TELEGRAM_BASE_URL", "http://127.0.0.1:8081/", "http://127.0.0.1:8081"),
        ("DISCORD_OWNER_ID", "123456789012345678", "123456789012345678"),
        ("DISCORD_GATEWAY_URL", "ws://127.0.0.1:9000/", "ws://127.0.0.1:9000"),
        ("PREVIOUSLY_ACK", "PUSH", "push"),
        ("PORT", "8080", 8080),
        ("PREVIOUSLY_TRANSCRIBE", "OpenAI/whisper-1", "openai/whisper-1"),
        ("PREVIOUSLY_TRANSCRIBE", "custom/org/whisper", "custom/org/whisper"),
    ],
)
def test_a_right_value_is_taken_in_its_plain_form(name: str, value: str, found: object) -> None:
    assert getattr(load({name: value}), name.lower()) == found


@pytest.mark.parametrize("address", ["127.0.0.1", "::", "fd00::1", "localhost"])
def test_where_the_port_listens_may_be_chosen(address: str) -> None:
    assert load({"PORT": "80", "PREVIOUSLY_BIND": address}).previously_bind == address


@pytest.mark.parametrize(("name", "value"), [("WEBHOOK_URL", "https://bot.example.org"), ("PREVIOUSLY_BIND", "::1")])
def test_what_needs_a_port_is_refused_without_one(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match="set PORT too") as caught:
        load({name: value})

    assert caught.value.variable == name


@pytest.mark.parametrize("value", ["demo", "DEMO", "  Demo\t"])
def test_blanks_and_letter_case_of_a_choice_do_not_matter(value: str) -> None:
    assert load({"STORAGE": value}).storage == "demo"


def test_secrets_never_show_in_the_text_of_the_settings() -> None:
    names = [variable.name for variable in VARIABLES if variable.secret]

    settings = load({name: TOKEN if name == "TELEGRAM_BOT_TOKEN" else PLAIN for name in names})

    assert settings.secrets() == (TOKEN, *(PLAIN,) * (len(names) - 1))
    assert PLAIN not in f"{settings!r} {settings!s} {settings.model_dump()} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    ("variables", "home", "choice"),
    [
        ({}, None, StorageChoice("demo", None, "settings.demo_bare")),
        ({}, "/x", StorageChoice("local", Path("/x"), "settings.home_argument")),
        ({"STORAGE": "demo"}, None, StorageChoice("demo", None, "settings.demo_asked")),
        ({"STORAGE": "demo"}, "/x", StorageChoice("local", Path("/x"), "settings.home_argument")),
        ({"STORAGE": "demo", "PREVIOUSLY_HOME": "/y"}, None, StorageChoice("demo", None, "settings.demo_asked")),
        ({"STORAGE": "demo", "TELEGRAM_BOT_TOKEN": TOKEN}, None, StorageChoice("demo", None, "settings.demo_asked")),
        ({"STORAGE": "demo", **GITHUB}, None, StorageChoice("demo", None, "settings.demo_asked")),
        ({"STORAGE": "local"}, None, StorageChoice("local", OWN, "settings.home_default")),
        ({"STORAGE": "local", **GITHUB}, None, StorageChoice("local", OWN, "settings.home_default")),
        ({"PREVIOUSLY_HOME": "/y"}, None, StorageChoice("local", Path("/y"), "settings.home_variable")),
        ({"PREVIOUSLY_HOME": "/y"}, "/x", StorageChoice("local", Path("/x"), "settings.home_argument")),
        ({"TELEGRAM_BOT_TOKEN": TOKEN}, None, StorageChoice("local", OWN, "settings.home_default")),
        ({"DISCORD_BOT_TOKEN": "abc"}, None, StorageChoice("local", OWN, "settings.home_default")),
        (
            {"DISCORD_BOT_TOKEN": "abc", "PREVIOUSLY_HOME": "/y"},
            None,
            StorageChoice("local", Path("/y"), "settings.home_variable"),
        ),
        ({"DEEPSEEK_API_KEY": "abc"}, None, StorageChoice("demo", None, "settings.demo_bare")),
        (
            {"GITHUB_TOKEN": "abc"},
            None,
            StorageChoice("demo", None, "settings.demo_bare", notice="settings.github_unnamed"),
        ),
        (
            {"GITHUB_TOKEN": "abc", "GITHUB_REPO_OWNER": "mara", "PREVIOUSLY_HOME": "/y"},
            None,
            StorageChoice("local", Path("/y"), "settings.home_variable", notice="settings.github_unnamed"),
        ),
        (GITHUB, None, CLOUD),
        ({"STORAGE": "github", **GITHUB}, None, CLOUD),
        ({"PREVIOUSLY_HOME": "/y", **GITHUB}, None, StorageChoice("github", Path("/y"), "settings.github_home")),
        (
            {"STORAGE": "github", **GITHUB},
            "/x",
            StorageChoice("github", Path("/x"), "settings.github_home"),
        ),
        (
            {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_OWNER_ID": "7", **GITHUB},
            None,
            CLOUD,
        ),
        (
            {"TELEGRAM_BOT_TOKEN": TOKEN, "PREVIOUSLY_ACK": "disk", **GITHUB},
            None,
            StorageChoice("github", OWN.with_name(f"{OWN.name}-mara-memory"), "settings.github"),
        ),
        (GITHUB, "/x", StorageChoice("local", Path("/x"), "settings.home_argument")),
    ],
)
def test_where_memory_lives(variables: dict[str, str], home: str | None, choice: StorageChoice) -> None:
    arguments = Arguments(home=Path(home) if home else None)

    assert choose_storage(load(variables), arguments, own=OWN) == choice


@pytest.mark.parametrize(
    ("variables", "variable"),
    [
        ({"STORAGE": "github"}, "GITHUB_TOKEN"),
        ({"STORAGE": "github", "GITHUB_TOKEN": "abc"}, "GITHUB_REPO_OWNER"),
        ({"TELEGRAM_BOT_TOKEN": TOKEN, "GITHUB_TOKEN": "abc"}, "GITHUB_REPO_OWNER"),
        ({"DISCORD_BOT_TOKEN": "x", "GITHUB_TOKEN": "abc", "GITHUB_REPO_OWNER": "mara"}, "GITHUB_REPO_NAME"),
        ({"TELEGRAM_BOT_TOKEN": TOKEN, **GITHUB}, "TELEGRAM_OWNER_ID"),
        ({"DISCORD_BOT_TOKEN": "x", **GITHUB}, "DISCORD_OWNER_ID"),
        ({"DISCORD_BOT_TOKEN": "x", "PREVIOUSLY_HOME": "/y", "PREVIOUSLY_ACK": "push", **GITHUB}, "DISCORD_OWNER_ID"),
    ],
)
def test_github_without_what_it_needs_is_refused_and_never_replaced(variables: dict[str, str], variable: str) -> None:
    with pytest.raises(SettingsError) as caught:
        choose_storage(load(variables), Arguments(), own=OWN)

    assert caught.value.variable == variable


def test_the_folder_of_its_own_stands_in_the_persons_home() -> None:
    choice = choose_storage(load({"STORAGE": "local"}), Arguments())

    assert choice.home == Path.home() / "previously"


def test_a_relative_home_is_made_absolute_and_a_tilde_is_the_persons_home() -> None:
    settings = load({"PREVIOUSLY_HOME": "~/my memory"})

    assert choose_storage(settings, Arguments()).home == Path.home() / "my memory"
    assert choose_storage(settings, Arguments(home=Path("here"))).home == Path.cwd() / "here"


@pytest.mark.parametrize(("home", "why"), [("~nobody-has-this-name/x", "name another"), ("file", "is a file")])
def test_a_home_that_cannot_be_a_folder_is_refused(tmp_path: Path, home: str, why: str) -> None:
    (tmp_path / "file").touch()
    path = home if home.startswith("~") else str(tmp_path / home)

    with pytest.raises(SettingsError, match=why) as caught:
        choose_storage(load({"PREVIOUSLY_HOME": path}), Arguments())

    assert caught.value.variable == "PREVIOUSLY_HOME"


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        ("STORAG", "STORAGE"),
        ("STORAEG", "STORAGE"),
        ("STORAGES", "STORAGE"),
        ("storage", "STORAGE"),
        ("PREVIOUSLY_HOMES", "PREVIOUSLY_HOME"),
        ("PREVIOSLY_HOME", "PREVIOUSLY_HOME"),
        ("PREVIOUSLYHOME", "PREVIOUSLY_HOME"),
        ("TELEGRAM_BOT_TOKN", "TELEGRAM_BOT_TOKEN"),
        ("OPENAI_APIKEY", "OPENAI_API_KEY"),
        ("PREVIOUSLY_SAMPLE", "PREVIOUSLY_SAMPLES"),
        ("PREVIOUSLY_COLOUR", ""),
        ("PREVIUOSLY_COLOUR", ""),
    ],
)
def test_a_name_within_one_edit_is_pointed_out(found: str, meant: str) -> None:
    assert suspects(["PATH", found, "STORAGE"]) == [Suspect(found, meant)]


@pytest.mark.parametrize(
    "name",
    [
        "STORAGE",
        "PREVIOUSLY_SAMPLES",
        "PREVIOUSLY_BENCH",
        "ZAI_API_KEY",
        "PATH",
        "HOME",
        "TOKEN",
        "GOOGLE_APP_KEY_1",
        "",
    ],
)
def test_known_and_distant_names_are_not_pointed_out(name: str) -> None:
    assert suspects([name]) == []


def test_no_variable_of_ours_is_a_mistake_for_another() -> None:
    assert suspects(variable.name for variable in VARIABLES) == []


def slow_distance(one: str, other: str) -> int:
    """Damerau and Levenshtein's distance (optimal string alignment) by its table."""
    rows = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@examples(st.text("AB_", max_size=6), st.text("AB_", max_size=6))
def test_one_edit_is_what_the_distance_says(one: str, other: str) -> None:
    assert within_one_edit(one, other) == (slow_distance(one, other) <= 1)


@pytest.mark.parametrize(
    ("variables", "locale"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
    ],
)
def test_the_systems_language_chooses_the_locale(variables: dict[str, str], locale: str) -> None:
    assert system_locale(variables) == locale


@pytest.mark.parametrize(
    ("argv", "arguments"),
    [
        ([], Arguments()),
        (["--home", "x"], Arguments(home=Path("x"))),
        (["--locale", "zh", "--home=a b"], Arguments(home=Path("a b"), locale="zh")),
        (["--terminal"], Arguments(terminal=True)),
        (["doctor"], Arguments(command="doctor")),
        (["--home", "x", "doctor", "--fix", "--locale", "zh"], Arguments(Path("x"), "zh", command="doctor", fix=True)),
    ],
)
def test_the_command_line_is_read(argv: list[str], arguments: Arguments) -> None:
    assert parse(argv) == arguments


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["--help"], 0),
        (["--version"], 0),
        (["--hom", "x"], 2),
        (["--home", " "], 2),
        (["--locale", "fr"], 2),
        (["x"], 2),
    ],
)
def test_help_version_and_mistakes_end_the_process(argv: list[str], code: int) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(argv)

    assert caught.value.code == code


@pytest.mark.parametrize("flag", ["--help", "--version", "--home"])
def test_help_and_mistakes_are_answered_without_loading_any_package(flag: str) -> None:
    code = (
        "import sys; before = set(sys.modules); from bot.launch import main\n"
        f"sys.argv[1:] = ['{flag}']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "new = {n: getattr(sys.modules[n], '__file__', '') for n in set(sys.modules) - before}\n"
        "heavy = [name for name, file in new.items() if 'site-packages' in (file or '')]\n"
        "assert heavy == [], heavy"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)

    assert (done.returncode, done.stderr if flag != "--home" else b"") == (0, b"")


@pytest.mark.parametrize("broken", ["this is broken", 'PORT="80'])
def test_a_broken_line_of_the_file_is_named_by_its_number(tmp_path: Path, broken: str) -> None:
    file = tmp_path / ".env"
    file.write_text(f"# mine\nSTORAGE=demo\n{broken}\n", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"\.env, line 3: write NAME=value"):
        given({}, file)
