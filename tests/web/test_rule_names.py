"""A rule is called by its name wherever a page names it; its id stays in reach, as rulings cite it."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from cardledger.rules.engine.rule_names import NAMES
from cardledger.rules.engine.rulebook import COMMON, Rule
from cardledger.rules.games import game, games
from tests.web.test_pages import matches, page

if TYPE_CHECKING:
    from flask.testing import FlaskClient

LINK = re.compile(r'<(a|abbr) class="rule"[^>]*?(?:href="[^"]*#([^"]+)")? title="([^"]*)">([^<]*)</')


def test_every_rule_of_every_game_has_a_name_and_no_name_is_left_over() -> None:
    ids = {rule.id for one in games() for rule in (*game(one).book, *COMMON)}
    assert ids == {*NAMES}
    for one in games():
        titles = [rule.title for rule in game(one).book]
        assert len({*titles}) == len(titles), f"two rules of {one} have one name"


def test_a_rule_of_a_package_has_its_own_name_or_its_id_in_words() -> None:
    assert Rule("lead.red-card", "Lead red.").title == "Lead: red card"
    assert Rule("lead.red-card", "Lead red.", name="Red first").title == "Red first"


def test_pages_name_rules_and_keep_their_ids_in_the_title(client: FlaskClient) -> None:
    for one in games():
        for match in matches(client, f"&game={one}")[:1]:
            hand = client.get(f"/api/v1/matches/{match}/hands/1/replay").json
            for path in ("", "/audit", f"/replay/{hand['last']}", "/hands/1"):
                for _, id, title, words in LINK.findall(page(client, f"/matches/{match}{path}")):
                    cited = unescape(title).partition(": ")[0]
                    assert id in ("", cited)
                    assert unescape(words) == game(one).book[cited].title != cited


def test_the_rulebook_and_the_lists_of_violations_call_rules_by_name(client: FlaskClient) -> None:
    book = page(client, "/games/hearts")
    assert '<a href="#follow.suit">Following suit</a> <code>follow.suit</code>' in book
    assert 'title="follow.suit">Following suit</th>' in page(client, "/violations")
    said = client.get("/api/v1/games/hearts").json["rules"]
    assert {rule["id"]: rule["name"] for rule in said}["follow.suit"] == "Following suit"
