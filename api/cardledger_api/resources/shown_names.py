"""Resources of shown names: how much of a name is shown in what is published, as the club and each person decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.record.people.people import PublishedName
from cardledger.record.people.shown import HOW_SHOWN
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder_name
from cardledger_api.resources.own import expect_own

if TYPE_CHECKING:
    from cardledger.record.people.people import People


class HowShownSchema(Schema):
    """How much is shown: `full`, `first` for the first name, `none`; null takes back what was decided."""

    shown = fields.String(required=True, allow_none=True, validate=validate.OneOf(HOW_SHOWN))


class ShownPersonSchema(Schema):
    """A person, what is decided of the person alone (null: nothing), and how much is shown, also by the club's rule."""

    player = fields.String()
    decided = fields.String(allow_none=True, validate=validate.OneOf(HOW_SHOWN))
    shown = fields.String(validate=validate.OneOf(HOW_SHOWN))


class ShownNamesSchema(Schema):
    """The club's rule (null: none, so whole names are shown), and the persons of whom something is decided."""

    rule = fields.String(allow_none=True, validate=validate.OneOf(HOW_SHOWN))
    people = fields.List(fields.Nested(ShownPersonSchema))


@operations.add("GET", "/people/shown", role="admin", answer=ShownNamesSchema, example={})
def read_shown_names() -> dict[str, Any]:
    """Read how much of names is shown in what is published: the club's rule, and what is decided of persons."""
    return _rule(current_ledger().people())


@operations.add(
    "POST",
    "/people/shown",
    role="admin",
    body=HowShownSchema,
    answer=ShownNamesSchema,
    problems=(409,),
    example={"body": {"shown": "first"}},
)
def rule_shown_names(body: dict[str, Any]) -> dict[str, Any]:
    """Make the club's rule: how much is shown of everybody of whom nothing is decided.

    Sites and files that were made before stay as they are: publish again.
    """
    return _rule(_decided(None, body))


@operations.add(
    "POST",
    "/players/<text:player>/shown",
    body=HowShownSchema,
    answer=ShownPersonSchema,
    problems=(409,),
    example={"path": {"player": "PLAYER"}, "body": {"shown": "none"}},
)
def decide_shown_name(player: str, body: dict[str, Any]) -> dict[str, Any]:
    """Decide how much of a name is shown in what is published: for oneself, or as an admin for another player.

    It holds for all ids that the person has now; of two people who become one the stricter decision counts. Null: as
    the club's rule says. Sites and files that were made before stay as they are: publish again.
    """
    player = expect_own(player, "admin")
    return _person(_decided(player, body), player)


def _decided(player: str | None, body: dict[str, Any]) -> People:
    ledger = current_ledger()
    return ledger.record_people(
        [PublishedName(player=player, shown=body["shown"])], ledger.people().seq, recorder_name()
    )


def _rule(people: People) -> dict[str, Any]:
    return {"rule": people.rule, "people": [_person(people, one) for one in people.deciding()]}


def _person(people: People, player: str) -> dict[str, Any]:
    return {"player": people.person(player), "decided": people.decided(player), "shown": people.shown(player)}
