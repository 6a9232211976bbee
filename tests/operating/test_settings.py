"""Settings: flags before the environment before a file; a wrong setting is refused with its key, its place and a code."""

from __future__ import annotations

import json
import tomllib
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.settings import PREFIX
from cardledger_web.commands.serve import serve
from tests.documents import DOCUMENTS

ROOT = Path(__file__).parent.parent.parent
CONTEXT = click.Context(serve)
UNSET = click.Option(["--nothing"]).default
OPTIONS = [
    option
    for option in serve.params
    if isinstance(option, click.Option) and option.name != "path" and option.allow_from_autoenv
]


def run(*words: str, text: str | None = None, name: str = "cardledger.toml", **env: str) -> tuple[int, str]:
    """Run a command in an empty folder with a file of settings; return its status and all it says."""
    with TemporaryDirectory() as folder, chdir(folder):
        if text is not None:
            Path(name).write_text(text, encoding="latin-1")
        result = CliRunner().invoke(main, words, prog_name="cardledger", env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def settings(*words: str, **more) -> dict[str, tuple[object, str]]:
    """Return every setting with where it was said."""
    status, said = run(*words, "config", **more) if "config" not in words else run(*words, **more)
    assert status == 0, said
    values = tomllib.loads(said)
    where = {line.split(" = ")[0]: line.rpartition("# ")[2].strip() for line in said.splitlines() if " = " in line}
    flat = {"db": values["db"], **values["serve"]}
    return {key: (value, where[key]) for key, value in flat.items()}


def test_a_flag_goes_before_the_environment_and_that_before_the_file() -> None:
    text = 'db = "file.db"\n[serve]\nport = 1001\nhost = "127.0.0.3"\nrate = 5\nlog = "text"\n'
    env = {"CARDLEDGER_SERVE_PORT": "1002", "CARDLEDGER_SERVE_HOST": "127.0.0.2", "CARDLEDGER_DB": "env.db"}
    found = settings("config", "--port", "1003", text=text, **env)
    assert found["port"] == (1003, "--port")
    assert found["host"] == ("127.0.0.2", "CARDLEDGER_SERVE_HOST")
    assert found["db"] == ("env.db", "CARDLEDGER_DB")
    assert found["rate"] == (5.0, "cardledger.toml")
    assert found["log"] == ("text", "cardledger.toml")
    assert found["metrics"] == ("local", "default")
    assert settings(text=text)["db"] == ("file.db", "cardledger.toml")


def test_the_file_may_have_another_name() -> None:
    text = "[serve]\nport = 1001\n"
    assert settings(text=text, name="other.toml")["port"] == (8000, "default")
    assert settings("--config", "other.toml", text=text, name="other.toml")["port"] == (1001, "other.toml")
    assert settings(text=text, name="other.toml", CARDLEDGER_CONFIG="other.toml")["port"] == (1001, "other.toml")


def test_every_command_takes_the_ledger_from_the_file() -> None:
    assert "no ledger at club.db" in run("matches", text='db = "club.db"')[1]
    assert "no ledger at env.db" in run("matches", text='db = "club.db"', CARDLEDGER_DB="env.db")[1]
    assert "no ledger at cardledger.db" in run("matches")[1]


def test_lists_and_switches_can_be_set_everywhere() -> None:
    text = '[serve]\ncors = ["https://a.example", "https://b.example"]\nopen-reading = true\n'
    found = settings(text=text)
    assert found["cors"] == (["https://a.example", "https://b.example"], "cardledger.toml")
    assert found["open-reading"] == (True, "cardledger.toml")
    env = {"CARDLEDGER_SERVE_CORS": "https://c.example *", "CARDLEDGER_SERVE_OPEN_READING": "false"}
    found = settings(text=text, **env)
    assert found["cors"] == (["https://c.example", "*"], "CARDLEDGER_SERVE_CORS")
    assert found["open-reading"] == (False, "CARDLEDGER_SERVE_OPEN_READING")


def test_the_output_of_config_is_a_valid_config() -> None:
    _, said = run("config", "--port", "1003", "--cors", "*", "--views", 'a "b".db', "--no-open-reading", "--db", "c.db")
    first, again = tomllib.loads(said), settings(text=said)
    assert {key: value for key, (value, _) in again.items()} == {"db": first["db"], **first["serve"]}
    assert all(where == "cardledger.toml" for _, where in again.values())


def test_secrets_are_not_shown() -> None:
    url = "postgresql://club:hunter2@db.example.org/ledger"
    for words, env, text in ((("--db", url), {}, None), ((), {"CARDLEDGER_DB": url}, None), ((), {}, f'db = "{url}"')):
        status, said = run("config", *words, text=text, **env)
        assert (status, "db.example.org" in said, "hunter2" in said) == (0, True, False)


def test_config_as_json_has_values_and_sources_and_no_secrets() -> None:
    text = '[serve]\nport = 1001\ncors = ["https://a.example"]\n'
    status, said = run("config", "--json", "--db", "postgresql://club:hunter2@db.example.org/ledger", text=text)
    found = json.loads(said)
    assert status == 0
    assert found["port"] == {"value": 1001, "source": "cardledger.toml"}
    assert found["cors"] == {"value": ["https://a.example"], "source": "cardledger.toml"}
    assert found["views"] == {"value": None, "source": "default"}
    assert "hunter2" not in said
    assert found.keys() == settings(text=text).keys() | {key for key, one in found.items() if one["value"] is None}


def test_json_is_no_setting() -> None:
    assert "serve.json is not a setting" in run("config", text="[serve]\njson = true\n")[1]
    assert "CARDLEDGER_SERVE_JSON is not a setting" in run("config", CARDLEDGER_SERVE_JSON="true")[1]


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("[serve]\nprot = 1\n", "config.key", "cardledger.toml: serve.prot is not a setting; did you mean port?"),
        (
            "[serve]\nopen_reading = true\n",
            "config.key",
            "serve.open_reading is not a setting; did you mean open-reading?",
        ),
        ("port = 1\n", "config.key", "cardledger.toml: port is not a setting"),
        ("[demo]\nport = 1\n", "config.key", "cardledger.toml: demo is not a setting"),
        ('[serve]\ndb = "x"\n', "config.key", "serve.db is not a setting"),
        ("[serve]\nport = 70000\n", "config.value", "cardledger.toml: serve.port: 70000"),
        ('[serve]\nport = "80"\n', "config.value", "cardledger.toml: serve.port"),
        ("[serve]\nport = 80.5\n", "config.value", "cardledger.toml: serve.port"),
        ("[serve]\nport = true\n", "config.value", "cardledger.toml: serve.port"),
        ("[serve]\nhost = 1\n", "config.value", "cardledger.toml: serve.host"),
        ('[serve]\nopen-reading = "yes"\n', "config.value", "cardledger.toml: serve.open-reading"),
        ('[serve]\ncors = "https://a.example"\n', "config.value", "cardledger.toml: serve.cors"),
        ('[serve]\ncors = ["a.example"]\n', "config.value", "serve.cors: 'a.example' is not an origin"),
        ("[serve]\nrate = 1979-05-27\n", "config.value", "cardledger.toml: serve.rate"),
        ('[serve]\nlog = "xml"\n', "config.value", "cardledger.toml: serve.log: 'xml'"),
        ("db = 1\n", "config.value", "cardledger.toml: db"),
        ("serve = 1\n", "config.value", "cardledger.toml: serve"),
        ("[serve\n", "config.file", "cardledger.toml: "),
    ],
)
@pytest.mark.parametrize("command", ["serve", "config"])
def test_a_file_that_is_wrong_is_refused_by_key_and_place(command, text, code, place) -> None:
    status, said = run(command, text=text)
    line, *_remedy = said.splitlines()  # a message that says what to do has no other advice
    assert status == 2
    assert line.startswith(f"cardledger: {code}: ")
    assert place in line


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("PORT", "many", "config.value"), ("LOG", "xml", "config.value"), ("CORS", "a.example", "config.value"),
     ("OPEN_READING", "perhaps", "config.value"), ("PROT", "80", "config.key"), ("PATH", "x.db", "config.key")],
)  # fmt: skip
def test_a_variable_that_is_wrong_is_refused_by_its_name(name, value, code) -> None:
    status, said = run("serve", **{f"{PREFIX}_{name}": value})
    assert (status, said.startswith(f"cardledger: {code}: {PREFIX}_{name}")) == (2, True), said


