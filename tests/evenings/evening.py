"""Evenings for the tests: streams from JSON data, and matches that never were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.evenings.standings import Standing, standings
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.evenings.travellers import Outcome


def opening(kind: str = "matchpoints", unit: str = "pair", **scoring: Any) -> dict[str, Any]:
    return {
        "type": "session",
        "club": None,
        "name": "Tuesday",
        "date": "2026-01-06",
        "game": None,
        "unit": unit,
        "scoring": {"kind": kind, **scoring},
    }


def entries(numbers: Iterable[int], size: int = 2) -> list[dict[str, Any]]:
    return [{"type": "entry", "number": n, "players": [f"{'abcd'[k]}{n}" for k in range(size)]} for n in numbers]


def stream(*events: dict[str, Any]) -> EveningStream:
    return EveningStream.of([event_of(event) for event in events])


def add(evening: EveningStream, **event: Any) -> None:
    evening.append(event_of(event))


def session(evening: EveningStream) -> SessionState:
    assert isinstance(evening.state, SessionState)
    return evening.state


def no_match(match: str) -> Outcome:
    raise AssertionError(match)


def ranking(evening: EveningStream, result_of=no_match) -> list[Standing]:
    return standings(session(evening), result_of, evening.lot)


def places(evening: EveningStream, result_of=no_match) -> list[tuple[int, str, float]]:
    return [(each.entry, each.place, round(float(each.value), 2)) for each in ranking(evening, result_of)]
