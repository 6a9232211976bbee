"""A match in words: its hands, the table at a moment, and the audit trail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from gettext import NullTranslations
from typing import Any

from cardledger.count_of import count_of
from cardledger.pseudonyms import ERASED, is_pseudonym, left
from cardledger.record.matches.replay import Audited, hand_result
from cardledger.record.matches.seat_view import seat_view
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import SUIT_WORDS
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.days import UNKNOWN
from cardledger.rules.engine.keys import Said, keys_of, parts_of
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.score_sheet import DOUBTFUL, doubt
from cardledger.rules.engine.shown import Fact
from cardledger.rules.engine.state import Hand
from cardledger.rules.engine.table_view import state as state_of
from cardledger.rules.evenings.unnamed import evening_name
from cardledger.rules.games import games
from cardledger.sentence import Called, Face, Sentence
from cardledger.sentence import in_words as list_in_words

ENGLISH = NullTranslations()
"""The language of the code."""
_KINDS = {
    "tricks": Sentence("tricks"),
    "assigned": Sentence("assigned"),
    "artificial": Sentence("artificial"),
    "penalty": Sentence("penalty"),
    "stands": Sentence("stands"),
}
"""The kinds of a director's rulings, in words."""
ENDINGS = {
    "open": "The match is under way.",
    "ended": "The match was ended before its rule said so.",
    "void": "The match is void: it counts nowhere.",
}
"""The state of a match without winners, by status."""


