"""A replay as its page shows it: one position, the log beside it, and the targets of its controls."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.record.matches.moves import kinds_of
from cardledger.record.matches.trick_drawing import trick_at
from cardledger.rules.knowledge.imagined import possible_faces
from cardledger_web.languages import N_, _, minus, ngettext, translated
from cardledger_web.views.cards import DrawnCard, drawn
from cardledger_web.views.choices import decision_in_words
from cardledger_web.views.table import DrawnTable, Look, apart, laid_out
from cardledger_web.views.tried_line import BEGIN, OF_CARDS, card_moves, move_with, offers
from cardledger_web.views.wording import in_glyphs, wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

FRAME_HEIGHT = 760
"""Pixels of a frame on another page: a table on a phone, with its controls, of the games with the most seats."""
VERDICTS = {"allowed": N_("allows"), "broken": N_("broken"), "resolved": N_("decides")}
"""The effect of a rule, by the words of rulings."""
_SENTENCES = {
    "gone": N_("Taken back: the replay goes on without it."),
    "correction": N_("A correction: positions show what counts now."),
}


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the log: an event in words, the kind of line, and the trick that it completed."""

    seq: int
    words: str
    kind: str
    trick: int | None


class ReplayView:
    """A replay (as api/cardledger_api/resources/replay.py answers it) at event `seq`.

    `line` holds the numbers of the events that count, `stops` those that complete a trick (in games without tricks, a
    turn), with the beginning; `kinds` are the keys of each type of event, in their order in a move.
    """

    verdicts = VERDICTS

    def __init__(
        self, replay: Mapping[str, Any], seq: int, table: Match[Any], *, may_see_all: bool, may_try: bool = True
    ) -> None:
        self.replay = replay
        self.seq = seq
        self.table = table
        self.pack = table.pack
        self.starter = table.game.deal.first == "starter"
        self.may_see_all = may_see_all
        self.may_try = may_try
        self.states: list[dict[str, Any]] = []
        state: dict[str, Any] = {}
        for step in replay["steps"]:
            state = state | step["table"]
            self.states.append(state)
        self.line = [step["seq"] for step in replay["steps"] if step["counts"]]
        self.stops = self._stops()
        self.kinds = kinds_of(table.game)
        self._dealt = next((step for step in self._counted("deal")), None)
        self._plays: dict[tuple[int, str], list[int]] = {}
        for step in self._counted("play"):
            self._plays.setdefault((step["counts"]["seat"], step["counts"]["card"]), []).append(step["seq"])

    def _counted(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield the steps at which an event of a kind counts."""
        return (step for step in self.replay["steps"] if step["counts"] and step["counts"]["type"] == kind)

    def at(self, seq: int) -> Self:
        """Return the same replay at another event."""
        other = copy(self)
        other.seq = seq
        return other

    @property
    def step(self) -> Mapping[str, Any]:
        """The event of the position."""
        step: Mapping[str, Any] = self.replay["steps"][self.seq - self.replay["first"]]
        return step

    @property
    def state(self) -> dict[str, Any]:
        """The table of the position."""
        state: dict[str, Any] = self.states[self.seq - self.replay["first"]]
        return state

    @property
    def place(self) -> int:
        """The number of counting events so far."""
        return sum(seq <= self.seq for seq in self.line)

    def card_table(self, *, buttons: bool = False, tried: bool = False) -> DrawnTable:
        """Return the table to draw.

        With `buttons` cards that were played lead to their event, and where all hands are shown, the others can be
        tried. A `tried` position is none of the record: only its next cards are buttons.
        """
        replay, step, state = self.replay, self.step, self.state
        n = len(replay["players"])
        tricks = replay["tricks"][: step["tricks"]]
        played: dict[int, list[str]] = {seat: [] for seat in range(n)}
        under_way = [state["trick"]] if state.get("trick") else []
        for trick in [*(trick for trick in tricks if not trick["back"]), *under_way]:
            for seat, face in zip(trick["seats"], trick["cards"], strict=True):
                played[seat].append(face)
        acting = [choice.get("cards", ()) for choice in state.get("choices", ()) if choice["type"] != "draw"]
        over = replay["end"] is not None and self.seq >= replay["end"]
        moment = None
        if over and tried:
            moment = _("The hand would be over")
        elif over and state["phase"] == "deal":
            moment = _("Hand %(number)s is over", number=replay["hand"])
        return laid_out(
            state,
            replay["names"],
            self.pack,
            Look(
                legal={face for faces in acting for face in faces},
                moves=card_moves(state.get("choices", ()), n, self.kinds)
                if tried or (buttons and self.may_try and (replay["view"] == "all" or replay["view"].isdigit()))
                else None,
                played=played,
                played_at=self._played_at() if buttons else {},
                last_trick=tricks[-1] if tricks else None,
                aside=self._aside(),
                notes=_points(replay["scores"]) if over and not tried else {},
                starter=self.starter,
                moment=moment,
                view=int(replay["view"]) if replay["view"].isdigit() else None,
                wording=wording(self.table.game),
            ),
        )

    @property
    def first_trick(self) -> int | None:
        """The event from which on there is a trick to be drawn; None if there is none in the hand."""
        return next((step["seq"] for step in self.replay["steps"] if self.at(step["seq"]).trick() is not None), None)

    def trick(self) -> Mapping[str, Any] | None:
        """Return the trick under way, or the one taken last."""
        return trick_at(self.state.get("trick"), self.replay["tricks"][: self.step["tricks"]])

    def offers(self) -> list[tuple[str, str]]:
        """Return what can be tried here beside cards of a hand: the words of a button, and the move.

        In the view of a seat another player's turn offers only to begin: the answer then says what that player could do.
        """
        view, turn = self.replay["view"], self.state.get("turn")
        if not self.may_try:
            return []
        if view.isdigit() and turn is not None and turn != int(view) and not self.replay["hidden"]:
            return [(_("Another choice of %(name)s", name=apart(self.replay["names"][turn])), BEGIN)]
        if view != "all" and not view.isdigit():
            return []
        return offers(self.state.get("choices", ()), self.kinds, self.replay["names"], drawn(self.pack))

    def offers_of_others(self, tried: Stream, seat: int) -> list[tuple[str, str]]:
        """Return what can be tried from a seat's view beside its own cards: what others could do as far as it can know."""
        names, cards, hand = self.replay["names"], drawn(self.pack), tried.table.hand
        shown: list[tuple[str, str]] = []
        for choice in tried.table.choices():
            other = choice.seat
            plain = msgspec.to_builtins(choice)
            if other is None or seat in (other, hand.acts_for[other]):
                shown += offers([plain], self.kinds, names, cards)
            elif choice.type in OF_CARDS:
                shown += [
                    (f"{apart(names[other])} {cards[face].text}", move_with(plain, other, face, self.kinds))
                    for face in possible_faces(tried, seat, other)
                ]
            else:
                shown += offers([plain | {"cards": ()}], self.kinds, names, cards)
        return shown

    def _played_at(self) -> dict[tuple[int, str], int]:
        """Return by seat and card the last event so far that played it."""
        return {
            card: max(seq for seq in seqs if seq <= self.seq)
            for card, seqs in self._plays.items()
            if seqs[0] <= self.seq
        }

    @property
    def by_tricks(self) -> bool:
        """Whether the larger step is a trick; elsewhere it is a round."""
        return bool(self.replay["tricks"]) or "tricks_taken" in self.states[-1]

    def remarks(self) -> list[str]:
        """Return sentences on the effect of a correction on the event, or why the event changes nothing."""
        step = self.step
        if "recorded" in step:
            return [
                _(
                    "Recorded as: %(words)s. Amended since; the replay follows what counts.",
                    words=self.in_glyphs(step["recorded"]),
                )
            ]
        kind = _kind(step)
        return [translated(_SENTENCES[kind])] if kind in _SENTENCES else []

    def views(self) -> list[tuple[str, str]]:
        """Return the views to choose from, with their names."""
        seats = [(str(seat), _("as %(name)s saw it", name=name)) for seat, name in enumerate(self.replay["names"])]
        every = [("all", _("all hands")), *seats] if self.may_see_all else []
        return [*every, ("spectator", _("what everybody saw"))]

    def tricks(self) -> list[dict[str, Any]]:
        """Return the tricks with their cards by seat."""
        cards, n = drawn(self.pack), len(self.replay["players"])
        return [
            {
                **trick,
                "cards": [
                    cards.get(dict(zip(trick["seats"], trick["cards"], strict=True)).get(seat, "")) for seat in range(n)
                ],
            }
            for trick in self.replay["tricks"]
        ]

    def dealt(self) -> list[tuple[str, list[list[DrawnCard]]]]:
        """Return all hands as dealt, suit by suit; empty if they are hidden."""
        cards = drawn(self.pack)
        hands = next((state["hands"] for state in self.states if state.get("hands")), None)
        if hands is None or None in hands:
            return []
        groups = [
            [list(group) for _, group in groupby([cards[face] for face in held][::-1], key=lambda card: card.suit)]
            for held in hands
        ]
        return [*zip(self.replay["names"], groups, strict=True)]

    def snippet(self, address: str) -> str:
        """Return the markup of a frame with the position."""
        return (
            f'<iframe src="{escape(address)}" width="100%" height="{FRAME_HEIGHT}" style="border:0" '
            'loading="lazy" title="A hand of cards"></iframe>'
        )

    def log(self) -> list[LogRow]:
        """Return the lines of the log."""
        ends = {trick["seq"]: number for number, trick in enumerate(self.replay["tricks"], 1)}
        return [
            LogRow(step["seq"], self.in_glyphs(step["words"], step["role"]), _kind(step), ends.get(step["seq"]))
            for step in self.replay["steps"]
        ]

    def around(self) -> dict[str, int | None]:
        """Return the targets of the controls; None at an end."""

        def before(places: Sequence[int]) -> int | None:
            return max((place for place in places if place < self.seq), default=None)

        def after(places: Sequence[int]) -> int | None:
            return min((place for place in places if place > self.seq), default=None)

        return {
            "first": before(self.line[:1]),
            "trick_before": before(self.stops),
            "before": before(self.line),
            "after": after(self.line),
            "trick_after": after(self.stops),
            "last": after(self.line[-1:]),
        }

    def decided(self, decision: Mapping[str, Any]) -> str:
        """Return what a choice cost as a sentence."""
        return decision_in_words(decision, self.table, self.replay["names"])

    def in_glyphs(self, words: str, role: str = "play") -> str:
        """Return the words of an event with cards and calls as they are drawn; remarks stay unchanged."""
        return words if role == "remark" else in_glyphs(words, self.table, self.replay["names"])

    def _stops(self) -> list[int]:
        line, replay = self.line, self.replay
        if replay["tricks"]:
            deals = [step["seq"] for step in replay["steps"] if step["event"]["type"] == "deal" and step["counts"]]
            stops = {*deals[:1], *(trick["seq"] for trick in replay["tricks"])}
        else:
            turns = [self.states[seq - replay["first"]].get("turn") for seq in line]
            stops = {seq for seq, turn, then in zip(line[1:], turns[1:], turns, strict=False) if turn != then}
        return sorted({*line[:1], *stops, *line[-1:]})

    def _aside(self) -> Sequence[str]:
        if self._dealt is None or self.seq < self._dealt["seq"]:
            return ()
        faces: Sequence[str] = self._dealt["counts"].get("aside") or ()
        return faces


def _points(scores: Sequence[int] | None) -> dict[int, list[str]]:
    return {
        seat: [ngettext("%(num)s point", "%(num)s points", abs(points), num=minus(f"{points:+}"))]
        for seat, points in enumerate(scores or ())
    }


def _kind(step: Mapping[str, Any]) -> str:
    if step["role"] != "play":
        return str(step["role"])
    return "gone" if step["counts"] is None else "amended" if step["by"] is not None else ""
