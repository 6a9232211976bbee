"""The resource of webhooks, for admins: where events are sent, how far each has come, and what was sent."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger_api.auth.noting import note_about
from cardledger_api.blueprint import operations
from cardledger_api.current import current_access, current_ledger
from cardledger_api.hooks.hooks import NAME_LENGTH, SEEN, STATES, shown
from cardledger_api.hooks.sending import tested
from cardledger_api.http.fields import GameId, between
from cardledger_api.http.streams import KINDS, TYPES, Filter

_NAME = validate.Length(1, NAME_LENGTH)


class WebhookSchema(Schema):
    """A webhook without its secret: what is sent where, how far it has come, and whether it works."""

    id = fields.String()
    name = fields.String()
    url = fields.String()
    role = fields.String()
    game = fields.String(allow_none=True)
    types = fields.List(fields.String(), allow_none=True)
    kinds = fields.List(fields.String(), allow_none=True)
    created = fields.String()
    position = fields.Integer()
    state = fields.String(metadata={"enum": [*STATES]})
    failures = fields.Integer()
    reason = fields.String(allow_none=True)


class WebhookListSchema(Schema):
    """All webhooks, oldest first."""

    webhooks = fields.List(fields.Nested(WebhookSchema))


class WantedWebhookSchema(Schema):
    """The webhook to make.

    Its name and address, what is sent, as which role sees it, and after which position (now unless given).
    """

    name = fields.String(required=True, validate=_NAME)
    url = fields.String(required=True, validate=validate.Length(1, 2000))
    role = fields.String(load_default=SEEN[0], validate=validate.OneOf(SEEN))
    game = GameId()
    types = fields.List(fields.String(validate=validate.OneOf(TYPES)))
    kinds = fields.List(fields.String(validate=validate.OneOf(KINDS)))
    after = fields.Integer(strict=True, validate=between(0, 10**18 - 1))


class NewWebhookSchema(WebhookSchema):
    """A new webhook with its secret: keep it, it is not shown again."""

    secret = fields.String()


class DeliverySchema(Schema):
    """One try to send a batch of events: status is null if there was no answer, error null if there was one."""

    at = fields.String()
    first = fields.Integer()
    last = fields.Integer()
    status = fields.Integer(allow_none=True)
    ms = fields.Integer()
    error = fields.String(allow_none=True)


class DeliveryListSchema(Schema):
    """The last deliveries of a webhook, latest first."""

    deliveries = fields.List(fields.Nested(DeliverySchema))


class WebhookTestSchema(Schema):
    """How a test message went: status is null if there was no answer, error null if there was one."""

    at = fields.String()
    status = fields.Integer(allow_none=True)
    ms = fields.Integer()
    error = fields.String(allow_none=True)


@operations.add("GET", "/webhooks", role="admin", answer=WebhookListSchema, example={})
def list_of_webhooks() -> dict[str, Any]:
    """List the webhooks, without their secrets; only for admins."""
    hooks = current_access().hooks
    return {"webhooks": [shown(hook) for hook in hooks.all()]}


@operations.add(
    "POST",
    "/webhooks",
    role="admin",
    body=WantedWebhookSchema,
    answer=NewWebhookSchema,
    status=201,
    problems=(409,),
    example={"body": {"name": "scoreboard", "url": "https://example.org/cards", "types": ["open", "end"]}},
)
def make_webhook(body: dict[str, Any]) -> dict[str, Any]:
    """Send events to an address from now on, or after a position; only for admins.

    Events are sent in order and in batches, as JSON by POST, signed as the Standard Webhooks specification has it
    (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A batch comes again, with the same id, until the answer is
    2xx: after 2, 4, 8, … seconds, then every hour; after three days of failures, or the status 410, the webhook is
    disabled. What readers may not see yet comes in a message of type `shown` once they may. Redirects are not followed.
    An answer has ten seconds. Addresses of this computer and its network are refused (`webhook.address`) unless the
    server was started with `--private-webhooks`.
    """
    ledger = current_ledger()
    hooks = current_access().hooks
    last = ledger.store.last_position()
    position = min(body.get("after", last), last)
    types, kinds = (frozenset(body[key]) if key in body else None for key in ("types", "kinds"))
    note_about(body["role"], body["name"])
    hook = hooks.add(body["name"], body["url"], body["role"], Filter(body.get("game"), types, kinds), position)
    return shown(hook) | {"secret": hook.secret}


@operations.add(
    "GET",
    "/webhooks/<webhook>/deliveries",
    role="admin",
    answer=DeliveryListSchema,
    example={"path": {"webhook": "WEBHOOK"}},
)
def deliveries_of_webhook(webhook: str) -> dict[str, Any]:
    """List the last hundred deliveries of a webhook; only for admins."""
    hooks = current_access().hooks
    return {"deliveries": [delivery._asdict() for delivery in hooks.log(webhook)]}


@operations.add(
    "POST",
    "/webhooks/<webhook>/test",
    role="admin",
    answer=WebhookTestSchema,
    example={"path": {"webhook": "WEBHOOK"}},
)
def test_webhook(webhook: str) -> dict[str, Any]:
    """Send a message of type `test` to a webhook, without events, and say how it went; only for admins.

    It is signed as all are. It is not logged, and not sent again.
    """
    hooks = current_access().hooks
    at, answer, ms = tested(hooks, hooks.get(webhook))
    return {"at": at, "status": answer.status, "ms": ms, "error": answer.error}


@operations.add(
    "DELETE",
    "/webhooks/<webhook>",
    role="admin",
    answer=WebhookSchema,
    example={"path": {"webhook": "WEBHOOK"}},
)
def delete_webhook(webhook: str) -> dict[str, Any]:
    """Delete a webhook with its log; only for admins.

    The answer has its position: a new webhook can go on after it.
    """
    hooks = current_access().hooks
    return shown(hooks.remove(webhook))
