// What if: other choices from a position on, judged by the server and never stored.
"use strict";

import { make } from "./replay-event.js";
import { legalIn, playedIn } from "./replay-model.js";
import { drawTable } from "./table.js";
import { _ } from "./texts.js";

const MOST_TOLD = 6;
const CARD_TYPES = ["play", "give", "discard", "layoff", "close"];
const SUITS = Object.fromEntries(Object.entries({ C: _("♣ clubs"), D: _("♦ diamonds"), H: _("♥ hearts"), S: _("♠ spades") })
  .map(([suit, words]) => [suit, words.replace(" ", "\ufe0e ")])); // signs, no pictures
const DRAW = {
  stock: (cards) => _("Draw %(cards)s from the stock", { cards }),
  discards: (cards) => _("Draw %(cards)s from the discards", { cards }),
};
const PLAIN = { pass: _("pass"), collect: _("collect") };
const byId = (id) => document.getElementById(id);

export class WhatIf {
  constructor(replay, { address, embedded, redraw, changed }) {
    Object.assign(this, { replay, address, embedded, redraw, changed });
    this.possible = replay.answer.view === "all";
    this.moves = []; // events tried, each with the table it led to
    this.busy = false;
    byId("what-if-undo").addEventListener("click", () => this.undo());
    byId("what-if-end").addEventListener("click", () => this.end());
  }

  get active() {
    return this.moves.length > 0;
  }

  // A card was clicked: it is played, given, discarded or laid off, depending on the moment.
  play(seq, state, face, seat) {
    const choice = (state.choices ?? []).find(
      ({ type, cards, seat: who }) => CARD_TYPES.includes(type) && cards?.includes(face) && (who ?? seat) === seat,
    );
    if (choice) this.try(seq, { type: choice.type, seat, card: face, ...(choice.to === undefined ? {} : { to: choice.to }) });
    else this.say(_("That card is not legal here. Choose a marked card."));
  }

