// The log beside the table: the server's words for what was recorded, a way to amend each, and what to take back next.
"use strict";

export class Log {
  constructor(root, address, amend) {
    this.root = root;
    this.address = address;
    this.whole = false;
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed?.id === "whole-log") {
        this.whole = true;
        this.read();
      } else if (pressed?.matches(".amend")) {
        amend(Number(pressed.closest("li").dataset.seq), JSON.parse(pressed.dataset.event));
      }
    });
  }

  get list() {
    return this.root.querySelector("ol");
  }

  /** The seq the log is at. */
  get seq() {
    return Number(this.list.dataset.seq);
  }

  /** The seq to go back to to take back the last event, null when there is none, and that event in words. */
  get undo() {
    const { undo, undone } = this.list.dataset;
    return undo === undefined ? null : { to: Number(undo), words: undone };
  }

  /** The words of event `seq`, if the log shows it. */
  words(seq) {
    return this.root.querySelector(`li[data-seq="${seq}"] bdi`)?.textContent ?? null;
  }

  /** Read the log again; what is there already stays while the server cannot be reached. */
  async read() {
    try {
      const answer = await fetch(this.address + (this.whole ? "?all" : ""), { cache: "no-store" });
      if (answer.ok) this.root.innerHTML = await answer.text(); // the server's own template, escaped there
    } catch {
      // The sender tells that the server is away.
    }
  }
}
