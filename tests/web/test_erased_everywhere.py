"""Erased everywhere: no address, no file and no message holds a name after its erasure, wherever it stood before."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.people import Merge, Name
from cardledger.record.proofs.log import Log
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.evenings.scoring import Scoring
from cardledger_api.auth.tokens import Tokens
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.http.streams import Filter
from cardledger_web.app import ledger_of
from tests.older_lines import in_clear
from tests.operating.test_growth import addresses
from tests.web.club import sign_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

ANA = "Xanthippe"
"""A name that occurs in no other text."""
FOUR = (ANA, "ben", "chloe", "dev")
_LONG = re.compile(r'~[A-Z2-7]{26}(?=[^<>"]*<(?!/script))')
_WHOLE = re.compile(r"(?<![/=\"])~[A-Z2-7]{26}")
"""A pseudonym that stands for itself: not in an address."""
_SHOWN = re.compile(r"<script.*?</script>|<[^<>]*>", re.DOTALL)
COMMANDS = (
    "matches", "show {match}", "show {match} --audit", "hands", "evening list", "evening show {evening}",
    "stats players diversity", "people list",
)  # fmt: skip
UUID = "aaaaaaaa-0000-4000-8000-0000000000{:02d}"


def played(number: int, **labels: str) -> list[ev.Event]:
    """Return a match of one hand with a name in everything that is called, said or recorded."""
    opening, *rest = simulate("diversity", 4, Random(number), ["random"], {"hands": 1}, players=FOUR, max_hands=1)
    return [
        msgspec.structs.replace(opening, event=f"{ANA}'s cup", table=f"{ANA}'s table", place=f"{ANA}'s house", date="2026-01-06"),
        *rest,
        ev.Note(text=f"well led, {ANA}"),
        ev.Retract(to=len(rest), reason=f"{ANA} misread"),
        *rest[-1:],
    ]  # fmt: skip


def planted(ledger: Ledger, number: int, *, old: bool) -> dict[str, str]:
    """Record a club, a session, a league and a match; the name stands in each text. Return their ids by kind."""
    ids = {kind: f"{kind}-{UUID.format(number)}" for kind in ("club", "session", "league")}
    match = UUID.format(number + 10)

    def put(stream: str, *events: ev.Event) -> None:
        signed = [msgspec.structs.replace(event, by=ANA) for event in events]
        if old:
            in_clear(ledger, stream, signed)
        elif stream == match:
            ledger.record(stream, signed, 0, by=ANA)
        else:
            for seq, event in enumerate(signed):
                ledger.evenings.record(stream, [event], seq, by=ANA, as_written=False)

    put(match, *played(number))
    put(
        ids["club"],
        evenings.Club(name=f"The club of {ANA}", place=f"{ANA}'s attic"),
        evenings.Member(player=ANA, number=f"{ANA}-1"),
    )
    session = evenings.Session(
        club=ids["club"], name=f"{ANA}'s night", date="2026-01-06", game="diversity", unit="player",
        scoring=Scoring(kind="total"), place=f"{ANA}'s kitchen",
    )  # fmt: skip
    put(
        ids["session"],
        session,
        *(evenings.Arrive(player=player) for player in FOUR),
        evenings.Table(round=1, table=1, seats=FOUR, game="diversity"),
        evenings.Result(round=1, table=1, match=match),
        ev.Note(text=f"{ANA} was late"),
        evenings.EveningClose(reason=f"{ANA} is tired"),
    )
    league = evenings.League(
        club=ids["club"],
        name=f"{ANA} league",
        since="2026-01-01",
        until="2026-12-31",
        count=msgspec.convert({}, evenings.CountOf),
    )
    put(ids["league"], league, evenings.Counts(session=ids["session"]))
    return {**ids, "evening": ids["session"], "match": match, "game": "diversity", "id": "diversity"}


def answers(app: Flask, asked: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield addresses and what they answer; of a live stream its beginning."""
    client = app.test_client()
    for address in sorted({*asked}):
        answer = client.get(address, buffered=False)
        try:
            endless = answer.mimetype == "text/event-stream"
            data = b"".join(islice(answer.response, 1 if endless else None))  # type: ignore[arg-type]
            head = repr([*answer.headers])
        finally:
            answer.close()
        assert answer.status_code < 500 or answer.status_code == 503, (address, data[:500])
        yield address, head + data.decode("utf-8", "replace")


def whole(app: Flask, id: str, asked: Iterable[str]) -> list[str]:
    """Return the addresses that answer with a pseudonym as a text, but for those of the API, which holds ids.

    `id` is that of the erased player: tables of numbers have it in a column.
    """
    found = []
    for address, text in answers(app, asked):
        head, _, body = text.partition("]")
        shown = _SHOWN.sub(" ", body) if "text/html" in head or "json" in head else body.replace(f",{id},", ",")
        if "/api/" not in address and _WHOLE.search(shown):
            found.append(address)
    return found


