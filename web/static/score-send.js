// The way to the server: sends what was entered, in order, each entry once, judged before it is recorded; keeps the
// table as it is recorded, and learns what other scorers record meanwhile.
"use strict";

import { same } from "./score-queue.js";

const PATIENCE = 10_000;
const DELAYS = [1, 2, 4, 8, 15];
const POLL = 2_000;
const STREAM_AGAIN = 30_000;

/** The server cannot be reached, or is in trouble: to be tried again. */
class Unreachable extends Error {}

/** The server does not know who asks any more. */
class SignedOut extends Error {}

/**
 * The sender of one match. `table` is the table as recorded, null until it is known.
 *
 * `on` is told what happens: changed() after anything, recorded(entry, before), met(events) for what others recorded,
 * dropped(entry) for an entry that somebody else recorded as well. `state` is ready, sending, offline or signed-out.
 */
export class Sender {
  constructor(api, queue, on) {
    this.api = api;
    this.queue = queue;
    this.on = on;
    this.table = null;
    this.state = "sending";
    this.failures = 0;
    this.met = [];
    this.work = Promise.resolve();
    globalThis.addEventListener?.("online", () => this.catchUp());
    globalThis.addEventListener?.("offline", () => this.become("offline"));
    globalThis.document?.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.catchUp());
  }

  /** Send what waits, as soon as what is under way is done. */
  send() {
    return this.alone(() => this.sendAll());
  }

  /** Learn what was recorded meanwhile, then send what waits. */
  catchUp() {
    return this.alone(async () => {
      await this.refresh();
      await this.sendAll();
    });
  }

  /** One thing at a time; a failure is followed by another try, later and later. */
  alone(task) {
    clearTimeout(this.timer);
    this.work = this.work.then(async () => {
      try {
        await task();
        this.failures = 0;
        this.become("ready");
      } catch (error) {
        if (error instanceof SignedOut) {
          this.become("signed-out");
        } else if (error instanceof Unreachable) {
          this.become("offline");
          this.timer = setTimeout(() => this.catchUp(), DELAYS[Math.min(this.failures++, DELAYS.length - 1)] * 1000);
        } else {
          throw error;
        }
      }
    });
    return this.work;
  }

  become(state) {
    this.state = state;
    this.on.changed();
  }

  async sendAll() {
    if (!this.table) await this.refresh();
    for (let entry = this.queue.list()[0]; entry && !entry.problem; entry = this.queue.list()[0]) {
      if (this.state !== "offline") this.become("sending");
      await this.sendOne(entry);
    }
  }

  async sendOne(entry) {
    let judged = null;
    if (entry.tried === null) {
      if (this.met.some((event) => event.seq > entry.seq && same(event, entry.event))) {
        this.queue.drop(entry);
        this.on.dropped(entry);
        return;
      }
      judged = await this.judge(entry);
      if (judged.problem) {
        // Another window may have recorded entries before this one, or this one: then it is judged again.
        const judgedAt = this.table.seq;
        await this.refresh();
        if (this.table.seq === judgedAt) this.queue.change({ ...entry, problem: judged.problem });
        return;
      }
      entry = { ...entry, tried: this.table.seq };
      this.queue.change(entry);
    }
    // An entry tried before may have been recorded, its answer lost: its id makes this the same request.
    const answer = await this.ask(`/events`, { events: [entry.event] }, { "If-Match": `"${entry.tried}"` });
    if (answer.status === 201) {
      const { seq } = await answer.json();
      const before = this.table;
      if (judged && seq === this.table.seq + 1) this.table = judged.table;
      else await this.refresh();
      this.queue.drop(entry);
      this.on.recorded(entry, before);
    } else if (answer.status === 412) {
      this.queue.change({ ...entry, tried: null, overtaken: true });
      await this.refresh();
    } else {
      this.queue.change({ ...entry, tried: null, problem: { kind: "refused", ...(await answer.json()) } });
    }
  }

  /** What would come of an entry now: the table, or what stands against it. */
  async judge(entry) {
    const { event, hand, seq, agreed } = entry;
    if (!agreed && event.type !== "note") {
      if (event.type === "retract" && seq !== this.table.seq) return stale("Something was recorded after you took this back.");
      if (hand !== null && hand !== this.table.hand) return stale("This was meant for a hand that is over by now.");
    }
    const tried = await this.tryOut([event], this.table.seq);
    if (tried.problem) return tried;
    const broken = tried.table.violations.find((found) => found.seq === this.table.seq + 1);
    if (broken && !agreed) return { problem: { kind: "irregular", code: broken.rule, legal: broken.legal, seat: broken.seat } };
    return tried;
  }

  /** The table that events would lead to from event `at`, or the problem they would meet. */
  async tryOut(events, at) {
    const answer = await this.ask("/what-if", { events, at });
    const said = await answer.json();
    return answer.ok ? { table: said } : { problem: { kind: "refused", ...said } };
  }

  /** The table as it was right after an event. */
  async tableAt(seq) {
    return (await this.ask(`/table?view=all&at=${seq}`)).json();
  }

  /** Read the table, and what others have recorded since it was last read. */
  async refresh() {
    const before = this.table;
    const answer = await this.ask("/table?view=all");
    if (!answer.ok) throw new Unreachable();
    const table = await answer.json();
    if (before && table.seq > before.seq) {
      const { events } = await (await this.ask(`/events?after=${before.seq}&limit=1000`)).json();
      const recorded = new Set(events.map((event) => event.id));
      const mine = this.queue.list().filter((entry) => recorded.has(entry.event.id));
      const own = new Set(mine.map((entry) => entry.event.id));
      const others = events.filter((event) => !own.has(event.id));
      this.met.push(...others);
      this.table = table;
      this.queue.drop(...mine);
      for (const entry of mine) this.on.recorded(entry, before);
      if (others.length) this.on.met(others);
    }
    this.table = table;
    this.on.changed();
  }

  async ask(path, body, headers = {}) {
    let answer;
    try {
      answer = await fetch(this.api + path, {
        method: body ? "POST" : "GET",
        headers: body ? { "Content-Type": "application/json", ...headers } : headers,
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE),
        cache: "no-store",
      });
    } catch (error) {
      throw new Unreachable(String(error));
    }
    if (answer.status === 401 || answer.status === 403) throw new SignedOut();
    if (answer.status >= 500 || answer.status === 429) throw new Unreachable();
    return answer;
  }

  // --- live

  /** Follow the match: by a stream, or by asking again and again while all streams are taken. */
  follow() {
    const open = () => {
      this.stream = new EventSource(`${this.api}/live?after=${this.table?.seq ?? 0}`);
      this.stream.addEventListener("message", (said) => this.news(Number(said.lastEventId)));
      this.stream.addEventListener("open", () => {
        clearInterval(this.polling);
        if (this.state === "offline") this.catchUp();
      });
      this.stream.addEventListener("error", () => {
        if (this.stream.readyState === EventSource.CLOSED) {
          clearInterval(this.polling);
          this.polling = setInterval(() => document.visibilityState === "visible" && this.catchUp(), POLL);
          this.streaming = setTimeout(open, STREAM_AGAIN);
        } else if (this.state !== "offline") {
          this.catchUp(); // the stream connects again by itself; whether there is a connection shows at once
        }
      });
    };
    const shut = () => {
      // Streams are few: a page that nobody looks at needs none.
      this.stream?.close();
      clearTimeout(this.streaming);
      clearInterval(this.polling);
    };
    document.addEventListener("visibilitychange", () => {
      shut();
      if (document.visibilityState === "visible") open();
    });
    globalThis.addEventListener("pagehide", shut);
    open();
  }

  /** Event `seq` was recorded; by the time it is our turn to look it may be known, as our own are. */
  news(seq) {
    this.alone(async () => {
      if (seq <= (this.table?.seq ?? 0)) return;
      await this.refresh();
      await this.sendAll();
    });
  }
}

function stale(detail) {
  return { problem: { kind: "stale", detail } };
}
