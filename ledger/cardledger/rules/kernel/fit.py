"""Which games have a kernel, why others have none, and what of a game is left to the live table."""

from __future__ import annotations

from typing import Any, Final

from cardledger.rules.engine.game import Game
from cardledger.rules.engine.phases import Between, Bids, Calls, Draws, Exchange, Phase, Ties, TrickPlay
from cardledger.rules.kernel.subset import before_play, outside, play_of

SEATS: Final = 8
"""Most seats of a table; every list by seat has so many numbers."""
PLAYED_SO: Final[dict[type[Phase | Between], tuple[str, ...]]] = {
    TrickPlay: (
        "begin", "leader", "put", "lay", "out_of_turn", "binding", "legal_cards", "weigh", "breaks", "complete",
        "complete_hand",
    ),
    Draws: ("go_on", "draw", "may_draw"),
    Ties: ("go_on", "tie"),
    Bids: ("begin", "bid", "go_on", "allowed"),
    Exchange: ("begin", "give", "arrive", "moves", "step"),
    Calls: ("begin", "call"),
}  # fmt: skip
"""The methods of phases that a kernel has again: a class that brings one of its own does something that no kernel
knows."""


def unfit(game: Game[Any]) -> list[str]:
    """Say why a game has no kernel; nothing if it has one."""
    if game.collecting is not None:
        return outside(game)
    play, bot = play_of(game), game.study.bot
    if play is None:
        return ["its last phase is not TrickPlay, and its bot has no `collecting` for a game of turns"]
    if bot is None:
        return ["it has no bot"]
    if bot.card is None:
        return ["its bot has no `card`"]
    if play.between is not None and not isinstance(play.between, Draws | Ties):
        return [f"{type(play.between).__name__} is a step between tricks of its own: a kernel has Draws and Ties"]
    for part in (play, play.between, before_play(game)):
        if part is not None and (own := own_methods(part)):
            return [f"{type(part).__name__} has a `{own[0]}` of its own, which a kernel would not call"]
    if game.sizes[-1] > SEATS:
        return [f"more than {SEATS} players"]
    if game.scoring.score is not None and game.scoring.needs_match is None:
        return [
            "`score` may look at more than the hand: carry what it needs into the hand with the `setup` of the deal, "
            "and give `points`"
        ]
    return outside(game)


def own_methods(part: Phase | Between) -> list[str]:
    """Return the methods that a phase, or a step between tricks, has in place of those that a kernel has again."""
    return [
        name
        for kind, names in PLAYED_SO.items()
        if isinstance(part, kind)
        for name in names
        if getattr(type(part), name) is not getattr(kind, name)
    ]


def at_the_table(game: Game[Any]) -> list[str]:
    """Say what of a game with a kernel is left to the live table, which is slower and gives the same results."""
    found = []
    begun = before_play(game)
    live = [phase.name for phase in game.phases[1:-1] if phase is not begun] if game.collecting is None else []
    if live:
        found.append(
            f"its kernel begins with the play: {' and '.join(dict.fromkeys(live))} come before it at the live table"
        )
    if options := needing_match(game):
        found.append(
            f"with {' or '.join(options)} its points need more than the hand: such matches are played at the live table"
        )
    return found


def needing_match(game: Game[Any]) -> list[str]:
    """Return the options by which a match needs more than the hand for its points, if the usual ones do not."""
    needs, usual = game.scoring.needs_match, game.fill({}, game.sizes[0])
    if needs is None:
        return []
    ways = (
        (one, value)
        for one in game.options
        for value in one.choices or (not one.default,) * (isinstance(one.default, bool))
    )
    return [
        one.name if isinstance(value, bool) else f"{one.name} {value}"
        for one, value in ways
        if needs(usual | {one.name: value})
    ]
