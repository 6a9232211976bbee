"""The sentences of the scripts in a language other than English: a script of its own, which pages in that language load first."""

from __future__ import annotations

import json

from flask import Response, abort, request

from cardledger_web.languages import LANGUAGES, SOURCE, script_texts
from cardledger_web.pages.blueprint import pages


@pages.get("/static/texts.<language>.js")
def texts(language: str) -> Response:
    if language not in LANGUAGES or language == SOURCE:
        abort(404)
    text = f"globalThis.TEXTS = {json.dumps(script_texts(language), ensure_ascii=False)};\n"
    answer = Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer
