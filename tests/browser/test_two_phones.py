"""Two phones score one match for a whole evening, each without a connection for a part of it: the ledger is what was played.

Every decision is in it once, as if one phone had recorded all of it with a connection, and people are asked about
nothing but the two hands that the phones recorded differently.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from tests.browser.scoring import (
    Api,
    as_seen,
    by_hands,
    go_score,
    in_order,
    plain,
    say,
    scorer_at,
    seen,
    served,
    settled,
    typed,
    waits,
)
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from cardledger.rules.engine.game import Game

PLAYERS = ("ana", "ben", "cleo", "dev")
HANDS = 24
LENGTH = {
    "bridge": {"boards": HANDS},
    "diamonds-bid": {"target": 100_000},
    "diamonds-draw": {"target": 100_000},
    "hecto-diversity": {"target": 100_000},
    "poison-hearts": {"target": 100_000},
    "ruff": {"rounds": HANDS},
    "ruff-2": {"rounds": HANDS},
}
"""Options with which a match has so many hands, where it is not the option `hands`."""
SHAPES = [games()[name] for name in ("hearts", "euchre", "hecto-diversity")]
"""Games of passes, of calls with a discard, and of draws: an evening takes minutes, so thorough runs have all others."""

QUESTIONS = """
  let before = "";
  new MutationObserver(() => {
    const said = document.querySelector("#question")?.innerText ?? "";
    if (said && said !== before) asked(said);
    before = said;
  }).observe(document, { childList: true, characterData: true, subtree: true });
