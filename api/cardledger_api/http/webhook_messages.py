"""What a receiver of webhooks gets, as OpenAPI describes it.

A message of each type, its signature, and what to answer.
"""

from __future__ import annotations

from typing import Any

_REF = "#/components/schemas/"
_TEXT = {"type": "string"}
TYPES = {
    "events": "Events were recorded: the next batch, in order.",
    "shown": "Readers may now see all of events that came without their cards, "
    "or not at all: they take the place of those.",
    "test": "An admin tries the webhook: there are no events.",
}
"""The types of messages, and what each says."""
SCHEMAS: dict[str, dict[str, Any]] = {
    "SentEvent": {
        "description": "An event as it was recorded, with its place in the ledger and the match, "
            "or other stream, that it belongs to.",
        "type": "object",
        "properties": {
            "position": {"type": "integer", "description": "position in the ledger"},
            "match": _TEXT | {"description": "id of the match; absent for an event of another stream"},
            "stream": _TEXT | {"description": "id of the club, session or league, or `people`; "
                "absent for an event of a match"},
            "type": _TEXT | {"description": "type of the event"},
        },
        "required": ["position", "type"],
        "additionalProperties": True,
    },
    "WebhookData": {
        "description": "The events of a message. Keep `position`, and skip events that you have.",
        "type": "object",
        "properties": {
            "after": {"type": "integer", "description": "position that came before; absent in a test"},
            "position": {"type": "integer", "description": "position that the webhook has come to"},
            "events": {"type": "array", "items": {"$ref": f"{_REF}SentEvent"}, "description": "the events, in order"},
        },
        "required": ["position", "events"],
    },
    "WebhookMessage": {
        "description": "A message to a webhook.",
        "type": "object",
        "properties": {
            "type": _TEXT | {"enum": [*TYPES], "description": "what kind of message it is"},
            "timestamp": _TEXT | {"format": "date-time", "description": "time at which it was made (UTC)"},
            "data": {"$ref": f"{_REF}WebhookData", "description": "the events"},
        },
        "required": ["type", "timestamp", "data"],
    },
}  # fmt: skip
_SIGNED = {
    "webhook-id": "id of the message, the same when it is sent again",
    "webhook-timestamp": "time of sending, in seconds since 1970: refuse what is older than five minutes",
    "webhook-signature": "`v1,` and the HMAC-SHA256, in Base64, of id, timestamp and body with dots between",
}
_RESPONSES = {
    "2XX": {"description": "the message was taken, and the next one may come"},
    "410": {"description": "the receiver is gone: the webhook is disabled"},
    "default": {
        "description": "the message comes again, after 2, 4, 8, … seconds and at last every hour, for three days"
    },
}


def webhooks() -> dict[str, Any]:
    """Return the webhooks of the document, by type of message."""
    return {
        type: {
            "post": {
                "operationId": f"webhook_{type}",
                "summary": summary,
                "description": "Signed as the Standard Webhooks specification has it. Answer within ten seconds.",
                "parameters": [
                    {"in": "header", "name": name, "required": True, "description": meaning, "schema": _TEXT}
                    for name, meaning in _SIGNED.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": f"{_REF}WebhookMessage"}}},
                },
                "responses": {status: {**answer} for status, answer in _RESPONSES.items()},
                "tags": ["messages to webhooks"],
                "x-role": "reader",
                "x-codeSamples": [],
            }
        }
        for type, summary in TYPES.items()
    }
