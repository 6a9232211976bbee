// The pages that run an evening: how many are here, a new proposal at once, two names exchanged by tapping, plus or minus.
"use strict";

import { _ } from "./texts.js";

// --- who is here

const here = document.querySelector("#here");
if (here) {
  const say = () => {
    const many = document.querySelectorAll(".chips :checked").length;
    here.textContent = many ? `${many} ${many === 1 ? "is" : "are"} here.` : "";
  };
  document.querySelector(".chips").addEventListener("change", say);
  say();
}

// --- the game of the evening

const game = document.querySelector(".what [name=game]");
if (game) {
  const follow = () => {
    for (const options of document.querySelectorAll(".game-options")) options.hidden = options.disabled = options.dataset.game !== game.value;
    document.querySelector(".of-games").hidden = !document.querySelector(".game-options:not([hidden])");
  };
  game.addEventListener("change", follow);
  follow();
}

// --- the next round

const ask = document.querySelector(".ask");
if (ask) {
  ask.querySelector("button")?.remove();
  ask.addEventListener("change", () => ask.requestSubmit());
}

/** A place at a table, or beside them: the player there, shown as a button. */
class Chair {
  constructor(root, select) {
    this.select = select;
    this.id = select?.value ?? root.dataset.player;
    this.button = Object.assign(document.createElement("button"), { type: "button", className: "name" });
    this.button.setAttribute("aria-pressed", "false");
    if (select) select.hidden = true;
    else root.replaceChildren();
    root.append(this.button);
  }

  sit(id, name) {
    this.id = id;
    if (this.select) this.select.value = id;
    this.button.textContent = name;
  }
}

const round = document.querySelector(".round");
if (round?.querySelector("select")) {
  const names = new Map([...round.querySelector("select").options].map((option) => [option.value, option.text]));
  const chairs = [...round.querySelectorAll(".table-card li")].map((seat) => new Chair(seat, seat.querySelector("select")));
  let picked = null;
  const tap = round.querySelector(".tap"); // a movement is chosen, and nobody changes places
  if (tap) tap.hidden = false;
  for (const chair of chairs) {
    chair.sit(chair.id, names.get(chair.id));
    chair.button.addEventListener("click", () => {
      const other = picked;
      other?.button.setAttribute("aria-pressed", "false");
      picked = other ? null : chair;
      picked?.button.setAttribute("aria-pressed", "true");
      if (!other || other === chair) return;
      const [one, two] = [other.id, chair.id];
      other.sit(two, names.get(two));
      chair.sit(one, names.get(one));
      round.querySelector(".why")?.remove(); // the reasons were for the other tables
    });
  }
}

// --- the result of a table

const sum = document.querySelector("#sum");
if (sum) {
  const inputs = [...document.querySelectorAll(".line input")];
  const add = () => {
    const numbers = inputs.map(({ value }) => (value.trim() ? Number(value.replace("\u2212", "-")) : NaN));
    const places = document.querySelector("[name=form]:checked")?.value === "places";
    const total = numbers.reduce((one, other) => one + other, 0);
    sum.textContent = places || Number.isNaN(total) ? "" : _("Together %(number)s", { number: total }).replace("-", "\u2212");
  };
  for (const input of inputs) {
    // Number pads of telephones have no minus.
    const minus = Object.assign(document.createElement("button"), { type: "button", className: "plain minus", textContent: "\u00b1" });
    minus.setAttribute("aria-label", _("%(name)s: plus or minus", { name: input.parentElement.querySelector("span").textContent.trim() }));
    minus.addEventListener("click", () => {
      input.value = /^[-\u2212]/.test(input.value.trim()) ? input.value.trim().slice(1) : `-${input.value.trim()}`;
      input.focus();
      add();
    });
    input.after(minus);
    input.addEventListener("input", add);
  }
  document.querySelector(".sheet-of").addEventListener("change", add);
  add();
}
