"""Persons on pages: the person behind a player id, their names, and the persons at the seats of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import g

from cardledger.record.people.names import is_pseudonym

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from flask import Blueprint

    from cardledger.record.people.people import People
    from cardledger.record.recording.ledger import Ledger


def people_of(ledger: Ledger) -> People:
    """Return the people as known at the start of the request."""
    if "people" not in g:
        g.people = ledger.people()
    people: People = g.people
    return people


def called(ledger: Ledger, players: Iterable[str]) -> list[str]:
    """Return the names of players."""
    people = people_of(ledger)
    return [people.name(player) for player in players]


def seated(ledger: Ledger, match: str, players: Sequence[str]) -> list[str]:
    """Return the names of the persons at the seats of a match; `players` are the recorded ids."""
    return called(ledger, people_of(ledger).seated(match, players))


def add_filters(pages: Blueprint, ledger: Ledger) -> None:
    """Give templates the filters for people: `called` of an id, `persons` and `teams` of a row of a list of matches, `brief`ly."""

    @pages.app_template_filter("called")
    def _called(player: str) -> str:
        return people_of(ledger).name(player)

    @pages.app_template_filter("brief")
    def _brief(text: str) -> str:
        """Return a text; of an erased person's pseudonym only the beginning."""
        return f"{text[:5]}…" if is_pseudonym(text) else text

    @pages.app_template_filter("teams")
    def _teams(row: Mapping[str, Any]) -> list[list[int]]:
        """Return the seats of each side; without partners, each seat is a side."""
        teams: list[list[int]] = row["sides"] or [[seat] for seat in range(len(row["players"]))]
        return teams

    @pages.app_template_filter("persons")
    def _persons(row: Mapping[str, Any]) -> Sequence[str]:
        return people_of(ledger).seated(row["match"], row["players"])