def output(ledger: Ledger, words: str, ids: dict[str, str], gone: list[str]) -> str:
    """Return what a command prints, without the ids of the erased player."""
    command = words.format(**ids).split()
    done = CliRunner().invoke(main, [*command, "--db", str(ledger.store.name)])
    assert done.exit_code == 0, (words, done.output)
    return re.sub("|".join(map(re.escape, gone)), "", done.output)


def free_texts(ledger: Ledger) -> set[str]:
    """Return what is left of the texts that somebody wrote: remarks and reasons."""
    texts = {
        getattr(event, key, None)
        for match in ledger.matches()
        for event in ledger.events(match)
        for key in ("text", "reason")
    }
    found = {text for text in texts if text and is_pseudonym(text)}
    assert found
    return found


def pages(app: Flask, asked: Iterable[str]) -> str:
    """Return what all pages show between their tags."""
    found = (text for at, text in answers(app, asked) if "/api/" not in at and "text/html" in text[:2000])
    return "".join(re.sub("<script.*?</script>|<[^<>]*>", " ", text, flags=re.DOTALL) for text in found)


def told(app: Flask, role: str, asked: Iterable[str]) -> list[str]:
    """Return the addresses whose answers hold the name, to somebody with a role."""
    sign_in(app, role)
    found = dict(answers(app, asked))
    shown = [address for address, text in found.items() if "/api/" not in address and _LONG.search(text)]
    assert shown == [], "pages show pseudonyms briefly"
    return [address for address, text in found.items() if ANA.lower() in text.lower()]


def test_no_address_answers_with_an_erased_name_nor_does_any_file_hold_it(empty: Flask) -> None:
    """Some of the name stands in lines of before, which keep it, and some in pseudonyms."""
    ledger = ledger_of(empty)
    kinds = [planted(ledger, 1, old=True), planted(ledger, 2, old=False)]
    junior = f"{ANA} junior"
    ledger.record(None, [ev.Open(game="ruff", players=(junior, "eva", "fay", "gus"))], 0)
    changes = [Name(player=ANA, name=f"{ANA} Lima"), Merge(player=junior, into=ANA, reason=f"one {ANA}")]
    ledger.record_people(changes, 0, ANA)
    with closing(Tokens(ledger.at)) as tokens, closing(Hooks(ledger.at)) as hooks, Log(ledger) as log:
        tokens.create(ANA, "scorer", 1)
        tokens.create(f"{ANA} of Porto", "reader", 1)
        hooks.add(f"{ANA}'s hook", "https://example.org/x", "reader", Filter(None, None, None), 0)
        log.seal()
        (hook,) = hooks.all()

        def asked(player: str) -> list[list[str]]:
            return [addresses(empty, **ids, player=player, webhook=hook.id) for ids in kinds]

        assert len(told(empty, "admin", asked(ANA)[0])) > 70, "the name can be seen in many places before"
        erased = empty.test_client().post("/api/v1/people/erasures", json={"player": ANA})
        assert erased.status_code == 200, erased.text
        left = erased.json["id"]
        old, new = asked(left)
        assert told(empty, "admin", [*old, *new]) == []
        assert whole(empty, left, [*old, *new]) == [], "a text that is passed on shows a pseudonym"
        assert [
            words for words in COMMANDS if _WHOLE.search(output(ledger, words, kinds[1], ledger.people().ids(left)))
        ] == []
        assert told(empty, "reader", old) == []
        shown = pages(empty, [*old, *new])
        assert {text[:5] for text in free_texts(ledger) if text[:5] in shown} == set(), "what was written is “erased”"
        names = {token.name: state for token, state in tokens.all()}
        assert {f"erased {left[1:5]}", f"erased {left[1:5]} 2"} == {*names}
        assert sorted(names.values()).count("revoked") == 1
    assert [(one, str(error)) for one, error in ledger.verify() if error] == []
    ledger.views.catch_up()
    folder = Path(ledger.store.name).parent
    kept = [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ANA.lower().encode() in path.read_bytes().lower()
    ]
    assert kept == ["empty.db"]
    with closing(sqlite3.connect(ledger.store.name)) as db:
        said = [str(row).lower() for row in db.execute("SELECT * FROM names")]
        lines = [
            line
            for match, line in db.execute("SELECT match, line FROM events")
            if UUID[:8] not in match or match[-1] != "1"
        ]
    assert not any(ANA.lower() in text.lower() for text in (*said, *lines)), "only old lines keep it"
