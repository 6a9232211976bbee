"""Clubs, sessions and leagues in PostgreSQL, as in a file."""

from __future__ import annotations

from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from tests.evenings.night import made, record


def test_a_server_records_ranks_verifies_and_erases_evenings(url: str) -> None:
    with Ledger(url) as ledger, Ledger(url) as other:
        night = made(ledger)
        record(ledger, night.session, {"type": "publish"})
        assert {*other.matches()} == {*night.matches}
        assert {*other.evenings.ids()} == {night.club, night.session, night.league}
        assert other.evenings.resolve("league") == night.league
        assert [each.fits for each in other.evenings.rankings.published(night.session)] == [True]
        left = erase(ledger, examine(ledger, "Annabella"), "admin")
        (published,) = other.evenings.rankings.published(night.session)
        assert published.fits
        assert left in {row["players"][0] for row in published.ranking.rows}
        assert [error for _, error in other.verify() if error] == []