"""


class Phone:
    """A phone at the table: what it enters, and what it asked about."""

    def __init__(self, page: Page, match: str) -> None:
        self.page, self.match = page, match
        self.asked: list[str] = []
        page.context.expose_function("asked", lambda said: self.asked.append(said))
        page.context.add_init_script(QUESTIONS)
        self.away, self.waiting = False, 0
        go_score(page, match)
        self.judges()

    def judges(self) -> None:
        """Wait until the engine in the browser judges."""
        self.page.locator("#score[data-judges]").wait_for()

    def leaves(self) -> None:
        """Lose the connection."""
        self.page.context.set_offline(True)
        self.page.locator('#status[data-state="offline"]').wait_for()
        self.away, self.waiting = True, 0

    def enters(self, events: Sequence[ev.Event], seq: int = 0) -> None:
        """Enter events; with a connection until they are recorded, the last as event `seq`."""
        before = seq - len(events)
        deal, rest = (events[:1], events[1:]) if isinstance(events[0], ev.Deal) else ((), events)
        for line in filter(None, (deal, rest)):  # who is next is known when the deal is taken
            typed(self.page, line, PLAYERS)
            if self.away:
                self.waiting += len(line)
                waits(self.page, self.waiting)
            else:
                before += len(line)
                self.sees(before)

    def reloads(self) -> None:
        """Open the page again without a connection."""
        self.page.reload()
        waits(self.page, self.waiting)
        self.judges()

    def is_back(self) -> None:
        """Get the connection back."""
        self.page.context.set_offline(False)
        self.away, self.waiting = False, 0

    def sees(self, seq: int) -> None:
        """Wait until the page shows event `seq`, and had time to show it."""
        self.page.locator(f'#log ol[data-seq="{seq}"]').wait_for(state="attached")
        settled(self.page)
        seen(self.page)

    def decides(self, answer: str) -> None:
        """Answer the question which of two records is right, with one tap."""
        self.page.locator("#question .two-records").wait_for()
        self.page.locator("#question").get_by_role("button", name=answer).tap()


def evening(game: str) -> tuple[ev.Open, list[list[ev.Event]]]:
    """Return the opening of an evening and its hands."""
    length = LENGTH.get(game, {"hands": HANDS})
    events = simulate(game, 4, Random(24), ["cautious"], length, players=PLAYERS, policy="record", max_hands=HANDS)
    opening, *played = (event for event in as_seen(game, events) if not isinstance(event, ev.End))
    assert isinstance(opening, ev.Open)
    return opening, by_hands(played)


def slip(before: Sequence[ev.Event], hand: Sequence[ev.Event]) -> tuple[int, ev.Event]:
    """Return the place of the last card in a hand for which another one could have been played, and that other event."""
    for place, right in reversed([*enumerate(hand)]):
        if not isinstance(right, ev.Play | ev.Discard):
            continue
        stream = Stream.of([*before, *hand[:place]])
        kind = right.__struct_config__.tag
        for card in (card for choice in stream.table.choices() if choice.type == kind for card in choice.cards):
            wrong = msgspec.structs.replace(right, card=card)
            tried = stream.copy()
            tried.append(wrong)
            if wrong != right and len(tried.table.violations) == len(stream.table.violations):
                return place, wrong
    raise AssertionError("nobody had a choice")


def halves(hand: list[ev.Event]) -> tuple[list[ev.Event], list[ev.Event]]:
    """Return a hand in two parts, as two scorers share it."""
    middle = len(hand) // 2
    return hand[:middle], hand[middle:]


class Evening:
    """The evening as it is played, with what the ledger has to hold after each hand."""

    def __init__(self, opening: ev.Open, hands: list[list[ev.Event]]) -> None:
        self.hands = iter(hands)
        self.ledger: list[ev.Event] = [opening]

    def next(self) -> list[ev.Event]:
        """Return the next hand, which the ledger will hold once."""
        hand = next(self.hands)
        self.ledger += hand
        return hand

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.ledger)


def both_see(evening: Evening, *phones: Phone) -> None:
    for phone in phones:
        phone.sees(evening.seq)


def with_a_connection(evening: Evening, one: Phone, other: Phone) -> None:
    """Enter half of the evening: hands by turns, and some of them together."""
    for number in range(HANDS // 2):
        first, second = (one, other) if number % 2 else (other, one)
        before = evening.seq
        hand = evening.next()
        if number % 4 == 3:
            begun, rest = halves(hand)
            first.enters(begun, before + len(begun))
            second.sees(before + len(begun))
            second.enters(rest, evening.seq)
        else:
            first.enters(hand, evening.seq)
        both_see(evening, one, other)


def one_alone(evening: Evening, away: Phone, looks_on: Phone, many: int) -> None:
    """One phone records hands without a connection, with a reload in the middle of them."""
    away.leaves()
    for number in range(many):
        begun, rest = halves(evening.next())
        away.enters(begun)
        if number == 0:
            away.reloads()
        away.enters(rest)
    away.is_back()
    both_see(evening, away, looks_on)


def one_records_more(evening: Evening, more: Phone, less: Phone, *, back: Sequence[Phone]) -> None:
    """Both record a hand without a connection, one of them only its beginning; they come `back` one after the other."""
    hand = evening.next()
    begun, rest = halves(hand)
    more.leaves()
    less.leaves()
    less.enters(begun)
    more.enters(begun)
    more.reloads()
    more.enters(rest)
    for phone in back:
        phone.is_back()
        settled(phone.page)
    both_see(evening, more, less)


def one_has_a_slip(evening: Evening, right: Phone, wrong: Phone, *, first: Phone) -> None:
    """Both record a hand, and one of them has another card in it: whoever comes back later decides, with one tap."""
    before = [*evening.ledger]
    hand = next(evening.hands)
    place, other_card = slip(before, hand)
    slipped = [*hand[:place], other_card]
    right.leaves()
    wrong.leaves()
    right.enters(hand)
    wrong.enters(slipped)
    first.is_back()
    first.sees(len(before) + len(hand if first is right else slipped))
    if first is right:
        evening.ledger += hand
        wrong.is_back()
        wrong.decides("Keep what is recorded")
    else:
        evening.ledger += [*slipped, ev.Retract(to=len(before) + place), *hand[place:]]
        right.is_back()
        right.decides("Replace it with mine")
    both_see(evening, right, wrong)


def one_is_away(evening: Evening, away: Phone, here: Phone, *, whole: bool) -> None:
    """One phone records a hand with a connection, the whole or half of it, and the other one all of it without."""
    before = evening.seq
    hand = evening.next()
    part = hand if whole else halves(hand)[0]
    away.leaves()
    away.enters(hand)
    here.enters(part, before + len(part))
    away.is_back()
    both_see(evening, away, here)


def one_takes_a_card_back(evening: Evening, away: Phone, looks_on: Phone) -> None:
    """One phone records a hand without a connection, with a card in it that it takes back."""
    before = [*evening.ledger]
    hand = next(evening.hands)
    place, other_card = slip(before, hand)
    away.leaves()
    away.enters([*hand[:place], other_card])
    say(away.page, "undo")
    away.waiting += 1
    waits(away.page, away.waiting)
    away.enters(hand[place:])
    away.is_back()
    evening.ledger += [*hand[:place], other_card, ev.Retract(to=len(before) + place), *hand[place:]]
    both_see(evening, away, looks_on)


def both_at_once(evening: Evening, one: Phone, other: Phone) -> None:
    """Both record the same hand without a connection, and get it back at the same moment."""
    hand = evening.next()
    one.leaves()
    other.leaves()
    one.enters(hand)
    other.enters(hand)
    one.is_back()
    other.is_back()
    both_see(evening, one, other)


@pytest.mark.long
@pytest.mark.parametrize("game", games().values() if THOROUGH else SHAPES, ids=lambda game: game.id)
def test_two_phones_record_one_match_half_of_it_without_a_connection(
    browser: Browser, tmp_path: Path, game: Game[Any]
) -> None:
    opening, hands = evening(game.id)
    night = Evening(opening, hands)
    with (
        served(tmp_path) as club,
        scorer_at(browser, "phone", *club, worker=True) as left,
        scorer_at(browser, "phone", *club, worker=True) as right,
    ):
        api = Api(*club)
        match = api.open(opening)
        one, other = Phone(left, match), Phone(right, match)
        with_a_connection(night, one, other)
        one_alone(night, one, other, many=2)
        one_alone(night, other, one, many=2)
        one_records_more(night, one, other, back=(other, one))
        one_records_more(night, other, one, back=(other, one))
        one_has_a_slip(night, one, other, first=one)
        one_has_a_slip(night, one, other, first=other)
        one_is_away(night, one, other, whole=False)
        one_is_away(night, other, one, whole=True)
        one_takes_a_card_back(night, other, one)
        both_at_once(night, one, other)
        assert in_order(api.events(match))[1:] == in_order(plain(night.ledger))[1:]
        assert next(night.hands, None) is None
        assert [len(one.asked), len(other.asked)] == [1, 1], (one.asked, other.asked)
        assert all("Two records of one hand" in asked for asked in (*one.asked, *other.asked))
        same = api.open(*night.ledger)
        assert api.table(match)["totals"] == api.table(same)["totals"]
