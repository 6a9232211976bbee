"""Many servers on one PostgreSQL: what one records the others show, with read models and tokens that fit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli import main as cli
from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.matches.matchfile import read_file
from cardledger.record.people.people import Name
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.results import Imported
from cardledger.record.store.address import Address
from cardledger.rules.engine import events as ev
from cardledger_api.auth.tokens import Tokens, digest_of, new_text
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from tests.clock import Clock
from tests.conftest import SAMPLES
from tests.store.cluster import PASSWORD, Cluster
from tests.waiting import together
from tests.web.club import opened

pytestmark = pytest.mark.long

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
Opening = Callable[..., Ledger]


@pytest.fixture
def server(url: str, tmp_path: Path) -> Iterator[Opening]:
    """What opens the ledger as another server would, with read models of its own."""
    with ExitStack() as stack:

        def open_one(name: str) -> Ledger:
            return stack.enter_context(Ledger(url, views=tmp_path / f"{name}.views.db"))

        yield open_one


def shown(ledger: Ledger) -> list[tuple[str, int]]:
    return ledger.views.reader.execute("SELECT match, seq FROM matches ORDER BY position").fetchall()


def test_events_recorded_by_one_server_appear_on_the_other(server: Opening) -> None:
    one, two = server("one"), server("two")
    match = one.record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    assert shown(two) == [(match, 2)] == shown(one)
    assert two.record(match, [ev.Note(text="from the other table")], 2).seq == 3
    assert shown(one) == [(match, 3)] == shown(two)
    assert [error for ledger in (one, two) for _, error in ledger.verify()] == [None, None]


def test_two_servers_that_record_the_same_event_number_do_not_both_succeed(server: Opening) -> None:
    one, two = server("one"), server("two")
    match = one.record(None, [opened()], 0).match
    two.folded(match)
    one.record(match, [ev.Note(text="first")], 1)
    with pytest.raises(ConflictError) as caught:
        two.record(match, [ev.Note(text="second")], 1)
    assert caught.value.current == 2


def test_two_servers_that_import_the_same_files_at_once_store_each_match_once(server: Opening) -> None:
    ledgers = [server("one"), server("two")]
    new = [0, 0]

    def load(at: int) -> None:
        for path in sorted(SAMPLES.glob("d*.jsonl")):
            for found in ledgers[at].import_matches(read_file(path)):
                new[at] += found.new  # type: ignore[union-attr]

    together(*(partial(load, at) for at in (0, 1)))
    for ledger in ledgers:
        assert sum(new) == ledger.count() == len([*ledger.store.read_all()])
        assert [error for _, error in ledger.verify() if error] == []
    assert shown(ledgers[0]) == shown(ledgers[1])


def test_an_import_in_many_transactions_reports_each_match_in_order_once_it_is_stored(
    server: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches being stored while the next ones are judged are not reported before they are stored."""
    monkeypatch.setattr("cardledger.record.recording.importer.BATCH", 100)
    one, two = server("one"), server("two")
    file = tmp_path / "all.jsonl"
    text = b"".join(path.read_bytes() for path in sorted(SAMPLES.glob("d*.jsonl")))
    file.write_bytes(text + b'{"type":"nonsense"}\n' + text)  # the second time each match is another one
    lines = []
    for found in one.import_matches(read_file(file, keep_going=True)):
        lines.append(found.line)
        if isinstance(found, Imported):
            assert len(two.store.read(found.match)) == found.events == found.new
    assert lines == sorted(lines)
    assert len(lines) == len(one.matches()) + 1
    assert [error for _, error in two.verify() if error] == []
    again = [*two.import_matches(read_file(file, keep_going=True))]
    assert sum(found.new for found in again if isinstance(found, Imported)) == 0


