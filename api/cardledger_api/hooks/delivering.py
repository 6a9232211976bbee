"""Delivering events to webhooks.

Threads of the server that send each what is new, in order, and again until it is taken.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import LedgerError
from cardledger_api.beside.times import utc_now, written
from cardledger_api.hooks.hook import Delivery, Hook, Withheld
from cardledger_api.hooks.sending import LIMIT, Answer, Send, post, send
from cardledger_api.http.feed import LedgerFeed
from cardledger_api.http.operations import ROLES
from cardledger_api.http.streams import EventLines, Topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.hooks.hooks import Hooks
    from cardledger_api.http.feed import Batch
    from cardledger_api.http.streams import News

LOOK_SECONDS = 1.0
"""Seconds between checks for new events."""
LONGEST_PAUSE = 3600.0
"""Seconds between two tries, at most."""
DAYS = 3
"""Days of failures after which a webhook is disabled."""
THREADS = 16
"""Webhooks that are sent to at once, at most: one that answers slowly does not hold up the others."""
_GONE = 410
CLAIM_SECONDS = 6 * LIMIT
"""Seconds after which another server may send a delivery that a server began and did not end."""
_LOG = logging.getLogger("cardledger")


class _Message(NamedTuple):
    """The next message for a webhook.

    What it tells, how far the webhook is after it, what is withheld, what is shown after all.
    """

    type: str
    id: str
    after: int
    position: int
    events: list[News]
    withheld: list[Withheld]
    shown: list[int]

    def data(self, topic: Topic) -> str:
        """Return its data as JSON."""
        events = ",".join(EventLines.events(topic, self.events).splitlines())
        return f'{{"after": {self.after}, "position": {self.position}, "events": [{events}]}}'


class Deliveries:
    """Sends the events of a ledger to its webhooks until the ledger is closed; to each in order, to several at once."""

    def __init__(self, ledger: Ledger, hooks: Hooks, now: Callable[[], float] | None = None, send: Send = post) -> None:
        """`now` gives the time in seconds, for pauses and signatures: that of the store by default.

        `hooks` is closed at the end.
        """
        self._ledger, self._hooks, self._now, self._send = ledger, hooks, now or hooks.store.clock, send
        self._feed = LedgerFeed(ledger)
        self._closing = ledger.views.background.closing
        self._busy: set[str] = set()
        self._quiet: dict[str, object] = {}  # by webhook, the moment when nothing of its withheld events could be shown
        self._still: dict[
            str, dict[str, object]
        ] = {}  # by webhook, the states of streams of which nothing can be shown

    def start(self) -> None:
        """Start in threads that end with the ledger."""
        self._ledger.views.background.lasting(self._run)

    def _run(self) -> None:
        try:
            with ThreadPoolExecutor(THREADS, "webhooks") as threads:
                while not self._closing.wait(LOOK_SECONDS):
                    self._guarded(lambda: self._begin(threads))
        finally:
            self._hooks.close()

    def _begin(self, threads: Executor) -> None:
        for hook in self.due():
            if hook.id not in self._busy:
                self._busy.add(hook.id)
                threads.submit(self._serve, hook)

    def _serve(self, hook: Hook) -> None:
        """Send a webhook all that is new."""

        def send_all() -> None:
            while not self._closing.is_set() and self.deliver(self._hooks.get(hook.id)):
                pass

        try:
            self._guarded(send_all)
        finally:
            self._busy.discard(hook.id)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do work; after any error other events must still be sent."""
        try:
            work()
        except LedgerError as error:  # the database is away, or an admin has just deleted the webhook
            _LOG.warning("webhooks wait", extra={"fields": {"code": error.code}})
        except Exception:  # noqa: BLE001 - it is logged
            _LOG.exception("webhooks broken off")

    def due(self) -> list[Hook]:
        """Return the webhooks that there may be something to send to now."""
        hooks = [hook for hook in self._hooks.all() if hook.disabled is None]
        for known in (self._quiet, self._still):
            for gone in known.keys() - {hook.id for hook in hooks}:
                del known[gone]
        if not hooks:
            return []
        last, now = self._feed.position(), self._now()
        moment = self._moment()
        return [
            hook
            for hook in hooks
            if hook.due <= now
            and (hook.position < last or moment != self._quiet.get(hook.id) and self._hooks.withheld(hook))
        ]

    def deliver(self, hook: Hook) -> bool:
        """Send the next batch of a webhook, unless another server does.

        Tell whether it was taken, so that there may be more.

        First come events that were withheld and may be seen now, so that each match stays in order.
        """
        topic = Topic(None, hook.role != ROLES[0], hook.filter)
        moment, held = self._moment(), self._hooks.withheld(hook)
        try:
            message = self._opened(topic, hook, held)
            if message is None:
                self._quiet[hook.id] = moment
                message = self._next(topic, hook, {one.stream for one in held if not one.cut})
        except LedgerError as error:
            _LOG.warning("webhook waits", extra={"fields": {"webhook": hook.name, "code": error.code}})
            return False
        now = self._now()
        claimed = self._hooks.claim(hook, now, now + CLAIM_SECONDS) if message else None
        if message is None or claimed is None:
            return False
        taken = claimed._replace(position=message.position, failures=0, failing_since=None, due=0.0)
        if not message.shown:
            taken = taken._replace(pending=None)
        if not message.events:
            self._hooks.note(claimed, taken, None, withheld=message.withheld)
            return True
        began = time.monotonic()
        answer = send(self._send, hook, message.type, message.id, message.data(topic), now, private=self._hooks.private)
        ms = round(1000 * (time.monotonic() - began))
        first, last = message.events[0].number, message.events[-1].number
        delivery = Delivery(
            written(utc_now()), first, last if message.shown else message.position, answer.status, ms, answer.error
        )
        if answer.taken:
            self._hooks.note(claimed, taken, delivery, withheld=message.withheld, shown=message.shown)
        else:
            pending = hook.pending if message.shown else message.position
            self._hooks.note(claimed, self._failed(claimed._replace(pending=pending), answer), delivery)
        return answer.taken

    def _next(self, topic: Topic, hook: Hook, held: set[str]) -> _Message | None:
        """Return the next events of a webhook.

        Those of streams with withheld events are withheld too, as these come first.
        """
        batch = self._feed.batch(topic, hook.position, held)
        # What was sent before is sent again as it was, unless nothing of it may be seen any longer.
        news = [one for one in batch.news if hook.pending is None or one.number <= hook.pending] or batch.news
        if not news:
            return None
        last = news[-1].number
        left = [row for row in _withheld(batch) if row.position <= last]
        events = [one for one in news if one.data is not None]
        return _Message("events", f"{hook.id}-{hook.position}-{last}", hook.position, last, events, left, [])

    def _opened(self, topic: Topic, hook: Hook, held: list[Withheld]) -> _Message | None:
        """Return the events of one stream that were withheld, and that may be seen now."""
        streams: dict[str, list[Withheld]] = {}
        for one in sorted(held, key=lambda one: one.seq):
            streams.setdefault(one.stream, []).append(one)
        before, lengths = self._still.get(hook.id, {}), self._ledger.store.lengths(streams)
        still = self._still[hook.id] = {stream: state for stream, state in before.items() if stream in streams}
        for stream, some in streams.items():
            state = len(some), lengths[stream], self._feed.state(stream)
            if state == still.get(stream):
                continue
            left_out, cut = ({one.seq for one in some if one.cut is wanted} for wanted in (False, True))
            batch = self._feed.opened(topic, stream, left_out, cut, some[0].seq - 1)
            if batch.news:
                shown = [one.number for one in batch.news]
                id = f"{hook.id}-shown-{shown[0]}-{shown[-1]}"
                return _Message("shown", id, hook.position, hook.position, batch.news, _withheld(batch), shown)
            still[stream] = state
        return None

    def _moment(self) -> object:
        """Return what changes whenever more of any event may be seen."""
        return self._feed.position(), self._ledger.views.position

    def _failed(self, hook: Hook, answer: Answer) -> Hook:
        """Return a webhook after a failure: it waits twice as long as before, or is disabled."""
        now, failures = self._now(), hook.failures + 1
        since = now if hook.failing_since is None else hook.failing_since
        why = answer.error or f"status {answer.status}"
        disabled = None
        if answer.status == _GONE:
            disabled = "the receiver says that it is gone (status 410)"
        elif now - since >= DAYS * 86_400:
            disabled = f"it failed for {DAYS} days: {why}"
        pause = min(2.0 ** min(failures, 30), LONGEST_PAUSE)
        return hook._replace(failures=failures, failing_since=since, due=now + pause, disabled=disabled)


def _withheld(batch: Batch) -> list[Withheld]:
    """Return the events of a batch that were left out or cut, to be sent when they may be seen."""
    return [
        Withheld(row.position, row.match, row.seq, cut)
        for rows, cut in ((batch.left_out, False), (batch.cut, True))
        for row in rows
    ]
