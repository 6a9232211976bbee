"""The calls of euchre: who makes trump, with which call, and who plays alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardledger.rules import DONE, THROWN_IN, Called, Hand, Match, Sentence, Word, rotation
from cardledger.rules import SUITS as LETTERS

SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
ORDER_UP: Final = "order up"
TRUMPS: Final = tuple(f"{call}{alone}" for call in (ORDER_UP, *SUITS) for alone in ("", " alone"))
WORDS: Final = (
    Word("pass", "passes"),
    *(
        Word(call, call.replace("order", "orders it") if call.startswith("order") else f"makes it {call}")
        for call in TRUMPS
    ),
    Word("alone", "defends alone"),
)


@dataclass
class EuchreHand(Hand):
    """Adds the number of passes, who made trump and how, and who defends alone (seats; -1 for nobody)."""

    passes: int = 0
    maker: int = -1
    alone: bool = False
    ordered_up: bool = False
    defender: int = -1
    call: str = ""


def forbids(match: Match[Any], hand: EuchreHand, seat: int, call: str) -> str | None:
    """The suit turned up in the first round, any other in the second."""
    if call == "alone":
        return "table.phase"
    if call == "pass":
        stuck = hand.passes >= 4 and seat == hand.dealer and match.options["stick_dealer"]
        return "call.stuck" if stuck else None
    word = call.removesuffix(" alone")
    if hand.passes < 4:
        return None if word == ORDER_UP else "call.order-up"
    return "call.name" if word == ORDER_UP or (hand.upcard >= 0 and word == SUITS[hand.upcard // 13]) else None


def call(match: Match[Any], hand: EuchreHand, seat: int, call: str) -> int:
    """After a pass the next seat calls, and the eighth pass ends the hand; any other call makes trump."""
    if match.trail is not None:
        name = "call.order-up" if hand.passes < 4 else "call.name"
        match.cite(name, Sentence("{who} says {call}", who=match.who(seat), call=Called(call)), "allowed")
        if hand.passes >= 4 and seat == hand.dealer and match.options["stick_dealer"]:
            match.cite("call.stuck", Sentence("{who} may not pass", who=match.who(seat)), "allowed")
    if call == "pass":
        hand.passes += 1
        if hand.passes == 8:
            match.cite("call.passed-out", Sentence("everybody passed twice: nobody scores"))
            return THROWN_IN
        return (seat + 1) % 4
    word = call.removesuffix(" alone")
    hand.maker, hand.call, hand.alone, hand.ordered_up = seat, call, word != call, word == ORDER_UP
    hand.order = max(0, hand.upcard) // 13 if hand.ordered_up else SUITS.index(word)
    if match.trail is not None and trump(match, hand) is not None:
        match.cite(
            "rank.bowers",
            Sentence(
                "the jack of {suit} is highest, then that of {other}",
                suit=Sentence(SUITS[hand.order]),
                other=Sentence(SUITS[3 - hand.order]),
            ),
        )
    if hand.alone:
        match.cite("call.alone", Sentence("{who} plays alone", who=match.who(seat)))
        play_alone(hand, seat)
    return DONE


def first_defender(match: Match[Any], hand: Any) -> int:
    """The first defender from the dealer's left, if a defender may play alone."""
    if not match.options["lone_defender"]:
        return DONE
    left: int = (hand.dealer + 1) % 4
    return left if (left - hand.maker) % 2 else (left + 1) % 4


def forbids_alone(match: Match[Any], hand: EuchreHand, seat: int, call: str) -> str | None:
    """Alone or pass."""
    return None if call in ("alone", "pass") else "call.defend-alone"


def call_alone(match: Match[Any], hand: EuchreHand, seat: int, call: str) -> int:
    """The other defender calls too, unless the first plays alone."""
    if call == "alone":
        hand.defender = seat
        play_alone(hand, seat)
        return DONE
    return DONE if seat != first_defender(match, hand) else (seat + 2) % 4


def play_alone(hand: EuchreHand, seat: int) -> None:
    """The partner sits out."""
    out = {*sits_out(hand), (seat + 2) % 4}
    hand.rotation = rotation(4, tuple(other for other in range(4) if other not in out))


def sits_out(hand: EuchreHand) -> list[int]:
    """The seats that sit out."""
    return [seat for seat in range(4) if seat not in hand.rotation[seat]]


def trump(match: Match[Any], hand: EuchreHand) -> str | None:
    """The trump suit, once it is made and known."""
    return None if hand.maker < 0 or (hand.ordered_up and hand.upcard < 0) else LETTERS[hand.order]


def contract(match: Match[Any], hand: EuchreHand) -> dict[str, Any] | None:
    """Who made trump, and with which call."""
    return None if hand.maker < 0 else {"seat": hand.maker, "call": hand.call}
