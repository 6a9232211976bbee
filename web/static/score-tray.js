// The tray: what may be tapped at a moment. Cards of the hand in question, or the pack; seats, suits, numbers, kinds.
"use strict";

import { cardElement } from "./cards.js";
import { begin, lacking, offers } from "./score-words.js";

const MANY = 21; // three rows of a phone: more than that is no longer laid over the table
const WORDS = { layoff: "lay off" };

/** A kind of event as it stands on a button and in a prompt: "lay off". */
export const wordOf = (type) => WORDS[type] ?? type;

/**
 * Draw what may be tapped into `root`; nothing is drawn again that looks as before, or a tap could fall between.
 *
 * `on` is told: kind(choice), value(value) for the next key of the draft, card(face).
 */
export function drawTray(root, { moment, draft, state, deck }, on) {
  const looks = JSON.stringify([moment.choices, draft, state.hands, state.turn, state.sure]);
  if (root.dataset.looks === looks) return;
  root.dataset.looks = looks;
  const chosen = draft ?? (moment.choices.length ? begin(moment, moment.choices[0]) : null);
  const parts = [];
  if (moment.choices.length > 1 || (moment.choices.length && !lacking(moment, chosen))) {
    parts.push(kinds(moment, chosen, on));
  }
  const key = chosen && lacking(moment, chosen);
  if (key === "card" || key === "cards") parts.push(cards(moment, chosen, key, state, deck, on));
  else if (key) parts.push(values(moment, chosen, key, deck, on));
  replace(root, parts);
}

/** Draw the making of a deal into `root`. `on` is told: dealer(seat), place(id), card(face), taken(face), hide(), clear(), done(). */
export function drawDeal(root, deal, deck, on) {
  const looks = JSON.stringify([deal.kept(), deal.chosen, deal.current?.id]);
  if (root.dataset.looks === looks) return;
  root.dataset.looks = looks;
  const parts = [];
  if (deal.dealer === null) {
    parts.push(group("Who deals", deal.players.map((name, seat) => button(`${seat} ${name}`, () => on.dealer(seat), deal.dealer === seat))));
  }
  const places = deal.places.map((place) => {
    const text = `${place.name} ${deal.cards[place.id].length}/${place.size}`;
    return button(text, () => on.place(place.id), place === deal.current);
  });
  parts.push(group("Where the next card goes", places, "places"));
  const done = button("Deal", on.done);
  done.className = "primary";
  done.disabled = !deal.whole;
  const hide = button(deal.hidden ? "Enter the hands after all" : "Leave the hands hidden", on.hide);
  parts.push(group("The deal", [done, hide, button("Clear", on.clear)], "acts"));
  const pack = felt("pack");
  for (const row of deal.card.rows) {
    const list = document.createElement("ul");
    for (const face of row.filter((face) => deal.card.deal.deck.includes(face))) {
      const left = deal.left(face);
      const place = deal.placeOf(face);
      const note = left ? (left > 1 ? `${left} left` : "") : `with ${place.name}`;
      const item = document.createElement("li");
      if (!left) item.className = "placed";
      item.append(cardElement(deck, face, { note, onClick: left ? on.card : on.taken }));
      if (left > 1 || !left) item.append(tag(left ? `×${left}` : initial(place)));
      list.append(item);
    }
    pack.append(list);
  }
  parts.push(pack);
  replace(root, parts);
}

function initial({ id, name }) {
  return /^\d/.test(id) ? [...name].slice(0, 2).join("") : name[0];
}

function kinds(moment, chosen, on) {
  const several = moment.choices.length > 1;
  const buttons = moment.choices.map((choice) => {
    const whole = !lacking(moment, begin(moment, choice));
    const where = choice.from?.length === 1 && typeof choice.from[0] === "string" ? ` from the ${choice.from[0]}` : "";
    const pressed = several && !whole && choice.type === chosen.type && choice.from === chosen.choice.from;
    return button(`${wordOf(choice.type)}${where}`, () => on.kind(choice), whole ? undefined : pressed);
  });
  return group("What happens", buttons, "kinds");
}

function values(moment, draft, key, deck, on) {
  const buttons = offers(moment, draft).map((value) => {
    if (key === "suit") return suitButton(value, deck, on);
    const seat = ["seat", "from", "to"].includes(key) && Number.isInteger(value);
    return button(seat ? `${value} ${moment.players[value]}` : String(value), () => on.value(value));
  });
  return group(QUESTIONS[key] ?? key, buttons, key);
}

// A suit is shown by its pip, if the pack has one for it.
function suitButton(value, deck, on) {
  const card = [...deck.values()].find(({ suit, pip }) => pip && suit[0]?.toUpperCase() === value);
  const made = button(card?.pip ?? value, () => on.value(value));
  if (card) {
    made.classList.add("suit", card.suit);
    made.setAttribute("aria-label", card.suit);
  }
  return made;
}

const QUESTIONS = { seat: "Who", from: "From whom", to: "To whom", suit: "Which suit", amount: "How many" };

function cards(moment, draft, key, state, deck, on) {
  const legal = draft.choice.cards ?? null;
  const hand = key === "card" ? state.hands?.[draft.seat] : null;
  const order = new Map(moment.card.faces.map((face, place) => [face, place]));
  const faces = [...new Set(hand ?? legal ?? moment.card.faces)].sort((a, b) => order.get(a) - order.get(b));
  const free = !legal || faces.every((face) => legal.includes(face));
  const tray = felt(`hand${free ? " free" : ""}${faces.length > MANY ? " pack" : ""}`);
  const list = document.createElement("ul");
  list.setAttribute("aria-label", hand ? `Cards of ${moment.players[draft.seat]}` : "Cards");
  for (const face of faces) {
    const item = document.createElement("li");
    const fits = legal?.includes(face) ?? false;
    const picked = draft.cards?.includes(face);
    item.className = picked ? "picked" : fits ? "legal" : legal ? "irregular" : "";
    const note = picked ? "chosen" : free ? "" : fits ? "legal" : "against the rules";
    item.append(cardElement(deck, face, { note, onClick: on.card }));
    const many = hand?.filter((other) => other === face).length ?? 1;
    if (many > 1) item.append(tag(`×${many}`));
    list.append(item);
  }
  tray.append(list);
  return tray;
}

// --- small parts

function felt(name) {
  const element = document.createElement("div");
  element.className = `felt ${name}`;
  return element;
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
  // Whoever tabbed here goes on from here.
  if (within) root.querySelector("button")?.focus();
}
