"""Who competes under which number, and the movement that is chosen for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.errors import RuleError
from cardledger.record.recording.known_players import guests_among
from cardledger.record.recording.moment import session_of
from cardledger.record.recording.rounds import taken_back
from cardledger.rules.engine.event import bare
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.suitable import Suitable, Suited, Wish, described_movements, suitable
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.lineup import Lineup


def proposed_movements(ledger: Ledger, evening: str, wish: Wish) -> dict[str, Any]:
    """Return the movements that suit an evening and the time there is, as JSON data.

    Each has `events`, which choose it when they are recorded. Raises StoreError `store.unknown`.
    """
    state = session_of(ledger.evenings.stream(evening), evening)
    suits = suitable(state, wish)
    described = described_movements(state, suits)
    for one in described["movements"]:
        one["events"] = [
            msgspec.to_builtins(bare(event))
            for event in movement_events(ledger, evening, state, suits.found[one["name"]])
        ]
    return described


def chosen(suits: Suitable, name: str) -> Suited:
    """Return a movement by its short name; raises RuleError `session.movement`."""
    if name in suits.found:
        return suits.found[name]
    if name in suits.too_long:
        _, played = suits.too_long[name]
        raise RuleError(
            "session.movement",
            advising(
                Sentence(
                    "{name} needs {played} boards, more than the time is enough for: choose another",
                    name=name,
                    played=played,
                )
            ),
        )
    raise RuleError(
        "session.movement",
        advising(
            Sentence("{name} does not suit who competes now: choose {found}", name=name, found=", ".join(suits.found))
            if suits.found
            else Sentence("{name} does not suit who competes now: choose another number of boards", name=name)
        ),
    )


def movement_events(ledger: Ledger, evening: str, state: SessionState, suited: Suited) -> list[Event]:
    """Return the events that choose a movement: numbers first where some change, or where single players have none."""
    entries: list[ev.Entry] = []
    if state.opening.unit == "player":
        entries = individual_entries(state)
    elif suited.numbers:
        entries = [
            ev.Entry(
                number=suited.numbers.get(number, number), players=lineup.players, line=lineup.line,  # type: ignore[arg-type]  # as entered
                stays=lineup.stays,
            )
            for number, (*_, lineup) in state.entries.items()
        ]  # fmt: skip
        entries.sort(key=lambda entry: entry.number)
    renumbered = entry_changes(ledger, evening, state, entries) if entries else []
    if not renumbered and state.movements and state.movements[-1] == suited.movement:
        return []
    return [*renumbered, suited.movement]


def individual_entries(state: SessionState) -> list[ev.Entry]:
    """Return the entries of single players: those who are here, numbered in order of arrival."""
    return [ev.Entry(number=number, players=(player,)) for number, player in enumerate(state.here, 1)]


def entry_changes(ledger: Ledger, evening: str, state: SessionState, entries: Sequence[ev.Entry]) -> list[Event]:
    """Return the events that make these the entries of an evening, and its players those who are here.

    What was entered before is taken back, with its movement. Once a round has begun, other players under a number are
    its substitutes from the next round on; raises RuleError `session.phase` for other numbers or lines.
    """
    before = {number: (lineup.players, _seat(lineup)) for number, (*_, lineup) in state.entries.items()}
    if before == {entry.number: (entry.players, _seat(entry)) for entry in entries}:
        return []
    back, new = [], [*entries]
    if state.round:
        if {(number, seat) for number, (_, seat) in before.items()} != {(one.number, _seat(one)) for one in entries}:
            raise RuleError("session.phase", Sentence("the first round has begun: numbers and lines stay as they are"))
        new = [entry for entry in entries if entry.players != before[entry.number][0]]
        # Somebody who changes to another number has to leave theirs first.
        new.sort(
            key=lambda entry: any(
                number != entry.number and {*players} & {*entry.players} for number, (players, _) in before.items()
            )
        )
    else:
        counting = [*unroll(ledger.evenings.stream(evening).heads[-1])]
        own = {seq for seq, event in counting if isinstance(event, ev.Entry | ev.Movement | ev.Table)}
        back = taken_back(counting, own, "who competes is entered again") if own else []
    players = {player for entry in entries for player in entry.players}
    gone = [player for each in before.values() for player in each[0] if player in state.here and player not in players]
    came = dict.fromkeys(player for entry in new for player in entry.players if player not in state.here)
    guests = guests_among(ledger, state.opening.club, state.opening.date, came)
    after = state.round or None
    return [
        *back,
        *(ev.Leave(player=player, after=after) for player in gone),
        *(ev.Arrive(player=player, guest=player in guests, after=after) for player in came),
        *new,
    ]


def _seat(one: ev.Entry | Lineup) -> tuple[str | None, bool]:
    """Return where an entry asked to sit: its line, and whether it stays."""
    return one.line, one.stays
