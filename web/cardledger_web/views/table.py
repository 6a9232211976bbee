"""The table as templates/card_table.html draws it, for pages, pictures, and the scripts that show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.record.matches.describe import rounds
from cardledger_web.languages import N_, _, language, ngettext, translated
from cardledger_web.views.cards import DrawnCard, drawn, hand_order
from cardledger_web.views.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cardledger.rules.engine.cards import Pack

_PLAIN = Wording({}, (), 0, ())
_LONG_HANDS = (8, 14, 20)
"""Longer hands may lie in several rows: table.css decides for each place."""
_PHASES = {"layoff": "lay off"}
_TO = (
    N_("to play"), N_("to bid"), N_("to pass"), N_("to call"), N_("to draw"), N_("to discard"), N_("to give"),
    N_("to ask"), N_("to lay off"), N_("to make"),
)  # fmt: skip
"""What players are about to do, as it is said of them; other phases are said in English."""
_MOMENTS = {
    "deal": N_("The next deal is due"),
    "score": N_("The hand waits for its score"),
    "over": N_("The match is over"),
}
_ENDINGS = {"ended": N_("The match was ended"), "void": N_("The match is void: it counts nowhere")}
SUITS = {"C": N_("♣ clubs"), "D": N_("♦ diamonds"), "H": N_("♥ hearts"), "S": N_("♠ spades")}
"""The suits by their letter, with their signs."""


class Laid(NamedTuple):
    """A card on the table: its face, the card (None: withheld), a class to mark it, and a remark.

    With the `seat` that holds or held it, it is a button: for the event in `move`, or for the position `seq`.
    """

    face: str
    card: DrawnCard | None
    mark: str = ""
    note: str = ""
    seat: int | None = None
    move: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat.

    Its place clockwise from the bottom, what it is called in full and in short, its task, its chips and its facts (each
    with a class), and its cards.
    """

    number: int
    place: int
    name: str
    called: tuple[str, str]
    turn: str
    chips: list[tuple[str, str]]
    facts: list[tuple[str, str]]
    cards: list[Laid]
    backs: int

    @property
    def to_press(self) -> bool:
        """Whether cards of the hand are buttons: then they are one stop of the Tab key (static/roving.js)."""
        return any(laid.seat is not None for laid in self.cards)

    @property
    def length(self) -> str:
        """The length of the hand, as a class of table.css."""
        return " ".join(f"over-{most}" for most in _LONG_HANDS if len(self.cards) + self.backs > most)


