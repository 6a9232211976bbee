"""Downloads of every statistics table, as CSV or Parquet, with the filters of its page."""

from __future__ import annotations

from importlib.util import find_spec

from flask import Response, abort, render_template

from cardledger.study.stats.export import in_cells
from cardledger_api.auth.limits import heavy
from cardledger_api.current import current_ledger
from cardledger_api.resources.tables import FORMATS, TABLES, as_file, named_table
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.downloads import as_csv, download
from cardledger_web.pages.players import given


@pages.get("/tables/<name>.csv", defaults={"form": "csv"})
@pages.get("/tables/<name>.parquet", defaults={"form": "parquet"})
@heavy
def table(name: str, form: str) -> Response | tuple[str, int]:
    ledger = current_ledger()
    if name not in TABLES:
        abort(404)
    if form == "parquet" and find_spec("pyarrow") is None:
        sentence = _("Parquet needs pyarrow on the server: pip install 'cardledger[analytics]'. CSV works without it.")
        return render_template(
            "error.html",
            status=501,
            heading=_("Parquet is not available here"),
            sentence=sentence,
            id=None,
            seconds=None,
        ), 501
    shown = named_table(ledger, name, given())
    if form == "csv":
        return download(as_csv(*in_cells(shown)), f"{name}.csv", "text/csv; charset=utf-8")
    return download(as_file(shown, FORMATS[form])[0], f"{name}.parquet", FORMATS[form])