def test_an_import_folds_no_match_again_that_it_has_just_stored(
    server: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even when the read models catch up while the next matches are being stored."""
    monkeypatch.setattr("cardledger.record.recording.importer.BATCH", 100)
    again = []
    monkeypatch.setattr("cardledger.record.recording.match_cache.extended", lambda match, *rest: again.append(match))
    ledger, file = server("one"), tmp_path / "all.jsonl"
    file.write_bytes(3 * b"".join(path.read_bytes() for path in sorted(SAMPLES.glob("d*.jsonl"))))
    stored = [*ledger.import_matches(read_file(file))]
    assert again == []
    assert len(shown(ledger)) == len(stored) > 10


def test_an_import_that_is_given_up_leaves_whole_matches_and_no_thread(
    server: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardledger.record.recording.importer.BATCH", 100)
    ledger = server("one")
    taken = ledger.import_matches(read_file(SAMPLES / "diversity-club-night.jsonl"))
    next(taken)
    taken.close()  # type: ignore[attr-defined]
    assert not any(thread.name.startswith("intake") for thread in threading.enumerate())
    assert ledger.count() == len([*ledger.store.read_all()]) > 0
    assert [error for _, error in ledger.verify() if error] == []


def test_merged_people_are_the_same_everywhere(server: Opening) -> None:
    one, two = server("one"), server("two")
    one.record(None, [opened()], 0)
    one.record_people([Name(player="a", name="Ana Lima")], 0, "test")
    assert two.people().name("a") == "Ana Lima"
    with pytest.raises(ConflictError):
        two.record_people([Name(player="a", name="Somebody")], 0, "test")


def test_read_models_of_another_ledger_are_dropped(cluster: Cluster, server: Opening, tmp_path: Path) -> None:
    """For example after a database was dropped and recreated, or if the option --views names the wrong file."""
    match = server("one").record(None, [opened()], 0).match
    with Ledger(cluster.fresh(), views=tmp_path / "two.views.db") as ledger:
        for _ in range(3):
            ledger.record(None, [opened()], 0)
        assert len(shown(ledger)) == 3
    assert shown(server("two")) == [(match, 1)]
    with Ledger(cluster.fresh(), views=tmp_path / "two.views.db") as ledger:
        assert shown(ledger) == []


def test_read_models_are_in_the_cache_of_the_user_under_a_name_without_the_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Ledger(url) as ledger, Ledger(url.replace(PASSWORD, "another")) as other:
        path = ledger.views.file.path
        assert path == other.views.file.path
        assert path.parent == tmp_path / "cardledger"
        assert PASSWORD.encode() not in b"".join(
            each.read_bytes() + each.name.encode() for each in path.parent.iterdir()
        )


def test_pages_show_existing_data_while_the_database_is_unreachable(
    server: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = server("one")
    match = ledger.record(None, [opened()], 0).match
    assert shown(ledger) == [(match, 1)]
    monkeypatch.setattr(ledger.store.server, "patience", 0.1)  # type: ignore[attr-defined]
    monkeypatch.setattr(ledger.store.server, "connect", _away)
    ledger.store.server.disconnect()
    assert shown(ledger) == [(match, 1)]
    with pytest.raises(StoreError) as caught:
        ledger.record(match, [ev.Note(text="lost")], 1)
    assert caught.value.code == "store.lost"


def _away() -> None:
    import psycopg

    raise psycopg.OperationalError("nobody is there")


def test_commands_take_an_address_wherever_they_take_a_file(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CARDLEDGER_DB", url)
    sample = str(SAMPLES / "diversity-club-night.jsonl")
    for words in (
        ["matches"], ["import", sample], ["matches"], ["verify"], ["rebuild"], ["export"], ["people", "list"],
        ["people", "name", "ana", "Ana Lima"], ["stats", "players", "diversity"], ["simulate", "ruff", "--db", url],
        ["token", "create", "ana"], ["token", "list"], ["token", "revoke", "ana"], ["copy", url, str(tmp_path / "a.db")],
    ):  # fmt: skip
        done = CliRunner().invoke(cli.main, words)
        if words == ["matches"] and not done.stdout:
            assert done.stderr.startswith("cardledger: store.missing: there is no ledger at postgresql://127.0.0.1")
        else:
            assert done.exit_code == 0, (words, done.output)
        assert PASSWORD not in done.output


# --- tokens


@pytest.fixture
def tokens(url: str) -> Iterator[Tokens]:
    with closing(Tokens(url, lambda: NOW)) as kept:
        yield kept


def test_a_token_works_on_every_server_and_ends_on_all_within_a_second(
    url: str, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("cardledger_api.auth.token_table.time", clock)
    with closing(Tokens(url, lambda: NOW)) as other:
        assert other.find(digest_of("x")) is None
        assert other.all() == []
        digest = digest_of(tokens.create("ana", "scorer", 2))
        found = other.find(digest)
        assert found is not None
        assert (found.name, found.role, found.created) == ("ana", "scorer", "2026-11-21T12:00:00.000Z")
        tokens.revoke("ana")
        assert tokens.find(digest) is None
        assert other.find(digest) is not None, "as it was a moment ago"
        clock.now += 0.6
        assert other.find(digest) is None
        assert [(token.name, state) for token, state in other.all()] == [("ana", "revoked")]


def test_a_token_in_the_database_expires_to_the_moment(url: str, tokens: Tokens) -> None:
    digest = digest_of(tokens.create("ana", "reader", 2))
    for after, valid in ((timedelta(days=2, milliseconds=-1), True), (timedelta(days=2), False)):
        with closing(Tokens(url, lambda after=after: NOW + after)) as later:
            assert (later.find(digest) is not None) is valid


def test_a_name_has_one_valid_token_in_the_database(tokens: Tokens) -> None:
    tokens.create("ana", "scorer", 1)
    with pytest.raises(LedgerError, match=r"access\.name: ana has a valid token"):
        tokens.create("ana", "reader", 1)
    tokens.revoke("ana")
    tokens.create("ana", "scorer", 1)
    with pytest.raises(LedgerError, match=r"access\.unknown"):
        tokens.revoke("ben")


def test_a_name_that_two_servers_give_a_token_at_once_has_one(url: str) -> None:
    made: list[str] = []
    refused: list[LedgerError] = []

    def make() -> None:
        with closing(Tokens(url)) as kept:
            try:
                made.append(kept.create("ana", "reader", 1))
            except LedgerError as error:
                refused.append(error)

    together(*[make] * 6)
    assert (len(made), {error.code for error in refused}) == (1, {"access.name"})


def test_the_database_holds_the_hash_and_never_the_token(cluster: Cluster, url: str, tokens: Tokens) -> None:
    text = tokens.create("ana", "scorer", 1)
    ((row,),) = cluster.run("SELECT tokens::text FROM tokens", url=url)
    assert digest_of(text).hex() in row
    assert text.removeprefix("cl_") not in row


def test_looking_up_a_token_creates_no_table_and_other_texts_find_no_token(
    cluster: Cluster, url: str, tokens: Tokens
) -> None:
    assert tokens.find(digest_of(new_text())) is None
    with pytest.raises(LedgerError, match=r"access\.unknown"):
        tokens.revoke("ana")
    assert cluster.run("SELECT to_regclass('tokens')", url=url) == [(None,)]


# --- whole servers


def test_an_application_shows_and_streams_events_of_another_process(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = [create_app(url, views=tmp_path / f"{name}.db") for name in ("one", "two")]
    token = access_of(apps[0]).tokens.create("ana", "scorer", 1)
    head = {"Authorization": f"Bearer {token}"}
    assert [streams_of(app).poll for app in apps] == [1.0, 1.0]
    # Whoever is not woken sleeps for an hour.
    monkeypatch.setattr("cardledger.record.store.notifications.POLL", 3600.0)
    streams_of(apps[1]).poll = streams_of(apps[1]).heartbeat = 3600.0
    listening = apps[1].test_client().get("/api/v1/live", headers=head)
    lines = listening.iter_encoded()
    assert next(lines).startswith(b"retry")
    event = {"type": "open", "game": "diversity", "players": ["a", "b", "c", "d"]}
    done = apps[0].test_client().post("/api/v1/matches", json={"events": [event]}, headers=head)
    assert done.status_code == 201
    match = done.json["match"]
    assert match in apps[1].test_client().get(f"/matches/{match}", headers=head).text
    assert match.encode() in next(lines)
    listening.close()
    for app in apps:
        ledger_of(app).close()
        access_of(app).close()


def test_a_stream_is_resumed_at_another_server_where_it_was_left(url: str, tmp_path: Path) -> None:
    """Also at one that has just been started, while a writer that looked long ago holds it back."""
    with Ledger(url, views=tmp_path / "one.db") as one:
        match = one.record(None, [opened(), *(ev.Note(text=str(number)) for number in range(5))], 0).match
        with one.store.server.connection() as db, db.transaction():  # type: ignore[attr-defined]
            db.execute("SELECT pg_advisory_xact_lock_shared(position_lock(0))")
            app = create_app(url, views=tmp_path / "two.db")
            answer = app.test_client().get("/api/v1/live", headers={"Last-Event-ID": "6"})
            assert b"id: 6\n" in next(answer.iter_encoded())
            answer.close()
        one.record(match, [ev.Note(text="after")], 6)
        answer = app.test_client().get("/api/v1/live", headers={"Last-Event-ID": "6"})
        lines = answer.iter_encoded()
        next(lines)
        assert next(lines).startswith(b"id: 7\n")
        answer.close()
        ledger_of(app).close()
        access_of(app).close()


def test_an_address_is_recognised_by_its_beginning(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Ledger(Address("postgresql://127.0.0.1:1/nowhere"))
    assert caught.value.code == "store.open"
    Ledger(str(tmp_path / "postgresql.db")).close()
    assert (tmp_path / "postgresql.db").exists()
