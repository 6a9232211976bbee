// What was entered and is not recorded yet, kept in the browser until it is: a key of its own for every entry, so that
// two windows never write over each other.
"use strict";

let last = 0;

/** Entries of one match in the order they were made; `changed` is called after every change, here or in another window. */
export class Queue {
  constructor(match, changed = () => {}, storage = localStorage) {
    this.prefix = `cardledger.score.${match}.`;
    this.storage = storage;
    this.changed = changed;
    globalThis.addEventListener?.("storage", (event) => event.key?.startsWith(this.prefix) && this.changed());
  }

  /** All entries, the first made first. */
  list() {
    const keys = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i));
    const found = [];
    for (const key of keys.filter((key) => key.startsWith(this.prefix)).sort()) {
      try {
        found.push({ ...JSON.parse(this.storage.getItem(key)), key });
      } catch {
        this.storage.removeItem(key); // not ours, and of no use
      }
    }
    return found;
  }

  /**
   * Keep an event until it is recorded. Its id makes it one and the same however often it is sent.
   *
   * `about` says for which moment it was meant: {hand, seq}. Returns the id.
   */
  add(event, about) {
    last = Math.max(Date.now(), last + 1);
    const id = uuid();
    const key = `${this.prefix}${String(last).padStart(15, "0")}.${id}`;
    this.put({ key, event: { ...event, id }, ...about, tried: null, agreed: false, problem: null });
    return id;
  }

  /** Keep an entry as it is now, unless it is gone: another window may have had it recorded meanwhile. */
  change(entry) {
    if (this.storage.getItem(entry.key) !== null) this.put(entry);
  }

  put({ key, ...entry }) {
    this.storage.setItem(key, JSON.stringify(entry));
    this.changed();
  }

  /** Forget entries: they are recorded, or were given up. */
  drop(...entries) {
    for (const { key } of entries) this.storage.removeItem(key);
    this.changed();
  }
}

// crypto.randomUUID is there on secure pages only, and a club's server may speak plain http.
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Tell whether two events say the same, whoever recorded them and when. */
export function same(one, other) {
  return said(one) === said(other);
}

function said({ id, at, by, seq, ...event }) {
  return JSON.stringify(Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)));
}
