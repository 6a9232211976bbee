"""The page that takes an evening from a spreadsheet: shows it with every problem, asks for names, and stores it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, g, redirect, render_template, request, url_for

from cardledger.errors import LedgerError
from cardledger.formats.spreadsheets.grids import example_of
from cardledger.formats.spreadsheets.kept_layouts import layouts_of, named, rename, said_in_words
from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.names import NEW, OTHERS
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.reading import MOST_BYTES
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.templates import KINDS, template
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.formats.spreadsheets.words import place_of
from cardledger.formats.spreadsheets.years import year_said
from cardledger.record.people.spelling import tidy_name
from cardledger.record.readmodels.questions.evening_list import clubs
from cardledger.rules.evenings.other_game import LONGEST_GAME
from cardledger.rules.games import games
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.uploads import papers_sent
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.downloads import download
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.evening_opening import SCORINGS
from cardledger_web.views.form import sentence
from cardledger_web.views.other_game_form import WINS
from cardledger_web.views.spreadsheet import anchored, evening_said, in_file, kept, marked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response as AnyResponse

    from cardledger.formats.spreadsheets.preview import Preview
    from cardledger.record.recording.ledger import Ledger

Page = tuple[str, int]
FIELDS = ("club", "session", "name", "date", "game", "scoring", "columns", "wins", "layout", "keep_layout")
"""The fields of the form beside the files."""
EXAMPLE = ("name_at", "score_at", "score_is")
"""The fields that show a name and a number."""
_MEANT = "meant:"
_MOST_CELLS = 200
_LONGEST = 200


@pages.get("/evenings/import")
def evening_import() -> Page:
    if not sees_all():
        return for_scorers()
    return shown(request.args.to_dict(), None, [], "")


def take_evening(ledger: Ledger, files: list[tuple[str, bytes]]) -> Page | AnyResponse:
    """Show the evening of some sheets, or store it if that was pressed."""
    texts = {name: text.strip()[:_LONGEST] for name, text in request.form.items() if name != "kept"}
    ignored = tuple(cell.strip()[:_LONGEST] for cell in request.form.getlist("ignore")[:_MOST_CELLS])
    files = [(name, content[: MOST_BYTES + 1]) for name, content in files]
    if not files:
        return shown(texts, None, [], _("Choose a file first."))
    asked, wrong = wishes(texts, ignored), ""
    try:
        asked = asked._replace(example=example_of(*(texts.get(key) or None for key in EXAMPLE)))
    except LedgerError:
        wrong = _("Tap a name and a score of this player, and say what the score is.")
    try:
        previewed = preview(KnownToLedger(ledger), files, asked, papers_sent)
    except LedgerError as error:
        return shown(texts, None, [], sentence(error))
    if wrong:
        return shown(texts, previewed, files, wrong, ignored)
    if "store" in texts and previewed.ready:
        try:
            stored = store(previewed, ledger, g.recorder)
        except LedgerError as error:
            return shown(texts, previewed, files, sentence(error), ignored)
        only = stored.sessions[0] if len(stored.sessions) == 1 else None
        return redirect(url_for("pages.evening", evening=only) if only else url_for("pages.evening_list"), 303)
    return shown(texts, previewed, files, "", ignored)


def shown(
    texts: dict[str, str],
    previewed: Preview | None,
    files: list[tuple[str, bytes]],
    wrong: str,
    ignored: Sequence[str] = (),
) -> Page:
    ledger = current_ledger()
    text = render_template(
        "evening_import.html",
        texts=texts,
        found=previewed,
        wrong=wrong,
        kept=kept(files),
        marked=marked(previewed) if previewed else [],
        ignored=ignored,
        in_file=in_file,
        anchored=anchored,
        evening_said=evening_said,
        place_of=place_of,
        games=games(),
        clubs=clubs(ledger),
        year=next(filter(None, map(year_said, previewed.sheets)), None) if previewed else None,
        layouts=layouts_of(ledger, None),
        said_of=said_in_words,
        scorings=SCORINGS,
        kinds=KINDS,
        wins=WINS,
        longest_game=LONGEST_GAME,
    )
    return text, 400 if wrong else 200


@pages.post("/evenings/import/layouts")
def change_layout() -> Page | AnyResponse:
    """Give a layout of a club another name, or forget it."""
    ledger = current_ledger()
    if not sees_all():
        return for_scorers()
    texts = {key: text.strip()[:_LONGEST] for key, text in request.form.items()}
    try:
        if "forget" not in texts and not texts.get("to"):
            return shown({}, None, [], _("Write the new name."))
        layout = named(layouts_of(ledger, texts.get("club") or None), texts.get("layout", ""))
        rename(ledger, layout, None if "forget" in texts else tidy_name(texts["to"]), g.recorder)
    except LedgerError as error:
        return shown({}, None, [], sentence(error))
    return redirect(url_for("pages.evening_import"), 303)


@pages.get("/evenings/import/template.csv")
def template_csv() -> Page | Response:
    return empty_sheet("csv")


@pages.get("/evenings/import/template.xlsx")
def template_xlsx() -> Page | Response:
    return empty_sheet("xlsx")


def empty_sheet(kind: str) -> Page | Response:
    return download(template(kind), f"evening.{kind}", KINDS[kind]) if sees_all() else for_scorers()


def wishes(texts: dict[str, str], ignored: tuple[str, ...]) -> Wishes:
    """Return what a form says beside its files.

    Names that look like nobody's are new players, and the preview shows them.
    """
    given: dict[str, Any] = {key: texts.get(key) or None for key in FIELDS}
    given["date"] = given["date"] or texts.get("year") or None
    given["game"] = texts.get("other_game") or given["game"]
    names = {
        key.removeprefix(_MEANT): NEW if value == key.removeprefix(_MEANT) else value
        for key, value in texts.items()
        if key.startswith(_MEANT) and value
    }
    words = (word.partition("=") for word in texts.get("options", "").replace(",", " ").split())
    options = {name: int(value) if value.isascii() and value.isdecimal() else value for name, _, value in words}
    return Wishes(
        **given,
        names={OTHERS: NEW} | names,
        options=options,
        as_written="as_written" in texts,
        partners="partners" in texts,
        ignore=ignored,
    )
