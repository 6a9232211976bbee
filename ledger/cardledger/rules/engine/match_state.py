"""The state of a match: its fields, and what each of them means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.phases.duties import Keeps
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.rulebook import Ruling, Violation
from cardledger.rules.engine.state import Hand


@dataclass(slots=True)
class MatchState:
    """The fields of a match; see `Match`.

    `hand` is the hand under way, or the last one; `blank` is the empty hand from which new ones are copied. `phase` is
    the phase that takes events and `taking` its functions; `lead` and `follow` are the duties of the moment.
    `side[seat]` is the side a seat plays for; `turned_up` tells whether deals turn up a card. `totals` are by seat,
    equal for partners; `account` is the game's own record across hands. `hands` are all hands begun, the latest is
    `hand`. `ruled_at` is the number of the last ruling on a hand that was over. With `trail` set to a list, every
    ruling is written to it.

    While a hand is hidden, `worlds` are all ways the cards may lie that differ in more than the unseen cards (more
    than one only if a tie may or may not have left the hands), `base` is the match at the moment from which hands
    will be judged, `since` the events from there on. `judges` means that plays are checked against the rules: not
    while hands are hidden, but again when such a hand is judged; `hindsight` means that this is happening, and
    `played_before_cut` are the cards played in a hand cut short that is judged on the cards shown.
    """

    game: Any
    opening: ev.Open
    options: dict[str, Any]
    n: int
    pack: Pack
    blank: Hand
    hand: Hand
    phase: Phase
    taking: dict[type[ev.Event], Take]
    players: tuple[str, ...] = ()
    side: tuple[int, ...] = ()
    turned_up: str = ""
    cards: dict[str, tuple[int, int]] = field(default_factory=dict)
    kin: tuple[tuple[int, ...], ...] = ()
    playing: TrickPlay | None = None
    lead: Keeps | None = None
    follow: Keeps | None = None
    strict: bool = True
    seq: int = 1
    status: str = "open"
    account: Any = None
    trail: list[Ruling] | None = None
    totals: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    ruled_at: int = 0
    hands: list[Any] = field(default_factory=list)
    hidden: bool = False
    judges: bool = True
    hindsight: bool = False
    played_before_cut: int = 0
    worlds: list[World] = field(default_factory=list)
    base: Any = None
    since: list[tuple[ev.Event, int]] = field(default_factory=list)
