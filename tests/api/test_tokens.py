"""Tokens: made once, stored as hashes only, for a time, until revoked; and the commands that do so."""

from __future__ import annotations

import os
import re
import shlex
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner, Result

from cardledger.cli import main as cli
from cardledger.errors import LedgerError
from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth import token_file
from cardledger_api.auth import tokens as module
from cardledger_api.auth.command import token as group
from cardledger_api.auth.tokens import Tokens, digest_of, new_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
EXAMPLES = ("create", "list", "revoke")


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(tmp_path: Path, clock: Clock) -> Iterator[Tokens]:
    with closing(Tokens(tmp_path / "club.db", clock)) as opened:
        yield opened


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an empty ledger."""
    monkeypatch.chdir(tmp_path)
    Ledger("club.db").close()
    return tmp_path


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def test_a_token_is_256_random_bits_in_a_form_that_is_recognised() -> None:
    made = {new_text() for _ in range(1000)}
    assert len(made) == 1000
    assert all(re.fullmatch(r"cl_[A-Za-z0-9_-]{43}", text) for text in made)


def test_a_token_is_found_by_its_digest_with_name_and_role(tokens: Tokens) -> None:
    texts = {role: tokens.create(f"a {role}", role, 30) for role in ("reader", "scorer", "admin")}
    for role, text in texts.items():
        found = tokens.find(digest_of(text))
        assert found is not None
        assert (found.name, found.role) == (f"a {role}", role)
    assert tokens.find(digest_of(new_text())) is None


def test_the_file_holds_the_hash_and_never_the_token(tokens: Tokens, tmp_path: Path) -> None:
    text = tokens.create("ana", "scorer", 365)
    while_open = files(tmp_path)
    tokens.close()
    for held in (while_open, files(tmp_path)):
        assert digest_of(text) in held
        assert text.encode() not in held
        assert text.removeprefix("cl_").encode() not in held


def test_tokens_are_never_in_the_ledger(here: Path) -> None:
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    text = run("token", "create", "ana", "--db", "club.db").stdout.strip()
    for name, content in before.items():
        assert (here / name).read_bytes() == content
    assert digest_of(text) in (here / "club.access.db").read_bytes()


def test_a_token_expires_to_the_moment(tokens: Tokens, clock: Clock) -> None:
    digest = digest_of(tokens.create("ana", "scorer", 2))
    clock.time = NOW + timedelta(days=2, milliseconds=-1)
    assert tokens.find(digest)
    clock.time = NOW + timedelta(days=2)
    assert tokens.find(digest) is None
    assert [state for _, state in tokens.all()] == ["expired"]


def test_a_revoked_token_ends_at_once_for_every_process(tokens: Tokens, clock: Clock) -> None:
    digest = digest_of(tokens.create("ana", "scorer", 2))
    with closing(Tokens(tokens.store.path.with_name("club.db"), clock)) as other:
        assert other.find(digest)
        tokens.revoke("ana")
        assert other.find(digest) is None
    assert [state for _, state in tokens.all()] == ["revoked"]


def test_a_revoked_token_in_memory_ends_at_once_too(
    tokens: Tokens, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = digest_of(tokens.create("ana", "scorer", 1))
    log = tokens.store.path.with_name(f"{tokens.store.path.name}-wal")
    for _ in range(2):
        os.utime(log, (1_000_000_000, 1_000_000_000))
        assert tokens.find(digest)
        with monkeypatch.context() as patch:
            patch.setattr(tokens.store, "rows", None)
            kept = tokens.find(digest)
            assert kept is not None
            assert kept.name == "ana"
        with closing(Tokens(tokens.store.path.with_name("club.db"), clock)) as other:
            other.revoke("ana")
        assert tokens.find(digest) is None
        digest = digest_of(tokens.create("ana", "scorer", 1))


def test_fresh_files_are_read_again(tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_file, "SETTLED", 3600.0)
    digest = digest_of(tokens.create("ana", "scorer", 1))
    assert tokens.find(digest)
    asked = []
    monkeypatch.setattr(tokens.store, "rows", lambda *given: asked.append(given) or [])
    assert tokens.find(digest) is None
    assert asked


def test_a_server_sees_the_first_token_made_after_it_started(tokens: Tokens, clock: Clock) -> None:
    assert tokens.find(digest_of("x")) is None
    assert tokens.all() == []
    assert not tokens.store.path.exists()
    with closing(Tokens(tokens.store.path.with_name("club.db"), clock)) as other:
        digest = digest_of(other.create("ana", "reader", 1))
    assert tokens.find(digest)


def test_a_name_has_one_valid_token_and_may_have_another_after_it(tokens: Tokens, clock: Clock) -> None:
    tokens.create("ana", "scorer", 1)
    with pytest.raises(LedgerError, match=r"access\.name: ana has a valid token"):
        tokens.create("ana", "reader", 1)
    tokens.revoke("ana")
    tokens.create("ana", "scorer", 1)
    clock.time += timedelta(days=1)
    tokens.create("ana", "scorer", 1)
    assert sorted(state for _, state in tokens.all()) == ["expired", "revoked", "valid"]


@pytest.mark.parametrize("name", ["", " ana", "ana\n", "\x1b[2J", "a" * 65])
def test_a_name_is_one_that_can_be_read(tokens: Tokens, name: str) -> None:
    with pytest.raises(LedgerError, match=r"access\.name"):
        tokens.create(name, "reader", 1)
    assert not tokens.store.path.exists()


def test_revoking_nobody_is_an_error(tokens: Tokens, clock: Clock) -> None:
    with pytest.raises(LedgerError, match=r"access\.unknown"):
        tokens.revoke("ana")
    assert not tokens.store.path.exists()
    tokens.create("ana", "reader", 1)
    clock.time += timedelta(days=1)
    with pytest.raises(LedgerError, match=r"access\.unknown"):
        tokens.revoke("ana")


def test_the_last_word_on_a_digest_is_a_comparison_in_constant_time(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = digest_of(tokens.create("ana", "reader", 1))
    asked = []
    monkeypatch.setattr(module, "compare_digest", lambda *given: asked.append(given))
    assert tokens.find(digest) is None
    assert asked == [(digest, digest)]


def test_the_examples_of_every_subcommand_run(here: Path) -> None:
    assert group.list_commands(click.Context(group)) == sorted(EXAMPLES)
    for name in EXAMPLES:
        text = run("token", name, "--help").stdout
        found = re.findall(r"^    (cardledger .+)$", text, re.MULTILINE)
        assert found, f"token {name} --help shows no example"
        for line in found:
            run(*shlex.split(line)[1:])


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_option_of_every_subcommand_is_explained(name: str) -> None:
    command = group.commands[name]
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_create_prints_the_token_alone_and_no_other_command_shows_it(here: Path) -> None:
    made = run("token", "create", "ana", "--role", "scorer", "--days", "7", "--db", "club.db")
    assert re.fullmatch(r"cl_[\w-]{43}\n", made.stdout)
    assert "only its hash is stored" in made.stderr
    shown = run("token", "list", "--db", "club.db").output
    assert re.search(r"^ana +scorer +valid ", shown, re.MULTILINE)
    assert made.stdout.strip() not in shown
    assert digest_of(made.stdout.strip()).hex() not in shown
    run("token", "revoke", "ana", "--db", "club.db")
    assert "revoked" in run("token", "list", "--db", "club.db").output


def test_an_error_is_one_line_and_status_2(here: Path) -> None:
    for words in (["create", "ana"], ["list"], ["revoke", "ana"]):
        said = run("token", *words, "--db", "typo.db", status=2).stderr
        assert said.startswith("cardledger: store.missing: there is no ledger at typo.db\n  name its file")
    assert not (here / "typo.access.db").exists()
    said = run("token", "revoke", "ana", "--db", "club.db", status=2).stderr
    assert said == "cardledger: access.unknown: there is no valid token named ana: see cardledger token list\n"
    run("token", "create", "ana", "--role", "owner", "--db", "club.db", status=2)


@pytest.mark.parametrize("name", ["", " ana", "ana\u2800", "ana\u3164", "ana\ufe0f", "Jose\u0301", "\u202eana", "owner", "cardledger", "import"])  # fmt: skip
def test_nobody_gets_a_token_in_a_name_that_looks_like_another_or_is_a_program(tokens: Tokens, name: str) -> None:
    with pytest.raises(LedgerError) as refused:
        tokens.create(name, "scorer", 1)
    assert refused.value.code == "access.name"
    assert tokens.all() == []


def test_creating_a_token_warns_of_similar_names(here: Path) -> None:
    assert "similar" not in run("token", "create", "scorer", "--db", "club.db").stderr
    assert "Scorer looks like scorer," in run("token", "create", "Scorer", "--db", "club.db").stderr
    with_cyrillic = run("token", "create", "sc\u043erer", "--db", "club.db").stderr
    assert "looks like Scorer, scorer, who can record as well" in with_cyrillic
    run("token", "revoke", "scorer", "--db", "club.db")
    assert " scorer," not in run("token", "create", "scorers", "--db", "club.db").stderr
