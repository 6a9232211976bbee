"""The promises of a game: every page, file, table and answer works for it, without code for it anywhere else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from cardledger.errors import LedgerError
from cardledger.record.matches.describe import account, position, trail
from cardledger.record.matches.matchfile import MatchInFile, read_file, write
from cardledger.record.matches.replay import audit, result
from cardledger.record.matches.seat_view import SPECTATOR, full_view, seat_view
from cardledger.record.readmodels import MODELS
from cardledger.record.readmodels.model import Folded
from cardledger.record.readmodels.tables.arrivals import ARRIVALS
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.simulation import Scorer, simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine import table_view
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.event_types import event_in
from cardledger.rules.engine.filling import ready
from cardledger.rules.engine.measures import LAID, MATCHES, Played
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.engine.unseen import without_unseen
from cardledger.rules.games import game, start
from cardledger.rules.stream import Stream
from cardledger.study.stats.measures.limits import has_limits
from cardledger.study.stats.measures.of_game import measures_of
from cardledger_web.app import create_app

OF_EVERY_GAME = {"hands", "played", "points", "violations", "exposed"} | MATCHES | LAID
"""Counts that a game need not make itself."""
HANDS = 3
"""Hands of a match that is tried: later ones repeat them."""


BOTS = ("cautious", "random")
"""Sensible bots, and those that do anything legal."""


def played(
    promised: str, n: int, seed: int = 1, *, policy: Any = "strict", hidden: bool = False, bots: Sequence[str] = BOTS
) -> list[ev.Event]:
    """Return a match of bots."""
    return simulate(promised, n, Random(f"{promised}/{n}/{seed}"), bots, policy=policy, hidden=hidden, max_hands=HANDS)


def irregular(promised: str, n: int) -> list[ev.Event]:
    """Return a match in which any card is played, legal or not, where irregular play is recorded."""
    rng = Random(f"irregular/{promised}/{n}")
    events: list[ev.Event] = []
    match = None
    for event in played(promised, n, 2, policy="record"):
        if match is not None and isinstance(event, ev.Play) and match.hand.moment == "play" and not match.hidden:
            seat = match.hand.turn
            choice = next((choice for choice in match.choices() if choice.type == "play"), None)
            if seat is None or choice is None:
                break
            held = match.pack.list(match.hand.held[seat])
            event = ev.Play(seat=seat, card=rng.choice(held if choice.cards else [event.card]))
        try:
            if match is None:
                assert isinstance(event, ev.Open)
                match = start(event)
            else:
                match.apply(event, len(events) + 1)
        except LedgerError:
            break  # the rest belongs to another course of play
        events.append(event)
    return events


# --- rules


def test_its_rules_are_sentences_and_its_decisions_cite_them(promised: str) -> None:
    book = game(promised).book
    assert book.edition == f"{promised}/{book.edition.rpartition('/')[2]}"
    for rule in book:
        assert rule.text.endswith(".")
    for n in game(promised).sizes:
        for events in (irregular(promised, n), played(promised, n, bots=BOTS[:1])):
            table = Stream.of(events, audit=True).table
            for ruling in table.trail or ():
                assert ruling.rule in book, "every rule cited is in the rulebook"
                assert ruling.text
            for hand in table.hands:
                book.cite(*table.game.scoring.rules_for(table, hand))


def test_bots_play_it_at_every_size_and_points_add_up(promised: str) -> None:
    known = game(promised)
    for n in known.sizes:
        match = Stream.of(played(promised, n)).table
        assert match.violations == []
        done = [hand for hand in match.hands if hand.scores is not None]
        assert done, "a hand comes to its end"
        if known.scoring.bank is None:
            assert match.totals == [sum(hand.scores[seat] for hand in done) for seat in range(n)]
        for seat, side in enumerate(match.side):
            assert match.totals[seat] == match.totals[match.side.index(side)], "partners have the points of their side"
        if match.status == "complete":
            assert match.winners
            assert {match.side[seat] for seat in range(n) if seat not in match.winners}.isdisjoint(
                match.side[seat] for seat in match.winners
            ), "partners win together"


def test_every_card_that_comes_into_a_hand_is_said_to(promised: str) -> None:
    """A type of event that brings cards declares `arrivals`, or its phase does.

    Else the table `dealt` would lack them.
    """
    for n in game(promised).sizes:
        events = played(promised, n)
        stream = Stream.of(events[:1])
        held: dict[int, set[tuple[int, str]]] = {}
        for event in events[1:]:
            stream.append(event)
            hand, faces = stream.table.hand, stream.table.pack.faces
            if not (hand.over and isinstance(event, ev.Deal)):
                shown = held.setdefault(hand.number, set())
                shown |= {(seat, faces[card]) for seat, cards in enumerate(hand.held) for card in cards_in(cards)}
        came: dict[int, set[tuple[int, str]]] = {}
        for _, number, _, _, cards in ARRIVALS.rows(Folded("m", 1, events[0], events[-1], b"", stream), 1):
            some = {(seat, face) for seat, hand in enumerate(json.loads(cards)) for face in hand.split()}
            came.setdefault(number, set()).update(some)
        over = {hand.number for hand in stream.table.hands if hand.scores is not None}
        assert came == {number: cards for number, cards in held.items() if number in over}


def test_an_irregular_event_is_refused_or_recorded_with_its_rule(promised: str) -> None:
    for n in game(promised).sizes:
        match = Stream.of(irregular(promised, n)).table
        for found in match.violations:
            assert game(promised).book[found.rule].breakable
            assert 0 <= found.seat < n


def seen(match: Any) -> Any:
    """Return all that can be seen of a match, the number of the last event tried apart."""
    return json.loads(json.dumps(msgspec.to_builtins(full_view(match)))) | {"seq": 0}


def test_a_refused_event_changes_nothing_and_a_copy_goes_on_alone(promised: str) -> None:
    n = game(promised).sizes[0]
    opening, *events = played(promised, n)
    assert isinstance(opening, ev.Open)
    match = start(opening)
    for seq, event in enumerate(events, 2):
        before = seen(match)
        with pytest.raises(LedgerError):
            match.apply(ev.Play(seat=n, card="no such card"), seq)
        copy = match.copy()
        copy.apply(event, seq)
        assert seen(match) == before
        match.apply(event, seq)
        assert seen(copy) == seen(match)


def test_choices_are_exactly_the_accepted_events(promised: str) -> None:
    opening, *events = played(promised, game(promised).sizes[0])
    assert isinstance(opening, ev.Open)
    match = start(opening)
    for seq, event in enumerate(events[:60], 2):
        for choice in match.choices():
            if choice.seat is None or choice.type in ("deal", "draw"):
                continue
            for some in list(events_of(choice))[:3]:
                match.copy().apply(some, seq)
        match.apply(event, seq)


def placed(pile: Sequence[Any], places: Any) -> Any:
    """Return the values of a pile that stand at some places."""
    return [placed(pile, place) for place in places] if isinstance(places, list) else pile[places]


def test_a_choice_filled_in_any_way_is_an_accepted_event(promised: str) -> None:
    rng = Random(promised)
    for n in game(promised).sizes[:2]:
        opening, *events = played(promised, n)
        assert isinstance(opening, ev.Open)
        match = start(opening)
        for seq, event in enumerate(events[:200], 2):
            for choice in match.choices():
                filled, fills = ready(match, choice)
                for part in fills:
                    if part.source is not msgspec.UNSET:
                        pile = rng.sample(part.source, len(part.source))
                        filled |= {key: placed(pile, places) for key, places in part.put.items()}
                if all(part.source is not msgspec.UNSET for part in fills):
                    match.copy().apply(event_in(filled, "event"), seq)
                else:
                    assert choice.seat is None, "a seat that is to act gets what it may do"
            match.apply(event, seq)


# --- hidden hands, claims, corrections


def test_a_hidden_hand_ends_with_the_result_of_the_known_hand(promised: str) -> None:
    for n in game(promised).sizes:
        known, hidden = (Stream.of(played(promised, n, 3, hidden=hidden)).table for hidden in (False, True))
        assert [hand.scores for hand in hidden.hands] == [hand.scores for hand in known.hands]
        assert hidden.violations == []


def test_a_scorer_who_sees_no_hand_knows_nothing_wrong(promised: str) -> None:
    known = game(promised)
    opening, *events = played(promised, known.sizes[0], 3)
    assert isinstance(opening, ev.Open)
    match, scorer = start(opening), Scorer(opening)
    for seq, event in enumerate(events, 2):
        match.apply(event, seq)
        for written in scorer.record(event, match, seq):
            assert without_unseen(written, known) == written, "no card that lies face down"
        if scorer.table.hidden and not match.hand.over:
            faces = match.pack.list  # cards of one face are alike
            assert any(
                all(
                    Counter(faces(held)) <= Counter(faces(world.could_hold(seat)))
                    for seat, held in enumerate(match.hand.held)
                )
                for world in scorer.table.worlds
            ), "the true hands stay possible"


def test_a_claim_ends_a_hand(promised: str) -> None:
    play = next((phase for phase in game(promised).phases if isinstance(phase, TrickPlay)), None)
    if play is None or not play.claims:
        pytest.skip("no tricks to claim")
    n = game(promised).sizes[0]
    opening, *events = played(promised, n, 4)
    assert isinstance(opening, ev.Open)
    match = start(opening)
    for seq, event in enumerate(events, 2):
        if match.hand.moment == "play" and not match.hand.trick:
            for seat in range(n):
                tricks = tuple(match.hand.tricks_left if some == seat else 0 for some in range(n))
                claimed = match.copy()
                try:
                    claimed.apply(ev.Claim(tricks=tricks), seq)
                except LedgerError:
                    continue  # this seat cannot take them all
                assert claimed.hands[-1].scores is not None
                return
        match.apply(event, seq)
    raise AssertionError("the match had no trick")


def test_after_taking_back_the_state_is_as_before(promised: str) -> None:
    events = played(promised, game(promised).sizes[0], 5)
    for to in range(1, len(events), 7):
        stream = Stream.of([*events, ev.Retract(to=to)])
        assert result(stream.table) == result(Stream.of(events[:to]).table)


# --- files, ledger, tables


def matches(promised: str) -> list[list[ev.Event]]:
    """Return matches of every kind."""
    sizes = game(promised).sizes
    return [
        played(promised, sizes[0]), played(promised, sizes[-1], hidden=True, policy="record"), irregular(promised, sizes[0])
    ]  # fmt: skip


def test_a_match_file_of_it_is_read_as_it_was_written(promised: str, tmp_path: Path) -> None:
    for events in matches(promised):
        file = tmp_path / "match.jsonl"
        file.write_bytes(write(events))
        (found,) = read_file(file)
        assert isinstance(found, MatchInFile)
        assert result(found.stream.table) == result(Stream.of(events).table)
        json.dumps(result(found.stream.table))


def test_facts_are_described_in_words(promised: str) -> None:
    for events in matches(promised):
        table = Stream.of(events).table
        assert list(account(table))
        assert list(position(table))
        assert list(trail(audit(events), table.players))
        for seat in (SPECTATOR, *range(table.n)):
            json.dumps(msgspec.to_builtins(seat_view(table, seat)))
        json.dumps(msgspec.to_builtins(table_view.state(table)))


def stored(promised: str, folder: Path) -> tuple[Ledger, list[str]]:
    """Return a ledger with matches of the game."""
    ledger = Ledger(folder / "club.db")
    ids = []
    for number, events in enumerate(matches(promised)):
        file = folder / f"{number}.jsonl"
        file.write_bytes(write(events))
        (imported,) = ledger.import_matches(read_file(file))
        ids.append(imported.match)  # type: ignore[union-attr]
    ledger.views.catch_up()
    return ledger, ids


def rows(ledger: Ledger) -> dict[str, Sequence[Any]]:
    """Return all rows of the read models."""
    read = ledger.views.reader.execute
    return {
        model.name: read(f"SELECT * FROM {model.name} ORDER BY {', '.join(model.key)}").fetchall() for model in MODELS
    }


def test_a_ledger_keeps_it_and_its_tables_can_be_made_again(promised: str, tmp_path: Path) -> None:
    ledger, ids = stored(promised, tmp_path)
    with ledger:
        assert [error for _, error in ledger.verify() if error] == []
        before, exported = rows(ledger), "".join(ledger.export(ids))
        for _ in ledger.rebuild():
            pass
        assert rows(ledger) == before
        (tmp_path / "again.jsonl").write_text(exported)
        assert [item.new for item in ledger.import_matches(read_file(tmp_path / "again.jsonl"))] == [0] * len(ids)  # type: ignore[union-attr]


# --- pages and answers


@pytest.mark.long
def test_every_page_and_answer_shows_it(promised: str, tmp_path: Path) -> None:
    ledger, ids = stored(promised, tmp_path)
    ledger.close()
    app = create_app(tmp_path / "club.db")
    client: FlaskClient = app.test_client()
    addresses = [
        f"/games/{promised}",
        f"/games/{promised}/leaders",
        f"/stats/{promised}",
        f"/matches?game={promised}",
        "/hands",
    ]
    addresses += [
        f"/api/v1/games/{promised}",
        f"/api/v1/stats/players?game={promised}",
        f"/api/v1/hands?game={promised}",
    ]
    for match in ids:
        page, answer = f"/matches/{match}", f"/api/v1/matches/{match}"
        addresses += [page, f"{page}/hands/1", f"{page}/audit", f"{page}.jsonl", f"{page}.csv"]
        last = len(list((tmp_path / f"{ids.index(match)}.jsonl").read_text().splitlines()))
        addresses += [f"{page}/replay/{seq}" for seq in (1, 2, 5, 20) if seq <= last]
        addresses += [answer, f"{answer}/table", f"{answer}/audit", f"{answer}/events", f"{answer}/hands/1/replay"]
    for address in addresses:
        got = client.get(address)
        got.close()
        assert got.status_code in (200, 302), address


def test_the_counts_of_its_measures_exist(promised: str) -> None:
    known = game(promised)
    names = {name for measure in known.study.measures for name in (measure.amount, measure.of)}
    assert not names or known.study.count is not None
    stream = Stream.of(played(promised, known.sizes[0]))
    for hand in stream.table.hands:
        events = stream.events[hand.first - 1 : hand.last]
        counts = known.study.count(Played(stream.table, hand, partial(list, events))) if known.study.count else {}
        assert not names - counts.keys() - OF_EVERY_GAME, "each measure divides counts that `count` returns"
        assert {len(by_seat) for by_seat in counts.values()} <= {stream.table.n}, "a count has a number for each seat"


def test_it_says_how_far_points_and_measures_can_go(promised: str) -> None:
    known = game(promised)
    assert known.scoring.span is not None, "MatchScoring(span=...) gives the least and the most points of a hand"
    unlimited = [measure.id for measure in measures_of(promised) if not has_limits(measure, known)]
    assert not unlimited, "a mean gives `least` and `most`, a mean of counts `most`; `inf` where rules set no limit"
    for n in known.sizes:
        stream = Stream.of(played(promised, n))
        table = stream.table
        least, most = known.scoring.span(n, table.options)
        for hand in table.hands:
            if hand.scores is None:
                continue
            assert all(least <= points <= most for points in hand.scores), "rules allow these points"
            events = stream.events[hand.first - 1 : hand.last]
            counts = known.study.count(Played(table, hand, partial(list, events))) if known.study.count else {}
            counts |= {"hands": [1] * n, "played": [1] * n}
            for one in known.study.measures:
                for amount, of in zip(counts.get(one.amount, ()), counts.get(one.of, ()), strict=True):
                    assert one.most is None or amount <= one.most * of or not of, f"{one.id}: at most {one.most}"
                    assert one.least is None or amount >= one.least * of or not of, f"{one.id}: at least {one.least}"
