// The log beside the table: the events in the server's words, recorded or waiting, a way to amend each, and the next event
// to take back.
"use strict";

export class Log {
  constructor(root, address, { amend, undoTo, other, again }) {
    this.root = root;
    this.other = other;
    this.address = address;
    this.whole = false;
    this.base = this.seq; // the last recorded event of those that it shows
    this.ids = []; // of the entries after it, which wait
    this.key = keyOf(this.base, []);
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed?.id === "whole-log") {
        this.whole = true;
        again();
      } else if (pressed?.matches(".amend")) {
        amend(Number(pressed.closest("li").dataset.seq), JSON.parse(pressed.dataset.event));
      } else if (pressed?.matches(".undo-to")) {
        undoTo(Number(pressed.closest("li").dataset.seq), Number(pressed.dataset.left), Number(pressed.dataset.later));
      }
    });
  }

  get list() {
    return this.root.querySelector("ol");
  }

  /** The last event of the log. */
  get seq() {
    return Number(this.list.dataset.seq);
  }

  /** The number of cards for a seat in the hand under way, or the next. */
  get each() {
    return Number(this.list.dataset.each);
  }

  /**
   * The way to take back the last event: the seq to go back to, the event in words, the cards it names, the number that
   * then count. Null for none.
   */
  get undo() {
    const { undo, undone, left, taps } = this.list.dataset;
    return undo === undefined ? null : { to: Number(undo), words: undone, left: Number(left), taps: Number(taps) };
  }

  /** The way to let count again what was taken back last. Null for none. */
  get redo() {
    const { redo, redone, then } = this.list.dataset;
    return redo === undefined ? null : { to: Number(redo), words: redone, left: Number(then) };
  }

  /** The words of event `seq`, if the log shows it. */
  words(seq) {
    return this.root.querySelector(`li[data-seq="${seq}"] bdi`)?.textContent ?? null;
  }

  /** The id of the entry that is shown as event `seq`, if it waited when the log was written. */
  idOf(seq) {
    return this.ids[seq - this.base - 1];
  }

  /** Whether it shows other entries than those that wait after event `seq`. */
  lacks(entries, seq) {
    return this.key !== keyOf(seq, entries);
  }

  /**
   * Read the log again, with the entries that wait after event `seq` if the engine of this browser can write it.
   * Returns whether it is drawn: not if it was asked for again meanwhile.
   */
  async read(entries, seq) {
    const key = (this.key = keyOf(seq, entries));
    let text = entries.length ? await this.other(this.whole, entries) : null;
    const ids = text === null ? [] : entries.map(({ event }) => event.id);
    try {
      const answer = text === null ? await fetch(this.address + (this.whole ? "?all" : ""), { cache: "no-store" }) : null;
      if (answer?.ok) text = await answer.text();
    } catch {
      text = await this.other(this.whole, []);
    }
    if (text === null || key !== this.key) return false;
    this.root.innerHTML = text; // the server's own template, escaped there
    this.ids = ids;
    this.base = this.seq - ids.length;
    return true;
  }
}

const keyOf = (seq, entries) => [seq, ...entries.map(({ event }) => event.id)].join();
