// The table of the scoring page, as the server or the engine in this browser drew it. What they do not know is laid on top:
// the cards of a deal that is being entered, and an entry that waits and that nobody has judged yet.
"use strict";

import { showDrawn } from "./drawn.js";
import { inWords } from "./score-words.js";
import { _ } from "./texts.js";

export class ScoreTable {
  constructor(root, cards, words) {
    Object.assign(this, { root, cards, words });
  }

  /** Show a table as it was drawn, with the `deal` that is being entered, and in words the `waiting` events that nobody has judged yet. */
  show(table, waiting, deal) {
    showDrawn(this.root, table.drawn, (drawn) => {
      this.drawn = drawn;
      this.seats = [...drawn.querySelectorAll(".seat")];
      if (deal) {
        this.hands(deal.players.map((_, seat) => deal.cards[seat]));
        this.dealer(deal.dealer);
      }
      waiting.forEach((event) => this.tell(event));
    });
  }

  /** The cards of each hand of the deal that is being entered. */
  hands(hands) {
    this.seats.forEach((seat, number) => {
      seat.querySelector(".cards").replaceChildren(...this.cards.sorted(hands[number] ?? []).map((face) => item(this.cards.card(face))));
      seat.querySelector(".size")?.remove();
    });
  }

  dealer(dealer) {
    for (const chip of this.drawn.querySelectorAll(".dealer")) chip.remove();
    const starter = this.words.card.deal.keys.includes("starter");
    if (dealer !== null) this.seats[dealer].querySelector(".player").after(element("span", "chip dealer", starter ? _("starts") : _("deals")));
  }

  /** Say an entry at its seat. */
  tell(event) {
    const seat = this.seats[event.seat];
    if (seat) seat.querySelector(".who").append(element("span", "fact", inWords(event, this.words)));
  }
}

function item(card) {
  const made = document.createElement("li");
  made.append(card);
  return made;
}

function element(tag, name, text = "") {
  return Object.assign(document.createElement(tag), name ? { className: name, textContent: text } : { textContent: text });
}