def test_a_wrong_flag_gives_the_usual_message() -> None:
    status, said = run("serve", "--port", "many", text="[serve]\nport = 1\n")
    assert status == 2
    assert "Invalid value for '--port'" in said


def test_a_missing_or_binary_file_is_refused() -> None:
    assert "config.file: other.toml cannot be read" in run("--config", "other.toml", "games")[1]
    assert "config.file: cardledger.toml cannot be read" in run("games", text="\xff")[1]


def test_every_setting_is_documented() -> None:
    shown = (
        DOCUMENTS["web/cardledger_web/README.md"]
        .partition("<!-- settings: begin -->\n")[2]
        .partition("<!-- settings: end -->")[0]
    )
    rows = [line for line in shown.splitlines() if line.startswith("| `")]
    wanted = ["| `db` | `CARDLEDGER_DB` | `--db` | `cardledger.db` |"]
    for option in OPTIONS:
        flag = option.opts[0]
        value = option.get_default(CONTEXT)
        default = "none" if option.multiple else "" if value in (None, UNSET) else f"`{value}`"
        variable = f"{PREFIX}_{option.name.upper()}"
        wanted.append(
            f"| `{flag[2:]}` | `{variable}` | `{'`, `'.join([*option.opts, *option.secondary_opts])}` | {default}"
        )
    assert len(rows) == len(wanted)
    for row, begin in zip(rows, wanted, strict=True):
        assert row.startswith(begin)


def test_every_code_of_settings_is_documented() -> None:
    for code in ("config.file", "config.key", "config.value"):
        assert f"`{code}`" in DOCUMENTS["web/cardledger_web/README.md"]
