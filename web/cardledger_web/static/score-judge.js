// Who judges an entry before it is recorded: the engine in this browser once it runs, which knows the recorded events, and
// the server until then. Both are the same program and answer the same.
"use strict";

import { Engine } from "./engine.js";
import { keep } from "./offline.js";
import { asRecorded } from "./score-queue.js";

/**
 * The judge of one match, whose scoring page is at `page`. `ask` asks the server; `changed` is called when more is known.
 *
 * `ahead` is the table after the waiting entries: {ids, table}, with the ids of these entries; null until it is known.
 */
export class Judge {
  constructor(page, ask, changed) {
    Object.assign(this, { page, ask, changed });
    this.desk = null; // the match as the engine knows it
    this.ahead = null;
    this.work = Promise.resolve();
    this.engine = new Engine();
  }

  /** Load the engine; a page that is to work without a connection lets its service worker come first, which keeps the files. */
  load(then = () => {}) {
    this.engine.load(() => this.follow().then(then));
  }

  /** Whether the engine answers, so that nothing has to wait for the server. */
  get knows() {
    return this.engine.running && this.desk !== null;
  }

  /** How many events the engine knows. */
  get seq() {
    return this.knows ? this.desk.events.length : 0;
  }

  /** Let the engine know the events up to `seq`, or what the server or the last visit has; one call after another. */
  follow(seq = Infinity) {
    this.work = this.work.then(async () => {
      if (!this.engine.running || this.seq >= seq) return;
      try {
        await (this.desk ? this.more() : this.open());
      } catch {
        return; // without a connection it stays as it is
      }
      keep(`${this.page}/desk`, this.desk).catch(() => {}); // no room, say
      this.changed();
    });
    return this.work;
  }

  async open() {
    const desk = await (await this.ask(`${this.page}/desk`)).json();
    const { told } = (await this.engine.ask({ ask: "open", ...desk })) ?? {};
    if (told) this.desk = desk;
  }

  async more() {
    const { events, own } = await (await this.ask(`${this.page}/desk?after=${this.seq}`)).json();
    const { told } = (await this.engine.ask({ ask: "append", events, own })) ?? {};
    if (told) this.desk = { ...this.desk, own, events: [...this.desk.events, ...events] };
    else this.desk = null; // it starts again
  }

  /** The table after events tried from event `at`, or their problem; `waiting` are the entries before them, as events. */
  async tried(events, at, waiting = []) {
    if (this.knows && at <= this.seq + waiting.length) {
      const found = await this.engine.ask({ ask: "tried", events, at, waiting });
      if (found) return found.problem ? { problem: { kind: "refused", ...found.problem } } : { table: found.told };
    }
    const answer = await this.ask(`${this.page}/what-if`, { events, at });
    const said = await answer.json();
    return answer.ok ? { table: said } : { problem: { kind: "refused", ...said } };
  }

  /** Entries made after event `at` beside what was recorded since, up to event `seq`; null if nobody can compare them. */
  async compared(events, at, seq) {
    await this.follow(seq);
    const found = this.knows && this.seq === seq && (await this.engine.ask({ ask: "compared", events, at }));
    if (found) return found.told ?? null;
    const answer = await this.ask(`${this.page}/compared`, { events, at });
    return answer.ok ? answer.json() : null;
  }

  /** The table as it was right after an event. */
  async tableAt(seq, waiting = []) {
    const found = this.knows && (await this.engine.ask({ ask: "table", at: seq, waiting }));
    return found?.told ?? (await this.ask(`${this.page}/table?at=${seq}`)).json();
  }

  /** The log as HTML; null without an engine. */
  async log(whole, waiting) {
    return this.knows ? ((await this.engine.ask({ ask: "log", whole, waiting }))?.told ?? null) : null;
  }

  /** The points of each side, with the one that is missing if it follows from the others; null without an answer. */
  async follows(points, waiting) {
    const typed = points.map((number) => String(number ?? ""));
    const found = this.knows && (await this.engine.ask({ ask: "follows", points: typed, waiting }));
    if (found?.told) return found.told;
    try {
      const asked = typed.map((number) => `points=${number}`).join("&");
      return (await (await this.ask(`${this.page}/follows?${asked}`)).json()).points;
    } catch {
      return null; // it is only a proposal
    }
  }

  /** What a line says of the next hand, or what is wrong with it; null without an answer. A director's line asks the server. */
  async line(text, board = "") {
    try {
      return await (await this.ask(`${this.page}/line?${new URLSearchParams({ text, board })}`)).json();
    } catch {
      return this.knows ? ((await this.engine.ask({ ask: "line", text }))?.told ?? null) : null;
    }
  }

  /**
   * Look at waiting entries on the table as recorded, event `seq`, one after another as they will be recorded. Returns the
   * first that needs an answer with its problem: {entry, problem}; null if there is none, or nothing is known.
   */
  async look(entries, seq) {
    if (!entries.length || !this.knows || this.seq !== seq) return null;
    const found = await this.engine.ask({ ask: "look", waiting: asRecorded(entries, seq) });
    if (!found) return null;
    if (found.problem) return { entry: entries[found.problem.index ?? 0], problem: { kind: "refused", ...found.problem } };
    const { table, asked } = found.told;
    const open = entries.map((entry, place) => ({ entry, problem: questionOf(asked[place], entry, seq + place + 1) })).find(({ problem }) => problem);
    if (open) return open;
    this.ahead = { ids: entries.map(({ event }) => event.id), table };
    return null;
  }

  /** The table after some waiting entries, if it is known: also when those before them have been recorded meanwhile. */
  after(entries) {
    const ids = this.ahead?.ids.slice(-entries.length) ?? [];
    return entries.length && ids.length === entries.length && entries.every(({ event }, place) => event.id === ids[place]) ? this.ahead.table : null;
  }
}

/** What has to be asked about an entry that was `judged` as event `seq`: a broken rule, or a doubt; null for nothing. */
export function questionOf(judged, { event, agreed }, seq) {
  const broken = judged.violations.find((found) => found.seq === seq);
  if (broken && !agreed.includes("irregular")) return { kind: "irregular", code: broken.rule, legal: broken.legal, seat: broken.seat };
  const doubt = judged.warnings.find((found) => found.seq === seq) ?? null;
  if (doubt && event.type !== "amend" && !agreed.includes("doubtful")) return { kind: "doubtful", code: doubt.code, detail: doubt.detail };
  return null;
}
