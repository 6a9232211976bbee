"""The codes of errors and notices: what each means, and what to do next. A code never changes its meaning.

Other codes are ids of rules: `explained` finds those in the rulebooks.
"""

from __future__ import annotations

from typing import NamedTuple

from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games


class Explanation(NamedTuple):
    """What a code means and what to do next; both are sentences."""

    meaning: str
    remedy: str


CODES: dict[str, Explanation] = {
    code: Explanation(meaning, remedy)
    for code, (meaning, remedy) in {
        # the text and the shape of events
        "format.json": ("A line is not a JSON object.", "Check quotation marks, commas and braces at the place named."),
        "format.mended": (
            "A file was not written as such files are: in another encoding, as one list of JSON, with curly quotes, or "
                "with events over several lines. It was read all the same.",
            "Nothing needs to be done; `cardledger export` writes it as match files are.",
        ),
        "format.type": ("There is no event of this type.", "Use one of the types that the message lists."),
        "format.key": (
            "An event or a body has an unknown key, or lacks one that it needs.",
            "Compare it with the table of events in the documentation.",
        ),
        "format.value": ("A value has the wrong form.", "Write it as the message says."),
        "format.size": ("Something is longer or larger than the limit.", "Split it, or shorten it."),
        "format.effort": (
            "Reading a file takes more time or memory than a file of its size may.",
            "Save it again from the program it comes from, or import it in parts.",
        ),
        "format.left": ("The client left before its file was read.", "Send it again, and wait for the answer."),
        "format.seq": ("The numbers of the events do not follow each other.", "Leave `seq` out, or count from 1 without gaps."),
        "format.open": ("The first event is not the opening, or a later one is.", "Begin with one opening event."),
        "format.game": ("The game, or its edition, is not installed here.", "See `cardledger games` for those that are."),
        "format.option": ("The game does not have this option, or not this value.", "See `cardledger rules GAME` for its options."),
        "format.bot": ("There is no bot of this name.", "Use one of the names that the message lists."),
        "score.sum": (
            "The game cannot give the points of a score sheet; they count as written.",
            "Check the sheet, and amend the score if it is wrong.",
        ),
        "plugin.broken": (
            "A game or command of another package cannot be loaded; everything else works.",
            "Correct what the message names, or remove the package.",
        ),
        # the store
        "store.open": ("A ledger or one of its files cannot be opened.", "Check the path, the permissions and the free space."),
        "store.version": ("The file was made by another version of the program.", "Update the program, or rebuild what can be rebuilt."),
        "store.missing": ("A file that should be there is gone.", "Put it back, or restore a backup."),
        "store.secret": (
            "Objects of a copy are encrypted with another secret than the one that was given, or with none.",
            "Give the file with the right secret, `--secret FILE`.",
        ),
        "store.lost-tail": (
            "Other files of the ledger go further than its events: the last ones are gone.",
            "Put the ledger's log back, or copy the events from a backup; "
                "to go on without them: `cardledger rebuild --accept-loss`.",
        ),
        "store.replaced": (
            "The file of the ledger is not the one that was opened: another was put in its place, or written over it.",
            "Make sure which file is meant, and start the program again.",
        ),
        "store.siblings": (
            "A ledger is missing, and files that belong to it are there.",
            "Put it back, or restore a backup; to begin a new one, move the files away, or say `--new`.",
        ),
        "store.write": ("A file cannot be written.", "Check the permissions and the free space, then try again."),
        "store.conflict": (
            "Somebody else recorded an event first: the record is longer than the one you know.",
            "Read the new events, then append again with the new `seq`.",
        ),
        "store.duplicate": ("An event with this id is recorded already.", "Nothing is lost: leave it, or give a new id."),
        "store.differs": ("The same id stands for something else here.", "Give a new id, or import the correction with `--replace`."),
        "store.empty": ("There is nothing to record.", "Send at least one event, or a file with a match; "
            "a correction must change something."),
        "store.unknown": ("There is no such match, hand, player, evening or measure.", "Look it up in the list."),
        "store.ambiguous": ("The beginning of the id fits several.", "Write more letters of the id."),
        "store.lost": ("The database could not be reached.", "Try again in a moment; nothing was stored in part."),
        "store.behind": (
            "What may be seen cannot be told, as the lists are behind the record.",
            "Ask again in a moment; if it lasts, readiness says what keeps them.",
        ),
        "store.busy": ("Another program is writing.", "Try again in a moment."),
        "store.computing": ("The statistics of a large league are being computed.", "Ask again in a few seconds."),
        "store.pooler": ("The connection goes through "
            "a pooler that shares sessions.", "Connect to the database itself, or pool by session."),
        "store.same": ("Source and target are the same ledger.", "Name another target."),
        "store.gap": ("An event is missing within a match.", "The record was changed outside the program: "
            "restore a backup."),
        "store.hash": ("The hash of an event does not fit its content.", "The record was changed outside the program: "
            "restore a backup."),
        "store.line": ("A stored line cannot be read.", "The file is damaged: restore a backup."),
        "store.damaged": ("A file is damaged.", "Restore a backup, or rebuild it if it can be rebuilt."),
        "store.views": ("The read models do not fit the record.", "Run `cardledger rebuild`."),
        "store.extra": ("This needs a package that is not installed.", "Install the extra that the message names."),
        "store.withheld": ("Readers may not see it yet.", "Wait until the other table has finished."),
        "store.exists": ("The target exists already.", "Name another one, or move it away."),
        "store.similar": (
            "A stored match is most likely the same.",
            "Import it again with `replace` to correct the stored match, or `anyway` to keep both.",
        ),
        "store.recorder": ("Only an admin may record under another name or time.", "Leave `by` and `at` out."),
        "store.time": ("The time of an event lies in the future.", "Check the clock."),
        "quiz.hand": (
            "The hand cannot be asked about.",
            "Choose one that is over, whose cards are known and were played to the end.",
        ),
        "lesson.phase": ("This is not possible now in a lesson, or for a question.", "Do what the message says."),
        "lesson.twice": ("Somebody has answered this before.", "Look at the answer: the first one counts."),
        "lesson.many": ("Somebody has answered as much as a day allows.", "Go on tomorrow; without recording, play on now."),
        "quiz.question": ("Nothing was to be decided at this event.", "Ask for the next question: it names its event."),
        "quiz.choice": ("The game did not offer this choice.", "Choose one of those that the question offers."),
        "store.read-only": ("The ledger is in a place where it can only be read.", "Open it where it can be written."),
        "store.position": ("There is no such position or time in the backup.", "Name one that the message gives."),
        "store.manifest": ("The list of files of a backup or an archive does not fit them.", "Use another copy."),
        "store.fold": ("A match cannot be replayed: the program failed at it.", "Report the match to its authors; "
            "the others are not touched."),
        "store.name": ("A name is missing, though nobody erased it.", "Restore a backup."),
        "store.erased": ("A person named in these events has just been erased.", "Record the events again."),
        "store.published": ("A published ranking does not follow from the record.", "The record was changed outside the program: "
            "restore a backup and compare."),
        "store.quota": ("The ledger holds as much as it may.", "Ask those who run the server for more; all can still be read."),
        # access and requests
        "access.token": ("The token is missing, wrong or expired.", "Sign in, or send `Authorization: "
            "Bearer TOKEN` with a valid token."),
        "access.role": ("The role of the token does not allow this.", "Ask an admin for a token of the role that is needed."),
        "access.origin": ("A page of another site asked for a change.", "Use the pages of this server, or send a token."),
        "access.rate": ("Too many requests in a short time.", "Wait for as long as `Retry-After` says."),
        "access.busy": ("The server has more requests than it can answer at once.", "Wait for as long as `Retry-After` says."),
        "access.quota": ("The club has as many live streams or expensive answers as it may.", "Try again when one has ended, "
            "or ask those who run the server for more."),
        "access.host": ("The server does not answer to this host name.", "Use the address that it printed, "
            "or start it with `--host`."),
        "access.name": ("The name of a token cannot be used.", "Choose another name, or revoke the token that has it."),
        "access.unknown": ("There is no valid token of this name.", "See `cardledger token list`, or `GET /tokens`."),
        "house.name": ("A club cannot have this name.", "Choose one of small letters, digits and hyphens."),
        "house.exists": ("There is a club of this name, or files of one.", "Choose another name."),
        "house.unknown": ("There is no such club.", "See `cardledger clubs list`, or `GET /clubs` of the server."),
        "house.setting": ("A setting of a club cannot have this value.", "Give a value of the kind that the message names."),
        "house.list": ("The clubs of this server are in a list, which its owner writes.", "Add a table for the club to the list, "
            "and start the server again."),
        "witness.clock": ("A later checkpoint of a log states an earlier time.", "Its clock was set back, or its past was "
            "written again. Ask who runs the log; both notes are kept as evidence."),
        "witness.fork": ("A log signed two different records of the same length.", "Its past was written again. Both "
            "notes are kept, and prove it to anybody."),
        "witness.many": ("There are too many logs or witnesses.", "Remove one that is not needed."),
        "witness.silent": ("A witness gave no signature.", "Its address may be wrong, or it does not know this ledger's key yet: "
            "ask who runs it. It is asked again each minute."),
        "witness.smaller": ("A log states fewer events than it did before.", "An older copy was put in place, or the end was "
            "cut off. Ask who runs the log; both notes are kept as evidence."),
        "witness.unknown": ("There is no such log or witness here.", "See `cardledger witness list`."),
        "witness.unproven": ("A log did not prove that it continues what it was.", "If it does so later, this settles "
            "itself. If it never does, its past was written again."),
        "webhook.address": ("Events cannot be sent to this address.", "Give a public address of http or https, "
            "or serve with `--private-webhooks`."),
        "webhook.name": ("Another webhook has this name.", "Choose another name, or delete that webhook."),
        "webhook.unknown": ("There is no such webhook.", "See `cardledger webhook list` or "
            "`GET /webhooks` for all of them."),
        "api.if-match": (
            "The request must say which state it knows.",
            "Send the `ETag` of the last answer in `If-Match`.",
        ),
        "api.key": ("The idempotency key cannot be used.", "Give 1 to 255 characters, and no event ids beside it."),
        "api.key-reused": ("The idempotency key was used with another body.", "Choose a new key for each new request."),
        "http.service-unavailable": ("The server cannot take this request now.", "Wait for as long as `Retry-After` says."),
        "config.file": ("The file of settings cannot be read.", "Correct it at the place named."),
        "config.key": ("There is no such setting.", "See `cardledger config` for all settings."),
        "config.value": ("A setting has a value of the wrong kind.", "See `cardledger config` for what it takes."),
        # people
        "people.unknown": ("Nobody has played under this name or id.", "See `cardledger people list`."),
        "people.circle": ("The two ids are one person already.", "Nothing needs to be done."),
        "people.merged": ("The id belongs to another person, or to none.", "Split them first, or use the person's own id."),
        "people.table": ("One person would sit at two seats at once.", "Two people have two ids: name each, and "
            "seat somebody else if one would sit twice."),
        "people.name": ("The text cannot be a name.", "Use letters that people can read and type, "
            "as the message says."),
        "people.erased": ("The person is erased already.", "Nothing needs to be done."),
        "people.clear": (
            "Very many old events hold this name as clear text and cannot be changed.",
            "Export the matches, import them into a new ledger, and erase the person there.",
        ),
        "people.pseudonyms": (
            "An archive with pseudonyms for names is not anonymous.",
            "Give it only to people who may know the names.",
        ),
        # evenings
        "session.phase": ("This does not fit the present state of the evening.", "Look at it again, then do what the message says."),
        "session.movement": ("The movement does not fit the entries.", "Record another movement, or set the tables by hand."),
        "session.seats": ("This seating does not fit the table.", "Give as many players as the game has seats, "
            "each of them once."),
        "session.player": ("The player is not here, or is here already.", "Record who arrives before seating them."),
        "session.partners": ("Partners have different points.", "A side has its points together: give both the same."),
        "session.sum": (
            "No number of hands of the game can give these points.",
            "Correct them, or say that they count as written (`as_written`, `--as-written`).",
        ),
        "session.tricks": ("The tricks of a hand do not add up.", "Give the tricks of one pair; the other pair has the rest."),
        "session.twice": ("Something is recorded already.", "Amend it instead of recording it again."),
        "session.board": ("The board is not one of this table in its round.", "Give one of the boards that the message lists."),
        "session.position": ("There is no such position of the ledger.", "Give a position up to the last one."),
        # spreadsheets
        "sheet.year": (
            "A day on the sheet has no year.",
            "Write the year with the day, or give it beside the file (`--date 2026`).",
        ),
        "sheet.kept": (
            "The way in which this sheet is read cannot be kept under a name.",
            "Show a name and a number, or leave the name of the layout out.",
        ),
        "sheet.format": ("The file cannot be read.", "Save it as CSV or XLSX."),
        "sheet.size": ("The file is larger than the limit.", "Split it."),
        "sheet.crossed": ("A cell is crossed out.", "Delete it if it does not count, or take the line through it away."),
        "sheet.formula": ("A formula has no saved value, or gives an error.", "Open the file, calculate, and save it."),
        "sheet.layout": ("There are no headings for players and points.", "Use the headings of a template."),
        "sheet.unread": ("A number of the sheet would be left out.", "Give its column a heading, or delete it."),
        "sheet.ambiguous": ("All sums hold in two readings.", "Say whether the columns are hands or running totals."),
        "sheet.repeated": ("A row has a heading twice.", "Write the tables below each other, or rename the column."),
        "sheet.empty": ("A number is missing.", "Fill the cell in."),
        "sheet.number": ("The cell does not hold a whole number.", "Correct the cell."),
        "sheet.date": ("The sheet names no day, or several.", "Write one day, such as 2026-01-31."),
        "sheet.game": ("There is no such game.", "Write the id or the title of a game."),
        "sheet.players": ("The game is not for this number of players.", "Check the rows of the table."),
        "sheet.seat": ("A seat is missing or taken twice.", "Give each seat once."),
        "sheet.partners": ("Partners have different points.", "Give both partners the points of their side."),
        "sheet.twice": ("A player is twice in a round, or a hand has two rows.", "Remove one of them."),
        "sheet.hand": ("The hands are not 1, 2, 3 …, or are more than the game allows.", "Number them without gaps."),
        "sheet.sum": ("A total is not the sum of its hands.", "Correct the total or a hand."),
        "sheet.place": ("The places do not follow each other.", "Number them from 1, equal places with the same number."),
        "sheet.points": ("The game cannot give these points.", "Correct them, or take them as "
            "written with `--as-written`."),
        "sheet.tricks": ("The tricks are not those of a hand.", "Correct them."),
        "sheet.name": ("The text cannot be a name, or no player has this name.", "Choose a player that it may mean, or add a new one."),
        "sheet.club": ("There is no such club.", "Record the club first, or choose another."),
        "sheet.session": ("The evening does not take results of this kind.", "Choose another evening, or open a new one."),
        "sheet.differs": ("Another result is recorded already.", "Amend it there."),
        # files of bridge
        "names.missing": ("A player has no name.", "The name of the seat stands for it; add the name if you know it."),
        "pbn.auction": ("The auction contradicts the contract or the declarer.", "The auction counts; correct the tags."),
        "pbn.board": ("The number, dealer or vulnerability of the board is missing or wrong.", "Correct these tags."),
        "pbn.call": ("A word of the auction is not a call.", "The auction is taken up to there; correct the word."),
        "pbn.card": ("A word of the play is not a "
            "card, or there is a card too many.", "The play is taken up to there; correct the word."),
        "pbn.case": ("Capital and small letters of a tag differ from the standard.", "Nothing needs to be done."),
        "pbn.contract": ("The tag does not hold a contract, or differs from the auction.", "Write 4SX, 3NT or Pass."),
        "pbn.deal": ("The deal is not a pack in four hands.", "Correct the tag Deal; the hands are taken as unknown."),
        "pbn.empty": ("The game says nothing about a board.", "Nothing needs to be done: it is skipped."),
        "pbn.encoding": ("The file holds bytes or letters that its encoding does not allow.", "Save it as UTF-8."),
        "pbn.gap": ("Calls or cards are missing in the middle.", "What stands before the gap is taken."),
        "pbn.inherit": ("A tag refers to an earlier board that has none.", "Write the value out."),
        "pbn.repeated": ("A tag appears twice.", "The first one counts; remove the other."),
        "pbn.result": ("The result is not a number of "
            "tricks, or differs from the play.", "The play counts; correct the tag."),
        "pbn.score": ("The score does not follow from "
            "the contract and the tricks.", "The contract counts; correct the tag."),
        "pbn.table": (
            "Points or matchpoints of a table of scores do not follow from its contracts and results.",
            "The table is kept as written; correct it in the file.",
        ),
        "pbn.tag": ("A tag or a comment has no end.", "Add the missing mark at the line named."),
        "lin.call": ("The text is not a call, or the "
            "auction contradicts the file.", "The auction is taken up to there."),
        "lin.card": ("The text is not a card.", "The play is taken up to there."),
        "lin.command": ("The program does not know this command.", "It is kept as a note."),
        "lin.deal": ("The hands are not a pack.", "The hands are taken as unknown; correct the command md."),
        "lin.empty": ("There is no board in this part.", "Nothing needs to be done: it is skipped."),
        "lin.gap": ("Calls or cards are missing in the middle.", "What stands before the gap is taken."),
        "lin.missing": ("The header has results of boards "
            "that the file does not hold.", "They are left out; add the boards if you have them."),
        "lin.result": ("The result is not a number of "
            "tricks, or differs from the play.", "The play counts; correct the result."),
        "usebio.entity": ("The file declares or uses entities, which are not read.", "Save the file without a DTD."),
        "file.kind": (
            "The file is something else than what is read here.",
            "Do what the message says: it names what reads the file, or what to ask for.",
        ),
        "file.day": (
            "The file does not say on which day these matches were played.",
            "Their day stays unknown; give it beside the file if you know it.",
        ),
        "usebio.kind": ("The program does not score this kind of event.", "The boards are taken; the scoring is kept as a note."),
        "usebio.line": ("A line of a traveller contradicts itself.", "It is kept as written; correct it in the file."),
        "usebio.convention": (
            "Printed points follow from the results by another convention than the one of this program.",
            "Nothing is to be done: the results count, and the points shown here are those of the evening's scoring.",
        ),
        "usebio.points": ("Printed points do not follow from the results.", "The results count; ask who made the file, "
            "or correct a result."),
        "usebio.xml": ("The file is not XML.", "Save it as USEBIO from the program that made it."),
        # proofs
        "proofs.differs": ("An event is not the one that was sealed.", "The record was changed: restore a backup and compare."),
        "proofs.missing": ("An event that was sealed is gone.", "The record was changed: restore a backup and compare."),
        "proofs.inserted": ("An event was put between sealed ones.", "The record was changed: restore a backup and compare."),
        "proofs.moved": ("A sealed event is at another place.", "The record was changed: restore a backup and compare."),
        "proofs.clock": (
            "The clock is behind the last checkpoint: no checkpoint is made before an earlier one.",
            "Set the clock.",
        ),
        "proofs.checkpoint": ("A checkpoint does not fit the "
            "record, or this ledger never made it.", "Keep both copies and ask whose record was changed."),
        "proofs.signature": ("The signature is not one of this ledger.", "Ask for the checkpoint again, "
            "and get the key in another way."),
        "proofs.note": ("The file is neither a checkpoint nor a receipt.", "Ask for it again."),
        "proofs.key": ("The key of the ledger is missing or does not fit.", "Put the key file back from where you keep it."),
        "proofs.range": ("The ledger or the checkpoint has fewer events than that.", "Give sizes from 1 up to the size of the checkpoint."),
        "proofs.tree": ("The file of the tree is damaged.", "Nothing needs to be done: the program "
            "makes it again from the record."),
        "proofs.write": ("A checkpoint or the tree cannot be written.", "Check the permissions and the free space."),
        # workers
        "publish.anonymity": (
            "Too few players share what would be published of their attendance.",
            "Make days coarser (`--days none`), give more players no number (`--regular`), or accept a smaller `--k`.",
        ),
        "publish.terms": ("The terms of an edition do not fit.", "Choose as the message says; a "
            "salt is a file of 32 random bytes."),
        "publish.empty": ("No match can be published yet.", "End or finish the matches of the ledger first."),
        "publish.folder": ("The folder holds files that no publication of this program wrote.", "Choose an empty folder, "
            "or the one of the last publication."),
        "publish.name": ("Two pages would have one file.", "Tell the authors which addresses the message names."),
        "publish.many": ("The site would have more files than a publication may have.", "Publish a ledger with fewer matches."),
        "workers.reach": ("The cluster or its workers cannot be reached.", "Start the scheduler and the "
            "workers, and check the address."),
        "workers.version": ("A worker has another version of the program.", "Install the same version everywhere."),
        "workers.lost": ("The workers were lost during the work.", "Check their memory, then start again."),
    }.items()
}  # fmt: skip
"""Every code that is not the id of a rule."""


