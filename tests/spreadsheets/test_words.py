"""Days and games in the words of people, in the languages of the pages."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from babel import Locale
from babel.dates import format_date

from cardledger.formats.spreadsheets.calendar_names import MONTHS, WEEKDAYS
from cardledger.formats.spreadsheets.days import day_in
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.games import games
from cardledger.rules.games.names import NAMES, game_called, plain
from cardledger_web.languages import LANGUAGES, catalogue
from tests.spreadsheets.paper import DAY, NEW, by_column, evening, found, shown

HEARTS = evening("hearts", 4, 1, tables=1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "pattern", ["full", "long", "d MMM y", "d-MMM-yy", "EEE, d. MMM y", "EEEE d MMMM yyyy", "MMMM d, y"]
)
def test_every_day_of_a_year_is_read_as_each_language_writes_it(language: str, pattern: str) -> None:
    for number in range(365):
        day = date(2026, 1, 1) + timedelta(number)
        assert day_in(format_date(day, pattern, language)) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("20 Nov 2026", "2026-11-20"), ("20-Jan-26", "2026-01-20"), ("Dienstag, 20. Januar 2026", "2026-01-20"),
        ("Mittwoch, 20. Januar 2026", None), ("1er janvier 2026", "2026-01-01"), ("Jan 3rd 2026", "2026-01-03"),
        ("the 3rd of January 2026", "2026-01-03"), ("2026/01/20 20:15:33", "2026-01-20"), ("20.1.26", "2026-01-20"),
        ("20/01/26", None), ("20 January", None), ("Jan 2026", None), ("2026-01-311", None), ("31 Feb 2026", None),
        ("Di, 20.1.2026", "2026-01-20"), ("20.01.2026 20:00 Uhr", "2026-01-20"), ("March", None), ("7 May 8 2026", None),
        ("3-4-2026", None), ("Mo, 20.1.2026", None), ("dim. 18 janv. 2026", "2026-01-18"),
    ],
)  # fmt: skip
def test_a_day_in_words_is_read_and_half_a_day_is_not(text: str, day: str | None) -> None:
    read = day_in(text)
    assert (read and read.isoformat()) == day


def test_every_name_of_a_game_is_one_and_no_name_has_two() -> None:
    for game in games().values():
        assert game_called(game.title.upper()) is game
        assert game_called(game.id) is game
        for language in LANGUAGES:
            assert game_called(catalogue(language).gettext(game.title)) is game
        for name in NAMES.get(game.id, ()):
            assert game_called(name) is game
    assert game_called("Chess") is None
    assert game_called("") is None


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


@pytest.mark.parametrize("written", ["3/4/2026", "last Tuesday", "2026-02-03", DAY])
def test_the_day_that_is_given_overrules_any_cell_and_says_so(written: str, empty: Ledger) -> None:
    rows = by_column("Dame de pique", HEARTS)
    rows[0][1] = written
    preview = shown(empty, rows, NEW._replace(date="2026-03-04"))
    assert preview.ready, preview.problems
    (night,) = preview.evenings
    assert night.opening is not None
    assert (night.opening.date, night.opening.game) == ("2026-03-04", "hearts")
    assert preview.recognised[0].why.endswith(f"the day is the one given, not {written!r} (B1)")


def test_two_days_on_sheets_are_two_evenings_whatever_is_given(empty: Ledger) -> None:
    rows = [*by_column("hearts", HEARTS), [], ["Date", "2026-02-03"], *by_column("hearts", evening("hearts", 4, 2))[2:]]
    assert {code for code, _ in found(shown(empty, rows, NEW._replace(date=DAY)))} >= {"sheet.date"}


@pytest.mark.parametrize(("what", "ours", "first"), [("months", MONTHS, 1), ("days", WEEKDAYS, 0)])
def test_months_and_weekdays_have_the_names_of_cldr(what: str, ours: tuple[str, ...], first: int) -> None:
    found: dict[str, set[int]] = {}
    for language in LANGUAGES:
        names = getattr(Locale.parse(language), what)
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated", "short"):
                for number, name in names[context].get(width, {}).items():
                    found.setdefault(plain(name), set()).add(number)
    by_name: dict[str, set[int]] = {}
    for number, called in enumerate(ours, first):
        for name in called.split():
            by_name.setdefault(name, set()).add(number)
    assert by_name == found
