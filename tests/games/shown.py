"""What the cards shown in a hidden hand forbid, worked out on faces from the words of the rulebook, apart from the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardledger.rules.engine import events as ev

RANKS = "23456789TJQKA"
Found = tuple[int, int, str, tuple[str, ...]]
Events = list[tuple[int, ev.Event]]


class Course:
    """The events of a hidden hand up to the cut, those of the passing before the play apart."""

    def __init__(self, game: str, n: int, options: dict[str, Any], events: Events, sizes: int) -> None:
        self.game, self.n, self.options, self.events, self.size = game, n, options, events, sizes
        self.found: list[Found] = []

    def shown(self, at: int, seat: int) -> set[str]:
        """The faces that the seat plays or gives away as the next it does with them, from an event on."""
        moved: dict[str, bool] = {}
        for _, event in self.events[at:]:
            match event:
                case ev.Play(seat=mover, card=face) if mover == seat:
                    moved.setdefault(face, True)
                case ev.Give(seat=giver, to=to, card=str(face)) if seat in (giver, to):
                    moved.setdefault(face, seat == giver)
                case ev.Draw(seat=drawer, cards=faces) if drawer == seat:
                    for face in faces:
                        moved.setdefault(face, False)
        return {face for face, away in moved.items() if away}

    def breaks(self, seq: int, seat: int, card: str, *duties: tuple[str, set[str]]) -> None:
        """Note the first duty that a card breaks; the legal cards are those that keep all duties."""
        for rule, legal in duties:
            if card not in legal:
                together = set.intersection(*(kept for _, kept in duties))
                self.found.append((seq, seat, rule, tuple(sorted(together))))
                return

    def judged(self) -> list[Found]:
        """Every violation that the cards shown prove."""
        judge: dict[str, Callable[[], None]] = {"poison-hearts": self.poison}
        judge.get(self.game, self.tricks)()
        return self.found

    # --- tricks without ties

    def suit(self, face: str) -> str:
        """The suit a card counts as."""
        trump = self.options.get("trump")
        if self.game == "euchre" and face[0] == "J" and trump and {face[1], trump} in ({"C", "S"}, {"D", "H"}):
            return str(trump)
        return face[1]

    def tricks(self) -> None:
        trick: list[str] = []
        done, broken, asked = 0, False, None
        played = {event.card for _, event in self.events if isinstance(event, ev.Play)}
        ruffed = False
        for at, (seq, event) in enumerate(self.events):
            if isinstance(event, ev.Ask):
                asked = event.suit
            elif isinstance(event, ev.Give) and asked:
                assert isinstance(event.card, str)
                shown = self.shown(at, event.seat)
                suited = sorted((f for f in shown if f[1] == asked), key=lambda face: RANKS.index(face[0]))
                self.breaks(seq, event.seat, event.card, ("debt.highest", {*suited[-1:]} or shown))
                asked = None
            elif isinstance(event, ev.Play):
                shown = self.shown(at, event.seat)
                duties = (
                    self.follow(shown, trick[0], done) if trick else self.lead(shown, done, broken or ruffed, played)
                )
                if duties:
                    self.breaks(seq, event.seat, event.card, *duties)
                if trick and event.card[1] == "D" != trick[0][1] and not {f for f in shown if f[1] == trick[0][1]}:
                    ruffing = True
                else:
                    ruffing = False
                trick.append(event.card)
                self.ruffs = ruffing or (len(trick) > 1 and self.ruffs)
                if len(trick) == self.size:
                    broken = broken or self.breaking(trick)
                    if self.game == "diamonds-draw":
                        broken, ruffed = False, ruffed or self.ruffs
                    trick, done = [], done + 1

    ruffs = False

    def breaking(self, trick: list[str]) -> bool:
        """Whether a trick breaks the suit that may not be led before."""
        if self.game == "hearts":
            return any(f[1] == "H" or (f == "QS" and self.options["queen_breaks"]) for f in trick)
        suit = {"diamonds-bid": "D", "spades": "S"}.get(self.game)
        return trick[0][1] != suit and any(face[1] == suit for face in trick)

    def lead(self, shown: set[str], done: int, broken: bool, played: set[str]) -> list[tuple[str, set[str]]]:
        def without(suit: str) -> set[str]:
            return {face for face in shown if face[1] != suit} or shown

        match self.game:
            case "diamonds-bid" if not done:
                named = next(r + "C" for r in RANKS if r + "C" not in self.options["aside"])
                return [("lead.lowest-club", shown & {named})] if named in played else []
            case "diamonds-bid" if not broken:
                return [("lead.unbroken", without("D"))]
            case "diamonds-draw":
                first = [("first-trick.no-diamond", without("D"))] if not done else []
                return [*first, *([] if broken else [("lead.unbroken", without("D"))])]
            case "spades" if not broken and self.options["spade_lead"] == "broken":
                return [("lead.unbroken", without("S"))]
            case "hearts" if not done:
                clubs = {f for f in shown if f[1] == "C"} if self.options["any_club"] and "2C" in shown else {"2C"}
                return [("lead.lowest-club", shown & clubs)] if "2C" in played else []
            case "hearts" if not broken and self.options["break_hearts"]:
                if self.options["hearts_for_queen"] and all(f[1] == "H" or f == "QS" for f in shown):
                    return []
                return [("lead.unbroken", without("H"))]
        return []

    def follow(self, shown: set[str], led: str, done: int) -> list[tuple[str, set[str]]]:
        if self.game == "diversity":
            return []
        suited = {face for face in shown if self.suit(face) == self.suit(led)}
        if self.game == "diamonds-draw" and not done:
            clean = {face for face in shown if face[1] != "D"} or shown
            return [("first-trick.no-diamond", clean), ("follow.suit", suited & clean or shown)]
        duties = [("follow.suit", suited or shown)]
        if self.game == "hearts" and not done and not suited and self.options["clean_first_trick"]:
            clean = {face for face in shown if face[1] != "H" and face != "QS"}
            duties.append(("first-trick.no-points", clean or shown))
        return duties

    # --- tricks with ties

    def poison(self) -> None:
        trick: list[str] = []
        tried: set[str] = set()
        unled = True
        for at, (seq, event) in enumerate(self.events):
            if isinstance(event, ev.Pass):
                ones = {face for face in self.shown(at, event.seat) if face.endswith("1")}
                if ones:
                    self.found.append((seq, event.seat, "pass.no-one", tuple(sorted(ones))))
            if not isinstance(event, ev.Play):
                continue
            shown = self.shown(at, event.seat)
            if not trick:
                leader = event.seat
                ones = {face for face in shown if face.endswith("1")}
                if unled:
                    rule = ("lead.one", ones) if ones else ("pass.no-one", set[str]())
                    self.breaks(seq, event.seat, event.card, rule)
                else:
                    self.breaks(seq, event.seat, event.card, ("lead.different", shown - tried))
            else:
                suited = {face for face in shown if set(face[:-1]) & set(trick[0][:-1])}
                self.breaks(seq, event.seat, event.card, ("follow.suit", suited or shown))
            trick.append(event.card)
            if len(trick) == self.n:
                unled = False
                values = [int(f[-1]) for f in trick if set(f[:-1]) & set(trick[0][:-1])]
                tried |= {trick[0]}
                if values.count(max(values)) == 1 or self.shown(at + 1, leader) <= tried:
                    tried = set()
                trick = []
