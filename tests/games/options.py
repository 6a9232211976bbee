"""Options at random, small enough for matches to end."""

from __future__ import annotations

from random import Random

from cardledger.rules import games
from cardledger.rules.engine.editions import newest

SOME: dict[str, tuple[object, ...]] = {
    "hands": (None, 1, 2, 3),
    "boards": (1, 2, 3),
    "rounds": (1, 2, 3),
    "laps": (1,),
    "target": (1, 12, 40, 100),
    "mercy": (None, 20, 200),
    "most": (1, 2, 5, 7),
    "bag_limit": (3, 10),
    "bag_penalty": (30, 100),
    "nil_points": (50, 100),
    "points_per_trick": (1, 5),
    "bonus": (5, 10),
}


def any_options(game: str, n: int, rng: Random) -> dict[str, object]:
    """Return options at random, each given or not, that go together."""
    chosen: dict[str, object] = {}
    for option in newest(games.editions()[game]).options:
        if rng.random() < 0.3:
            continue
        if option.choices:
            chosen[option.name] = rng.choice(option.choices)
        elif isinstance(option.default, bool):
            chosen[option.name] = rng.random() < 0.5
        else:
            chosen[option.name] = rng.choice(SOME[option.name])
    if game == "whist":
        if chosen.get("scoring") == "all" or chosen.get("hands") is not None:
            chosen["rubber"] = False
        if chosen.get("scoring") == "all":
            chosen["hands"] = rng.randrange(1, 4)
    if game == "diversity":
        chosen["hands"] = rng.randrange(1, 3)
    return chosen
