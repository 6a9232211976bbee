// The table of the scoring page, as the server drew it. What it does not know yet is laid on top: an entry that waits to
// be recorded (without a connection it may wait long), and the cards of a deal that is being entered.
"use strict";

import { showDrawn } from "./drawn.js";
import { inWords } from "./score-words.js";
import { _, ngettext } from "./texts.js";

export class ScoreTable {
  constructor(root, cards, words) {
    Object.assign(this, { root, cards, words });
  }

  /**
   * Show a table from the server, with the `waiting` events after it and the `deal` that is being entered.
   *
   * `state` is the table after these events, as far as it follows without the rules (score-guess.js); `told` says them in
   * words too: then nobody will answer soon.
   */
  show(table, state, waiting, deal, told) {
    showDrawn(this.root, table.drawn, (drawn) => {
      this.drawn = drawn;
      this.seats = [...drawn.querySelectorAll(".seat")];
      if (deal || waiting.length) this.hands(deal ? deal.players.map((_, seat) => deal.cards[seat]) : state.phase === "deal" ? [] : state.hands, state);
      if (deal) this.dealer(deal.dealer);
      if (!waiting.length) return;
      this.trick(state.trick);
      this.turn(state);
      if (told) waiting.forEach((event) => this.tell(event));
    });
  }

  /** The cards of each hand; null: as many as are left lie face down. */
  hands(hands, { hand_sizes: sizes }) {
    this.seats.forEach((seat, number) => {
      const list = seat.querySelector(".cards");
      if (hands) {
        list.replaceChildren(...this.cards.sorted(hands[number] ?? []).map((face) => item("", this.cards.card(face))));
      } else if (sizes) {
        while (list.childElementCount > sizes[number]) list.lastElementChild.remove();
      }
      const size = seat.querySelector(".size");
      if (size && hands) size.remove();
      else if (size) size.textContent = ngettext("%(num)s card", "%(num)s cards", sizes?.[number] ?? 0);
    });
  }

  dealer(dealer) {
    for (const chip of this.drawn.querySelectorAll(".dealer")) chip.remove();
    const starter = this.words.card.deal.keys.includes("starter");
    if (dealer !== null) this.seats[dealer].querySelector(".player").after(element("span", "chip dealer", starter ? _("starts") : _("deals")));
  }

  /** The trick under way: each card before the seat that played it. */
  trick(trick) {
    const middle = this.drawn.querySelector(".middle");
    for (const old of middle.querySelectorAll(".trick, .last")) old.remove();
    if (!trick) return;
    const list = element("ol", "trick");
    list.setAttribute("aria-label", _("Trick under way"));
    list.append(...trick.cards.map((face, place) => {
      const seat = this.seats[trick.seats[place]];
      const [at] = seat.className.match(/(?<=at-)\d/);
      return item(`from-${at}`, this.cards.card(face, { note: place ? "" : _("led") }), seat.querySelector(".player").cloneNode(true));
    }));
    middle.prepend(list);
  }

  /** Whose turn it is, where that follows without the rules. */
  turn({ turn }) {
    const { to } = this.drawn.dataset;
    for (const chip of this.drawn.querySelectorAll(".acting")) chip.remove();
    this.seats.forEach((seat, number) => {
      const label = seat.getAttribute("aria-label").replace(`, ${to}`, "");
      seat.setAttribute("aria-label", number === turn ? `${label}, ${to}` : label);
      seat.classList.toggle("turn", number === turn);
    });
    const next = this.seats[turn];
    if (next) [...next.querySelectorAll(".player, .chip")].at(-1).after(element("span", "chip acting", to));
    this.drawn.querySelector(".moment").textContent = next ? `\u2068${this.words.players[turn]}\u2069 ${to}` : "…";
  }

  /** Say an entry that is no card of a trick at its seat. */
  tell(event) {
    const seat = this.seats[event.seat];
    if (seat && event.type !== "play") seat.querySelector(".who").append(element("span", "fact", inWords(event, this.words)));
  }
}

function item(name, ...parts) {
  const made = element("li", name);
  made.append(...parts);
  return made;
}

function element(tag, name, text = "") {
  return Object.assign(document.createElement(tag), name ? { className: name, textContent: text } : { textContent: text });
}
