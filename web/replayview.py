"""A replay as its page shows it: one position of it, the log beside it, and where its controls lead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from web.cards import Card, drawn
from web.felt import Felt, Look, laid_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.cards import Pack

VERDICTS = {"allowed": "allows", "broken": "broken", "resolved": "decides"}
"""What a rule did, by the words of rulings."""
_FACE = re.compile(r"\b[2-9TJQKA][CDHS]\b")
_SENTENCES = {
    "gone": "Taken back: the replay goes on without it.",
    "correction": "A correction: positions show what counts now.",
}
_REMARKS = {"note": "note", "retract": "correction", "amend": "correction"}


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the log: an event in words, what kind of line it is, and the trick that it completed."""

    seq: int
    words: str
    kind: str
    trick: int | None


class ReplayView:
    """A replay (as api/replay.py answers it) at event `seq`.

    `line` are the numbers of the events that count, `stops` those at which a trick is complete (in games without
    tricks, a turn), the beginning included.
    """

    verdicts = VERDICTS

    def __init__(self, replay: Mapping[str, Any], seq: int, pack: Pack, *, starter: bool, may_see_all: bool) -> None:
        self.replay = replay
        self.seq = seq
        self.pack = pack
        self.starter = starter
        self.may_see_all = may_see_all
        self.states: list[dict[str, Any]] = []
        state: dict[str, Any] = {}
        for step in replay["steps"]:
            state = state | step["table"]
            self.states.append(state)
        self.line = [step["seq"] for step in replay["steps"] if step["counts"]]
        self.stops = self._stops()

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
        """How many of the events that count have come."""
        return sum(seq <= self.seq for seq in self.line)

    def felt(self) -> Felt:
        """Return the table to draw."""
        replay, step, state = self.replay, self.step, self.state
        n = len(replay["players"])
        tricks = replay["tricks"][: step["tricks"]]
        played: dict[int, list[str]] = {seat: [] for seat in range(n)}
        under_way = [state["trick"]] if state.get("trick") else []
        for trick in [*(trick for trick in tricks if not trick["back"]), *under_way]:
            for i, face in enumerate(trick["cards"]):
                played[(trick["leader"] + i) % n].append(face)
        acting = [choice.get("cards", ()) for choice in state.get("choices", ()) if choice["type"] != "draw"]
        over = replay["end"] is not None and self.seq >= replay["end"]
        return laid_out(
            state,
            replay["names"],
            self.pack,
            Look(
                legal={face for faces in acting for face in faces},
                played=played,
                last_trick=tricks[-1] if tricks else None,
                aside=self._aside(),
                notes=_points(replay["scores"]) if over else {},
                starter=self.starter,
                moment=f"Hand {replay['hand']} is over" if over and state["phase"] == "deal" else None,
                view=int(replay["view"]) if replay["view"].isdigit() else None,
            ),
        )

    @property
    def round(self) -> str:
        """What the larger of the two steps is called."""
        return "trick" if self.replay["tricks"] or "tricks_taken" in self.states[-1] else "turn"

    def remarks(self) -> list[str]:
        """Return what a correction did to the event, or why it changes nothing, in sentences."""
        step = self.step
        if "recorded" in step:
            return [f"Recorded as: {self.in_glyphs(step['recorded'])}. Amended since; the replay follows what counts."]
        kind = _kind(step)
        return [_SENTENCES[kind]] if kind in _SENTENCES else []

    def views(self) -> list[tuple[str, str]]:
        """Return the views to choose from, with their names."""
        seats = [(str(seat), f"as {name} saw it") for seat, name in enumerate(self.replay["names"])]
        every = [("all", "all hands"), *seats] if self.may_see_all else []
        return [*every, ("spectator", "what everybody saw")]

    def tricks(self) -> list[dict[str, Any]]:
        """Return the tricks with their cards by seat."""
        cards, n = drawn(self.pack), len(self.replay["players"])
        return [
            {**trick, "cards": [cards[trick["cards"][(seat - trick["leader"]) % n]] for seat in range(n)]}
            for trick in self.replay["tricks"]
        ]

    def dealt(self) -> list[tuple[str, list[list[Card]]]]:
        """Return everyone's hand as dealt, colour by colour; nothing where it is not to be seen."""
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
        return f'<iframe src="{escape(address)}" width="100%" height="640" loading="lazy" title="A hand of cards"></iframe>'

    def log(self) -> list[LogRow]:
        """Return the lines of the log."""
        ends = {trick["seq"]: number for number, trick in enumerate(self.replay["tricks"], 1)}
        return [
            LogRow(
                step["seq"], self.in_glyphs(step["words"], step["event"]["type"]), _kind(step), ends.get(step["seq"])
            )
            for step in self.replay["steps"]
        ]

    def around(self) -> dict[str, int | None]:
        """Return where the controls lead from here; None where there is nothing more."""

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

    def decided(self, made: Mapping[str, Any]) -> str:
        """Return what a choice gave up, in words."""
        name, was = f"\u2068{self.replay['names'][made['seat']]}\u2069", self._glyph(made["made"])
        if made["made"] == made["best"] or made["cost"] <= 0:
            return f"{name}: {was}, and nothing better was found among {made['options']} choices"
        doubt = "" if made["bad"] else ", within doubt"
        return (
            f"{name}: {was} cost {made['cost']:.1f} ± {made['error']:.1f}{doubt}; best of {made['options']} choices was"
            f" {self._glyph(made['best'])}"
        )

    def _glyph(self, words: str) -> str:
        """Return a choice with its cards as they are drawn."""
        cards = drawn(self.pack)
        return " ".join(cards[word].text if word in cards else word for word in words.split())

    def in_glyphs(self, words: str, kind: str = "") -> str:
        """Return what was said of an event with cards as they are drawn: K♥ for KH; notes stay as they are.

        Names are set apart, so that none turns the text around it.
        """
        if kind == "note":
            return words
        cards = drawn(self.pack)
        names = "|".join(re.escape(name) for name in sorted(self.replay["names"], key=len, reverse=True))
        parts = re.split(rf"(?<!\w)({names})(?!\w)", words)
        parts[1::2] = [f"\u2068{name}\u2069" for name in parts[1::2]]
        if any(card.suit for card in cards.values()):
            parts[::2] = [_FACE.sub(lambda found: cards[found[0]].text, part) for part in parts[::2]]
        return "".join(parts)

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
        deals = [step for step in self.replay["steps"] if step["counts"] and step["counts"]["type"] == "deal"]
        if not deals or self.seq < deals[0]["seq"]:
            return ()
        faces: Sequence[str] = deals[0]["counts"].get("aside") or ()
        return faces


def _points(scores: Sequence[int] | None) -> dict[int, list[str]]:
    return {seat: [f"{points:+} points".replace("-", "\u2212")] for seat, points in enumerate(scores or ())}


def _kind(step: Mapping[str, Any]) -> str:
    kind = _REMARKS.get(step["event"]["type"])
    if kind is not None:
        return kind
    return "gone" if step["counts"] is None else "amended" if step["by"] is not None else ""
