// The table: seats around a felt, for any game and 2 to 8 players, drawn as templates/felt.html draws it.
//
//   drawTable(root, state, options)   draws `state` (JSON of GET /api/v1/matches/<match>/table) into `root`, which
//                                     wants the class `table` and table.css; the button that has the focus keeps it
//
// options (all but deck may be left out):
//   deck       what cards.js `deck(json)` gives
//   players    names by seat; else those of the state
//   legal      faces that may be played by whose turn it is (by anyone while it is nobody's): marked, and said
//   onCard     (face, seat) => …: cards of the seats in `acting` are buttons; by default whose turn it is, else all
//   acting     seats whose cards are buttons
//   played     {seat: [faces]}: cards that have left the hand, shown in it greyed
//   onPlayed   (face, seat) => …: greyed cards are buttons
//   lastTrick  {leader, cards, taker} (taker null: tied), shown small; in the middle while no trick is under way
//   aside      faces that lie face up, out of play
//   notes      {seat: [texts]}: more facts of a seat
//   starter    true where the first player has the place of a dealer
//   moment     words for the middle, instead of those for the phase and turn of the state
//   view       a seat's number turns the table so that this seat sits at the bottom
"use strict";

import { backElement, cardElement } from "./cards.js";

// Hands of more cards than these may lie in several rows: table.css decides, place by place.
const LONG_HANDS = [8, 14, 20];
const DEBTS_MOVE = ["collect", "ask", "give"];
const PHASES = { layoff: "lay off" };
const MOMENTS = { deal: "The next hand is to be dealt", score: "The hand waits for its score", over: "The match is over" };

// What was drawn last, root by root: seats that are the same again are left as they are.
const drawn = new WeakMap();

export function drawTable(root, state, options) {
  const focused = root.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const players = options.players ?? state.players;
  const base = Number.isInteger(options.view) ? options.view : 0;
  const place = (seat) => (seat - base + players.length) % players.length;
  const before = drawn.get(root);
  const same = before && before.felt.parentNode === root && before.deck === options.deck && before.seats.length === players.length;
  const now = same ? before : { felt: make("div"), deck: options.deck, seats: players.map(() => ({})), middle: null };
  // Buttons ask for what is wanted of them when they are clicked, not when they are drawn.
  now.options = options;
  now.felt.className = `felt seats-${players.length}`;
  now.felt.dataset.phase = state.phase;
  players.forEach((name, seat) => {
    const told = seatOf(name, seat, place(seat), state, options, players);
    const written = JSON.stringify(told);
    if (now.seats[seat].written === written) return;
    const element = seatElement(told, now);
    if (now.seats[seat].element) now.seats[seat].element.replaceWith(element);
    else now.felt.append(element);
    now.seats[seat] = { written, element };
  });
  const middle = middleElement(state, options, players, place);
  if (now.middle) now.middle.replaceWith(middle);
  else now.felt.append(middle);
  now.middle = middle;
  if (!same) root.replaceChildren(now.felt);
  drawn.set(root, now);
  if (focused && document.activeElement === document.body) {
    [...root.querySelectorAll("button")].find((button) => keyOf(button) === focused)?.focus();
  }
}

// --- a seat

// All that is to be seen of a seat; `cards` are those held and those played, in order.
function seatOf(name, seat, place, state, options, players) {
  const held = state.hands?.[seat] ?? null;
  const size = held ? 0 : (state.hand_sizes?.[seat] ?? 0);
  const acts = state.turn === seat || state.turn === null;
  const mayAct = Boolean(options.onCard) && (options.acting?.includes(seat) ?? acts);
  const legal = acts ? (options.legal ?? []) : [];
  const cards = [
    ...(held ?? []).map((face) => ({ face, mark: legal.includes(face) ? "legal" : "", asks: mayAct ? "onCard" : "" })),
    ...(options.played?.[seat] ?? []).map((face) => ({ face, mark: "played", asks: options.onPlayed ? "onPlayed" : "" })),
  ].sort(inOrder(options.deck));
  return {
    name, seat, place, cards,
    backs: size,
    turn: state.turn === seat ? wordFor(state.phase) : "",
    chips: chipsOf(seat, state, options),
    facts: factsOf(seat, state, options, players),
  };
}

function seatElement({ name, seat, place, cards, backs, turn, chips, facts }, now) {
  const element = make("div", `seat at-${place}${turn ? " turn" : ""}`);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", turn ? `${name}, ${turn}` : name);
  const who = make("p", "who");
  who.append(nameElement(name));
  for (const text of chips) who.append(make("span", "chip", text));
  for (const text of facts) who.append(make("span", "fact", text));
  const list = make("ul", ["cards", ...LONG_HANDS.filter((most) => cards.length + backs > most).map((most) => `over-${most}`)].join(" "));
  for (const { face, mark, asks } of cards) {
    const item = make("li", mark);
    const card = cardElement(now.deck, face, { note: mark, onClick: asks ? () => now.options[asks]?.(face, seat) : null });
    card.dataset.seat = seat;
    item.append(card);
    list.append(item);
  }
  for (let i = 0; i < backs; i++) {
    const item = make("li");
    item.append(backElement());
    list.append(item);
  }
  element.append(who, list);
  return element;
}

