"""What corrections change: exactly the differences between the folds before and after."""

from __future__ import annotations

from cardledger.record.matches.changes import Change, changes
from cardledger.record.matches.replay import audit, rulings
from cardledger.rules.engine import events as ev
from tests.test_readmodels import sample_matches

OPEN = ev.Open(game="diversity", players=tuple("abcd"), policy="record")
FIRST = [ev.Deal(dealer=0, hands=None), *(ev.Play(seat=seat % 4, card=card) for seat, card in enumerate(
    ("9S", "TH", "6C", "6D"), 1
))]  # fmt: skip


def change(events: list[ev.Event]) -> Change:
    (found,) = changes(events, range(len(events), len(events) + 1))
    return found


def test_an_amended_card_changes_the_trick_and_its_consequences() -> None:
    found = change([OPEN, *FIRST, ev.Amend(about=6, event=ev.Play(seat=0, card="2D"))])
    (hand,) = found.hands
    ((number, before, after),) = hand.tricks
    assert found.replaced == FIRST[-1]
    assert (number, before[2], after[2]) == (1, 3, 0)
    assert (found.gone, found.back, found.ceased, found.arisen) == ((), (), (), ())


def test_an_amended_claim_changes_points_and_totals() -> None:
    events = [
        OPEN,
        FIRST[0],
        ev.Claim(tricks=(1, 2, 3, 7)),
        ev.Deal(dealer=1, hands=None),
        ev.Score(scores=(5, 5, 3, 0)),
    ]
    found = change([*events, ev.Amend(about=3, event=ev.Claim(tricks=(7, 3, 2, 1)))])
    (hand,) = found.hands
    assert (hand.number, *hand.scores) == (1, [1, 2, 3, 7], [7, 3, 2, 1])
    assert (found.before.totals, found.after.totals) == ([6, 7, 6, 7], [12, 8, 5, 1])


def test_a_retract_lists_the_events_that_no_longer_count_or_count_again() -> None:
    events = [OPEN, *FIRST, ev.Retract(to=4)]
    found = change(events)
    assert found.gone == (5, 6)
    assert [(number, after) for number, _, after in found.hands[0].tricks] == [(1, None)]
    again = change([*events, ev.Retract(to=6)])
    assert (again.gone, again.back) == ((), (5, 6))
    whole = change([OPEN, *FIRST, ev.Retract(to=1)])
    assert whole.hands[0].after is None


def test_an_amendment_may_end_a_violation_or_bring_one() -> None:
    match = next(match for match in sample_matches() if match.stream.table.violations and not match.stream.corrected)
    broken = match.stream.table.violations[0]
    event = match.events[broken.seq - 1]
    events = [
        *match.events[: broken.seq],
        ev.Amend(about=broken.seq, event=ev.Play(seat=event.seat, card=broken.legal[0])),
    ]
    found = change(events)
    assert [violation.seq for violation in found.ceased] == [broken.seq]
    back = change([*events, ev.Amend(about=broken.seq, event=event)])
    assert [violation.seq for violation in back.arisen] == [broken.seq]


def test_a_change_stays_the_same_when_more_events_are_recorded() -> None:
    events = [OPEN, *FIRST[:4], ev.Retract(to=4), FIRST[3], FIRST[4], ev.Note(text="."), ev.Retract(to=9)]
    first, last = changes(events, range(1, len(events) + 1))
    assert (len(first.after.hands[0].tricks), len(last.after.hands[0].tricks)) == (0, 1)


def test_rulings_of_some_events_are_those_of_the_whole_trail() -> None:
    for match in sample_matches():
        whole = {entry.seq: entry.rulings for entry in audit(match.events) if entry.rulings}
        number = len(match.events)
        for among in (
            range(1, number + 1),
            range(1, 2),
            range(number // 3, number // 2),
            range(number - 3, number + 1),
        ):
            assert rulings(match.stream, among) == {seq: said for seq, said in whole.items() if seq in among}
