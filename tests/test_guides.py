"""The guides for changes are followed to the letter: what they tell to write is a page and an operation of a server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.waiting import LIMIT

GUIDES = (Path(__file__).parent.parent / ".github" / "GUIDES.md").read_text(encoding="utf-8")
FOLLOWED = """
import sys, types
from cardledger_web.app import create_app, ledger_of
for place, path in enumerate(sys.argv[2:]):
    module = sys.modules[f"guide{place}"] = types.ModuleType(f"guide{place}")
    exec(open(path).read(), module.__dict__)
app = create_app(sys.argv[1], open_reading=True)
client = app.test_client()
page = client.get("/how-many")
assert page.status_code == 200 and "<h1>How many matches</h1><p>0</p>" in page.text, page.text
answer = client.get("/api/v1/how-many")
assert answer.json == {"matches": 0}, answer.text
assert client.get("/api/v1/how-many?x=1").status_code == 400
assert "/api/v1/how-many" in client.get("/api/v1/openapi.json").json["paths"]
ledger_of(app).close()
"""


def blocks(title: str) -> list[str]:
    """Return the code of a guide, each block without its indentation."""
    text = GUIDES.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [re.sub(r"(?m)^   ", "", block) for block in re.findall(r"   ```python\n(.*?)   ```", text, re.S)]


def test_a_page_and_an_operation_are_written_as_the_guides_say(tmp_path: Path) -> None:
    files = []
    for title in ("A page", "An operation of the API"):
        (code,) = blocks(title)
        files.append(tmp_path / f"{len(files)}.py")
        files[-1].write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FOLLOWED, str(tmp_path / "club.db"), *map(str, files)],
        capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
