"""The files that describe an edition.

For programs (Frictionless, Croissant, CFF), and for people (codebook, report, licence).
"""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.catalogue import VERSION
from cardledger.study.open_data.open_columns import OPEN_COLUMNS, fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.study.open_data.anonymous_edition import EditionTerms, PublishedEdition

_CROISSANT_TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}
_CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty",
    "equivalentProperty": "cr:equivalentProperty", "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/", "recordSet": "cr:recordSet", "references": "cr:references",
    "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
_NAME = "card-games"


def described(
    terms: EditionTerms, done: PublishedEdition, files: Mapping[str, bytes], licence_text: str
) -> dict[str, bytes]:
    """Return the files that describe an edition, by name."""
    return {
        "datapackage.json": _json(_data_package(terms, done, files, licence_text)),
        "croissant.json": _json(_croissant(terms, done, files, licence_text)),
        "CITATION.cff": _citation(terms).encode(),
        "LICENSE.txt": f"{terms.title}\n{terms.publisher}\n\nLicence: {terms.licence}\n{licence_text}\n".encode(),
        "CODEBOOK.md": _codebook(terms, done).encode(),
        "REPORT.md": _report(terms, done).encode(),
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _about(done: PublishedEdition) -> str:
    return (
        f"An anonymous edition of a ledger of card games: {done.rows['matches']} matches, {done.rows['hands']} hands. "
        f"The digest of the record it was made from is {done.heads}."
    )


def _data_package(
    terms: EditionTerms, done: PublishedEdition, files: Mapping[str, bytes], licence_text: str
) -> dict[str, Any]:
    """Return the descriptor of Frictionless (Data Package 1)."""
    resources = []
    for table in OPEN_COLUMNS:
        text = files[f"{table}.csv"]
        fields = [
            {"name": field.name, "type": field.type, "description": field.meaning}
            | ({"unit": field.unit} if field.unit else {})
            | ({} if field.null else {"constraints": {"required": True}})
            for field in fields_of(table)
        ]
        refers = [
            {"fields": [*columns], "reference": {"resource": other, "fields": [*columns]}}
            for columns, other in TABLES[table].refers.items()
            if other in OPEN_COLUMNS and {*columns} <= {*OPEN_COLUMNS[table]} & {*OPEN_COLUMNS[other]}
        ]
        schema = {"fields": fields, "primaryKey": [*TABLES[table].key]} | ({"foreignKeys": refers} if refers else {})
        resources.append({
            "name": table, "path": f"{table}.csv", "title": TABLES[table].about, "profile": "tabular-data-resource",
            "scheme": "file", "format": "csv", "mediatype": "text/csv", "encoding": "utf-8", "bytes": len(text),
            "hash": f"sha256:{sha256(text).hexdigest()}", "schema": schema,
        })  # fmt: skip
    return {
        "name": _NAME, "profile": "tabular-data-package", "title": terms.title, "description": _about(done),
        "licenses": [{"name": terms.licence, "path": licence_text}],
        "contributors": [{"title": terms.publisher, "role": "publisher"}], "resources": resources,
    }  # fmt: skip


def _croissant(
    terms: EditionTerms, done: PublishedEdition, files: Mapping[str, bytes], licence_text: str
) -> dict[str, Any]:
    """Return the metadata of Croissant 1.0."""
    distribution = [
        {
            "@type": "cr:FileObject", "@id": f"{table}.csv", "name": f"{table}.csv", "contentUrl": f"{table}.csv",
            "encodingFormat": "text/csv", "sha256": sha256(files[f"{table}.csv"]).hexdigest(),
            "contentSize": f"{len(files[f'{table}.csv'])} B",
        }
        for table in OPEN_COLUMNS
    ]  # fmt: skip
    sets = [
        {
            "@type": "cr:RecordSet", "@id": table, "name": table, "description": TABLES[table].about,
            "key": [{"@id": f"{table}/{name}"} for name in TABLES[table].key],
            "field": [
                {
                    "@type": "cr:Field", "@id": f"{table}/{field.name}", "name": field.name,
                    "description": field.meaning, "dataType": _CROISSANT_TYPES[field.type],
                    "source": {"fileObject": {"@id": f"{table}.csv"}, "extract": {"column": field.name}},
                }
                for field in fields_of(table)
            ],
        }
        for table in OPEN_COLUMNS
    ]  # fmt: skip
    return {
        "@context": _CONTEXT, "@type": "sc:Dataset", "name": _NAME, "description": f"{terms.title}. {_about(done)}",
        "conformsTo": "http://mlcommons.org/croissant/1.0", "license": licence_text,
        "creator": {"@type": "sc:Organization", "name": terms.publisher},
        "publisher": {"@type": "sc:Organization", "name": terms.publisher},
        "version": "1.0.0", "citeAs": f"{terms.publisher}: {terms.title}", "distribution": distribution,
        "recordSet": sets,
    }  # fmt: skip


def _citation(terms: EditionTerms) -> str:
    """Return how to cite the edition (Citation File Format 1.2); JSON texts are YAML texts."""
    return (
        "cff-version: 1.2.0\nmessage: If you use these data, please cite them as below.\ntype: dataset\n"
        f"title: {json.dumps(terms.title, ensure_ascii=False)}\n"
        f"authors:\n  - name: {json.dumps(terms.publisher, ensure_ascii=False)}\nlicense: {terms.licence}\n"
    )


def _codebook(terms: EditionTerms, done: PublishedEdition) -> str:
    """Return every table and column with its unit and meaning, and the editions behind them."""
    lines = [
        f"# {terms.title}: codebook", "", _about(done), "",
        f"Tables: edition {VERSION} of the read models of cardledger {version('cardledger')}. Rulebooks: "
        f"{', '.join(f'`{one}`' for one in done.rules)}. An empty cell is a value that is not there.",
    ]  # fmt: skip
    for table in OPEN_COLUMNS:
        lines += ["", f"## {table}", "", TABLES[table].about, "", f"Rows: {done.rows[table]}. Key: "]
        lines[-1] += ", ".join(f"`{name}`" for name in TABLES[table].key) + "."
        lines += ["", "| column | type | unit | meaning |", "|---|---|---|---|"]
        lines += [f"| `{one.name}` | {one.type} | {one.unit} | {one.meaning} |" for one in fields_of(table)]
    return "\n".join(lines) + "\n"


def _report(terms: EditionTerms, done: PublishedEdition) -> str:
    """Return what others can find out about players, in words."""
    k = done.anonymity
    numbers = "a key that was thrown away" if terms.salt is None else "a salt that the publisher keeps"
    undo = (
        "Nobody can compute them again."
        if terms.salt is None
        else "Anybody who has the salt and the ids of the ledger can compute them again: keep it secret, or throw it away."
    )
    days, shift = str(terms.days), ""
    if terms.days == "shifted":
        days = "all shifted by the same number of weeks, which is not told"
        shift = """* Somebody who knows on which days the club met can find out by how much the days are shifted: weekdays, and the days
  from one evening to the next, are the true ones. The groups above are counted as if the true days were known.
"""
    sealed = (
        ""
        if done.sealed is None
        else f"""
`CHECKPOINT.txt` is the signed checkpoint of the ledger over its first {done.sealed} events. It says when they were sealed, and names
the ledger. The publisher can show that the ledger still has them: `cardledger verify --checkpoint CHECKPOINT.txt`.
"""
    )
    return f"""# What this edition tells about players

* {done.rows["matches"]} matches are in it, {done.left_out} are left out: they were open, void or secret.
* {k.numbered} players have a number. {done.without_number} have none: they sat down fewer than {terms.regular} times, or were erased.
* Days: {days}. Names, places, evenings, tables, recorders, times of recording, remarks and options are left out.
* k by attendance is {k.days}: so many numbered players, at least, share the same set of published days.
* k by attendance and number of matches is {k.matches}: so many share the same number of matches on each published day too.
* The numbers of matches and players follow from {numbers}. {undo}

## What it does not protect from

* Somebody with the calendar of the club, who knows who came on which days, can tell players apart down to groups of
  {k.days}; who also counted their matches, down to groups of {k.matches}.
{shift}* Somebody who knows the points or the cards of a single match, from a page of the club, a score sheet or memory, finds that
  match here, and then every match of its players. Do not publish an edition of a ledger whose pages show names to the public,
  unless its players agree.
* A style of play, or strength, can give a player away to those who know it.

The digest of the record is {done.heads} (SHA-256 over a line for each match: its id and its last hash), up to event {done.position}.
{sealed}"""
