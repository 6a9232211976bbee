// What a scorer's page keeps in this browser. What the browser has no room for is kept as long as the page is open.
"use strict";

export class Keeping {
  /** `storage` returns that of the browser. */
  constructor(storage = () => localStorage) {
    this.storage = storage;
    this.unsaved = new Map(); // texts without room, by key
  }

  keys() {
    const storage = this.storage();
    const saved = Array.from({ length: storage.length }, (_, place) => storage.key(place));
    return [...new Set([...saved, ...this.unsaved.keys()])];
  }

  getItem(key) {
    return this.unsaved.get(key) ?? this.storage().getItem(key);
  }

  setItem(key, text) {
    this.unsaved.set(key, text);
    this.save();
  }

  removeItem(key) {
    this.unsaved.delete(key);
    this.storage().removeItem(key);
    this.save(); // there is more room now
  }

  /** Save what has room. */
  save() {
    for (const [key, text] of this.unsaved) {
      try {
        this.storage().setItem(key, text);
        this.unsaved.delete(key);
      } catch {
        // No room: what is shorter may have some.
      }
    }
  }
}

/** That of this page. */
export const kept = new Keeping();
