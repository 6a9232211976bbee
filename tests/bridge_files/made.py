"""Files made up for the tests: one board whose cards are easy to follow, and any number of boards played at random."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from typing import Any

from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.record.matches.matchfile import MatchInFile, Problem, Warned
from cardledger.record.matches.replay import result

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
"""Everybody holds a suit: North spades, East hearts, South diamonds, West clubs."""
BASE = {
    "Event": "Spring cup", "Site": "Lyon", "Date": "2026.03.14", "Board": "1", "West": "Wu", "North": "Nora",
    "East": "Eli", "South": "Sam", "Dealer": "N", "Vulnerable": "None", "Deal": DEAL, "Scoring": "MP", "Declarer": "N",
    "Contract": "4S", "Result": "13", "Auction": "N\n4S AP", "Play": "E\nHA D2 C2 S2\nH2 D3 C3 SA\n*",
}  # fmt: skip
"""Four spades by North: East leads the ace of hearts, North ruffs and takes the rest."""


def pbn(**changed: str | None) -> str:
    """Return a game, with some tags changed, added (at the end) or left out (None)."""
    tags = {**BASE, **changed}
    parts = []
    for name, value in tags.items():
        if value is not None:
            head, _, rest = value.partition("\n")
            parts.append(f'[{name} "{head}"]\n{rest}\n' if rest else f'[{name} "{head}"]\n')
    return "".join(parts)


def items_of(text: str | bytes, name: str = "made.pbn", **wishes: Any) -> list[MatchInFile | Problem | Warned]:
    """Return all that is read from a file."""
    content = text if isinstance(text, bytes) else text.encode()
    return [*read_file_of_matches(io.BytesIO(content), name, **wishes)]


def seen(item: MatchInFile | Problem | Warned) -> dict[str, Any]:
    """Return what matters of a board: who played, calls, contract, cards, result, extras and codes of notices."""
    if not isinstance(item, MatchInFile):
        code = item.error.code if isinstance(item, Problem) else item.code
        return {"error": code, "line": item.line}
    found = result(item.stream.table)
    [hand] = found["hands"]
    opening = item.stream.table.opening
    events = item.events
    by_type = [(each.__struct_config__.tag, each) for each in events]
    notes: list[Any] = [each for tag, each in by_type if tag == "note"]
    extras = [extra for note in notes for extra in note.extras or ()]
    assert item.source is not None
    return {
        "players": found["players"],
        "event": opening.event, "place": opening.place, "date": opening.date, "table": opening.table,
        "line": item.line,
        "game": item.source.game,
        "codes": [notice.code for notice in item.source.notices],
        "lines": [notice.line for notice in item.source.notices],
        "calls": hand["calls"], "contract": hand["contract"], "declarer": hand["declarer"], "made": hand["made"],
        "board": hand["board"], "dealer": hand["dealer"], "vulnerable": hand["vulnerable"],
        "plays": [f"{'NESW'[each.seat]}{each.card}" for tag, each in by_type if tag == "play"],
        "alerts": [each.alert for tag, each in by_type if tag == "call" and each.alert is not None],
        "explained": [each.explain for tag, each in by_type if tag == "call" and each.explain is not None],
        "notes": [(note.text, events[note.about - 1].__struct_config__.tag) for note in notes if note.about],
        "extras": extras,
        "hands": next(each.hands for tag, each in by_type if tag == "deal"),
        "score": hand["scores"] and hand["scores"][0],
        "adjusted": hand["adjusted"] is not None,
        "status": found["status"],
        "claims": [list(each.tricks) for tag, each in by_type if tag == "claim"],
        "violations": [violation["rule"] for violation in found["violations"]],
    }  # fmt: skip


# --- boards played at random

_RANKS = "23456789TJQKA"
_VULNERABLE = (
    "None",
    "NS",
    "EW",
    "All",
    "NS",
    "EW",
    "All",
    "None",
    "EW",
    "All",
    "None",
    "NS",
    "All",
    "None",
    "NS",
    "EW",
)


def random_game(number: int, chance: random.Random) -> str:
    """Return a board played at random, as a file would have it; its result follows from the cards."""
    deck = [suit + rank for suit in "SHDC" for rank in _RANKS]
    chance.shuffle(deck)
    hands = [sorted(deck[13 * seat : 13 * seat + 13], key=lambda card: -_RANKS.index(card[1])) for seat in range(4)]
    board = (number - 1) % 36 + 1
    dealer = (board - 1) % 4
    written = [".".join("".join(card[1] for card in hand if card[0] == suit) for suit in "SHDC") for hand in hands]
    strain = chance.choice(["S", "H", "D", "C", "NT"])
    contract = f"{chance.randint(1, 6)}{strain}"
    lead = leader = (dealer + 1) % 4
    taken, rows, complete = [0, 0], [], chance.choice([13, 13, 6, 8, 10])
    for _ in range(complete):
        trick: dict[int, str] = {}
        led = ""
        for place in range(4):
            seat = (leader + place) % 4
            card = chance.choice([card for card in hands[seat] if card[0] == led] or hands[seat])
            hands[seat].remove(card)
            trick[seat], led = card, led or card[0]
        leader = max(
            trick, key=lambda seat: (trick[seat][0] == strain, trick[seat][0] == led, _RANKS.index(trick[seat][1]))
        )
        taken[leader % 2] += 1
        rows.append(" ".join(trick[(lead + place) % 4] for place in range(4)))
    made = taken[dealer % 2] + chance.randint(0, 13 - complete)
    rows += ["*"] if complete < 13 else []
    return pbn(
        Event=f"Cup {number % 7}", Board=str(board), Dealer="NESW"[dealer], Vulnerable=_VULNERABLE[(board - 1) % 16],
        Deal=f"{'NESW'[dealer]}:{' '.join(written[(dealer + place) % 4] for place in range(4))}",
        Declarer="NESW"[dealer], Contract=contract, Result=str(made), HomeTeam="Alpha", VisitTeam="Beta", Room="Open",
        Round="3", Auction=f"{'NESW'[dealer]}\n{contract} Pass Pass Pass", Play="\n".join(["NESW"[lead], *rows]),
    )  # fmt: skip


def random_games(count: int, seed: int = 1) -> Iterator[str]:
    """Yield the text of a file of random boards, piece by piece."""
    chance = random.Random(seed)
    yield "% PBN 2.1\n% EXPORT\n\n"
    for number in range(1, count + 1):
        yield random_game(number, chance) + "\n"
