// The table after the waiting entries, as far as it follows without the rules of the game: the order of play within a
// trick, the next bidder. The rest stays open until the server has answered.
"use strict";

/** The state after an event; `sure` is false if only the rules decide the next choice. */
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
    return { ...next, phase: "play", hand: null, turn: null, dealer: dealerOf(event, state.players.length), hands: event.hands, trick: null };
  }
  if (event.type === "end") return { ...next, phase: "over", status: "ended", turn: null };
  return { ...next, turn: null };
}

/** The seat that deals, or starts, in a deal: a board says it by its number. */
export function dealerOf({ dealer, starter, board }, n) {
  return dealer ?? starter ?? (board - 1) % n;
}

function played(next, { seat, card }, n) {
  const hand = next.hands?.[seat];
  if (hand?.includes(card)) next.hands = next.hands.with(seat, hand.toSpliced(hand.indexOf(card), 1));
  if (next.hand_sizes) next.hand_sizes = next.hand_sizes.with(seat, next.hand_sizes[seat] - 1);
  const playing = next.playing ?? Array.from({ length: n }, (_, some) => some);
  const under = next.trick && next.trick.cards.length < playing.length ? next.trick : { leader: seat, seats: [], cards: [] };
  const cards = [...under.cards, card];
  next.trick = { leader: under.leader, seats: [...under.seats, seat], cards };
  next.turn = cards.length < playing.length ? playing[(playing.indexOf(seat) + 1) % playing.length] : null;
  return next.turn === null ? next : turning(next, "play", {});
}

function turning(next, type, more) {
  return { ...next, sure: true, choices: [{ type, seat: next.turn, ...more }] };
}

/** Choices without knowledge of the rules: any kind of event of the game, by any seat. */
export function anything(kinds) {
  return Object.keys(kinds).map((type) => ({ type, seat: null }));
}
