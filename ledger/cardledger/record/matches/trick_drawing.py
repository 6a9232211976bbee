"""A trick drawn as a moving picture (SVG): its cards come one after the other, then who takes it.

It moves by styles alone, once, and then stands still: it plays where scripts do not run, as in a picture on another page.
Who wants no motion, and a program that knows no styles, sees its end: the cards have numbers in the order of play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from cardledger.record.matches.drawing import SIZE, Drawing, bare_table, card, order, spot

if TYPE_CHECKING:
    from cardledger.rules.engine.shown import SeatName

_BEAT = 0.7
"""Seconds from one card to the next."""
_MOST_STEPS = 12
"""As many cards as a trick may have, and its taker."""
STYLE = (
    "@media (prefers-reduced-motion:no-preference){"
    "@keyframes come{from{opacity:0;transform:scale(1.6)}}"
    ".s{animation:come .35s ease-out backwards;transform-box:fill-box;transform-origin:center}"
    + "".join(f".s{step}{{animation-delay:{step * _BEAT:.1f}s}}" for step in range(1, _MOST_STEPS + 1))
    + "}"
)
"""The styles of every such picture: always the same text, so that a server can allow them by its hash and no others."""
_SLIM = 1.7
"""How much higher than wide a letter is."""
_CARD = (50, 60)


def trick_at(under_way: Mapping[str, Any] | None, taken: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the trick to draw at a moment: the one under way, else the one taken last, None before the first."""
    if under_way and under_way.get("cards"):
        return under_way
    return taken[-1] if taken else None


def draw_trick(
    title: str,
    players: Sequence[str],
    trick: Mapping[str, Any],
    *,
    said: str = "",
    seats: Sequence[SeatName] = (),
    bottom: int = 0,
) -> Drawing:
    """Draw a trick as it came.

    Arguments:
        title: what the picture is called.
        players: the names around the table.
        trick: its `cards` in the order of play, the `leader` or the `seats` of that order, and the `taker`, if it has one.
        said: who takes it, in words; shown after the last card.
        seats: names of the seats, if they have any.
        bottom: the seat at the bottom; the others follow clockwise.
    """
    width, height = SIZE
    n, (wide, high) = len(players), _CARD
    parts = [*bare_table(title), f"<style>{STYLE}</style>"]
    for seat, player in enumerate(players):
        x, y = spot(seat - bottom, n, 1.1)
        name = f"{seats[seat].short}  {player}" if seats else player
        room = 2 * min(x, width - x) / max(1, len(name))
        size = max(9, min(18, room * _SLIM))
        parts.append(
            f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" font-size="{size:.0f}" font-weight="600">{escape(name)}</text>'
        )
    faces = trick["cards"]
    for step, (seat, face) in enumerate(zip(order(trick, n), faces, strict=False), 1):
        x, y = spot(seat - bottom, n, 0.62)
        left, top = x - wide / 2, y - high / 2
        box = f'x="{left:.0f}" y="{top:.0f}" width="{wide}" height="{high}" rx="6"'
        parts.append(
            f'<g class="s s{step}"><rect {box} fill="#fff" stroke="#8a988a"/>'
            f'<text x="{x:.0f}" y="{y + 11:.0f}" text-anchor="middle" font-size="{_size(face)}" font-weight="600">{card(face)}</text>'
            f'<text x="{left + 5:.0f}" y="{top + 13:.0f}" font-size="11" fill="#555">{step}</text></g>'
        )
        if seat == trick.get("taker"):
            parts.append(f'<rect class="s s{len(faces) + 1}" {box} fill="none" stroke="#1c6b3a" stroke-width="4"/>')
    if said:
        parts.append(
            f'<text class="s s{len(faces) + 1}" x="{width / 2}" y="{height - 14}" text-anchor="middle" '
            f'font-size="16" font-weight="600" fill="#1c6b3a">{escape(said)}</text>'
        )
    return Drawing("".join((*parts, "</svg>")))


def _size(face: str) -> int:
    """Return the size of a card's letters: long faces are smaller."""
    return 20 if len(face) < 3 else 15 if len(face) < 5 else 11
