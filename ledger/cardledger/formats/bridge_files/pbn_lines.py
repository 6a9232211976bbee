"""The lines of a PBN file: tags, rows of sections and comments become games, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from cardledger.formats.bridge_files.boards import Notice
from cardledger.formats.bridge_files.pbn_game import COUNTED, FACTS, KNOWN, NAMES_OF_TAGS, PLAIN, PbnGame
from cardledger.formats.bridge_files.text import MAX_LINE

MAX_GAME: Final = 400_000
"""The greatest number of characters of one game; the table of a large field has some 100,000."""
MAX_TAGS: Final = 10_000
_TAG = re.compile(r'\[\s*(\w+)\s+"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]\s*')
_TEXT = re.compile(r'(?:[^{;\["]|"[^"]*"?)+')
_TAGS = re.compile(r'\[(\w+) "([^"\n]*)"\]\n([^\[]*)')
_MARKED = re.compile(r"[{;%]").search
_PLAIN_LINE = re.compile(r'[^{;\["%\0][^{;\["\0]{0,10000}').fullmatch
_HEAD = re.compile(r"% ?(?:PBN \d|EXPORT|IMPORT)")
_BLANKS = re.compile(r"[ \t\x0b\x0c\x1a\xa0]*")
_EVENT = re.compile(r'\s*\[\s*Event\s+"')
_NOTE = re.compile(r"\s*(\d+)\s*:(.*)", re.DOTALL | re.ASCII)


class PbnLines:
    """Takes the lines of one file, and gives its games."""

    def __init__(self) -> None:
        self._done: list[PbnGame] = []
        self._game = PbnGame(1, 1)
        self._latest = ""
        self._section: list[str] | None = None
        self._blank = False
        self._comment: list[str] | None = None
        self._comment_line = 0
        self._seen = self._count = 0

    def games(self, blocks: Iterable[tuple[int, str]]) -> Iterator[PbnGame]:
        """Yield the games of a file; it comes in blocks of whole lines, each with the number of its first line."""
        for first, block in blocks:
            if (game := self._whole(first, block)) is not None:
                if self._game.tags or self._game.wrong is not None:
                    yield self._game
                else:
                    game.order[:0] = self._game.order
                self._game = game
                continue
            for number, line in enumerate(block.removesuffix("\n").split("\n"), first):
                self._line(line, number)
                if self._done:
                    yield from self._done
                    self._done.clear()
        if self._comment is not None:
            self._unclosed()
        if self._game.tags or self._game.wrong is not None:
            yield self._game

    def _whole(self, first: int, block: str) -> PbnGame | None:
        """Return the game of a block that holds tags and their sections, one below the other, and nothing else.

        Most games are such: they are read at once, all others line by line.
        """
        before = self._game
        if self._comment is not None or before.tags and "Event" not in before.tags or len(block) > MAX_GAME:
            return None
        tags_and_texts = _TAGS.findall(block)
        count = len(tags_and_texts)
        length = sum(map(len, chain.from_iterable(tags_and_texts))) + 6 * count
        if not 0 < count <= MAX_TAGS or length != len(block):
            return None
        game = PbnGame(
            first, before.number + 1 if before.tags or before.wrong is not None else before.number, block=block
        )
        tags, order, latest, notes = game.tags, game.order, "", 0
        for name, value, section in tags_and_texts:
            if name not in KNOWN and name.lower() in NAMES_OF_TAGS or "\\" in value and not name.endswith("Table"):
                return None
            if name == "Note":
                notes += 1
                self._latest = latest
                self._note(value, game)
            else:
                tags[name] = value
                if name not in FACTS:
                    order.append(name)
                latest = name
            if section != "\n" and section and not section.isspace():
                if name in PLAIN or _MARKED(section):
                    return None
                game.sections[name] = [section]
        if len(tags) + notes != count or "\0" in block:
            return None
        self._latest, self._section, self._blank = latest, None, block.endswith("\n\n")
        return game

    def _line(self, line: str, number: int) -> None:
        """Take a line."""
        self._game.size += len(line)
        if self._comment is not None:
            self._in_comment(line, number)
        elif line[:1] == "[" and (match := _TAG.fullmatch(line)):
            self._tag(match[1], match[2], number)
        elif not line or line.isspace():
            self._blank = True
        elif self._section is not None and _PLAIN_LINE(line):
            self._section.append(line)
        else:
            self._pieces(line, number)
        if self._game.size > MAX_GAME:
            self._too_large(number)

    def _too_large(self, number: int) -> None:
        """Refuse a game, and hold no more of it."""
        game = self._game
        game.refuse("format.size", number, f"a game has at most {MAX_GAME:,} characters: is this a PBN file?")
        game.order.clear()
        game.sections.clear()
        game.tags = dict.fromkeys(game.tags, "")
        self._section, self._comment = ([] if self._section is not None else None), None
        game.size = 0

    def _pieces(self, line: str, number: int, at: int = 0) -> None:
        """Take a line apart that holds more than one tag or a row of a section, from a place on."""
        game = self._game
        if len(line) > MAX_LINE:
            game.refuse("format.size", number, f"a line has at most {MAX_LINE:,} characters: is this a PBN file?")
            return
        if "\0" in line:
            game.refuse("pbn.encoding", number, "the line holds bytes that are no text: save the file as UTF-8")
            return
        if line[0] == "%" and not at:
            if not _HEAD.match(line):
                self._keep("escape", line)
            return
        while (at := _after_blanks(line, at)) < len(line):
            if line[at] == ";":
                self._keep("comment", line[at + 1 :].strip())
                return
            if line[at] == "{":
                end = line.find("}", at)
                if end < 0:
                    self._comment, self._comment_line = [line[at + 1 :]], number
                    return
                self._keep("comment", line[at + 1 : end].strip())
                at = end + 1
                continue
            if match := _TAG.match(line, at):
                self._tag(match[1], match[2], number)
            else:
                match = _TEXT.match(line, at)
                if match is None or self._section is None:
                    what = "is no tag, token or comment" if self._latest else "comes before any tag"
                    text = f'{line[at : at + 40]!r} {what}: write a tag as [Name "value"]'
                    self._game.refuse("pbn.tag", number, text)
                    return
                self._section.append(match[0].strip())
            at = match.end()

    def _in_comment(self, line: str, number: int) -> None:
        """Take a line of a comment in braces, and what stands behind its end."""
        assert self._comment is not None
        end = line.find("}")
        if end < 0 and self._blank and _EVENT.match(line):
            # No comment holds a game: somebody forgot the brace, and this is the next game.
            self._unclosed()
            self._pieces(line, number)
            return
        self._blank = not line or line.isspace()
        self._comment.append(line[:end] if end >= 0 else line[:MAX_LINE])
        if end >= 0:
            self._keep("comment", "\n".join(self._comment).strip())
            self._comment = None
            self._pieces(line, number, end + 1)

    def _unclosed(self) -> None:
        self._game.refuse("pbn.tag", self._comment_line, "the comment that begins here has no end: add the brace }")
        self._comment = None

    def _keep(self, kind: str, text: str) -> None:
        """Keep a comment or an escape line, with its place."""
        game = self._game
        if len(game.order) > MAX_TAGS:
            game.refuse(
                "format.size", game.line, f"a game has at most {MAX_TAGS:,} tags and comments: is this a PBN file?"
            )
        elif game.wrong is None:
            game.order.append((kind, self._place(), text))

    def _place(self) -> str:
        """Return where something stands: behind a tag, or behind so many calls, cards or rows of a section."""
        section = self._section
        if not section:
            return self._latest
        for line in section[self._seen :]:
            self._count += len(COUNTED.findall(line)) if self._latest in ("Auction", "Play") else 1
        self._seen = len(section)
        return f"{self._latest} {self._count}"

    def _tag(self, name: str, value: str, number: int) -> None:
        """Take a tag: it may begin the next game."""
        if "\\" in value:
            value = value.replace('\\"', '"') if name.endswith("Table") else re.sub(r'\\(["\\])', r"\1", value)
        if "\0" in value or len(value) > MAX_LINE:
            self._game.refuse("pbn.encoding", number, "the line holds bytes that are no text: save the file as UTF-8")
            value = ""
        if name not in KNOWN and (known := NAMES_OF_TAGS.get(name.lower())):
            self._game.notices.append(Notice("pbn.case", number, f"the tag is called {known}, not {name}"))
            name = known
        game = self._game
        tags = game.tags
        if tags:
            again = name in tags
            if (
                (again and (name == "Board" or self._blank and name != "Note"))
                or name == "Event" and (again or self._blank or game.wrong is not None)
            ):  # fmt: skip
                self._done.append(game)
                game = self._game = PbnGame(number, game.number + 1)
                tags = game.tags
            elif len(tags) + len(game.order) + len(game.notices) > MAX_TAGS:
                text = f"a game has at most {MAX_TAGS:,} tags and comments: is this a PBN file?"
                game.refuse("format.size", number, text)
                return
            elif again and name != "Note":
                text = f"{name} stands here a second time: the first counts, this one is kept"
                game.notices.append(Notice("pbn.repeated", number, text))
                self._section = []
                self._seen = self._count = 0
                game.order.append(("again", name, value))
                self._latest, self._blank = name, False
                game.repeated.append((len(game.order), name, self._section))
                return
        elif game.wrong is None:
            game.line = number
        if name == "Note":
            self._note(value, game)
            return
        tags[name] = value
        if name in FACTS:
            game.lines[name] = number
        if name in PLAIN:
            self._section = None
        else:
            self._section = game.sections[name] = []
            self._seen = self._count = 0
        if name not in FACTS:
            game.order.append(name)
        self._latest, self._blank = name, False

    def _note(self, value: str, game: PbnGame) -> None:
        """Take a note of the section above it."""
        match = _NOTE.fullmatch(value)
        section = self._latest if self._latest in ("Auction", "Play") else ""
        if match is None or not section:
            game.order.append(("tag", "Note", value))
            return
        game.notes.setdefault(section, {})[match[1]] = match[2].strip()


def _after_blanks(line: str, at: int) -> int:
    match = _BLANKS.match(line, at)
    return match.end() if match else at
