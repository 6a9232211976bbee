// The table with its seats, for any game and 2 to 8 players, drawn like templates/card_table.html.
//
//   drawTable(root, state, options)   draws `state` (JSON of GET /api/v1/matches/<match>/table) into `root`, which
//                                     needs the class `table` and table.css; the focus stays on its button
//
// options (all but deck may be left out):
//   deck       what cards.js `deck(json)` gives
//   players    names by seat; else those of the state
//   legal      legal faces of the seat whose turn it is (of all seats if none has the turn): marked, and named for
// screen readers
//   onCard     (face, seat) => …: cards of the seats in `acting` are buttons; by default the seat whose turn it is,
// else all
//   acting     seats whose cards are buttons
//   played     {seat: [faces]}: cards that have left the hand, shown in it greyed
//   onPlayed   (face, seat) => …: greyed cards are buttons
//   lastTrick  {leader, cards, taker} (taker null: tied), shown small; in the middle while no trick is under way
//   aside      faces that lie face up, out of play
//   notes      {seat: [texts]}: more facts of a seat
//   starter    true where the first player has the place of a dealer
//   moment     words for the middle, instead of those for the phase and turn of the state
//   view       a seat's number turns the table so that this seat sits at the bottom
//   wording    how the game's calls are shown and its seats are called (wording.js)
"use strict";

import { backElement, cardElement } from "./cards.js";
import { LANGUAGE, _, ngettext } from "./texts.js";
import { seatName, shownCall, shownValue } from "./wording.js";

// Longer hands may lie in several rows: table.css decides for each place.
const LONG_HANDS = [8, 14, 20];
const SUITS = { C: _("♣ clubs"), D: _("♦ diamonds"), H: _("♥ hearts"), S: _("♠ spades") };
const PHASES = { layoff: "lay off" };
const MOMENTS = { deal: _("The next deal is due"), score: _("The hand waits for its score"), over: _("The match is over") };
const ENDINGS = { ended: _("The match was ended"), void: _("The match is void: it counts nowhere") };

// The last drawing of each root: unchanged seats are not drawn again.
const drawn = new WeakMap();

export function drawTable(root, state, options) {
  const focused = root.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const players = options.players ?? state.players;
  const base = Number.isInteger(options.view) ? options.view : (options.wording?.bottom ?? 0);
  const place = (seat) => (seat - base + players.length) % players.length;
  const before = drawn.get(root);
  const same = before && before.surface.parentNode === root && before.deck === options.deck && before.seats.length === players.length;
  const now = same ? before : { surface: make("div"), deck: options.deck, seats: players.map(() => ({})), middle: null };
  // Buttons look up their action when they are clicked, not when they are drawn.
  now.options = options;
  now.surface.className = `card-table seats-${players.length}`;
  now.surface.dataset.phase = state.phase;
  players.forEach((name, seat) => {
    const seatData = seatOf(name, seat, place(seat), state, options, players);
    const written = JSON.stringify(seatData);
    if (now.seats[seat].written === written) return;
    const element = seatElement(seatData, now);
    if (now.seats[seat].element) now.seats[seat].element.replaceWith(element);
    else now.surface.append(element);
    now.seats[seat] = { written, element };
  });
  const middle = middleElement(state, options, players, place);
  if (now.middle) now.middle.replaceWith(middle);
  else now.surface.append(middle);
  now.middle = middle;
  if (!same) root.replaceChildren(now.surface);
  drawn.set(root, now);
  if (focused && document.activeElement === document.body) {
    [...root.querySelectorAll("button")].find((button) => keyOf(button) === focused)?.focus();
  }
}

// --- a seat

// The visible parts of a seat; `cards` are those held and those played, in order.
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
    called: seatName(options.wording, seat),
    backs: size,
    turn: state.turn === seat ? wordFor(state.phase) : "",
    chips: chipsOf(seat, state, options),
    facts: factsOf(seat, state, options, players),
  };
}

function seatElement({ name, seat, place, called, cards, backs, turn, chips, facts }, now) {
  const element = make("div", `seat at-${place}${turn ? " turn" : ""}`);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", [called?.[0], name, turn].filter(Boolean).join(", "));
  const who = make("p", "who");
  if (called) who.append(calledElement(called));
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
  if (state.dealer === seat) chips.push(options.starter ? _("starts") : _("deals"));
  for (const { key, title, kind } of state.facts ?? []) {
    const value = state[key];
    if (kind === "seat" && value === seat) chips.push(lower(title));
    if (kind === "seats" && value.includes(seat)) chips.push(lower(title));
    if (kind === "contract" && value.seat === seat) chips.push(shownCall(options.wording, value.call));
  }
  if (state.turn === seat) chips.push(wordFor(state.phase));
  return chips;
}

function factsOf(seat, state, options, players) {
  const facts = [];
  for (const { key, title, per, kind } of state.facts ?? []) {
    const value = state[key];
    if (per === "seat" && kind === "int" && value[seat] !== null) facts.push(`${lower(title)} ${value[seat]}`);
    if (per === "seat" && kind === "bool" && value[seat]) facts.push(lower(title));
    if (kind !== "pairs") continue;
    const owed = new Map();
    for (const { debtor, creditor } of value) if (debtor === seat) owed.set(creditor, (owed.get(creditor) ?? 0) + 1);
    if (owed.size) facts.push(_("owes %(due)s", { due: [...owed].map(([to, number]) => `${apart(players[to])} ${cards(number)}`).join(", ") }));
  }
  if (state.tricks_taken) facts.push(ngettext("%(num)s trick", "%(num)s tricks", state.tricks_taken[seat]));
  const size = state.hand_sizes?.[seat];
  if (!state.hands?.[seat] && size !== null && size !== undefined) facts.push(cards(size));
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
  const calls = callsElement(state, players, options.wording);
  if (calls) middle.append(calls);
  const facts = handFacts(state, options);
  if (facts.length) middle.append(make("p", "hand-facts", facts.join(" · ")));
  middle.append(make("p", "moment", options.moment ?? momentOf(state, players)));
  if (state.trick && options.lastTrick) middle.append(lastElement(options.lastTrick, options.deck, players));
  return middle;
}

