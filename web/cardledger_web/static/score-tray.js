// The tray: the choices to tap at a moment. Cards of the hand, or of the pack; seats, suits, numbers, kinds.
"use strict";

import { PILES, begin, mayBeUnseen, missingKey, offers, seatNumber } from "./score-words.js";
import { _ } from "./texts.js";
import { shownCall } from "./wording.js";

const SIGNS = { "♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades" };
const MANY = 21; // three rows of a phone: longer hands are not laid over the table
const WORDS = {
  play: _("play"), bid: _("bid"), pass: _("pass"), call: _("call"), draw: _("draw"), discard: _("discard"), give: _("give"),
  close: _("close"), layoff: _("lay off"), ask: _("ask"), collect: _("collect"),
};
const PILE_NAMES = { stock: _("stock"), discards: _("discards") };

/** A kind of event as on a button and in a prompt: "lay off". */
export const wordOf = (type) => WORDS[type] ?? type;

/**
 * Draw the choices into `root`; unchanged parts are not drawn again, or a tap could be lost.
 *
 * `on` is called: kind(choice), value(value) for the next key of the draft, card(face), tricks() if only tricks are
 * entered.
 */
export function drawTray(root, { moment, draft, state, pack }, on) {
  const looks = JSON.stringify([moment.choices, draft, state.hands, state.turn, state.sure, moment.hidden, Boolean(on.tricks)]);
  if (root.dataset.looks === looks) return;
  root.dataset.looks = looks;
  const chosen = draft ?? (moment.choices.length ? begin(moment, moment.choices[0]) : null);
  const parts = [];
  const kept = moment.choices.filter(({ type }) => type !== "call");
  if (kept.length > 1 || (kept.length && !missingKey(moment, chosen))) parts.push(kinds(moment, kept, chosen, on));
  const calls = draft ? null : moment.choices.find(({ type }) => type === "call");
  if (calls && calls !== chosen.choice) parts.push(callsOf(moment, calls, on));
  const key = chosen && missingKey(moment, chosen);
  if (chosen && mayBeUnseen(moment, chosen)) {
    const who = Number.isInteger(chosen.seat) ? `${moment.players[chosen.seat]}: ` : "";
    parts.push(group(_("Cards nobody saw"), [button(`${who}${key === "card" ? _("nobody saw it") : _("nobody saw them")} (?)`, () => on.value(null))]));
  }
  if (on.tricks) {
    const tricks = button(_("Only the tricks"), on.tricks);
    tricks.className = "primary";
    parts.push(group(_("Record"), [tricks], "only-tricks"));
    if (key === "card" && !moment.hidden) parts.push(hint(_("Or tap the cards as they fall:")));
  }
  const score = root.closest(".score");
  score?.classList.toggle("walled", moment.hidden && (key === "card" || key === "cards"));
  score?.classList.toggle("unplayed", Boolean(on.tricks));
  if (key === "card" || key === "cards") parts.push(cards(moment, chosen, key, state, pack, on));
  else if (key) parts.push(values(moment, chosen, key, on));
  replace(root, parts);
}

/**
 * Draw the entry of a deal into `root`. `on` is called: dealer(seat), place(id), card(face), taken(face), hide(),
 * clear(), done(), results(), contract() and passed() where they are there.
 */
