// Entries that are not recorded yet, saved in the browser until they are. Each has its own key, so that two windows
// never overwrite each other.
"use strict";

let last = 0;

/** Entries of one match in the order they were made; `changed` is called after every change, here or in another window. */
export class Queue {
  constructor(match, changed = () => {}, storage = localStorage) {
    this.prefix = `cardledger.score.${match}.`;
    this.storage = storage;
    this.changed = changed;
    this.entered = new Set(); // ids of this window's entries that may not be known as recorded yet
    globalThis.addEventListener?.("storage", (event) => event.key?.startsWith(this.prefix) && this.changed());
  }

  /** All entries, the first made first. */
  list() {
    const keys = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i));
    const found = [];
    for (const key of keys.filter((key) => key.startsWith(this.prefix)).sort()) {
      try {
        const entry = JSON.parse(this.storage.getItem(key));
        found.push({ ...entry, agreed: Array.isArray(entry.agreed) ? entry.agreed : [], key }); // once it was true or false
      } catch {
        this.storage.removeItem(key); // not ours, or damaged
      }
    }
    return found;
  }

  /**
   * Keep an event until it is recorded. Its id makes it one and the same however often it is sent.
   *
   * `about` is the moment it was meant for: {seq, turn, next, unsure}. `turn` is the number of counting events at
   * that time, waiting ones included, `next` the number after it; `unsure` means that another scorer's entry came at
   * the same moment, so it may have been meant for the turn before. Returns the id.
   */
  add(event, about) {
    last = Math.max(Date.now(), last + 1);
    const id = uuid();
    this.entered.add(id);
    const key = `${this.prefix}${String(last).padStart(15, "0")}.${id}`;
    this.put({ key, event: { ...event, id }, ...about, tried: null, agreed: [], problem: null });
    return id;
  }

  /** Save an entry as it is now, unless it is gone: another window may have recorded it meanwhile. */
  change(entry) {
    if (this.storage.getItem(entry.key) !== null) this.put(entry);
  }

  put({ key, ...entry }) {
    this.storage.setItem(key, JSON.stringify(entry));
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

// crypto.randomUUID exists on secure pages only, and a club's server may use plain http.
function uuid() {
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