def who_plays(sides: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Describe the sides.

    >>> who_plays([[0, 2], [1, 3]], ["ana", "ben", "chloe", "dev"])
    'ana and chloe against ben and dev'
    """
    return " against ".join(" and ".join(names[seat] for seat in side) for side in sides)


def points_of(
    sides: Sequence[Sequence[int]], names: Sequence[str], points: Sequence[int], winners: Sequence[int] = ()
) -> str:
    """Return points in words, once for each side, with a star for winners.

    >>> points_of([], ["ana", "ben"], [3, 4], [0]), points_of([[0, 2], [1, 3]], "abcd", [5, 2, 5, 2])
    ('ana 3*, ben 4', 'a and c 5, b and d 2')
    """
    each = sides or [[seat] for seat in range(len(names))]
    return ", ".join(
        f"{' and '.join(names[seat] for seat in side)} {points[side[0]]}{'*' if side[0] in winners else ''}"
        for side in each
    )


def account(table: Match[Any]) -> Iterator[str]:
    """Yield a readable account of a match: players, every hand, trick and score, and violations."""
    opening = table.opening
    yield f"{table.game.title}: {', '.join(table.players)}"
    about = [left(part) for part in (opening.event, opening.table, opening.place) if part]
    about += ["day unknown" if opening.date == UNKNOWN else opening.date] if opening.date else []
    about += [f"{name} {value}" for name, value in table.options.items() if value is not None]
    yield "; ".join([*about, f"policy {opening.policy}"])
    if table.sides:
        yield who_plays(table.sides, table.players)
    for hand in table.hands:
        yield ""
        yield from _hand(table, hand)
    yield ""
    yield f"Totals: {points_of(table.sides, table.players, table.totals)}"
    if table.winners:
        yield f"{' and '.join(table.players[seat] for seat in table.winners)} {table.victory}."
    else:
        yield ENDINGS[table.status]
    for violation in table.violations:
        legal = f"; legal: {' '.join(violation.legal)}" if violation.legal else ""
        yield f"Irregular: event {violation.seq}, {table.players[violation.seat]} broke {violation.rule}{legal}"


def _hand(table: Match[Any], hand: Hand) -> Iterator[str]:
    """Yield one hand of the account."""
    names = table.players
    first = "starts" if table.game.deal.first == "starter" else "deals"
    yield f"Hand {hand.number}: {names[hand.dealer]} {first}{' (deal not recorded)' if hand.hidden else ''}"
    shown = hand_result(table, hand)
    if shown.get("sides"):
        yield f"  {who_plays(shown['sides'], names)}"
    yield from _facts(table, shown)
    for number, trick in enumerate(shown["tricks"], 1):
        cards = " ".join(f"{card:>3}" for card in trick["cards"])
        taker = "nobody" if trick["taker"] is None else names[trick["taker"]]
        yield f"  {number:>2}. {names[trick['leader']]} leads {cards}   {taker} takes ({trick['rule']})"
    if hand.claimed is not None:
        who = "" if hand.claimant is None else f" by {names[hand.claimant]}"
        yield f"  claimed{who}: {_scores(table, hand.claimed)} (claim.agreed)"
    if any(hand.taken):
        yield f"  tricks taken: {_scores(table, hand.taken)}"
    if hand.scores is None:
        yield "  not complete"
    else:
        yield f"  points: {points_of(table.sides, table.players, hand.scores)}{' (score.agreed)' if hand.agreed else ''}"
        if why := doubt(table, hand):
            yield f"  doubtful: {why} ({DOUBTFUL})"


def _scores(table: Match[Any], scores: Sequence[int | None]) -> str:
    return ", ".join(
        f"{name} {'–' if points is None else points}" for name, points in zip(table.players, scores, strict=True)
    )


def position(table: Match[Any], seat: int | None = None) -> Iterator[str]:
    """Yield the table at a moment: hands, trick, totals, and the legal choices; with a seat, what that seat sees."""
    state = state_of(table) if seat is None else seat_view(table, seat)
    yield f"After event {state['seq']}: {table.status if table.hand.over else state['phase']}"
    if not table.hand.over:
        yield f"Hand {state['hand']}, dealt by {table.players[state['dealer']]}"
        if state.get("hands") is None:
            yield "  hands are not known"
        for player, cards in zip(table.players, state.get("hands") or (), strict=False):
            if cards is not None:
                yield f"  {player}: {' '.join(cards) or '(no cards)'}"
        yield from _on_table(table, state)
    yield f"Totals: {points_of(table.sides, table.players, table.totals)}"
    for choice in table.choices() if seat is None else ():
        yield f"Next: {may(choice, table)}"


def _on_table(table: Match[Any], state: dict[str, Any]) -> Iterator[str]:
    if state.get("trick"):
        trick = state["trick"]
        yield f"  trick: {table.players[trick['leader']]} led {' '.join(trick['cards'])}"
    if state.get("tricks_taken"):
        yield f"  tricks taken: {_scores(table, state['tricks_taken'])}; to play: {state['tricks_left']}"
    yield from _facts(table, state)


def _facts(table: Match[Any], shown: dict[str, Any]) -> Iterator[str]:
    """Yield the game's facts about a hand, one line for each fact with a value."""
    for fact in table.game.shown.facts:
        words = in_words(fact, shown.get(fact.key), table.players)
        if words:
            yield f"  {fact.title}: {words}"


def in_words(fact: Fact, value: Any, players: Sequence[str], catalogue: NullTranslations = ENGLISH) -> str:
    """Return the value of a declared fact in the words of a language; empty without a value."""
    if value is None or value == [] or fact.kind == "bool" and not value:
        return ""
    if fact.per.endswith("seat"):
        if all(one is None for one in value):
            return ""
        one_seat = replace(fact, per="hand")
        phrases = (
            (player, in_words(one_seat, one, players, catalogue) or "–")
            for player, one in zip(players, value, strict=True)
        )
        return ", ".join(f"{player} {words}" for player, words in phrases)
    match fact.kind:
        case "bool":
            return Sentence("yes").in_language(catalogue)
        case "seat":
            return str(players[value])
        case "seats":
            return ", ".join(players[seat] for seat in value)
        case "suit":
            return catalogue.gettext(SUIT_WORDS.get(value, value))
        case "text":
            return catalogue.gettext(dict(fact.words).get(value, value))
        case "cards" | "calls":
            return " ".join(value)
        case "pile":
            return Sentence("{cards} (top last)", cards=" ".join(value)).in_language(catalogue)
        case "stock":
            return Sentence.counted("{num} card", "{num} cards", value).in_language(catalogue)
        case "ruling":
            said = Sentence("{kind}, law {law}", kind=_KINDS[value["kind"]], law=value["law"])
            if reason := value.get("reason"):
                said = Sentence("{said} ({reason})", said=said, reason=left(reason))
            return said.in_language(catalogue)
        case "contract":
            return f"{players[value['seat']]}: {value['call']}"
        case "pairs":
            owed = Counter((players[pair["debtor"]], players[pair["creditor"]]) for pair in value)
            return ", ".join(
                Sentence.counted(
                    "{debtor} owes {creditor} a card",
                    "{debtor} owes {creditor} {num} cards",
                    cards,
                    debtor=debtor,
                    creditor=creditor,
                ).in_language(catalogue)
                for (debtor, creditor), cards in owed.items()
            )
    return str(value)


def rounds(calls: Sequence[str], dealer: int, n: int) -> list[tuple[str, ...]]:
    """Return calls in rows by seat, the dealer's first; seats that have not called, or not yet, have an empty text.

    >>> rounds(["pass", "1C", "pass"], 3, 4)
    [('', '', '', 'pass'), ('1C', 'pass', '', '')]
    """
    cells = [*[""] * dealer, *calls]
    cells += [""] * (-len(cells) % n)
    return [tuple(cells[place : place + n]) for place in range(0, len(cells), n)]


def may(choice: Choice, table: Match[Any]) -> str:
    """Return a choice in words."""
    who = "anyone" if choice.seat is None else table.players[choice.seat]
    words = f"{who} may {choice.type}"
    if choice.count > 1:
        words += f" {choice.count} of"
    if choice.cards:
        words += f" {' '.join(choice.cards)}"
    if choice.amounts:
        words += f" {choice.amounts[0]} to {choice.amounts[1]}"
    if choice.total is not None:
        words += f" how the last {count_of(choice.total, 'trick')} fall"
    if choice.sources:
        words += f" from {' or '.join(_source(table, source) for source in choice.sources)}"
    if choice.to is not None:
        words += f" to {table.players[choice.to]}"
    return words


def _source(table: Match[Any], source: int | str) -> str:
    return table.players[source] if isinstance(source, int) else f"the {source}"


def event_in_words(
    event: ev.Event, players: Sequence[str], catalogue: NullTranslations = ENGLISH, named: Callable[[str], str] = str
) -> str:
    """Return an event in the words of a language; `players` are the names by seat, `named` gives that of another."""
    parts = phrase(event, named, catalogue)
    return "".join(players[part] if isinstance(part, int) else part for part in parts)


TableNames = Callable[[int, int], str]
"""What a table of a round is called."""


def evening_event_in_words(
    event: ev.Event,
    named: Callable[[str], str] = str,
    entry: Callable[[int], str] = "number {}".format,
    catalogue: NullTranslations = ENGLISH,
    at: TableNames | None = None,
) -> str:
    """Return an event of a club, a session or a league in the words of a language.

    `named` gives the name of a player, `entry` that of an entry, `at` that of a table of a round: B1 in a section.

    >>> from cardledger.rules.evenings.evening_events import Arrive, Result
    >>> evening_event_in_words(Arrive("ana", guest=True))
    'ana is here, as a guest'
    >>> evening_event_in_words(Result(round=1, table=2, points=(3, 15)))
    'round 1, table 2: points 3 and 15'
    """
    return "".join(entry(part) if isinstance(part, int) else part for part in phrase(event, named, catalogue, at))


def phrase(
    event: ev.Event,
    named: Callable[[str], str] = str,
    catalogue: NullTranslations = ENGLISH,
    at: TableNames | None = None,
) -> Iterator[str | int]:
    """Yield an event in the words of a language, part by part; `named` gives the name of a player, `at` of a table.

    Parts are texts, seats and entries as numbers, the faces of cards as `Face`, and calls as `Called`.
    """
    text = ""
    for part in _parts(event, named, catalogue, at):
        if type(part) is str:
            text += part
        else:
            yield from (text, part) if text else (part,)
            text = ""
    if text:
        yield text


def _parts(
    event: ev.Event, named: Callable[[str], str], catalogue: NullTranslations, at: TableNames | None
) -> Iterator[str | int]:
    """Yield the parts of a phrase, texts in pieces."""
    keys = keys_of(type(event))
    for template in event.phrases():
        for text, field in parts_of(catalogue.gettext(template)):
            if text:
                yield text
            if field == "type":
                yield ev.type_of(event)
            elif field == "table" and at is not None and isinstance(round := getattr(event, "round", None), int):
                yield at(round, getattr(event, field))
            elif field is not None:
                said = keys[field].said if field in keys else "value"
                yield from _value(getattr(event, field), said, named, catalogue, at)


def _value(
    value: Any, said: Said, named: Callable[[str], str], catalogue: NullTranslations, at: TableNames | None
) -> Iterator[str | int]:
    """Yield the value of a key, as phrases say it."""
    match said:
        case "seat":
            yield value
        case "by seat":
            for seat, number in enumerate(value):
                yield from (", ", seat) if seat else (seat,)
                yield f" {number}"
        case "cards":
            for place, face in enumerate((value,) if isinstance(value, str) else value):
                yield from (" ", Face(face)) if place else (Face(face),)
        case "call":
            yield Called(value)
        case "suit":
            yield catalogue.gettext(SUIT_WORDS.get(value, value))
        case "players":
            yield list_in_words([*map(named, (value,) if isinstance(value, str) else value)], catalogue)
        case "entries":
            for place, one in enumerate(value if isinstance(value, tuple) else (value,)):
                yield from (", ",) if place else ()
                yield named(one) if isinstance(one, str) else one
        case "game":
            known = games().get(value)
            yield catalogue.gettext(known.title) if known else value
        case "event":
            yield from phrase(value, named, catalogue, at)
        case _ if isinstance(value, Sentence):
            yield value.in_language(catalogue)
        case _ if isinstance(value, str) and is_pseudonym(value):
            yield catalogue.gettext(ERASED)
        case _ if isinstance(value, str) and isinstance(told := evening_name(value), Sentence):
            yield told.in_language(catalogue)
        case _:
            yield str(value)


def trail(audited: Sequence[Audited], players: Sequence[str], named: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the audit trail: every event, and the rules that allowed, forbade or resolved it.

    `players` are the names by seat; `named` gives the name of a recorded player, as openings have them.
    """
    for entry in audited:
        note = ""
        if entry.counts is None and entry.event.counts:
            note = "  — no longer counts"
        elif entry.counts is not None and entry.counts is not entry.event:
            note = f"  — counts as: {event_in_words(entry.counts, players, named=named)}"
        yield f"{entry.seq:>4} {event_in_words(entry.event, players, named=named)}{note}"
        for ruling in entry.rulings:
            mark = {"allowed": "ok", "broken": "BROKEN", "resolved": "so"}[ruling.verdict]
            yield f"       {mark:<6} {ruling.rule}: {ruling.with_names(players).text}"
