// The log beside the table: the recorded events in the server's words, a way to amend each, and the next event to
// take back.
"use strict";

export class Log {
  constructor(root, address, { amend, undoTo, other }) {
    this.root = root;
    this.other = other;
    this.address = address;
    this.whole = false;
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed?.id === "whole-log") {
        this.whole = true;
        this.read();
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

  /** Read the log again; without the server the engine of this browser writes it, if it runs. */
  async read() {
    try {
      const answer = await fetch(this.address + (this.whole ? "?all" : ""), { cache: "no-store" });
      if (answer.ok) this.root.innerHTML = await answer.text(); // the server's own template, escaped there
    } catch {
      const text = await this.other(this.whole); // the same template, in this browser
      if (text !== null) this.root.innerHTML = text;
    }
  }
}
