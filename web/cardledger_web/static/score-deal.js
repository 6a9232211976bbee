// A deal being entered: the place of each card, until it is complete. The last hand and the cards left over are
// filled in automatically.
"use strict";

import { _ } from "./texts.js";

export class Deal {
  /**
   * `dealer` is the dealer's seat, null if it must be entered; `kept` is the result of `kept()` of an earlier deal;
   * `also` are further keys of the deal with their usual values, such as the number of the board.
   */
  constructor(card, players, dealer, kept = {}, also = {}) {
    const { keys, deck, turned_up: turnedUp, left_over: leftOver } = card.deal;
    const each = kept.each ?? card.deal.each;
    const up = keys.includes("upcard");
    const over = deck.length - each * players.length - Number(turnedUp === "table");
    this.card = card;
    this.players = players;
    this.due = dealer;
    this.usual = also;
    this.also = kept.board === undefined ? also : { ...also, board: kept.board };
    this.board = kept.board; // the board the scorer named, which says who deals
    this.dealer = dealer ?? kept.dealer ?? null;
    this.hidden = kept.hidden ?? false;
    this.unnoted = kept.unnoted ?? false;
    // The dealer's turned-up card has its own place, but still belongs to the hand.
    const size = (seat) => each - Number(turnedUp === "dealer" && seat === this.dealer);
    this.places = players.map((name, seat) => ({ id: String(seat), name, get size() { return size(seat); }, needed: true }));
    if (up) this.places.push({ id: "upcard", name: _("turned up"), size: 1, needed: true });
    if (keys.includes("aside") && over) this.places.push({ id: "aside", name: _("left over"), size: over, needed: leftOver === "named" });
    if (keys.includes("stock")) this.places.push({ id: "stock", name: _("stock, top first"), size: over, needed: false });
    // Cards placed by the scorer, in order: pairs of place and face. `cards` also holds those filled in automatically.
    this.placed = kept.placed ?? [];
    this.chosen = null;
    this.lay();
    this.fillLast();
  }

  /** The deal of a recorded event, to be amended. */
  static of(card, players, event) {
    const own = card.deal.turned_up === "dealer" ? event.upcard : null;
    const placed = (event.hands ?? []).flatMap((faces, seat) => faces.filter((face) => face !== own).map((face) => [String(seat), face]));
    if (event.upcard) placed.push(["upcard", event.upcard]);
    for (const key of ["aside", "stock"]) placed.push(...(event[key] ?? []).map((face) => [key, face]));
    const also = Object.fromEntries(["board", "vulnerable", "contract", "declarer"].filter((key) => key in event).map((key) => [key, event[key]]));
    const board = event.dealer === undefined ? event.board : undefined;
    return new Deal(card, players, event.dealer ?? event.starter ?? null, { board, placed, hidden: event.hands === null, unnoted: event.upcard === null, each: event.hands?.[0].length }, also);
  }

  /** The state to save for a reload. */
  kept() {
    return { dealer: this.dealer, hidden: this.hidden, unnoted: this.unnoted, placed: this.placed, board: this.board };
  }

  /** Places to fill; in a hidden deal only those that all players see. */
  get wanted() {
    return this.places.filter(({ id, needed }) => !(id === "upcard" && this.unnoted) && ((needed && !(this.hidden && (id === "aside" || /^\d/.test(id)))) || this.cards[id].length));
  }

  /** Whether the card turned up may be left out: the hands are hidden, and the card is not named. */
  get mayBeUnnoted() {
    return this.hidden && !this.unnoted && this.places.some(({ id }) => id === "upcard") && this.card.deal.left_over !== "stock";
  }

  /** The place that the next card goes to. */
  get current() {
    const chosen = this.places.find(({ id }) => id === this.chosen);
    return chosen && !this.full(chosen) ? chosen : (this.wanted.find((place) => !this.full(place)) ?? null);
  }

  get whole() {
    return this.started && this.wanted.every((place) => this.full(place));
  }