@dataclass(frozen=True, slots=True)
class LaidTrick:
    """A trick: its cards with the seats that played them and their places, and who took it (None: tied)."""

    cards: list[tuple[Laid, int, str]]
    over: bool
    taker: str | None


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Everything on a table.

    `cornered` piles leave the middle to the trick, `to` is what players are about to do, `hand_facts` are the game's
    facts about the hand, `calls` its calls by round and seat.
    """

    phase: str
    seats: list[DrawnSeat]
    trick: LaidTrick | None
    last: LaidTrick | None
    piles: list[tuple[str, int, Laid | None]]
    aside: list[Laid]
    cornered: bool
    moment: str
    to: str
    hand_facts: list[str]
    calls: list[tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Look:
    """Options for drawing a table.

    `played` are the cards that have left each hand; they are shown in it greyed, as buttons where `played_at` says which
    event played them. With `moves` the cards of the seats that act are buttons: it says what is tried with each card
    that may be chosen. `starter` says that the first player has the place of a dealer, `view` which seat sits at the
    bottom, `moment` what stands in the middle instead of the phase and the turn.
    """

    legal: Collection[str] = ()
    moves: Mapping[tuple[int, str], str] | None = None
    played: Mapping[int, Sequence[str]] = field(default_factory=dict)
    played_at: Mapping[tuple[int, str], int] = field(default_factory=dict)
    last_trick: Mapping[str, Any] | None = None
    aside: Sequence[str] = ()
    notes: Mapping[int, Sequence[str]] = field(default_factory=dict)
    starter: bool = False
    moment: str | None = None
    view: int | None = None
    wording: Wording = _PLAIN


def laid_out(state: Mapping[str, Any], players: Sequence[str], pack: Pack, look: Look) -> DrawnTable:
    """Return a table ready to draw; `state` is the JSON of a table (api/cardledger_api/resources/table.py)."""
    cards, order, n = drawn(pack), hand_order(pack), len(players)
    base = look.wording.bottom if look.view is None else look.view

    def places(seat: int) -> int:
        return (seat - base) % n

    def trick_of(trick: Mapping[str, Any], over: bool) -> LaidTrick:
        laid = []
        for i, (seat, face) in enumerate(zip(trick["seats"], trick["cards"], strict=True)):
            took = over and trick.get("taker") == seat
            note = ", ".join(
                words for words in (_("led") if i == 0 else "", _("takes the trick") if took else "") if words
            )
            laid.append((Laid(face, cards.get(face), "took" if took else "", note), places(seat), players[seat]))
        taker = trick.get("taker")
        return LaidTrick(laid, over, None if taker is None else players[taker])

    def pile(name: str, size: int, face: str | None) -> tuple[str, int, Laid | None]:
        return name, size, None if face is None else Laid(face, cards.get(face))

    trick, last = state.get("trick"), trick_of(look.last_trick, over=True) if look.last_trick else None
    piles = []
    for fact in state.get("facts", ()):
        value = state[fact["key"]]
        if fact["kind"] == "stock":
            piles.append(pile(fact["title"], value, "?" if value else None))
        elif fact["kind"] == "pile":
            piles.append(pile(fact["title"], len(value), value[-1]))
    return DrawnTable(
        phase=state["phase"],
        seats=[_seat(seat, places(seat), state, players, cards, order, look) for seat in range(n)],
        trick=trick_of(trick, over=False) if trick else last,
        last=last if trick else None,
        piles=piles,
        aside=[Laid(face, cards.get(face)) for face in look.aside],
        cornered=bool(state.get("tricks_taken")),
        moment=look.moment or _moment(state, players),
        to=_to(state["phase"]),
        hand_facts=_hand_facts(state, cards, look.wording),
        calls=_calls(state, n, look.wording),
    )


def _seat(
    seat: int,
    place: int,
    state: Mapping[str, Any],
    players: Sequence[str],
    cards: Mapping[str, DrawnCard],
    order: Mapping[str, int],
    look: Look,
) -> DrawnSeat:
    turn = state.get("turn")
    hands, sizes = state.get("hands"), state.get("hand_sizes")
    held = hands[seat] if hands else None
    acts = turn in (seat, None)
    laid = [_held(seat, face, cards, look, acts) for face in held or ()]
    if left := look.played.get(seat):
        played = _("played")
        for face in left:
            seq = look.played_at.get((seat, face))
            laid.append(Laid(face, cards.get(face), "played", played, None if seq is None else seat, seq=seq))
    laid.sort(key=lambda card: (order.get(card.face, 0), card.mark == "played"))
    size = sizes[seat] if sizes and held is None else None
    chips = [*_chips(seat, state, look)]
    facts = _facts(seat, state, players, size) + [(note, "") for note in look.notes.get(seat, ())]
    name = players[seat]
    called = look.wording.seat(seat)
    return DrawnSeat(
        seat, place, name, called, _to(state["phase"]) if turn == seat else "", chips, facts, laid, size or 0
    )


def _chips(seat: int, state: Mapping[str, Any], look: Look) -> Iterator[tuple[str, str]]:
    """Yield what stands beside a name: who deals, the game's facts about single seats (sitting out, called), whose turn it is."""
    if state.get("dealer") == seat:
        yield _("starts") if look.starter else _("deals"), "dealer"
    for fact in state.get("facts", ()):
        value, kind = state[fact["key"]], fact["kind"]
        if kind == "seat" and value == seat or kind == "seats" and seat in value:
            yield _lower(fact["title"]), ""
        elif kind == "contract" and value["seat"] == seat:
            yield look.wording.call(value["call"]), ""
    if state.get("turn") == seat:
        yield _to(state["phase"]), "acting"