function chipsOf(seat, state, options) {
  const chips = [];
  if (state.dealer === seat) chips.push(options.starter ? "starts" : "deals");
  if (state.closer === seat) chips.push("closed");
  if (state.turn === seat) chips.push(wordFor(state.phase));
  return chips;
}

function factsOf(seat, state, options, players) {
  const facts = [];
  const bid = state.bids?.[seat];
  if (bid !== null && bid !== undefined) facts.push(`bid ${bid}`);
  if (state.tricks_taken) facts.push(count(state.tricks_taken[seat], "trick"));
  const debts = DEBTS_MOVE.includes(state.phase) ? (state.debts ?? []) : [];
  const owed = new Map();
  for (const { debtor, creditor } of debts) if (debtor === seat) owed.set(creditor, (owed.get(creditor) ?? 0) + 1);
  if (owed.size) facts.push(`owes ${[...owed].map(([to, cards]) => `${apart(players[to])} ${count(cards, "card")}`).join(", ")}`);
  if (state.penalties && seat !== state.closer) facts.push(`penalty ${state.penalties[seat]}`);
  const size = state.hand_sizes?.[seat];
  if (!state.hands?.[seat] && size !== null && size !== undefined) facts.push(count(size, "card"));
  return [...facts, ...(options.notes?.[seat] ?? [])];
}

const orders = new WeakMap();
// As the pack has them; standard cards highest first, as people hold them.
function inOrder(deck) {
  if (!orders.has(deck)) {
    const places = new Map([...deck.keys()].map((face, place) => [face, deck.get(face).suit ? -place : place]));
    const last = (card) => Number(card.mark === "played");
    orders.set(deck, (one, other) => (places.get(one.face) ?? 0) - (places.get(other.face) ?? 0) || last(one) - last(other));
  }
  return orders.get(deck);
}

// --- the middle

function middleElement(state, options, players, place) {
  const middle = make("div", "middle");
  const trick = state.trick ?? options.lastTrick ?? null;
  if (trick) middle.append(trickElement(trick, !state.trick, options.deck, players, place));
  const piles = pilesElement(state, options);
  if (piles) middle.append(piles);
  middle.append(make("p", "moment", options.moment ?? momentOf(state, players)));
  if (state.trick && options.lastTrick) middle.append(lastElement(options.lastTrick, options.deck, players));
  return middle;
}

function trickElement(trick, over, deck, players, place) {
  const list = make("ol", `trick${over ? " over" : ""}`);
  list.setAttribute("aria-label", over ? "The trick just played" : "Trick under way");
  trick.cards.forEach((face, i) => {
    const seat = (trick.leader + i) % players.length;
    const took = over && trick.taker === seat;
    const item = make("li", `from-${place(seat)}${took ? " took" : ""}`);
    const note = [i === 0 ? "led" : "", took ? "takes the trick" : ""].filter(Boolean).join(", ");
    item.append(cardElement(deck, face, { note, mark: took ? "took" : "" }), nameElement(players[seat]));
    list.append(item);
  });
  return list;
}

function lastElement(trick, deck, players) {
  const last = make("div", "last");
  const words = make("span", "", "Last trick: ");
  words.append(trick.taker === null ? "tied" : nameElement(players[trick.taker]));
  const list = make("ol");
  trick.cards.forEach((face, i) => {
    const took = (trick.leader + i) % players.length === trick.taker;
    const item = make("li");
    item.append(cardElement(deck, face, { note: [i === 0 ? "led" : "", took ? "takes the trick" : ""].filter(Boolean).join(", "), mark: took ? "took" : "" }));
    list.append(item);
  });
  last.append(words, list);
  return last;
}

function pilesElement(state, options) {
  const piles = make("ul", state.tricks_taken ? "piles cornered" : "piles");
  if (state.stock_left !== undefined && state.stock_left !== null) {
    piles.append(pile("Stock", state.stock_left, state.stock_left ? backElement() : null));
  }
  if (state.discards?.length) {
    piles.append(pile("Discards", state.discards.length, cardElement(options.deck, state.discards.at(-1))));
  }
  if (options.aside?.length) {
    const item = make("li", "aside");
    for (const face of options.aside) item.append(cardElement(options.deck, face));
    item.append(make("span", "label", "Left over"));
    piles.append(item);
  }
  return piles.childElementCount ? piles : null;
}

function pile(name, size, top) {
  const item = make("li", name.toLowerCase());
  item.append(top ?? make("span", "card none"), make("span", "label", `${name}: ${size}`));
  return item;
}

function momentOf(state, players) {
  if (state.turn === null || state.turn === undefined) {
    return state.status === "ended" ? "The match was ended" : (MOMENTS[state.phase] ?? `Anyone ${wordFor(state.phase)}`);
  }
  return `${apart(players[state.turn])} ${wordFor(state.phase)}`;
}

// --- small parts

const wordFor = (phase) => `to ${PHASES[phase] ?? phase}`;
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
// A name inside a sentence does not turn the text around it.
const apart = (name) => `\u2068${name}\u2069`;
const keyOf = (element) => `${element.dataset.seat}/${element.dataset.face}`;

function nameElement(name) {
  return make("bdi", "player", name);
}

function make(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}
