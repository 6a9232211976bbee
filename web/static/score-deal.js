// A deal in the making: which card goes where, until it is whole. The last hand, and what is left over, fill themselves.
"use strict";

export class Deal {
  /** `dealer` is whose deal it is, null where it is to be said; `kept` what `kept()` of an earlier one returned. */
  constructor(card, players, dealer, kept = {}) {
    const { keys, each, over } = card.deal;
    const up = keys.includes("upcard");
    this.card = card;
    this.players = players;
    this.dealer = dealer ?? kept.dealer ?? null;
    this.hidden = kept.hidden ?? false;
    this.places = players.map((name, seat) => ({ id: String(seat), name, size: each, needed: true }));
    if (up) this.places.push({ id: "upcard", name: "turned up", size: 1, needed: true });
    if (keys.includes("aside") && over) this.places.push({ id: "aside", name: "left over", size: over, needed: true });
    if (keys.includes("stock")) this.places.push({ id: "stock", name: "stock, top first", size: over - Number(up), needed: false });
    // What was placed by hand, in order: pairs of place and face. `cards` has what filled itself as well.
    this.placed = kept.placed ?? [];
    this.chosen = null;
    this.lay();
    this.fillLast();
  }

  /** The deal that an event says, to be amended. */
  static of(card, players, event) {
    const placed = (event.hands ?? []).flatMap((faces, seat) => faces.map((face) => [String(seat), face]));
    if (event.upcard) placed.push(["upcard", event.upcard]);
    for (const key of ["aside", "stock"]) placed.push(...(event[key] ?? []).map((face) => [key, face]));
    return new Deal(card, players, event.dealer ?? event.starter, { placed, hidden: event.hands === null });
  }

  /** What to keep over a reload. */
  kept() {
    return { dealer: this.dealer, hidden: this.hidden, placed: this.placed };
  }

  /** Places to be filled: of a hidden deal only what everybody sees. */
  get wanted() {
    return this.places.filter(({ id, needed }) => (needed && !(this.hidden && (id === "aside" || /^\d/.test(id)))) || this.cards[id].length);
  }

  /** The place that the next card goes to. */
  get current() {
    const chosen = this.places.find(({ id }) => id === this.chosen);
    return chosen && !this.full(chosen) ? chosen : (this.wanted.find((place) => !this.full(place)) ?? null);
  }

  get whole() {
    return this.dealer !== null && this.wanted.every((place) => this.full(place));
  }

  full({ id, size }) {
    return this.cards[id].length >= size;
  }

  /** How many cards of a face are not placed yet. */
  left(face) {
    const all = this.card.deal.deck.filter((other) => other === face).length;
    return all - Object.values(this.cards).flat().filter((other) => other === face).length;
  }

  /** Where a face lies; the last place for twins. */
  placeOf(face) {
    return this.places.findLast(({ id }) => this.cards[id].includes(face)) ?? null;
  }

  /** Put a card where the next one goes; returns what is wrong with it, or null. */
  put(face) {
    const place = this.current;
    if (!place) return this.confirm(face) ? null : "Every card has its place.";
    if (!this.left(face)) return `${face} is ${this.placeOf(face) ? `with ${this.placeOf(face).name} already` : "not among the cards dealt"}.`;
    this.placed.push([place.id, face]);
    this.lay();
    this.fillLast();
    return null;
  }

  /** Whoever enters the last hand as well says of each of its cards what was known already. */
  confirm(face) {
    const place = this.placeOf(face);
    const many = (faces) => faces.filter((other) => other === face).length;
    const byHand = this.placed.filter(([id]) => id === place?.id).map(([, other]) => other);
    if (!place || many(this.cards[place.id]) === many(byHand)) return false;
    this.placed.push([place.id, face]);
    return true;
  }

  /** Put the cards placed by hand where they lie. */
  lay() {
    this.cards = Object.fromEntries(this.places.map(({ id }) => [id, []]));
    for (const [id, face] of this.placed) this.cards[id].push(face);
  }

  /** Give the one place left the cards that are left, if they are as many as it wants. */
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

  /** Take a card out of its place again, and with it what filled itself. */
  take(face) {
    const at = this.placed.findLastIndex(([, other]) => other === face);
    if (at >= 0) [this.chosen] = this.placed.splice(at, 1)[0];
    this.lay();
  }

  /** Leave the hands hidden, or enter them after all; what everybody sees stays. */
  hide() {
    this.hidden = !this.hidden;
    if (this.hidden) this.placed = this.placed.filter(([id]) => id === "upcard");
    this.lay();
  }

  /** Take back the card placed last. */
  back() {
    if (this.placed.length) this.take(this.placed.at(-1)[1]);
  }

  /** The event, once the deal is whole. */
  event() {
    const { keys } = this.card.deal;
    const event = { type: "deal", [keys.includes("starter") ? "starter" : "dealer"]: this.dealer };
    event.hands = this.hidden ? null : this.players.map((_, seat) => this.cards[seat]);
    if (this.cards.upcard?.length) event.upcard = this.cards.upcard[0];
    for (const key of ["aside", "stock"]) if (this.cards[key]?.length) event[key] = this.cards[key];
    return event;
  }
}
