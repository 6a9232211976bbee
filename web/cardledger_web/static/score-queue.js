// Entries that are not recorded yet, saved in the browser until they are. Each has its own key, so that two windows
// never overwrite each other.
"use strict";

import { kept } from "./keeping.js";

let last = 0;

/** Entries of one match in the order they were made; `changed` is called after every change, here or in another window. */
export class Queue {
  constructor(match, changed = () => {}, storage = kept) {
    this.prefix = `cardledger.score.${match}.`;
    this.storage = storage;
    this.changed = changed;
    this.numbers = new Map(); // of recorded events, by id
    this.entered = new Set(); // ids of this window's entries that may not be known as recorded yet
    globalThis.addEventListener?.("storage", (event) => event.key?.startsWith(this.prefix) && this.changed());
  }

  /** All entries, the first made first. */
  list() {
    const found = [];
    for (const key of this.storage.keys().filter((key) => key.startsWith(this.prefix)).sort()) {
      try {
        const entry = JSON.parse(this.storage.getItem(key));
        found.push({ ...entry, agreed: Array.isArray(entry.agreed) ? entry.agreed : [], key }); // once it was true or false
      } catch {
        this.storage.removeItem(key); // not ours, or damaged
      }
    }
    return found;
  }

  /** Whether the browser has no room for some of them: those are gone with the page. */
  get unsaved() {
    return [...this.storage.unsaved.keys()].some((key) => key.startsWith(this.prefix));
  }

  /** The time at which an entry was made. */
  timeOf({ key }) {
    return Number(key.slice(this.prefix.length).split(".")[0]);
  }

  /**
   * Keep an event until it is recorded. Its id makes it one and the same however often it is sent.
   *
   * `about` is the moment it was meant for: {seq, turn, next, unsure}. `turn` is the number of counting events at
   * that time, waiting ones included, `next` the number after it; `unsure` means that another scorer's entry came at
   * the same moment, so it may have been meant for the turn before; `apart` that it was made without a connection. A correction of an entry that waits itself names it:
   * `meant` is its id, and its number is put in when it has one. Returns the id.
   */
  add(event, about) {
    const before = this.list().at(-1);
    last = Math.max(Date.now(), last + 1, before ? this.timeOf(before) + 1 : 0); // the clock of a phone may be set back
    if (this.numbers.has(about.meant)) event = correcting(event, this.numbers.get(about.meant));
    const entry = this.made(last, event, about);
    this.put(entry);
    return entry.event.id;
  }

  made(time, event, about) {
    const id = uuid();
    this.entered.add(id);
    const key = `${this.prefix}${String(time).padStart(15, "0")}.${id}`;
    return { key, event: { ...event, id }, ...about, tried: null, agreed: [], problem: null };
  }

  /**
   * Settle two records in a way that the comparison has found (ledger/cardledger/record/matches/two_records.py): its steps
   * take the place of the entries that waited. `seq` is the last recorded event. Returns the entries that are gone.
   */
  follow(entries, { known, steps }, seq) {
    for (const { of, seq: number } of known) this.numbers.set(entries[of].event.id, number);
    const begun = this.timeOf(entries[0]) - steps.length;
    const follows = steps.map(({ of, event, as_made: asMade, turn, next }, place) => {
      const about = { turn, next, seq, at: seq + place, unsure: false, apart: true };
      if (of === null) return this.made(begun + place, event, about);
      const { id } = entries[of].event;
      const own = asMade ? {} : { meant: undefined, agreed: [] };
      if (this.numbers.has(entries[of].meant)) own.meant = undefined; // it has its number
      const problem = entries[of].problem?.kind === "two" ? null : entries[of].problem;
      return { ...entries[of], event: { ...event, id }, ...about, ...own, tried: null, problem };
    });
    const kept = new Set(follows.map(({ key }) => key));
    const gone = entries.filter(({ key }) => !kept.has(key));
    for (const { key, event } of gone) {
      this.storage.removeItem(key);
      this.entered.delete(event.id);
    }
    for (const entry of follows) this.save(entry);
    this.changed();
    return gone;
  }

  /** Save an entry as it is now, unless it is gone: another window may have recorded it meanwhile. */
  change(entry) {
    if (this.storage.getItem(entry.key) !== null) this.put(entry);
  }

  put(entry) {
    this.save(entry);
    this.changed();
  }

  save({ key, ...entry }) {
    this.storage.setItem(key, JSON.stringify(entry));
  }

  /** An entry was recorded as event `seq`: corrections that wait name it by its number, and the next entry stands on it. */
  settle(id, seq) {
    this.numbers.set(id, seq);
    const list = this.list();
    const place = list.findIndex(({ event }) => event.id === id);
    const next = place < 0 ? null : list[place + 1];
    if (next && list[place].seq === seq - 1 && next.seq < seq) this.save({ ...next, seq });
    for (const { meant, ...entry } of this.list().filter((one) => one.meant === id)) this.change({ ...entry, event: correcting(entry.event, seq) });
  }

  /**
   * Give up entries, after which `seq` is the last event before the first that waits. What amends one of them is given up
   * too; what was taken back to one of them is taken back to the entry before it.
   */
  giveUp(entries, seq) {
    for (const entry of entries) {
      const list = this.list();
      const before = list[list.findIndex(({ key }) => key === entry.key) - 1];
      for (const { meant, ...other } of list.filter((one) => one.meant === entry.event.id)) {
        if (other.event.type === "amend") this.giveUp([other], seq);
        else this.change(before ? { ...other, meant: before.event.id } : { ...other, event: correcting(other.event, seq) });
      }
      this.drop(entry);
    }
  }

  /** Let all entries wait for another match. */
  move(match) {
    const other = new Queue(match, () => {}, this.storage);
    for (const entry of this.list()) {
      other.save({ ...entry, key: other.prefix + entry.key.slice(this.prefix.length) });
      this.storage.removeItem(entry.key);
    }
    this.changed();
  }

  /** Drop entries that are recorded or were given up. */
  drop(...entries) {
    for (const { key, event } of entries) {
      this.storage.removeItem(key);
      this.entered.delete(event.id);
    }
    this.changed();
  }

  /** Ids of entries from here that another window has dropped: most likely recorded, and not on our table yet. */
  gone() {
    const waiting = new Set(this.list().map(({ event }) => event.id));
    return [...this.entered].filter((id) => !waiting.has(id));
  }
}

/** Entries as events that are recorded one after another after event `seq`. */
export function asRecorded(entries, seq) {
  const numbers = new Map(entries.map(({ event }, place) => [event.id, seq + place + 1]));
  return entries.map(({ event, meant }) => (numbers.has(meant) ? correcting(event, numbers.get(meant)) : event));
}

/** A correction of event `seq`. */
const correcting = (event, seq) => (event.type === "retract" ? { ...event, to: seq } : { ...event, about: seq });

// crypto.randomUUID exists on secure pages only, and a club's server may use plain http.
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Tell whether two events say the same, regardless of recorder and time. */
export function same(one, other) {
  return said(one) === said(other);
}

function said({ id, at, by, seq, ...event }) {
  return JSON.stringify(Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)));
}
