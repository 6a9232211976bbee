// What if: other choices from a position on, judged and drawn by the server and never stored.
"use strict";

import { showDrawn } from "./drawn.js";
import { source } from "./source.js";
import { _ } from "./texts.js";

const byId = (id) => document.getElementById(id);

export class WhatIf {
  constructor({ address, position, redraw, changed }) {
    Object.assign(this, { address, position, redraw, changed });
    this.lines = []; // the answers of the server, each for a line of moves
    this.busy = false;
    byId("what-if-undo").addEventListener("click", () => this.undo());
    byId("what-if-end").addEventListener("click", () => this.end());
  }

  get active() {
    return this.lines.length > 0;
  }

  /** The moves tried so far. */
  get line() {
    return this.lines.at(-1)?.moves ?? [];
  }

  /** The part of an address after `#` that holds the line; empty for none. */
  get hash() {
    return this.active ? `#what-if=${this.line.join("~")}` : "";
  }

  /** Try a card or a button; `move` is undefined for a card that may not be chosen. */
  play(move) {
    if (move === "?") this.try([]); // to be told what somebody else could do
    else if (move) this.try([...this.line, move]);
    else this.say(_("That card is not legal here. Choose a marked card."));
  }

  async try(moves) {
    if (this.busy) return;
    this.busy = true;
    if (!this.active) this.from = this.position();
    const found = await this.ask(moves);
    if (found.moves.length > this.line.length || (!this.active && !moves.length && found.table)) {
      this.lines.push(found);
      this.changed();
    }
    this.busy = false;
    this.show(found.trouble);
  }

  async ask(moves) {
    const address = new URL(this.address.replace("/0/what-if", `/${this.from}/what-if`), source.address);
    address.searchParams.set("line", moves.join("~"));
    const answer = await source.ask(address);
    return answer?.ok ? answer.json() : { moves: [], trouble: _("The server cannot be reached.") };
  }

  /** Try the line of an address, up to a move that is refused; nothing is said of an address that was altered. */
  async follow(hash) {
    const said = this.address && hash.startsWith("#what-if=") ? hash.slice("#what-if=".length) : "";
    const moves = said ? said.split("~") : [];
    for (const [place] of moves.entries()) {
      await this.try(moves.slice(0, place + 1));
      if (this.line.length <= place) break;
    }
    if (!this.active) byId("what-if").hidden = true;
  }

  undo() {
    this.lines.pop();
    this.changed();
    if (this.active) this.show();
    else this.end();
  }

  end() {
    this.lines = [];
    this.changed();
    byId("what-if").hidden = true;
    byId("replayer").classList.remove("in-what-if");
    this.redraw();
  }

  say(words) {
    byId("what-if").hidden = false;
    byId("what-if-words").textContent = words;
    byId("what-if-undo").hidden = !this.active;
  }

  show(trouble = "") {
    if (!this.active) {
      this.say(trouble);
      return;
    }
    const { words, table, choices } = this.lines.at(-1);
    const keep = byId("what-if-keep");
    if (keep) {
      const form = new URL(keep.href);
      form.searchParams.set("event", this.from);
      form.searchParams.set("line", this.line.join("~"));
      form.hash = "say";
      keep.href = form.href;
    }
    byId("replayer").classList.add("in-what-if");
    this.say(trouble || words);
    showDrawn(byId("table"), table);
    this.offer(choices);
  }

  /** Offer what can be tried beside the cards. */
  offer(choices) {
    byId("choices").innerHTML = choices;
    byId("choices").hidden = !choices;
  }
}