export function drawDeal(root, deal, pack, on) {
  const looks = JSON.stringify([deal.kept(), deal.chosen, deal.current?.id]);
  if (root.dataset.looks === looks) return;
  root.dataset.looks = looks;
  const parts = [];
  if (!deal.started) {
    // One question at a time: the next one depends on the answer.
    parts.push(group(_("Who deals"), deal.players.map((name, seat) => button(`${seatNumber(seat)} ${name}`, () => on.dealer(seat)))));
    replace(root, parts);
    return;
  }
  const bare = deal.places.every(({ id }) => !deal.cards[id].length);
  const results = button(_("Only the points"), on.results);
  if (bare && !deal.hidden) results.className = "primary";
  const contract = on.contract ? [button(_("Only the contract"), on.contract), button(_("Passed out"), on.passed)] : [];
  if (deal.also.board !== undefined) parts.push(hint(_("Board %(board)s. For another, type “board 7”.", deal.also)));
  const hide = button(deal.hidden ? _("Enter the hands after all") : _("Leave the hands hidden"), on.hide);
  const unnoted = deal.mayBeUnnoted ? [button(`${_("Nobody noted the card turned up")} (?)`, on.unnoted)] : [];
  parts.push(group(_("Record"), [...(on.results ? [results] : []), ...contract, hide, ...unnoted]));
  if (bare && !deal.hidden) parts.push(hint(_("Or tap the cards, hand by hand:")));
  const places = deal.places.map((place) => {
    const text = `${place.name} ${deal.cards[place.id].length}/${place.size}`;
    return button(text, () => on.place(place.id), place === deal.current);
  });
  parts.push(group(_("Where the next card goes"), places, "places"));
  const done = button(_("Deal"), on.done);
  done.className = "primary";
  done.disabled = !deal.whole;
  parts.push(group(_("The deal"), [done, button(_("Clear"), on.clear)], "acts"));
  const shown = surface("pack", _("The pack"));
  sideBySide(shown, deal.card.rows);
  for (const row of deal.card.rows) {
    const list = document.createElement("ul");
    for (const face of row.filter((face) => deal.card.deal.deck.includes(face))) {
      const left = deal.left(face);
      const place = deal.placeOf(face);
      const note = left ? (left > 1 ? _("%(number)s left", { number: left }) : "") : _("with %(place)s", { place: place.name });
      const item = document.createElement("li");
      if (!left) item.className = "placed";
      item.append(pack.card(face, { note, onClick: left ? on.card : on.taken }));
      if (left > 1 || !left) item.append(tag(left ? `×${left}` : initial(place)));
      list.append(item);
    }
    shown.append(list);
  }
  parts.push(shown);
  replace(root, parts);
}

function initial({ id, name }) {
  return /^\d/.test(id) ? [...name].slice(0, 2).join("") : name[0];
}

function callsOf(moment, choice, on) {
  const draft = begin(moment, choice);
  return callButtons(moment, offers(moment, draft), (call) => on.call(draft, call));
}

// The calls as buttons: those of a row of the game side by side, as in a bidding box, the others after them. Rows in
// which nothing is left to call are left out.
function callButtons(moment, calls, act) {
  const { wording } = moment.card;
  const made = (call) => {
    const text = shownCall(wording, call);
    const pressed = button(text, () => act(call));
    const sign = Object.keys(SIGNS).find((one) => text.includes(one));
    if (sign) pressed.classList.add(SIGNS[sign]);
    return pressed;
  };
  const rows = wording.rows.filter((row) => row.some((call) => calls.includes(call)));
  const plain = calls.filter((call) => !rows.some((row) => row.includes(call)));
  const element = group(_("Call"), [], "call");
  element.setAttribute("role", "toolbar");
  for (const row of rows) {
    const line = Object.assign(document.createElement("div"), { className: "row" });
    line.append(...row.map((call) => (calls.includes(call) ? made(call) : document.createElement("span"))));
    element.append(line);
  }
  element.append(...plain.map(made));
  return element;
}

function kinds(moment, choices, chosen, on) {
  const several = choices.length > 1;
  const seats = new Set(choices.map(({ seat }) => seat)).size > 1;
  const buttons = choices.map((choice) => {
    const whole = !missingKey(moment, begin(moment, choice));
    const where = choice.from?.length === 1 && typeof choice.from[0] === "string" ? ` ${PILES[choice.from[0]]}` : "";
    const who = seats && Number.isInteger(choice.seat) ? `${seatNumber(choice.seat)} ${moment.players[choice.seat]}: ` : "";
    const same = choice.type === chosen.type && choice.from === chosen.choice.from && (!seats || choice.seat === chosen.seat);
    return button(`${who}${wordOf(choice.type)}${where}`, () => on.kind(choice), whole ? undefined : several && !whole && same);
  });
  return group(_("What happens"), buttons, "kinds");
}

function values(moment, draft, key, on) {
  if (key === "call") return callButtons(moment, offers(moment, draft), on.value);
  const buttons = offers(moment, draft).map((value) => {
    if (key === "suit") return suitButton(value, on);
    const seat = ["seat", "from", "to"].includes(key) && Number.isInteger(value);
    const made = button(seat ? `${seatNumber(value)} ${moment.players[value]}` : (PILE_NAMES[value] ?? String(value)), () => on.value(value));
    made.disabled = key === "amount" && (draft.choice.barred?.includes(value) ?? false);
    return made;
  });
  return group(QUESTIONS[key] ?? key, buttons, key);
}