  /** Whether it is known who deals. */
  get started() {
    return this.dealer !== null || this.board !== undefined;
  }

  full({ id, size }) {
    return this.cards[id].length >= size;
  }

  /** The number of cards of a face not placed yet. */
  left(face) {
    const all = this.card.deal.deck.filter((other) => other === face).length;
    return all - Object.values(this.cards).flat().filter((other) => other === face).length;
  }

  /** Where a face lies; the last place for twins. */
  placeOf(face) {
    return this.places.findLast(({ id }) => this.cards[id].includes(face)) ?? null;
  }

  /** Put a card where the next one goes; returns the error, or null. */
  put(face) {
    const place = this.current;
    if (!place) return this.confirm(face) ? null : _("Every card has its place.");
    if (!this.left(face)) {
      const place = this.placeOf(face)?.name;
      return place ? _("%(card)s is with %(place)s already.", { card: face, place }) : _("%(card)s is not among the cards dealt.", { card: face });
    }
    this.placed.push([place.id, face]);
    this.lay();
    this.fillLast();
    return null;
  }

  /** If the scorer enters the last hand too, each card confirms the automatic one. */
  confirm(face) {
    const place = this.placeOf(face);
    const many = (faces) => faces.filter((other) => other === face).length;
    const byHand = this.placed.filter(([id]) => id === place?.id).map(([, other]) => other);
    if (!place || many(this.cards[place.id]) === many(byHand)) return false;
    this.placed.push([place.id, face]);
    return true;
  }

  /** Put the scorer's cards in their places. */
  lay() {
    this.cards = Object.fromEntries(this.places.map(({ id }) => [id, []]));
    for (const [id, face] of this.placed) this.cards[id].push(face);
  }

  /** Give the remaining cards to the one open place, if their number fits. */
  fillLast() {
    const open = this.wanted.filter((place) => !this.full(place));
    if (open.length !== 1 || this.hidden) return;
    const rest = this.rest();
    if (rest.length !== open[0].size - this.cards[open[0].id].length) return;
    this.cards[open[0].id].push(...rest);
  }

  rest() {
    const placed = Object.values(this.cards).flat();
    return this.card.deal.deck.filter((face) => {
      const at = placed.indexOf(face);
      if (at >= 0) placed.splice(at, 1);
      return at < 0;
    });
  }

  /** Take a card out of its place, and with it the automatic cards. */
  take(face) {
    const at = this.placed.findLastIndex(([, other]) => other === face);
    if (at >= 0) [this.chosen] = this.placed.splice(at, 1)[0];
    this.lay();
  }

  /** Leave the hands hidden, or enter them after all; open cards stay. */
  hide() {
    this.hidden = !this.hidden;
    this.unnoted = false;
    if (this.hidden) this.placed = this.placed.filter(([id]) => id === "upcard");
    this.lay();
  }

  /** Take back the card placed last. */
  back() {
    if (this.placed.length) this.take(this.placed.at(-1)[1]);
  }

  /** The scorer says which board it is: then its number decides who deals. */
  name(board) {
    this.board = board;
    this.also = { ...this.also, board };
  }

  /** An event with who deals, and its further keys. */
  begun(event) {
    const first = this.card.deal.keys.includes("starter") ? "starter" : "dealer";
    const { [first]: _, ...rest } = event;
    return { ...rest, ...this.also, ...(this.board === undefined ? { [first]: this.dealer } : {}) };
  }

  /** The event, once the deal is complete. */
  event() {
    const event = this.begun({ type: "deal" });
    const own = (seat) => (this.card.deal.turned_up === "dealer" && seat === this.dealer ? this.cards.upcard : []);
    event.hands = this.hidden ? null : this.players.map((_, seat) => [...this.cards[seat], ...own(seat)]);
    if (this.unnoted) event.upcard = null;
    if (this.cards.upcard?.length) event.upcard = this.cards.upcard[0];
    for (const key of ["aside", "stock"]) if (this.cards[key]?.length) event[key] = this.cards[key];
    return event;
  }
}
