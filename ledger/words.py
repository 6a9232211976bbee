"""A match in words: the account of its hands, the table at a moment, and the audit trail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ledger import events as ev
from ledger.choice import Choice
from ledger.hand import Hand
from ledger.replay import Audited, hand_result
from ledger.store.naming import is_pseudonym
from ledger.table import Table


def account(table: Table) -> Iterator[str]:
    """Yield a readable account of a match: who played, every hand, trick and score, and what was irregular."""
    opening = table.opening
    yield f"{table.game.title}: {', '.join(table.players)}"
    about = [part for part in (opening.event, opening.table, opening.place, opening.date) if part]
    about += [f"{name} {value}" for name, value in table.options.items() if value is not None]
    yield "; ".join([*about, f"policy {opening.policy}"])
    for hand in table.hands:
        yield ""
        yield from _hand(table, hand)
    yield ""
    yield f"Totals: {_scores(table, table.totals)}"
    if table.winners:
        yield f"{' and '.join(table.players[seat] for seat in table.winners)} {'wins' if len(table.winners) == 1 else 'share the win'}."
    else:
        yield {"open": "The match is under way.", "ended": "The match was ended before its rule said so."}[table.status]
    for found in table.violations:
        legal = f"; legal: {' '.join(found.legal)}" if found.legal else ""
        yield f"Irregular: event {found.seq}, {table.players[found.seat]} broke {found.rule}{legal}"


def _hand(table: Table, hand: Hand) -> Iterator[str]:
    """Yield one hand of the account."""
    names = table.players
    first = "starts" if "starter" in table.game.deal_keys else "deals"
    yield f"Hand {hand.number}: {names[hand.dealer]} {first}{' (deal not recorded)' if hand.hidden else ''}"
    shown = hand_result(table, hand)
    if "bids" in shown:
        yield f"  bids: {_scores(table, shown['bids'])}"
    for number, trick in enumerate(shown["tricks"], 1):
        cards = " ".join(f"{card:>3}" for card in trick["cards"])
        taker = "nobody" if trick["taker"] is None else names[trick["taker"]]
        yield f"  {number:>2}. {names[trick['leader']]} leads {cards}   {taker} takes ({trick['rule']})"
    if hand.claimed is not None:
        yield f"  claimed: {_scores(table, hand.claimed)} (claim.agreed)"
    if shown.get("closer") is not None:
        yield f"  {names[shown['closer']]} closes"
    if shown.get("penalties"):
        yield f"  penalties: {_scores(table, shown['penalties'])}"
    if any(hand.taken):
        yield f"  tricks taken: {_scores(table, hand.taken)}"
    if hand.scores is None:
        yield "  not complete"
    else:
        yield f"  points: {_scores(table, hand.scores)}{' (score.agreed)' if hand.agreed else ''}"


def _scores(table: Table, scores: Sequence[int | None]) -> str:
    return ", ".join(
        f"{name} {'–' if points is None else points}" for name, points in zip(table.players, scores, strict=True)
    )


def position(table: Table) -> Iterator[str]:
    """Yield the table at a moment: hands, trick, totals, and what may come next."""
    state = table.state()
    yield f"After event {state['seq']}: {state['phase'] if table.hand else table.status}"
    if table.hand is not None:
        yield f"Hand {state['hand']}, dealt by {table.players[state['dealer']]}"
        if state.get("hands") is None:
            yield "  hands are not known"
        for seat, cards in enumerate(state.get("hands") or ()):
            yield f"  {table.players[seat]}: {' '.join(cards) or '(no cards)'}"
        yield from _on_table(table, state)
    yield f"Totals: {_scores(table, table.totals)}"
    for choice in table.choices():
        yield f"Next: {may(choice, table)}"


def _on_table(table: Table, state: dict[str, Any]) -> Iterator[str]:
    if state.get("trick"):
        trick = state["trick"]
        yield f"  trick: {table.players[trick['leader']]} led {' '.join(trick['cards'])}"
    if state.get("tricks_taken"):
        yield f"  tricks taken: {_scores(table, state['tricks_taken'])}; to play: {state['tricks_left']}"
    if state.get("bids"):
        yield f"  bids: {_scores(table, state['bids'])}"
    if state.get("discards"):
        yield f"  discards: {' '.join(state['discards'])} (top last)"
    if "stock_left" in state:
        yield f"  stock: {state['stock_left']} cards"
    for debt in state.get("debts", ()):
        yield f"  {table.players[debt['debtor']]} owes {table.players[debt['creditor']]} a card"


def may(choice: Choice, table: Table) -> str:
    """Return in words what may come next."""
    who = "anyone" if choice.seat is None else table.players[choice.seat]
    words = f"{who} may {choice.type}"
    if choice.count > 1:
        words += f" {choice.count} of"
    if choice.cards:
        words += f" {' '.join(choice.cards)}"
    if choice.amounts:
        words += f" {choice.amounts[0]} to {choice.amounts[1]}"
    if choice.total is not None:
        words += f" how the last {choice.total} tricks fall"
    if choice.sources:
        words += f" from {' or '.join(_source(table, source) for source in choice.sources)}"
    if choice.to is not None:
        words += f" to {table.players[choice.to]}"
    return words


def _source(table: Table, source: int | str) -> str:
    return table.players[source] if isinstance(source, int) else f"the {source}"


def told(event: ev.Event, players: Sequence[str]) -> str:
    """Return an event in words."""
    return "".join(players[part] if isinstance(part, int) else part for part in phrase(event))


class Face(str):
    """The face of a card, in a phrase."""

    __slots__ = ()


def phrase(event: ev.Event) -> Iterator[str | int]:
    """Yield an event in words, part by part: text, seats as numbers, and the faces of cards as `Face`."""
    match event:
        case ev.Open():
            yield f"{', '.join(event.players)} sit down to {event.game}"
        case ev.Deal():
            seat = event.dealer if event.starter is None else event.starter
            assert seat is not None
            what = "deals" if event.starter is None else "is first player of a deal"
            yield from (seat, f" {what}{', hands not recorded' if event.hands is None else ''}")
        case ev.Bid():
            yield from (event.seat, f" bids {event.amount}")
        case ev.Pass():
            yield from (event.seat, " passes")
        case ev.Play():
            yield from (event.seat, " plays ", Face(event.card))
        case ev.Draw():
            yield from (event.seat, " draws ")
            for place, face in enumerate(event.cards):
                yield from (" ", Face(face)) if place else (Face(face),)
            yield f" from the {event.source}"
        case ev.Discard():
            yield from (event.seat, " discards ", Face(event.card))
        case ev.Close():
            yield from (event.seat, " closes with ", Face(event.card), " face down")
        case ev.Layoff():
            yield from (event.seat, " lays off ", Face(event.card))
        case ev.Collect():
            yield from (event.seat, " will take a card from ", event.source)
        case ev.Ask():
            yield from (event.seat, " asks ", event.source, f" for {event.suit}")
        case ev.Give():
            yield from (event.seat, " gives ", Face(event.card), " to ", event.to)
        case ev.Claim():
            yield from ("the table agrees on the last tricks: ", *_pairs(event.tricks))
        case ev.Score():
            yield from ("the score sheet says: ", *_pairs(event.scores))
        case ev.Retract():
            yield f"everything after event {event.to} is taken back{_because(event.reason)}"
        case ev.Amend():
            yield from (f"event {event.about} should have been: ", *phrase(event.event), _because(event.reason))
        case ev.Note():
            yield f"note{f' on event {event.about}' if event.about else ''}: {_left(event.text)}"
        case ev.End():
            yield f"the match is ended{_because(event.reason)}"
        case _:
            raise AssertionError(event)


def _pairs(numbers: Sequence[int]) -> Iterator[str | int]:
    for seat, number in enumerate(numbers):
        yield from (", ", seat) if seat else (seat,)
        yield f" {number}"


def _because(reason: str | None) -> str:
    return f" ({_left(reason)})" if reason else ""


def _left(text: str) -> str:
    """Return what is left of a text: of one that was erased, that it was."""
    return "erased" if is_pseudonym(text) else text


def trail(audited: Sequence[Audited], players: Sequence[str]) -> Iterator[str]:
    """Yield the audit trail: every event, and the rules that allowed, forbade or resolved it."""
    for entry in audited:
        note = ""
        if entry.counts is None and not isinstance(entry.event, ev.Note | ev.Retract | ev.Amend):
            note = "  — no longer counts"
        elif entry.counts is not None and entry.counts is not entry.event:
            note = f"  — counts as: {told(entry.counts, players)}"
        yield f"{entry.seq:>4} {told(entry.event, players)}{note}"
        for ruling in entry.rulings:
            mark = {"allowed": "ok", "broken": "BROKEN", "resolved": "so"}[ruling.verdict]
            yield f"       {mark:<6} {ruling.rule}: {ruling.text}"
