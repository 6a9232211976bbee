"""The files of the pages: kept for good at addresses that change with what they hold, and few of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cardledger_web.serving.assets import BUNDLES, Assets, assets_of
from cardledger_web.serving.modules import together
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

STATIC = ROOT / "web/cardledger_web/static"
FILES = re.compile(r'(?:src|href|data-plotly)="(/static/[^"]+)"')


def test_every_script_and_style_of_a_page_is_kept_for_good(client: FlaskClient) -> None:
    match = client.get("/api/v1/matches").json["matches"][0]["id"]
    for path in (
        "/",
        "/season",
        "/players",
        f"/matches/{match}",
        f"/matches/{match}/replay/3",
        f"/matches/{match}/score",
    ):
        asked = {*FILES.findall(client.get(path).text)}
        assert len(asked) > 3
        for address in asked:
            with client.get(address) as answer:
                assert answer.status_code == 200, address
                if address.endswith((".js", ".css", ".svg")):
                    assert re.search(r"\.[0-9a-f]{16}\.\w+$", address), address
                    assert "immutable" in answer.headers["Cache-Control"]
                    assert "Cookie" not in answer.headers.get_all("Vary"), "it is the same for everybody"


def test_an_address_changes_with_the_file_and_with_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = b + 1;\n')
    (tmp_path / "b.js").write_text("export const b = 1;\n")
    before = Assets(tmp_path).address("a.js")
    (tmp_path / "b.js").write_text("export const b = 2;\n")
    after = Assets(tmp_path)
    assert after.address("a.js") != before
    found = after.find(before)
    assert found is not None and not found[1], "a page of before gets the file as it is now, and does not keep it"
    assert b"b = 2" in found[0].body


@pytest.mark.parametrize(
    "name", ["nothing", "../app", "..%2Fapp", "a" * 300, "style+table", ".style", "é", "replayer.en", "texts.xx", ""]
)
def test_no_other_file_can_be_asked_for(client: FlaskClient, name: str) -> None:
    for kind in ("css", "js"):
        assert client.get(f"/static/{name}.{'0' * 16}.{kind}").status_code == 404


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import x from "./b.js";\n', "import x"),
        ('import { b } from "elsewhere";\n', "import {"),
        ("export default 1;\n", "export default"),
        ("export let a = 1;\n", "export let"),
        ('const a = await import("./b.js");\n', "import("),
        ('import { a } from "./a.js";\n', "cannot import each other"),
    ],
)
def test_a_module_that_is_written_in_another_way_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        together(["a.js"], {"a.js": text, "b.js": "export const b = 1;\n"}.__getitem__)


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs scripts; browsers do in the long tests")
def test_scripts_put_together_do_what_modules_do() -> None:
    texts = {
        "a.js": 'import { b as c, count } from "./b.js";\nimport { d } from "./d.js";\nconst own = 1;\nconsole.log(c(), d, count(), own);\n',
        "b.js": 'import { d } from "./d.js";\nlet times = 0;\nexport function b() {\n  return `b${d}`;\n}\nexport const count = () => ++times;\n',
        "d.js": 'console.log("once");\nexport const d = "d";\nexport class E {}\nexport async function f() {}\n',
    }  # fmt: skip
    script = together(["a.js"], texts.__getitem__) + together(["d.js"], texts.__getitem__)
    words = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout.split("\n"), done.stderr) == (["once", "bd d 1 1", ""], "")


@pytest.mark.skipif(shutil.which("node") is None, reason="node checks scripts; browsers do in the long tests")
def test_all_our_scripts_can_be_put_together(app: Flask) -> None:
    assets = assets_of(app)
    for path in sorted(STATIC.glob("*.js")):
        assert assets.asset(path.name).body, path.name
    for names in [*BUNDLES, "replayer.de.js", "score.js", "new-match.js"]:
        if names.endswith(".js"):
            body = assets.asset(names).body.decode()
            done = subprocess.run(
                ["node", "--input-type=module", "--check"], input=body, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{names}: {done.stderr}"