def _held(seat: int, face: str, cards: Mapping[str, DrawnCard], look: Look, acts: bool) -> Laid:
    mark, note = ("legal", _("legal")) if acts and face in look.legal else ("", "")
    if look.moves is None or not acts:
        return Laid(face, cards.get(face), mark, note)
    return Laid(face, cards.get(face), mark, note, seat, look.moves.get((seat, face)))


def _facts(seat: int, state: Mapping[str, Any], players: Sequence[str], size: int | None) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    tricks = state.get("tricks_taken")
    for fact in state.get("facts", ()):
        value = state[fact["key"]]
        if fact["per"] == "seat" and fact["kind"] == "int" and value[seat] is not None:
            facts.append((f"{_lower(fact['title'])} {value[seat]}", ""))
        elif fact["per"] == "seat" and fact["kind"] == "bool" and value[seat]:
            facts.append((_lower(fact["title"]), ""))
        elif fact["kind"] == "pairs":
            owed = Counter(pair["creditor"] for pair in value if pair["debtor"] == seat)
            if owed:
                due = (f"{apart(players[to])} {_cards(number)}" for to, number in owed.items())
                facts.append((_("owes %(due)s", due=", ".join(due)), ""))
    if tricks:
        facts.append((ngettext("%(num)s trick", "%(num)s tricks", tricks[seat]), ""))
    if size is not None:
        facts.append((_cards(size), "size"))
    return facts


def _calls(state: Mapping[str, Any], n: int, wording: Wording) -> list[tuple[str, ...]]:
    """Return the calls by round and seat until a card is played; then the contract says enough."""
    if state.get("trick") or any(state.get("tricks_taken") or ()):
        return []
    calls = (state[fact["key"]] for fact in state.get("facts", ()) if fact["kind"] == "calls")
    return next((rounds([*map(wording.call, one)], state["dealer"], n) for one in calls), [])


def _hand_facts(state: Mapping[str, Any], cards: Mapping[str, DrawnCard], wording: Wording) -> list[str]:
    """Return the game's facts about the whole hand, such as trump or the direction of the pass."""
    words = []
    for fact in state.get("facts", ()):
        value = state[fact["key"]]
        if fact["per"] == "hand" and fact["kind"] in ("suit", "call", "text", "int", "card"):
            card = cards.get(value) if fact["kind"] == "card" else None
            text = card.text if card else translated(SUITS.get(value, value)) if fact["kind"] == "suit" else value
            text = wording.call(value) if fact["kind"] == "call" else text
            text = wording.value(fact["key"], value) if fact["kind"] == "text" else text
            words.append(f"{translated(fact['title'])}: {text}")
    return words


def _moment(state: Mapping[str, Any], players: Sequence[str]) -> str:
    turn, phase = state.get("turn"), state["phase"]
    if turn is not None:
        return f"{apart(players[turn])} {_to(phase)}"
    ending = _ENDINGS.get(state.get("status", ""))
    if ending is not None:
        return translated(ending)
    return translated(_MOMENTS[phase]) if phase in _MOMENTS else _("Anyone %(to)s", to=_to(phase))


def _to(phase: str) -> str:
    return translated(f"to {_PHASES.get(phase, phase)}")


def _cards(number: int) -> str:
    return ngettext("%(num)s card", "%(num)s cards", number)


def _lower(title: str) -> str:
    """Return the title of a fact within a line: German keeps its capitals."""
    words = translated(title)
    return words if language() == "de" else words.lower()


def apart(name: str) -> str:
    """Isolate a name, so that it does not change the direction of the text around it."""
    return f"\u2068{name}\u2069"
