"""The engine for browsers (engine/README in the package's folder): its worker, and the files that this loads."""

from __future__ import annotations

from pathlib import PurePath

from flask import Response, abort, request

from cardledger_web.engine.files import MEDIA, engine_files
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.assets import FOR_GOOD
from cardledger_web.serving.compression import free_of_secrets
from cardledger_web.serving.headers import allow_webassembly


@pages.get("/engine/worker.js")
def engine_worker() -> Response:
    """Answer with the worker; only there WebAssembly may run."""
    free_of_secrets(request.environ)
    allow_webassembly(request.environ)
    headers = {"Cache-Control": "no-cache"}
    return Response(engine_files().worker(), headers=headers, content_type=MEDIA[".js"])


@pages.get("/engine/<version>/<name>")
def engine_file(version: str, name: str) -> Response:
    """Answer with a file; an older version is gone, and its worker is fetched again."""
    free_of_secrets(request.environ)
    ours = engine_files()
    if version != ours.version or name not in ours.files:
        abort(404)
    headers = {"Cache-Control": FOR_GOOD}
    return Response(ours.files[name], headers=headers, content_type=MEDIA[PurePath(name).suffix])
