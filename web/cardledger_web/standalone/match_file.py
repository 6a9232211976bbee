"""The file itself: pages, styles and scripts in one document, which may run what is in it and ask nobody for anything."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flask import render_template

from cardledger_web.engine.files import carried_files
from cardledger_web.languages import others
from cardledger_web.naming.as_published import as_published
from cardledger_web.serving.assets import assets_of
from cardledger_web.standalone.gathering import Gathering, as_any_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flask import Flask

    from cardledger.sentence import Sentence
    from cardledger_web.standalone.gathering import Gathered

_ENGINE = ("file-engine.js", "file-view.js")
"""The scripts that ask the engine."""
_FIRST = "in-file.js"
"""The script that shows the pages."""
_OWN_STYLE = "standalone.css"
_TIMES, _REPLAYER, _RECEIPT = "times.js", "replayer-framed.js", "file-receipt.js"
_QUIZ = ("roving.js", "file-quiz.js")
_MARK = "data:image/svg+xml;base64,"


def match_file(
    app: Flask,
    match: str,
    language: str,
    *,
    small: bool = False,
    quiz_cards: int | None = None,
    told: Callable[[Sentence], object] | None = None,
) -> str:
    """Return a match as a document in a language; a `small` one has no engine, that could answer what pages ask for.

    People are called as the ledger decides for what is published; where somebody is called by less than the whole name
    there is no receipt, as it proves who played. `quiz_cards` and `told` are those of `cardledger.page_file`.
    Raises StoreError `store.unknown` for a match that the ledger does not have, HTTPException (403) while a reader may
    not see it.
    """
    with as_published(app, language) as shown:
        gathering = Gathering(
            shown, match, language, with_engine=not small, quiz_cards=quiz_cards, with_receipt=shown is app
        )
        return _document(shown, gathering, language, told)


def _document(app: Flask, gathering: Gathering, language: str, told: Callable[[Sentence], object] | None) -> str:
    found, opening = gathering.gather(), gathering.opening
    if told is not None and gathering.told is not None:
        told(gathering.told)
    assets = assets_of(app)
    spoken = f"{_REPLAYER.removesuffix('.js')}.{language}.js" if language in others() else _REPLAYER

    def text(name: str) -> str:
        return assets.asset(name).body.decode()

    names = {address: [*map(_named, page.styles), _OWN_STYLE] for address, page in found.pages.items()}
    styles = {name: text(name) for name in dict.fromkeys(name for every in names.values() for name in every)}
    scripts = {_TIMES: text(_TIMES), _REPLAYER: text(spoken)} | {
        name: text(name) for name in ((_RECEIPT, *_QUIZ) if opening else ())
    }
    starts = [text(name) for name in (*(_ENGINE if opening else ()), _FIRST)]
    first = next(iter(found.pages))
    with as_any_reader(app, first, language):
        return render_template(
            "standalone.html",
            policy=_policy([*scripts.values(), *starts], styles.values(), computes=opening is not None),
            mark=_MARK + b64encode(assets.asset("icon.svg").body).decode(),
            styles=styles,
            at_first=names[first],
            page=found.pages[first],
            places=_places(found, first),
            carried=_data(found, first, names),
            scripts={name: _inlined(script) for name, script in scripts.items()},
            starts=[*map(_inlined, starts)],
            engine=_engine(opening) if opening else None,
        )


def _policy(scripts: Iterable[str], styles: Iterable[str], *, computes: bool) -> str:
    """Return what the document may do: run its own scripts, by their hashes, and reach nobody.

    One that `computes` may run WebAssembly too, and start the worker that it holds.
    """
    allowed = [*map(_hash, scripts), *(["'wasm-unsafe-eval'"] if computes else [])]
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(allowed)}",
            *(["worker-src blob:"] if computes else []),
            f"style-src {' '.join(map(_hash, styles))}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _engine(opening: dict[str, Any]) -> str:
    """Return the engine, and the match that it opens, as JSON that can stand in a document."""
    return f'{{"files": {_packed()}, "opening": {_in_document(opening)}}}'


@cache
def _packed() -> str:
    return _in_document({name: b64encode(body).decode() for name, body in carried_files().items()})


def _in_document(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _named(address: str) -> str:
    """Return the name of a file of the pages from its address, which has a hash."""
    stem, _, kind = address.rsplit("/", 1)[-1].rsplit(".", 2)
    return f"{stem}.{kind}"


def _inlined(script: str) -> str:
    """Return a script as it can stand in a document; raises ValueError for one that would end before its end."""
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("a script that stands in a document may not hold the end of one")
    return script


def _places(found: Gathered, first: str) -> dict[str, str]:
    """Return the pages that the head of the document leads to, by kind."""
    every = [*found.pages]
    return {
        "match": first,
        **({"replay": found.hands[0].page} if found.hands else {}),
        **{
            kind: page
            for kind in ("audit", "games", "receipt")
            for page in every
            if f"/{kind}" in page and "?" not in page
        },
    }


def _scripts_of(address: str) -> list[str]:
    if "/replay/" in address:
        return [_REPLAYER]
    if address.endswith("/quiz"):
        return [*_QUIZ]
    return [_TIMES, _RECEIPT] if address.endswith("/receipt") else [_TIMES]


def _data(found: Gathered, first: str, names: dict[str, list[str]]) -> str:
    """Return the pages and answers as JSON that can stand in a document."""
    pages = {
        address: asdict(page) | {"styles": names[address], "scripts": _scripts_of(address)}
        for address, page in found.pages.items()
    }
    data = {
        "first": first,
        "pages": pages,
        "answers": found.answers,
        "hands": [asdict(hand) for hand in found.hands],
    }
    return _in_document(data)