  async try(seq, event) {
    if (this.busy) return;
    this.busy = true;
    if (!this.active) this.from = seq;
    const events = [...this.amendments(), ...this.line, event];
    try {
      const answer = await fetch(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        credentials: this.embedded ? "omit" : "same-origin",
        body: JSON.stringify({ at: this.base(), events }),
      });
      const said = await answer.json();
      if (answer.ok) {
        this.moves.push({ event, state: said });
        this.changed();
      }
      this.show(answer.ok ? "" : said.detail);
    } catch {
      this.show(_("The server cannot be reached."));
    } finally {
      this.busy = false;
    }
  }

  // The last event that counts up to here: later events that were taken back must not come again.
  base() {
    return this.replay.line.findLast((seq) => seq <= this.from) ?? this.from;
  }

  // A question about an earlier moment leaves out amendments recorded since.
  amendments() {
    const base = this.base();
    return this.replay.answer.amendments.filter(({ about, seq }) => about <= base && seq > base);
  }

  /** The events tried so far. */
  get line() {
    return this.moves.map(({ event }) => event);
  }

  /** Try the events of a line that was shared, up to one that is refused. */
  async follow(seq, line) {
    for (const [place, event] of line.entries()) {
      await this.try(seq, event);
      if (this.moves.length <= place) return;
    }
  }

  undo() {
    this.moves.pop();
    this.changed();
    if (this.active) this.show();
    else this.end();
  }

  end() {
    this.moves = [];
    this.changed();
    byId("what-if").hidden = true;
    document.getElementById("replayer").classList.remove("in-what-if");
    this.redraw();
  }

  say(words) {
    byId("what-if").hidden = false;
    byId("what-if-words").textContent = words;
    byId("what-if-undo").hidden = !this.active;
  }

  show(trouble = "") {
    if (!this.active) {
      this.redraw();
      this.say(trouble);
      return;
    }
    const { state } = this.moves.at(-1);
    document.getElementById("replayer").classList.add("in-what-if");
    this.say(trouble || this.words());
    const look = this.replay.look(this.from);
    const { tricks, under } = this.tricks();
    drawTable(byId("table"), state.hand === null ? this.atRest(state) : state, {
      ...look,
      legal: legalIn(state),
      played: playedIn([...tricks.filter((trick) => !trick.back), ...under], look.players.length),
      lastTrick: tricks.at(-1) ?? null,
      notes: {},
      moment: state.hand === null ? _("The hand would be over") : undefined,
      onCard: (face, seat) => this.play(this.from, state, face, seat),
    });
    this.offer(this.from, state);
  }

  words() {
    const { names: players } = this.replay.answer;
    const { state } = this.moves.at(-1);
    const named = (seat) => `\u2068${players[seat]}\u2069`;
    const tried = this.moves.slice(-MOST_TOLD).map(({ event }) => `${named(event.seat)} ${this.what(event)}`);
    const found = state.violations?.length ? _("Rules broken: %(number)s.", { number: state.violations.length }) : "";
    const totals = state.hand === null ? players.map((name, seat) => `${named(seat)} ${state.totals[seat]}`).join(", ") : "";
    const end = totals && _("Totals would be: %(totals)s.", { totals });
    const moves = `${this.moves.length > MOST_TOLD ? "… " : ""}${tried.join(", ")}`;
    return [_("After event %(seq)s, never stored: %(moves)s.", { seq: this.from, moves }), found, end].filter(Boolean).join(" ");
  }

  // The choice: the card, or else the words of the choice.
  what({ type, card, amount, cards, suit }) {
    const text = (face) => this.replay.deck.get(face)?.text ?? face;
    if (card) return type === "close" ? _("closes with %(card)s", { card: text(card) }) : text(card);
    if (cards) return _("draws %(cards)s", { cards: cards.map(text).join(" ") });
    if (suit) return _("asks for %(suit)s", { suit: SUITS[suit] });
    return amount === undefined ? (PLAIN[type] ?? type) : _("bids %(amount)s", { amount });
  }

  // The table after the end of a hand has no hands: keep showing the remaining cards.
  atRest(state) {
    const before = this.moves.at(-2)?.state ?? this.replay.state(this.from);
    return { ...state, hands: before.hands?.map(() => []), hand_sizes: null, tricks_taken: undefined, trick: null };
  }

  // The tricks of the record up to here, and those tried.
  tricks() {
    const { names: players } = this.replay.answer;
    const tricks = this.replay.answer.tricks.slice(0, this.replay.step(this.from).tricks);
    let open = this.replay.state(this.from).trick ?? null;
    let taken = this.replay.state(this.from).tricks_taken;
    let left = this.replay.state(this.from).tricks_left;
    for (const { event, state } of this.moves) {
      if (event.type !== "play") continue;
      const { leader, seats, cards } = open ?? { leader: event.seat, seats: [], cards: [] };
      open = { leader, seats: [...seats, event.seat], cards: [...cards, event.card] };
      if (open.cards.length === (state.playing ?? players).length) {
        const taker = state.tricks_taken ? state.tricks_taken.findIndex((count, seat) => count > taken[seat]) : -1;
        const tied = state.tricks_taken && taker < 0;
        tricks.push({ ...open, taker: taker < 0 ? null : taker, back: Boolean(tied) && state.tricks_left === left });
        open = null;
        taken = state.tricks_taken ?? taken;
        left = state.tricks_left ?? left;
      }
    }
    return { tricks, under: open ? [open] : [] };
  }

  // Buttons for choices other than a card of a hand: passes, bids, draws, suits asked for, and a close instead of a
  // discard.
  offer(seq, state) {
    const box = byId("choices");
    const buttons = this.possible ? (state.choices ?? []).flatMap((choice) => this.buttons(seq, choice)) : [];
    box.replaceChildren(...(buttons.length ? [make("span", "hint", _("What if:")), ...buttons] : []));
    box.hidden = !buttons.length;
  }

  buttons(seq, choice) {
    const { names: players } = this.replay.answer;
    const named = (seat) => `\u2068${players[seat]}\u2069`;
    const button = (words, event) => {
      const element = make("button", "", words);
      element.type = "button";
      element.addEventListener("click", () => this.try(seq, { type: choice.type, seat: choice.seat, ...event }));
      return element;
    };
    const text = (face) => this.replay.deck.get(face)?.text ?? face;
    switch (choice.type) {
      case "pass":
        return [button(_("Pass"), {})];
      case "bid":
        return Array.from({ length: choice.amounts[1] - choice.amounts[0] + 1 }, (none, i) => choice.amounts[0] + i)
          .map((amount) => button(_("Bid %(amount)s", { amount }), { amount }));
      case "collect":
        return choice.from.map((from) => button(_("From %(name)s", { name: named(from) }), { from }));
      case "ask":
        return choice.from.flatMap((from) => Object.entries(SUITS).map(([suit, words]) => button(_("Ask %(name)s for %(suit)s", { name: named(from), suit: words }), { from, suit })));
      case "draw":
        return choice.cards?.length
          ? choice.from.map((from) => {
            const cards = choice.cards.slice(0, choice.count ?? 1);
            return button(DRAW[from](cards.map(text).join(" ")), { from, cards });
          })
          : [];
      case "close":
        return choice.cards.map((card) => button(_("Close with %(card)s", { card: text(card) }), { card }));
      default:
        return [];
    }
  }
}
