// Cards as elements, drawn as the macro `table_card` of templates/card_table.html draws them.
//
//   deck(json)                      the cards of a page: JSON text or object, face -> {text, label, rank, pip, centre,
//                                   suit, colours, shapes}, as web/cardledger_web/views/cards.py `deck(pack)` sends it in a data attribute
//   cardElement(deck, face, how)    one card; `how` may have
//     note     added to its spoken name ("legal"), for readers who cannot see the mark
//     mark     a class or several, separated by spaces ("took")
//     onClick  makes it a real <button> and is called with the face
//   backElement()                   a card face down (decoration: say elsewhere how many they are)
//
// A face that the deck does not have (such as "?", a withheld card) is drawn face down and called "hidden card".
"use strict";

import { _ } from "./texts.js";

export function deck(json) {
  const cards = typeof json === "string" ? JSON.parse(json) : json;
  // A face like "constructor" must not be found by accident.
  return new Map(Object.entries(cards));
}

export function cardElement(deck, face, { note = "", mark = "", onClick = null } = {}) {
  const card = deck.get(face);
  const element = document.createElement(onClick ? "button" : "span");
  element.className = ["card", card ? card.suit || card.colours.join("-") : "back", mark].filter(Boolean).join(" ");
  element.dataset.face = face;
  element.setAttribute("aria-label", [card ? card.label : _("hidden card"), note].filter(Boolean).join(", "));
  if (onClick) {
    element.type = "button";
    element.addEventListener("click", () => onClick(face));
  } else {
    element.setAttribute("role", "img");
  }
  if (card) element.append(...faceOf(card));
  return element;
}

export function backElement() {
  const element = document.createElement("span");
  element.className = "card back";
  element.setAttribute("aria-hidden", "true");
  return element;
}

function faceOf(card) {
  const index = hidden("span", "index");
  index.append(part("b", card.rank));
  if (card.pip) index.append(part("i", card.pip));
  const shapes = () => card.colours.map((colour, i) => part("i", card.shapes[i], colour));
  index.append(...shapes());
  const parts = [index];
  if (card.shapes.length && !card.centre) {
    const middle = hidden("span", "shapes");
    middle.append(...shapes());
    parts.push(middle);
  }
  if (card.centre) {
    const centre = hidden("span", "centre");
    centre.textContent = card.centre;
    parts.push(centre);
  }
  return parts;
}

function hidden(tag, name) {
  const element = document.createElement(tag);
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  return element;
}

function part(tag, text, name = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}
