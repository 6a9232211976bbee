// A replay as positions: the answer of /api/v1/…/replay, unfolded into one table for each event.
"use strict";

import { _, ngettext } from "./texts.js";

export class Replay {
  constructor(answer, deck, { starter, view, wording }) {
    Object.assign(this, { answer, deck, starter, wording });
    this.view = /^\d+$/.test(view) ? Number(view) : null;
    this.line = answer.steps.filter((step) => step.counts).map((step) => step.seq);
    let state = {};
    this.states = answer.steps.map((step) => (state = { ...state, ...step.table }));
    this.aside = answer.steps.find((step) => step.counts?.type === "deal")?.counts.aside ?? [];
    this.dealt = answer.steps.find((step) => step.counts?.type === "deal")?.seq ?? Infinity;
  }

  has(seq) {
    return seq >= this.answer.first && seq <= this.answer.last;
  }

  step(seq) {
    return this.answer.steps[seq - this.answer.first];
  }

  state(seq) {
    return this.states[seq - this.answer.first];
  }

  // The number of counting events so far.
  place(seq) {
    let place = 0;
    while (place < this.line.length && this.line[place] <= seq) place += 1;
    return place;
  }

  // The options of drawTable beside the state.
  look(seq) {
    const { answer } = this;
    const state = this.state(seq);
    const tricks = answer.tricks.slice(0, this.step(seq).tricks);
    const over = answer.end !== null && seq >= answer.end;
    return {
      deck: this.deck,
      players: answer.names,
      legal: legalIn(state),
      played: playedIn([...tricks.filter((trick) => !trick.back), ...(state.trick ? [state.trick] : [])], answer.players.length),
      lastTrick: tricks.at(-1) ?? null,
      aside: seq >= this.dealt ? this.aside : [],
      notes: over ? pointsOf(answer.scores) : {},
      starter: this.starter,
      moment: over && state.phase === "deal" ? _("Hand %(number)s is over", { number: answer.hand }) : undefined,
      view: this.view,
      wording: this.wording,
    };
  }

  // When the seat played the face for the last time up to `seq`.
  playedAt(face, seat, seq) {
    const plays = this.answer.steps.filter(
      ({ counts, seq: at }) => at <= seq && counts?.type === "play" && counts.seat === seat && counts.card === face,
    );
    return plays.at(-1)?.seq ?? null;
  }
}

export function legalIn(state) {
  return (state.choices ?? []).filter((choice) => choice.type !== "draw").flatMap((choice) => choice.cards ?? []);
}

export function playedIn(tricks, n) {
  const played = Object.fromEntries(Array.from({ length: n }, (_, seat) => [seat, []]));
  for (const { seats, cards } of tricks) cards.forEach((face, i) => played[seats[i]].push(face));
  return played;
}

function pointsOf(scores) {
  const sign = (points) => (points < 0 ? `\u2212${-points}` : `+${points}`);
  return Object.fromEntries((scores ?? []).map((points, seat) => [seat, [ngettext("%(num)s point", "%(num)s points", Math.abs(points)).replace(/\d+/, sign(points))]]));
}
