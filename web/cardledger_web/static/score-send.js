// The way to the server: sends entries in order, each once, judged before it is recorded; keeps the table up to date,
// with the entries of other scorers.
"use strict";

import { Live } from "./follow.js";
import { keep } from "./offline.js";
import { Judge, questionOf } from "./score-judge.js";
import { asRecorded, same } from "./score-queue.js";

const PATIENCE = 10_000;
const DELAYS = [1, 2, 4, 8, 15];
const POLL = 2_000;

/** The server cannot be reached, or has a problem: try again. */
class Unreachable extends Error {}

/** The session or token is no longer valid. */
class SignedOut extends Error {}

/**
 * The sender of one match, to its API and its scoring page. `table` is the table as recorded, null until it is known.
 *
 * `on` is called: changed() after any change, looked() once it is known what comes after the waiting entries, recorded(entry), met(events) for events of others,
 * dropped(entry) for an entry that another scorer recorded too. `state` is ready, sending, offline or signed-out.
 */
export class Sender {
  constructor({ api, page }, queue, on, opening = null) {
    this.api = api;
    this.page = page;
    this.queue = queue;
    this.opening = opening; // of a match that was opened without a connection (opening.js)
    this.on = on;
    this.table = null;
    this.two = null; // two records of one hand that differ, with the entries that were compared, up to event `seq`
    this.judge = new Judge(page, (...asked) => this.ask(...asked), () => this.look());
    this.met = []; // events of others since this page was opened: {event, turn}
    this.state = "sending";
    this.failures = 0;
    this.work = Promise.resolve();
    this.part(); // entries of an earlier visit
    globalThis.addEventListener?.("online", () => this.catchUp());
    globalThis.addEventListener?.("offline", () => this.become("offline"));
    globalThis.document?.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.catchUp());
  }

  /** Send waiting entries, after the request under way. */
  send() {
    return this.alone(() => this.sendAll());
  }

  /** Read new events, then send waiting entries. */
  catchUp() {
    return this.alone(async () => {
      await this.refresh();
      await this.sendAll();
    });
  }

  /** One thing at a time; a failure, whatever it is, is followed by another try, later and later. */
  alone(task) {
    clearTimeout(this.timer);
    this.work = this.work.catch(() => {}).then(async () => {
      try {
        await task();
        this.failures = 0;
        this.become("ready");
      } catch (error) {
        this.part();
        if (error instanceof SignedOut) {
          this.become("signed-out");
          return;
        }
        this.become("offline");
        this.timer = setTimeout(() => this.catchUp(), DELAYS[Math.min(this.failures++, DELAYS.length - 1)] * 1000);
        if (!(error instanceof Unreachable)) throw error;
      }
    });
    return this.work;
  }

  /** What waits now was made, or is sent, without knowing what others record meanwhile. */
  part() {
    const [first] = this.queue.list();
    if (first && !first.apart) this.queue.save({ ...first, apart: true });
  }

  /** Whether nothing can be sent now. */
  get away() {
    return this.state === "offline" || this.state === "signed-out";
  }

  become(state) {
    this.state = state;
    this.on.changed();
  }

  async sendAll() {
    if (!this.table) await this.refresh();
    for (let list = this.queue.list(); list.length; list = this.queue.list()) {
      const parted = this.parted(list);
      if (list[0].problem && !parted) break;
      if (!this.away) this.become("sending");
      if (!parted) await this.sendOne(list[0]);
      else if (!(await this.reconciled(list))) break;
    }
  }

  /** Whether others recorded something after the event on which the entries stand that were made without a connection. */
  parted(list) {
    const [{ tried, problem, seq }] = list;
    if (problem?.kind === "two") return this.two?.seq !== this.table.seq;
    return tried === null && !problem && seq < this.table.seq && list.some(({ apart }) => apart);
  }

  /** Put the two records together, if they do not say different things; otherwise somebody is asked, and it returns false. */
  async reconciled(list) {
    const [first] = list;
    const { seq } = this.table;
    const found = await this.judge.compared(asRecorded(list, first.seq), first.seq, seq);
    if (found && found.seq !== seq) {
      await this.refresh();
      return true;
    }
    this.two = found && { ...found, list, seq };
    if (found && found.outcome !== "differs") this.settle(false);
    else this.queue.change({ ...first, problem: found ? { kind: "two", seq: first.seq, now: seq } : this.stale(first) });
    return Boolean(found) && found.outcome !== "differs";
  }

  /** Settle the two records: keep what is recorded, or `replace` it. If one has changed meanwhile, they are compared again: false. */
  settle(replace) {
    const { two } = this;
    const list = this.queue.list();
    this.two = null;
    if (two?.seq !== this.table.seq || two.list.some(({ key }, place) => list[place]?.key !== key)) return false;
    this.met = []; // all of it is settled, and some of it may be taken back
    const gone = this.queue.follow(two.list, replace ? two.replace : two.keep, two.seq);
    const same = two.keep.known.map(({ of }) => two.list[of]);
    const said = same.at(-1) ?? (two.outcome === "contained" ? gone.at(-1) : null);
    if (said) this.on.dropped(said);
    return true;
  }

  async sendOne(entry) {
    let judged = null;
    if (entry.tried === null) {
      if (this.met.some(({ event, turn }) => turn === entry.turn && same(event, entry.event))) {
        this.queue.drop(entry);
        this.on.dropped(entry);
        return;
      }
      judged = await this.judged(entry);
      if (judged.problem) {
        // Another window may have recorded this entry or earlier ones: then it is judged again.
        const judgedAt = this.table.seq;
        await this.refresh();
        if (this.table.seq === judgedAt) this.queue.change({ ...entry, problem: judged.problem });
        return;
      }
      entry = { ...entry, tried: this.table.seq };
      this.queue.change(entry);
    }
    // An entry tried before may have been recorded, its answer lost: its id makes this the same request.
    const answer = await this.ask(`${this.api}/events`, { events: [entry.event] }, { "If-Match": `"${entry.tried}"` });
    if (answer.status === 201) {
      const { seq } = await answer.json();
      if (judged && seq === this.table.seq + 1) this.know(judged.table);
      else await this.refresh();
      this.queue.settle(entry.event.id, seq);
      this.queue.drop(entry);
      this.on.recorded(entry);
    } else if (answer.status === 412) {
      this.queue.change({ ...entry, tried: null, overtaken: true });
      await this.refresh();
    } else {
      this.queue.change({ ...entry, tried: null, problem: { kind: "refused", ...(await answer.json()) } });
    }
  }

  /** The result of an entry now: the table, or the problem. */
  async judged(entry) {
    if (this.late(entry)) return { problem: this.stale(entry) };
    const tried = await this.judge.tried([entry.event], this.table.seq);
    const problem = tried.problem ?? questionOf(tried.table, entry, this.table.seq + 1);
    return problem ? { problem } : tried;
  }

  /** Look at what waits, so that the page knows what comes after it, and asks about what is wrong with it at once. */
  async look() {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.lookAgain) await this.lookOnce();
    } finally {
      this.looking = false;
    }
    this.on.looked();
  }

  async lookOnce() {
    this.lookAgain = false;
    const list = this.queue.list();
    const open = list.findIndex(({ problem }) => problem);
    const waiting = open < 0 ? list : list.slice(0, open);
    if (waiting.length && this.table && !this.late(waiting[0]) && !this.parted(waiting)) {
      const { seq } = this.table;
      const found = await this.judge.look(waiting, seq);
      if (found && this.table.seq === seq && found.entry.tried === null) this.queue.change({ ...found.entry, problem: found.problem });
    }
  }

  /** Whether an entry may have been meant for another turn than the current one: it never counts without asking. */
  late({ event, turn, seq, at = seq, unsure }) {
    if (event.type === "note" || event.type === "amend") return false;
    return unsure || turn !== this.table.counted || (event.type === "retract" && at !== this.table.seq);
  }

  /** The problem of a late entry, with the turn it would count for now. */
  stale({ seq }) {
    const meanwhile = this.met.map(({ event }) => event).filter((event) => event.seq > seq && event.type !== "note");
    const { counted: turn, seq: now, turn: who } = this.table;
    return { kind: "stale", meanwhile: meanwhile.slice(-3), turn, seq: now, who };
  }

  /** Read the table, and the events of others since the last time. */
  async refresh() {
    await this.begin();
    const before = this.table;
    const gone = this.queue.gone();
    const answer = await this.ask(`${this.page}/table`);
    if (!answer.ok) throw new Unreachable();
    const table = await answer.json();
    const kept = answer.headers.has("Kept-At");
    if (kept || this.opening?.waits) {
      this.table ??= table; // the last one known here: entries for it wait
      if (kept) this.judge.follow(table.seq); // what the server has under the id of an opening that it refused is another match
      throw new Unreachable();
    }
    if (before && table.seq > before.seq) {
      const { events } = await (await this.ask(`${this.api}/events?after=${before.seq}&limit=1000`)).json();
      const waiting = new Map(this.queue.list().map((entry) => [entry.event.id, entry]));
      const [mine, others] = [[], []];
      let turn = before.counted;
      for (const event of events) {
        this.queue.settle(event.id, event.seq);
        // Entries sent by another window of this browser have left the queue, but are still ours.
        const own = waiting.get(event.id) ?? (this.queue.entered.has(event.id) ? { event } : null);
        if (own) mine.push(own);
        else others.push({ event, turn });
        turn = turnAfter(turn, event);
      }
      this.met.push(...others);
      this.table = table;
      this.queue.drop(...mine.filter(({ key }) => key));
      for (const { event } of mine) this.queue.entered.delete(event.id);
      for (const entry of mine) this.on.recorded(entry);
      if (others.length) this.on.met(others.map(({ event }) => event));
    }
    this.know(table);
    for (const id of gone) this.queue.entered.delete(id); // they are on this table, or were given up in another window
    this.on.changed();
  }

  /** Let the server record the opening of a match that it does not know yet; its id makes it one match however often it is sent. */
  async begin() {
    const waits = this.opening?.waits;
    if (!waits) return;
    try {
      const answer = await this.ask(this.api.slice(0, this.api.lastIndexOf("/")), { events: [waits.event] });
      if (answer.ok) this.opening.drop();
      else this.opening.refuse(waits.event, await answer.json());
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error; // what is kept of the match is read all the same
    }
  }

  /** Take a table as the recorded one, and keep it for a page that opens without a connection. */
  know(table) {
    this.table = table;
    keep(`${this.page}/table`, table).catch(() => {}); // no room, say
    this.judge.follow(table.seq);
  }

  async ask(address, body, headers = {}) {
    let answer;
    try {
      answer = await fetch(address, {
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
    if (!answer.headers.get("Content-Type")?.includes("json")) throw new Unreachable(); // somebody else answers: the page of a hotel, say
    return answer;
  }

  // --- live

  /** Follow the match: by a stream, or by polling while there is none. */
  follow() {
    new Live(`${this.api}/live`, () => this.table?.seq ?? 0, {
      news: (seq) => this.news(seq),
      opened: () => {
        clearInterval(this.polling);
        if (this.state === "offline") this.catchUp();
      },
      lost: (refused) => {
        if (refused) {
          clearInterval(this.polling);
          this.polling = setInterval(() => document.visibilityState === "visible" && this.catchUp(), POLL);
        } else if (this.state !== "offline") {
          this.catchUp(); // the stream reconnects automatically; the loss shows at once
        }
      },
    });
    globalThis.addEventListener("pagehide", () => clearInterval(this.polling));
  }

  /** Event `seq` was recorded; we may know it by the time we look, as with our own. */
  news(seq) {
    this.alone(async () => {
      if (seq <= (this.table?.seq ?? 0)) return;
      await this.refresh();
      await this.sendAll();
    });
  }
}

/** The number of counting events after one more, or null if only the table knows it: after a retract. */
function turnAfter(turn, { type }) {
  if (turn === null || type === "retract") return null;
  return type === "note" || type === "amend" ? turn : turn + 1;
}
