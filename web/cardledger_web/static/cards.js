// The cards of a page, as the server has drawn them: copies of those in its template (templates/score.html).
"use strict";

export class Cards {
  constructor(template) {
    this.drawn = new Map([...template.content.children].map((card) => [card.dataset.face, card]));
  }

  /** A card; `note` is added to its spoken name, for readers who cannot see a mark, and `onClick` makes it a button. */
  card(face, { note = "", onClick = null } = {}) {
    const drawn = this.drawn.get(face) ?? this.drawn.get("?");
    let card = drawn.cloneNode(true);
    if (onClick) {
      card = document.createElement("button");
      card.type = "button";
      card.className = drawn.className;
      card.append(...drawn.cloneNode(true).childNodes);
      card.addEventListener("click", () => onClick(face));
    }
    card.dataset.face = face;
    card.setAttribute("aria-label", [drawn.getAttribute("aria-label"), note].filter(Boolean).join(", "));
    return card;
  }

  /** Cards in the order of a hand. */
  sorted(faces) {
    const places = [...this.drawn.keys()];
    return [...faces].sort((one, other) => places.indexOf(one) - places.indexOf(other));
  }
}
