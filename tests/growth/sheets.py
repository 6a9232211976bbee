"""Readers of spreadsheets: CSV, and every part of XLSX that is unpacked."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

from openpyxl import Workbook

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.arranging import papers_of
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.lines_in_file import lines_in_file
from cardledger.formats.spreadsheets.reading import sheets_of
from cardledger.formats.spreadsheets.wishes import HowItLies
from tests.growth.measure import Read
from tests.growth.shapes import Reader


def paper(data: bytes) -> None:
    with suppress(SheetError):
        sheets, _ = sheets_of("evening.csv", data)
        for made in papers_of(sheets, HowItLies()):
            [made.tables, made.problems]  # noqa: B018


def lines(data: bytes) -> None:
    with suppress(FormatError):
        lines_in_file("points.csv", data)


def book() -> dict[str, bytes]:
    """Return the parts of a small workbook that has each of those that are read."""
    made, content = Workbook(), io.BytesIO()
    for row in (["player", 1, "total"], ["ana", 1, 1]):
        made.active.append(row)
    made.save(content)
    with zipfile.ZipFile(content) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


PARTS = book()


def part(name: str) -> Read:
    """Return a reader of a workbook with another part in place of its own, not packed."""

    def read(data: bytes) -> None:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as packed:
            for each, text in (PARTS | {name: data}).items():
                packed.writestr(each, text)
        paper(content.getvalue())

    return read


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
IN_SHEET = f"<worksheet {MAIN}><sheetData>"
ROW = f'{IN_SHEET}<row r="1"><c t="inlineStr"><is><t>player</t></is></c><c><v>1</v></c></row>'
LINKS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
LINK = '<Relationship Id="a" Type="http://x/worksheet" Target="/xl/worksheets/sheet1.xml"/>'

# fmt: off
SHEETS = {
    "lines in a file": Reader(
        lines,
        ("", "entries,1,2\n"),
        ("8,0.30,0.20\n", "8;0.30\n", ",", '""', "\t", lambda i: f"{i},0.30\n", "33%,0.5\n"),
        ("", '"'),
    ),
    "csv": Reader(
        paper,
        ("", "player,1,2,total\n", "table,round,hand,player,points\n", "Table: 1\nplayer,1\n"),
        (
            "player,1,2,total\n", "ana,1,2,3\n", "1,1,1,ana,3\n", "a,", ";", "\t", '""', '"a",', '"a\n', "hand 1,",
            "Table 1\n", "Table 1,Round 2\n", "Total,1,2\n", lambda i: f"p{i},1,2,3\n", lambda i: f"{i},1,1,p{i},3\n",
            lambda i: f"1,1,{i + 1},p,3\n", lambda i: f"1,1,1,p{i},3\n", lambda i: f"Table {i}\nplayer,1\na,1\nb,2\n\n",
            lambda i: f"hand {i},", "2026-01-06,", "1.000,", "+1,", "−", "Date: ", "a,1\n\n",
        ),
        ("", '"', "\nana,1\n"),
        (("player,", lambda i: f"{i},", "total\n", "ana\n", ""), ("player,", "x,", "1,total\n", "ana\n", "")),
    ),
    "sheet": Reader(
        part("xl/worksheets/sheet1.xml"),
        ("", IN_SHEET, ROW, f"{IN_SHEET}<row><c t='inlineStr'><is><t>", f"<worksheet {MAIN} a='", "<!DOCTYPE a ["),
        (
            "<row/>", "<row><c><v>1</v></c></row>", "<c/>", "<c><v>1</v></c>", '<c t="s"><v>0</v></c>', "<c><f>1</f></c>",
            '<c t="e"><v>a</v></c>', '<c s="1"><v>46000</v></c>', "<t>a</t>", "&amp;", "<a>", lambda i: f'<row r="{i + 2}"/>',
            lambda i: f'<row r="{100 * i + 2}"><c r="GR{i}"><v>1</v></c></row>', lambda i: f"<a{i}/>", lambda i: f" a{i}='b'",
            '<c t="inlineStr"><is><t>a</t></is></c>', "<is>", "9",
        ),
        ("", "</t></is></c></row></sheetData></worksheet>", "</row></sheetData></worksheet>", "</sheetData></worksheet>"),
    ),
    "texts of cells": Reader(
        part("xl/sharedStrings.xml"), (f"<sst {MAIN}>", f"<sst {MAIN}><si>", f"<sst {MAIN}><si><t>"),
        ("<si/>", "<si><t>a</t></si>", "<r><t>a</t></r>", "<rPh><t>a</t></rPh>", "a", "x005F_"),
        ("</sst>", "</si></sst>", "</t></si></sst>"),
    ),
    "styles of cells": Reader(
        part("xl/styles.xml"), (f"<styleSheet {MAIN}>", f"<styleSheet {MAIN}><cellXfs>"),
        (lambda i: f'<numFmt numFmtId="{i + 200}" formatCode="0.{i}"/>', '<xf numFmtId="14"/>', "<cellStyle/>", "<font/>",
         '<numFmt numFmtId="200" formatCode="[[[[["/>'),
        ("</styleSheet>", "</cellXfs></styleSheet>"),
        ((f"<styleSheet {MAIN}>", lambda i: f'<numFmt numFmtId="{i + 200}" formatCode="y{i}"/>', "<cellXfs>",
          lambda i: f'<xf numFmtId="{i + 200}"/>', "</cellXfs></styleSheet>"),),
    ),
    "workbook": Reader(
        part("xl/workbook.xml"), (f"<workbook {MAIN} xmlns:r='r'>",),
        ('<sheet name="a" r:id="rId1"/>', '<sheet name="a" r:id="rId1" state="hidden"/>', lambda i: f'<sheet name="{i}" r:id="x{i}"/>',
         "<definedName>a</definedName>"),
        ("</workbook>",),
    ),
    "links of a workbook": Reader(part("xl/_rels/workbook.xml.rels"), (LINKS,), (LINK, lambda i: LINK.replace('"a"', f'"{i}"')), ("</Relationships>",)),
}
# fmt: on
