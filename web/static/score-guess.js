// The table as it will be once what waits is recorded, as far as that follows without the rules of the game: who plays
// after whom within a trick, who bids next. What only the rules know is left open until the server has answered.
"use strict";

/** The state after an event; `sure` is false where only the rules know who does what next. */
export function guess(state, event) {
  if (event.type === "note") return state;
  const next = { ...state, choices: [], sure: false };
  const { seat } = event;
  if (event.type === "play" && state.hand_sizes !== undefined) return played(next, event, state.players.length);
  if (event.type === "bid" && state.bids) {
    next.bids = state.bids.with(seat, event.amount);
    next.turn = next.bids.includes(null) ? (seat + 1) % next.bids.length : null;
    if (next.turn !== null) return turning(next, "bid", { amounts: state.choices[0]?.amounts });
  }
  if (event.type === "score" || event.type === "claim") {
    const dealer = (state.dealer + 1) % state.players.length;
    return { ...next, phase: "deal", hand: null, turn: null, trick: null, hands: null, choices: [{ type: "deal", seat: dealer }] };
  }
  if (event.type === "deal") {
    return { ...next, phase: "play", hand: null, turn: null, hands: event.hands, trick: null };
  }
  if (event.type === "end") return { ...next, phase: "over", status: "ended", turn: null };
  return { ...next, turn: null };
}

function played(next, { seat, card }, n) {
  const hand = next.hands?.[seat];
  if (hand?.includes(card)) next.hands = next.hands.with(seat, hand.toSpliced(hand.indexOf(card), 1));
  if (next.hand_sizes) next.hand_sizes = next.hand_sizes.with(seat, next.hand_sizes[seat] - 1);
  const under = next.trick && next.trick.cards.length < n ? next.trick : { leader: seat, cards: [] };
  const cards = [...under.cards, card];
  next.trick = { leader: under.leader, cards };
  next.turn = cards.length < n ? (seat + 1) % n : null;
  return next.turn === null ? next : turning(next, "play", {});
}

function turning(next, type, more) {
  return { ...next, sure: true, choices: [{ type, seat: next.turn, ...more }] };
}

/** Choices where nobody can say what the rules allow: any kind the game has, by any seat. */
export function anything(kinds) {
  return Object.keys(kinds).map((type) => ({ type, seat: null }));
}
