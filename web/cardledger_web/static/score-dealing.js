// Dealing: the deal as it is tapped and typed, saved over a reload until it is entered.
"use strict";

import { kept } from "./keeping.js";
import { Deal } from "./score-deal.js";
import { read } from "./score-words.js";
import { _ } from "./texts.js";

/** `on` is called: changed(), enter(event), say(text). */
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
      unnoted: () => this.leaveUnnoted(),
      clear: () => this.clear(),
      done: () => this.done(),
    };
  }

  /** Begin a deal if one comes next, with the cards placed before a reload; otherwise drop it. */
  follow(state) {
    if (this.amends) return;
    const choice = state.phase === "deal" && state.choices.find(({ type }) => type === "deal");
    if (!choice) this.deal = null;
    else if (!this.deal || !this.fits(choice)) this.deal = new Deal(this.card, this.card.players, choice.seat ?? null, this.kept(), choice.also);
  }

  /** Whether the deal under way is the one that comes next, as the table says now. */
  fits({ seat, also = {} }) {
    return (!Number.isInteger(seat) || this.deal.due === seat) && JSON.stringify(this.deal.usual) === JSON.stringify(also);
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
      return JSON.parse(kept.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  }

  alter(change) {
    change(this.deal);
    if (!this.amends) kept.setItem(this.key, JSON.stringify(this.deal.kept()));
    this.on.changed();
  }

  back() {
    this.alter((deal) => deal.back());
  }

  clear() {
    this.deal = null;
    this.amends = false;
    kept.removeItem(this.key);
    this.on.changed();
  }

  /** Put a card where the next one goes; returns the error, or null. A hidden deal is complete as soon as it can be. */
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

  /** Say that the turned-up card was not noted. */
  leaveUnnoted() {
    this.alter((deal) => (deal.unnoted = true));
    if (this.deal.whole) this.done();
  }

  /** The next deal for a hand with results only, or null while the dealer is unknown. */
  resultsOnly() {
    if (!this.deal?.started || this.amends) return null;
    const event = this.deal.begun(this.card.deal.without_cards);
    this.clear();
    return event;
  }

  /** Hands have another size from now on. */
  resize(each) {
    if (each === this.card.deal.each) return;
    this.card.deal.each = each;
    if (this.deal && !this.amends) this.deal = new Deal(this.card, this.card.players, this.deal.due, this.kept(), this.deal.also);
  }

  done() {
    const event = this.deal.event();
    if (!this.amends) {
      kept.removeItem(this.key);
      this.deal = null;
    }
    this.on.enter(event);
  }

  /** Read one word of what is typed, as `read` does: the dealer if unknown, faces, "hidden", "clear". */
  read(text, final) {
    const { keys } = this.card.deal;
    const board = keys.includes("board") && /^\s*b(?:oard)?\s*(\d+)(?:\s+(\S.*)?)?$/i.exec(text);
    if (board && (final || /\d\s/.test(text))) {
      this.alter((deal) => deal.name(Number(board[1])));
      return { rest: board[2] ?? "" };
    }
    if (this.card.line && /^\s*(?:board|b\s*\d|co)/i.test(text)) {
      const line = /^\s*co(?:n(?:t(?:r(?:a(?:ct?)?)?)?)?)?\s+(\S.*)$/i.exec(text);
      return final && line ? { line: line[1] } : { wait: true };
    }
    const wanted = this.deal.started ? "card" : "seat";
    const card = { ...this.card, kinds: { deal: [wanted], hidden: [], clear: [], "?": [] } };
    const choice = { type: "deal", seat: null };
    const moment = { choices: [choice], turn: null, phase: "deal", players: card.players, card };
    const found = read(text, moment, null, final);
    if (!found.draft) return found;
    const { type, seat, card: face } = found.draft;
    const wrong = face === undefined ? null : this.put(face);
    if (type === "hidden") this.hide();
    else if (type === "clear") this.clear();
    else if (type === "?") {
      if (!this.deal.mayBeUnnoted) return { error: _("Here every card must be named.") };
      this.leaveUnnoted();
    }
    else if (seat !== undefined) this.taps.dealer(seat);
    return wrong ? { error: wrong } : { rest: found.rest };
  }
}