// A suit is shown by its sign, if it has one.
function suitButton(value, on) {
  const [sign, name] = Object.entries(SIGNS).find(([, name]) => name[0].toUpperCase() === value) ?? [value, ""];
  const made = button(name ? `${sign}\ufe0e` : sign, () => on.value(value));
  if (name) {
    made.classList.add("suit", name);
    made.setAttribute("aria-label", name);
  }
  return made;
}

const QUESTIONS = { seat: _("Who"), from: _("From whom"), to: _("To whom"), suit: _("Which suit"), amount: _("How many"), call: _("Call") };

function cards(moment, draft, key, state, pack, on) {
  const legal = draft.choice.cards ?? null;
  const hand = key === "card" ? state.hands?.[draft.seat] : null;
  const order = new Map(moment.card.faces.map((face, place) => [face, place]));
  const faces = [...new Set(hand ?? legal ?? moment.card.faces)].sort((a, b) => order.get(a) - order.get(b));
  const free = !legal || faces.every((face) => legal.includes(face));
  const wall = faces.length > MANY || (!hand && moment.hidden);
  const name = hand ? _("Cards of %(name)s", { name: moment.players[draft.seat] }) : _("Cards");
  const tray = surface(`hand${free ? " free" : ""}${wall ? " pack" : ""}`, name);
  // A wall keeps its order, a row a suit: what is gone leaves its place empty.
  const rows = wall ? moment.card.rows.map((row) => row.filter((face) => moment.card.deal.deck.includes(face))) : [faces];
  if (wall) sideBySide(tray, rows);
  for (const row of rows.filter(({ length }) => length)) tray.append(cardRow(row, faces));
  return tray;

  function cardRow(row, here) {
    const list = document.createElement("ul");
    for (const face of row) list.append(here.includes(face) ? cardOf(face) : document.createElement("li"));
    return list;
  }

  function cardOf(face) {
    const item = document.createElement("li");
    const fits = legal?.includes(face) ?? false;
    const picked = draft.cards?.includes(face);
    item.className = picked ? "picked" : fits ? "legal" : legal ? "irregular" : "";
    const note = picked ? _("chosen") : free ? "" : fits ? _("legal") : _("against the rules");
    item.append(pack.card(face, { note, onClick: on.card }));
    const many = hand?.filter((other) => other === face).length ?? 1;
    if (many > 1) item.append(tag(`×${many}`));
    return item;
  }
}

/** Say how many cards of a pack lie side by side on a phone, so that all are in sight. */
function sideBySide(shown, rows) {
  const longest = Math.max(...rows.map((row) => row.length));
  shown.style.setProperty("--row", longest > 10 ? Math.ceil(longest / 2) : longest);
}

// --- small parts

function surface(kind, name) {
  const element = document.createElement("div");
  element.className = `card-table ${kind}`;
  element.setAttribute("role", "toolbar"); // one stop of the Tab key: roving.js
  element.setAttribute("aria-label", name);
  return element;
}

function hint(text) {
  return Object.assign(document.createElement("p"), { className: "hint", textContent: text });
}

function group(name, buttons, kind = "") {
  const element = document.createElement("div");
  element.className = `buttons ${kind}`;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  element.append(...buttons);
  return element;
}

export function button(text, act, pressed) {
  const element = document.createElement("button");
  element.type = "button";
  element.append(Object.assign(document.createElement("bdi"), { textContent: text }));
  if (pressed !== undefined) element.setAttribute("aria-pressed", String(pressed));
  element.addEventListener("click", () => act());
  return element;
}

function tag(text) {
  const element = document.createElement("span");
  element.className = "tag";
  element.setAttribute("aria-hidden", "true");
  element.textContent = text;
  return element;
}

function replace(root, parts) {
  const within = root.contains(document.activeElement);
  root.replaceChildren(...parts);
  // Keep the keyboard focus here.
  if (within) root.querySelector("button")?.focus();
}
