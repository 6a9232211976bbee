"""The auction and the play of a PBN game: calls and cards, with the marks and notes on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from cardledger.formats.bridge_files.boards import Board, Said
from cardledger.formats.bridge_files.notation import CALLS, CARDS, PASS, seat_of
from cardledger.formats.bridge_files.pbn_game import PbnGame

_CALL = re.compile(
    r"[1-7](?:NT|[NSHDC])|XX|X|PASS|PAS|RDBL|DBL|REDOUBLE|DOUBLE|[PDR](?![A-Z])", re.IGNORECASE | re.ASCII
)
_CARD = re.compile(r"[SHDC](?:10|[2-9TJQKA])|-", re.IGNORECASE | re.ASCII)
_PIECE = re.compile(r"\^([A-Za-z])|=(\d+)=|(\$\d+)|(!!|\?\?|!\?|\?!|!|\?)", re.ASCII)
Piece = Literal["word", "irregular", "note", "mark", "unknown"]
"""A call or card, the sign of an irregularity, the number of a note, a mark such as `!`, or none of them."""
_SIGNS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}


def read_auction(board: Board, game: PbnGame) -> None:
    """Read the calls; all behind what cannot be read is kept as it stands."""
    value, lines = game.tags["Auction"], game.sections.get("Auction", [])
    board.first = seat_of(value.strip())
    if not lines:
        return
    said: list[Said] = []
    board.calls = said
    notes = game.notes_for("Auction")
    for token in " ".join(lines).split():
        call = CALLS.get(token)
        if call is not None:
            said.append(Said(call))
        elif token in ("AP", "ap", "Ap"):
            said += [Said(PASS) for _ in range(_passes_to_come(said))]
        elif token[0] in "-*+" and not token.strip("-*+"):
            board.whole = False
            break
        elif not _call(board, said, token, notes):
            board.whole = False
            board.tell(
                "pbn.call", f"{token[:20]!r} is no call: the auction is taken up to there, the rest is kept", "Auction"
            )
            break
    if not said:
        board.calls = None
        board.extras += game.kept("Auction")
    if board.first is None and board.dealer is None and board.number is None:
        board.calls = None


def _passes_to_come(said: list[Said]) -> int:
    """Return how many passes end the auction."""
    passes = 0
    for each in reversed(said):
        if each.call != PASS:
            return max(0, 3 - passes)
        passes += 1
    return max(0, 4 - passes)


def _call(board: Board, said: list[Said], token: str, notes: dict[str, str]) -> bool:
    """Read a call with what hangs on it, or only that; return False if it is none."""
    before: list[str] = []
    for kind, text in _pieces(token, _CALL):
        if kind == "word":
            said.append(Said(CALLS[text.upper()]))
            said[-1].remarks += before
            before = []
        elif kind == "irregular":
            before.append(text)
        elif kind == "unknown" or not said:
            return False
        elif kind == "mark":
            board.extras.append(("mark", f"Auction {len(said)}", text))
        elif said[-1].alert is None:
            said[-1].alert = notes.get(text, "")
        else:
            said[-1].remarks.append(notes.get(text, ""))
    if before:
        board.extras.append(("mark", f"Auction {len(said)}", " ".join(before)))
    return True


def _pieces(token: str, word: re.Pattern[str]) -> Iterator[tuple[Piece, str]]:
    """Yield the pieces of a token, each with its text; what follows an unknown piece is not read."""
    place = 0
    while place < len(token):
        if match := _PIECE.match(token, place):
            irregular, note, number, sign = match.groups()
            if irregular:
                yield "irregular", f"^{irregular}"
            elif note:
                yield "note", note
            else:
                yield "mark", sign or _SIGNS.get(number, number)
        elif match := word.match(token, place):
            yield "word", match[0]
        else:
            yield "unknown", token[place:]
            return
        place = match.end()


def read_play(board: Board, game: PbnGame) -> None:
    """Read the cards, row by row."""
    value, lines = game.tags["Play"], game.sections.get("Play", [])
    board.leader = seat_of(value.strip())
    if not lines:
        return
    cards: list[int] = []
    notes = game.notes_for("Play")
    known = CARDS.get
    over = False
    tokens = " ".join(lines).split()
    if tokens[-1] in ("*", "+"):
        tokens.pop()
    fast = [known(token) for token in tokens]
    if None not in fast and len(fast) <= 52:
        board.columns = fast  # type: ignore[assignment]
        return
    for token in tokens:
        number = known(token)
        if over:
            board.cut = True
            break
        if number is not None:
            cards.append(number)
        elif not token.strip("-"):
            cards.append(-1)
        elif token in ("*", "+"):
            over = True
        elif not _card(board, cards, token, notes):
            board.cut = True
            board.tell(
                "pbn.card", f"{token[:20]!r} is no card: the play is taken up to there, the rest is kept", "Play"
            )
            break
    if len(cards) > 52:
        board.cut = True
        board.tell("pbn.card", "there are more than 52 cards: those behind are kept", "Play")
        del cards[52:]
    board.columns = cards


def _card(board: Board, cards: list[int], token: str, notes: dict[str, str]) -> bool:
    """Read a card with what hangs on it, or only that; return False if it is none."""
    before: list[str] = []
    for kind, text in _pieces(token, _CARD):
        if kind == "word":
            cards.append(-1 if text == "-" else CARDS[text])
            if before and text != "-":
                board.remarks.setdefault(len(cards) - 1, []).extend(before)
                before = []
        elif kind == "irregular":
            before.append(text)
        elif kind == "unknown" or not cards:
            return False
        elif kind == "mark":
            board.extras.append(("mark", f"Play {len(cards)}", text))
        else:
            board.remarks.setdefault(len(cards) - 1, []).append(notes.get(text, ""))
    return True