function trickElement(trick, over, deck, players, place) {
  const list = make("ol", `trick${over ? " over" : ""}`);
  list.setAttribute("aria-label", over ? _("The trick just played") : _("Trick under way"));
  trick.cards.forEach((face, i) => {
    const seat = trick.seats[i];
    const took = over && trick.taker === seat;
    const item = make("li", `from-${place(seat)}${took ? " took" : ""}`);
    const note = [i === 0 ? _("led") : "", took ? _("takes the trick") : ""].filter(Boolean).join(", ");
    item.append(cardElement(deck, face, { note, mark: took ? "took" : "" }), nameElement(players[seat]));
    list.append(item);
  });
  return list;
}

function lastElement(trick, deck, players) {
  const last = make("div", "last");
  const words = make("span", "", `${_("Last trick:")} `);
  words.append(trick.taker === null ? _("tied") : nameElement(players[trick.taker]));
  const list = make("ol");
  trick.cards.forEach((face, i) => {
    const took = trick.seats[i] === trick.taker;
    const item = make("li");
    item.append(cardElement(deck, face, { note: [i === 0 ? _("led") : "", took ? _("takes the trick") : ""].filter(Boolean).join(", "), mark: took ? "took" : "" }));
    list.append(item);
  });
  last.append(words, list);
  return last;
}

function pilesElement(state, options) {
  const piles = make("ul", state.tricks_taken ? "piles cornered" : "piles");
  for (const { key, title, kind } of state.facts ?? []) {
    const value = state[key];
    if (kind === "stock") piles.append(pile(title, value, value ? backElement() : null));
    if (kind === "pile") piles.append(pile(title, value.length, cardElement(options.deck, value.at(-1))));
  }
  if (options.aside?.length) {
    const item = make("li", "aside");
    for (const face of options.aside) item.append(cardElement(options.deck, face));
    item.append(make("span", "label", _("Left over")));
    piles.append(item);
  }
  return piles.childElementCount ? piles : null;
}

function pile(name, size, top) {
  const item = make("li", name.toLowerCase());
  item.append(top ?? make("span", "card none"), make("span", "label", `${_(name)}: ${size}`));
  return item;
}

// The calls by round and seat until a card is played; then the contract says enough.
function callsElement(state, players, wording) {
  const fact = (state.facts ?? []).find(({ kind }) => kind === "calls");
  if (!fact || state.trick || state.tricks_taken?.some(Boolean)) return null;
  const cells = [...Array.from({ length: state.dealer }, () => ""), ...state[fact.key].map((call) => shownCall(wording, call))];
  const table = make("table", "calls");
  table.setAttribute("aria-label", _("Calls"));
  const row = (kind, texts) => {
    const line = make("tr");
    line.append(...texts.map((text) => (kind === "th" ? Object.assign(make("th"), { scope: "col" }) : make("td", "", text))));
    return line;
  };
  const head = row("th", players);
  [...head.cells].forEach((cell, seat) => {
    const called = seatName(wording, seat);
    cell.append(...(called ? [calledElement(called)] : []), nameElement(players[seat]));
  });
  table.append(make("thead"), make("tbody"));
  table.tHead.append(head);
  for (let at = 0; at < cells.length; at += players.length) {
    table.tBodies[0].append(row("td", players.map((_, seat) => cells[at + seat] ?? "")));
  }
  return table;
}

// The game's facts about the whole hand, such as trump or the direction of the pass.
function handFacts(state, { deck, wording }) {
  const words = {
    suit: (value) => SUITS[value] ?? value,
    card: (value) => deck.get(value)?.text ?? value,
    call: (value) => shownCall(wording, value),
    text: (value, key) => shownValue(wording, key, value),
  };
  return (state.facts ?? [])
    .filter(({ per, kind }) => per === "hand" && ["suit", "call", "text", "int", "card"].includes(kind))
    .map(({ key, title, kind }) => `${_(title)}: ${words[kind]?.(state[key], key) ?? state[key]}`);
}

function momentOf(state, players) {
  if (state.turn === null || state.turn === undefined) {
    return ENDINGS[state.status] ?? MOMENTS[state.phase] ?? _("Anyone %(to)s", { to: wordFor(state.phase) });
  }
  return `${apart(players[state.turn])} ${wordFor(state.phase)}`;
}

// --- small parts

const wordFor = (phase) => {
  const words = `to ${PHASES[phase] ?? phase}`;
  return _(words);
};
const cards = (number) => ngettext("%(num)s card", "%(num)s cards", number);
// The title of a fact within a line: German keeps its capitals.
const lower = (title) => (LANGUAGE === "de" ? _(title) : _(title).toLowerCase());
// A name is isolated, so that it does not change the direction of the text around it.
const apart = (name) => `\u2068${name}\u2069`;
const keyOf = (element) => `${element.dataset.seat}/${element.dataset.face}`;

// The name of a seat in short, such as N for North.
function calledElement([name, short]) {
  const element = make("abbr", "called", short);
  element.title = name;
  return element;
}

function nameElement(name) {
  return make("bdi", "player", name);
}

function make(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}
