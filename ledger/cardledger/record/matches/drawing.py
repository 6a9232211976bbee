"""A table drawn as a picture (SVG): names around it, the cards in every hand by suit, and the trick in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cardledger.rules.engine.shown import SeatName

SUITS = {"S": ("♠", "#1f2a44"), "H": ("♥", "#c01f2e"), "D": ("♦", "#c05a00"), "C": ("♣", "#1c6b3a")}
"""The suits of the standard pack from the highest in bridge down: a sign and a colour."""
RANKS = "AKQJT98765432"
SIZE = (560, 420)
_RADIUS = (190, 140)
_LINE = 17
_SMALL = 15
_WIDE = 22
"""Characters of a line of cards that have no suits."""


class Drawing(NamedTuple):
    """A picture as SVG; notebooks show it."""

    svg: str

    def __repr__(self) -> str:
        return f"Drawing of {len(self.svg):,} characters of SVG: `svg` has them, a notebook shows the picture"

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    title: str,
    players: Sequence[str],
    state: Mapping[str, Any],
    *,
    seats: Sequence[SeatName] = (),
    bottom: int = 0,
    middle: Sequence[str] = (),
) -> Drawing:
    """Draw a table as `table_view.state` describes it: one seat is at the bottom, the others follow clockwise.

    `seats` are their names, if they have any; `middle` are lines of text for the middle of a table without a trick.
    """
    width, height = SIZE
    parts = bare_table(title)
    hands, trick = state.get("hands") or [None] * len(players), state.get("trick") or {}
    played = dict(zip(order(trick, len(players)), trick.get("cards", ()), strict=False))
    for seat, player in enumerate(players):
        x, y = spot(seat - bottom, len(players))
        lines = [
            f'<tspan font-weight="600">{f"{seats[seat].short}  " if seats else ""}{escape(player)}{" (dealer)" if state.get("dealer") == seat else ""}</tspan>'
        ]
        lines += _cards(hands[seat])
        top = y - _LINE * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            parts.append(f'<text x="{x:.0f}" y="{top + _LINE * number:.0f}" text-anchor="middle">{line}</text>')
        if seat in played:
            x, y = spot(seat - bottom, len(players), 0.3)
            parts.append(
                f'<text x="{x:.0f}" y="{y + 6:.0f}" text-anchor="middle" font-size="20">{card(played[seat])}</text>'
            )
    for number, line in enumerate(middle if not played else ()):
        y = height / 2 + _SMALL * (number - (len(middle) - 1) / 2) + 4
        parts.append(f'<text x="{width / 2}" y="{y:.0f}" text-anchor="middle" font-size="11">{escape(line)}</text>')
    return Drawing("".join((*parts, "</svg>")))


def bare_table(title: str) -> list[str]:
    """Return the beginning of a picture: its title, the paper, and a table that nothing lies on."""
    (width, height), (across, down) = SIZE, _RADIUS
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
        f' font-family="system-ui, sans-serif" font-size="14"><title>{escape(title)}</title>',
        f'<rect width="{width}" height="{height}" rx="12" fill="#fff"/>',
        f'<ellipse cx="{width / 2}" cy="{height / 2}" rx="{across / 2}" '
        f'ry="{down / 2}" fill="#eef3ee" stroke="#b9c7b9"/>',
    ]


def spot(place: int, seats: int, out: float = 1) -> tuple[float, float]:
    """Return the middle of a seat's place, counted clockwise from the bottom; less far `out`, of its card on the table."""
    (width, height), (across, down) = SIZE, _RADIUS
    angle = pi / 2 + 2 * pi * place / seats
    return width / 2 + out * across * cos(angle), height / 2 + out * down * sin(angle)


def suit_of(face: str) -> str | None:
    """Return the letter of a card's suit, None for a card that is not of the standard pack."""
    return face[1] if len(face) == 2 and face[1] in SUITS and face[0] in RANKS else None


def rank_of(face: str) -> str:
    """Return the rank of a card of the standard pack, as people write it."""
    return "10" if face[0] == "T" else face[0]


def card(face: str) -> str:
    """Return a card as text of SVG: rank and sign of the suit in its colour, or its face as written."""
    suit = suit_of(face)
    if suit is None:
        return escape(face)
    sign, colour = SUITS[suit]
    return f'<tspan fill="{colour}">{rank_of(face)}{sign}</tspan>'


def order(trick: Mapping[str, Any], seats: int) -> list[int]:
    """Return the seats in the order in which they play to a trick."""
    leader = trick.get("leader") or 0
    return list(trick.get("seats") or [(leader + place) % seats for place in range(seats)])


def _cards(hand: Sequence[str] | None) -> list[str]:
    """Return the lines of a hand: a suit each, or faces as they are."""
    if hand is None:
        return ["cards not recorded"]
    if not all(map(suit_of, hand)):
        return [escape(line) for line in wrap(" ".join(hand), _WIDE)] or ["–"]
    lines = []
    for suit, (sign, colour) in SUITS.items():
        held = sorted((card for card in hand if card[1] == suit), key=lambda card: RANKS.index(card[0]))
        lines.append(f'<tspan fill="{colour}">{sign}</tspan> {" ".join(map(rank_of, held)) or "–"}')
    return lines
