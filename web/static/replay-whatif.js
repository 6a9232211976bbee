// What if: other choices from a position on, judged by the server and never stored.
"use strict";

import { make } from "./replay-event.js";
import { legalIn, playedIn } from "./replay-model.js";
import { drawTable } from "./table.js";

const MOST_TOLD = 6;
const CARD_TYPES = ["play", "give", "discard", "layoff", "close"];
const SUITS = { C: "♣\ufe0e clubs", D: "♦\ufe0e diamonds", H: "♥\ufe0e hearts", S: "♠\ufe0e spades" };
const byId = (id) => document.getElementById(id);

export class WhatIf {
  constructor(replay, { address, embedded, redraw }) {
    Object.assign(this, { replay, address, embedded, redraw });
    this.possible = replay.answer.view === "all";
    this.moves = []; // events tried, each with the table it led to
    this.busy = false;
    byId("what-if-undo").addEventListener("click", () => this.undo());
    byId("what-if-end").addEventListener("click", () => this.end());
  }

  get active() {
    return this.moves.length > 0;
  }

  // A card clicked: played, given, discarded or laid off, as the moment has it.
  play(seq, state, face, seat) {
    const choice = (state.choices ?? []).find(
      ({ type, cards, seat: who }) => CARD_TYPES.includes(type) && cards?.includes(face) && (who ?? seat) === seat,
    );
    if (choice) this.try(seq, { type: choice.type, seat, card: face, ...(choice.to === undefined ? {} : { to: choice.to }) });
    else this.say("That card is not legal here: marked ones are.");
  }

  async try(seq, event) {
    if (this.busy) return;
    this.busy = true;
    if (!this.active) this.from = seq;
    const events = [...this.amendments(), ...this.moves.map((move) => move.event), event];
    try {
      const answer = await fetch(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        credentials: this.embedded ? "omit" : "same-origin",
        body: JSON.stringify({ at: this.base(), events }),
      });
      const said = await answer.json();
      if (answer.ok) this.moves.push({ event, state: said });
      this.show(answer.ok ? "" : said.detail);
    } catch {
      this.show("The server cannot be reached.");
    } finally {
      this.busy = false;
    }
  }

  // The last event that counts up to here: what was recorded after it and taken back is not to come again.
  base() {
    return this.replay.line.findLast((seq) => seq <= this.from) ?? this.from;
  }

  // Asked of an earlier moment, the server does not know of amendments recorded since.
  amendments() {
    const base = this.base();
    return this.replay.answer.amendments.filter(({ about, seq }) => about <= base && seq > base);
  }

  undo() {
    this.moves.pop();
    if (this.active) this.show();
    else this.end();
  }

  end() {
    this.moves = [];
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
      moment: state.hand === null ? "The hand would be over" : undefined,
      onCard: (face, seat) => this.play(this.from, state, face, seat),
    });
    this.offer(this.from, state);
  }

  words() {
    const { names: players } = this.replay.answer;
    const { state } = this.moves.at(-1);
    const named = (seat) => `\u2068${players[seat]}\u2069`;
    const tried = this.moves.slice(-MOST_TOLD).map(({ event }) => `${named(event.seat)} ${this.what(event)}`);
    const found = state.violations?.length ? ` Rules broken: ${state.violations.length}.` : "";
    const end = state.hand === null ? ` Totals would be: ${players.map((_, seat) => `${named(seat)} ${state.totals[seat]}`).join(", ")}.` : "";
    return `After event ${this.from}, never stored: ${this.moves.length > MOST_TOLD ? "… " : ""}${tried.join(", ")}.${found}${end}`;
  }

  // What was chosen: the card, or else the words of the choice.
  what({ type, card, amount, cards, suit }) {
    const text = (face) => this.replay.deck.get(face)?.text ?? face;
    if (card) return type === "close" ? `closes with ${text(card)}` : text(card);
    if (cards) return `draws ${cards.map(text).join(" ")}`;
    return suit ? `asks for ${SUITS[suit]}` : amount === undefined ? type : `bids ${amount}`;
  }

  // The table of a hand that would be over has no hands: what was left lies there still.
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
      open = open ? { leader: open.leader, cards: [...open.cards, event.card] } : { leader: event.seat, cards: [event.card] };
      if (open.cards.length === players.length) {
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

  // Buttons for what is no card of a hand: passes, bids, draws, suits asked for, and a close instead of a discard.
  offer(seq, state) {
    const box = byId("choices");
    const buttons = this.possible ? (state.choices ?? []).flatMap((choice) => this.buttons(seq, choice)) : [];
    box.replaceChildren(...(buttons.length ? [make("span", "hint", "What if:"), ...buttons] : []));
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
        return [button("Pass", {})];
      case "bid":
        return Array.from({ length: choice.amounts[1] - choice.amounts[0] + 1 }, (_, i) =>
          button(`Bid ${choice.amounts[0] + i}`, { amount: choice.amounts[0] + i }));
      case "collect":
        return choice.from.map((from) => button(`From ${named(from)}`, { from }));
      case "ask":
        return choice.from.flatMap((from) => Object.entries(SUITS).map(([suit, words]) => button(`Ask ${named(from)} for ${words}`, { from, suit })));
      case "draw":
        return choice.cards?.length
          ? choice.from.map((from) => {
            const cards = choice.cards.slice(0, choice.count ?? 1);
            return button(`Draw ${cards.map(text).join(" ")} from the ${from}`, { from, cards });
          })
          : [];
      case "close":
        return choice.cards.map((card) => button(`Close with ${text(card)}`, { card }));
      default:
        return [];
    }
  }
}
