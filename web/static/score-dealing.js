// Dealing: the deal in the making as it is tapped and typed, kept over a reload until it is entered.
"use strict";

import { Deal } from "./score-deal.js";
import { read } from "./score-words.js";

/** `on` is told: changed(), enter(event), say(text). */
export class Dealing {
  constructor(match, card, on) {
    this.key = `cardledger.deal.${match}`;
    this.card = card;
    this.on = on;
    this.deal = null;
    this.amends = false;
    this.taps = {
      dealer: (seat) => this.alter((deal) => (deal.dealer = seat)),
      place: (id) => this.alter((deal) => (deal.chosen = id)),
      card: (face) => on.say(this.put(face) ?? ""),
      taken: (face) => this.alter((deal) => deal.take(face)),
      hide: () => this.hide(),
      clear: () => this.clear(),
      done: () => this.done(),
    };
  }

  /** Begin a deal when one comes next, with what was placed before a reload; forget it when none does. */
  follow(state) {
    if (this.amends) return;
    const choice = state.phase === "deal" && state.choices.find(({ type }) => type === "deal");
    if (!choice) this.deal = null;
    else if (!this.deal) this.deal = new Deal(this.card, this.card.players, choice.seat ?? null, this.kept());
  }

  /** Begin with a deal that was recorded. */
  amend(event) {
    this.amends = true;
    this.deal = Deal.of(this.card, this.card.players, event);
  }

  /** Leave an amendment. */
  leave() {
    if (this.amends) this.deal = null;
    this.amends = false;
  }

  kept() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  }

  alter(change) {
    change(this.deal);
    if (!this.amends) localStorage.setItem(this.key, JSON.stringify(this.deal.kept()));
    this.on.changed();
  }

  back() {
    this.alter((deal) => deal.back());
  }

  clear() {
    this.deal = null;
    this.amends = false;
    localStorage.removeItem(this.key);
    this.on.changed();
  }

  /** Put a card where the next one goes; returns what is wrong with it, or null. A hidden deal is done once it can be. */
  put(face) {
    let wrong = null;
    this.alter((deal) => (wrong = deal.put(face)));
    if (this.deal.hidden && this.deal.whole) this.done();
    return wrong;
  }

  hide() {
    this.alter((deal) => deal.hide());
    if (this.deal.hidden && this.deal.whole) this.done();
  }

  done() {
    const event = this.deal.event();
    if (!this.amends) {
      localStorage.removeItem(this.key);
      this.deal = null;
    }
    this.on.enter(event);
  }

  /** Read one word of what is typed, as `read` does: the dealer where that is open, faces, "hidden", "clear". */
  read(text, final) {
    const wanted = this.deal.dealer === null ? "seat" : "card";
    const card = { ...this.card, kinds: { deal: [wanted], hidden: [], clear: [] } };
    const choice = { type: "deal", seat: null };
    const moment = { choices: [choice], turn: null, phase: "deal", players: card.players, card };
    const found = read(text, moment, null, final);
    if (!found.draft) return found;
    const { type, seat, card: face } = found.draft;
    const wrong = face === undefined ? null : this.put(face);
    if (type === "hidden") this.hide();
    else if (type === "clear") this.clear();
    else if (seat !== undefined) this.taps.dealer(seat);
    return wrong ? { error: wrong } : { rest: found.rest };
  }
}