_BREAKABLE = "Choose a legal card or call, or record it under the policy `record`."
_IMPOSSIBLE = "No policy records it. See what the match waits for; correct this event, or an earlier one."

OF_RESULTS = frozenset({
    "score.sum", "names.missing", "pbn.auction", "pbn.board", "pbn.call", "pbn.card", "pbn.contract", "pbn.deal", "pbn.gap",
    "pbn.inherit", "pbn.result", "pbn.score", "lin.call", "lin.card", "lin.deal", "lin.gap", "lin.missing", "lin.result",
    "usebio.kind", "usebio.line", "usebio.points",
})  # fmt: skip
"""Notices of files that a result may depend on: a card, a call, a score or a name is not as the file has it, or it is
missing. They come before those of the form of a file."""


def known_codes() -> list[str]:
    """Return all codes, and the ids of all rules."""
    rules = (rule.id for game in games().values() for rule in game.book.rules)
    return [*dict.fromkeys((*CODES, *rules, *(rule.id for rule in COMMON)))]


def explained(code: str) -> Explanation | None:
    """Return what a code means, also for ids of rules; None if no message has it."""
    if code in CODES:
        return CODES[code]
    rules = [(rule, game.title) for game in games().values() for rule in game.book.rules if rule.id == code]
    rules += [(rule, "all games") for rule in COMMON if rule.id == code]
    if not rules:
        return None
    texts: dict[str, list[str]] = {}
    for rule, title in rules:
        texts.setdefault(rule.text, []).append(title)
    said = " ".join(f"{', '.join(titles)}: {text}" for text, titles in texts.items())
    breakable = any(rule.breakable for rule, _ in rules)
    return Explanation(f"A rule of the game. {said}", _BREAKABLE if breakable else _IMPOSSIBLE)
