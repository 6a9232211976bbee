// The form of a new match: seats and options follow the chosen game, names are completed from all players, the day is
// today.
"use strict";

import { joined } from "./score-words.js";
import { _ } from "./texts.js";
import { today } from "./times.js";

const form = document.querySelector(".opening");
const seats = [...form.querySelectorAll(".players .seat")];
const known = document.querySelector("#known-player");
const offered = new Set([...known.options].map((option) => option.value));

const add = document.createElement("button");
add.type = "button";
add.className = "plain";
add.textContent = _("One more player");
seats.at(-1).after(add);
add.addEventListener("click", () => {
  const next = seats.find((seat) => seat.hidden);
  next.hidden = false;
  next.querySelector("input").focus();
  follow();
});

function follow() {
  const game = form.querySelector("[name=game]:checked");
  if (!game) return;
  const sizes = JSON.parse(game.dataset.sizes);
  const [least, most] = [needed(sizes), sizes.at(-1)];
  const called = JSON.parse(game.dataset.seats ?? "[]");
  seats.forEach((seat, place) => {
    seat.querySelector("span").textContent = called[place]?.[0] ?? _("Seat %(seat)s", { seat: place + 1 });
    const input = seat.querySelector("input");
    if (place >= most || (place >= least && !input.value && document.activeElement !== input && !opened(place))) seat.hidden = true;
    // Hidden fields are not sent, but keep their text for a game that has the seat.
    input.disabled = place >= most;
  });
  form.querySelector("#game-chosen").textContent = game.parentElement.querySelector("strong").textContent;
  form.querySelector("#which-options").hidden = !form.querySelector(`.game-options[data-game="${game.value}"]`);
  require(sizes);
  sayPartners();
  add.hidden = !seats.some((seat, place) => seat.hidden && place < most);
  for (const options of form.querySelectorAll(".game-options")) {
    options.hidden = options.disabled = options.dataset.game !== game.value;
  }
}

function require(sizes) {
  const least = needed(sizes);
  seats.forEach((seat, place) => {
    if (place < least) seat.hidden = false;
    seat.querySelector("input").required = place < least;
  });
}

// How many players there must be at least: three look for a fourth in a game for two or four.
function needed(sizes) {
  const entered = seats.slice(0, sizes.at(-1)).filter((seat) => seat.querySelector("input").value.trim()).length;
  return sizes.includes(entered) ? sizes[0] : (sizes.find((size) => size > entered) ?? sizes[0]);
}

// Partners score together: all should know them before the first card.
function sayPartners() {
  const sides = JSON.parse(form.querySelector("[name=game]:checked")?.dataset.sides ?? "[]");
  const name = (seat) => `\u2068${seats[seat].querySelector("input").value.trim() || _("Seat %(seat)s", { seat: seat + 1 })}\u2069`;
  const line = form.querySelector("#sides");
  const [one, other] = sides.map((side) => joined(side.map(name)));
  const text = other ? _("%(one)s against %(other)s", { one, other }) : "";
  if (line.textContent !== text) line.textContent = text;
  line.hidden = !text;
}

// A seat stays open while one after it has a name.
function opened(place) {
  return !seats[place].hidden && seats.slice(place).some((seat) => seat.querySelector("input").value || seat.contains(document.activeElement));
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") follow();
});
form.addEventListener("input", (event) => {
  if (event.target.name !== "player") return;
  const asked = event.target.closest(".seat").nextElementSibling;
  if (asked?.matches(".meant")) asked.remove(); // it was about another name
  const game = form.querySelector("[name=game]:checked");
  if (game) require(JSON.parse(game.dataset.sizes));
  sayPartners();
  complete(event.target.value);
});
seats.forEach((seat, place) => {
  seat.hidden = place > 0 && !seats.slice(place).some((later) => later.querySelector("input").value);
});
follow();

// A page may stay open over midnight: the day is that of sending, unless a day was chosen.
const day = form.querySelector("[name=date]");
let chosen = day.value !== "";
day.addEventListener("input", () => (chosen = true));
const setDay = () => {
  if (!chosen) day.value = today();
};
form.addEventListener("submit", setDay);
setDay();

// Players beyond the recent ones: the list starts after an id, so the typed text is the start.
async function complete(typed) {
  if (!typed || [...offered].some((name) => name.startsWith(typed))) return;
  const answer = await fetch(`${form.dataset.players}?limit=20&after=${encodeURIComponent(typed)}`);
  if (!answer.ok) return;
  for (const { id } of (await answer.json()).players) {
    if (!id.startsWith(typed) || offered.has(id)) continue;
    offered.add(id);
    known.append(new Option("", id));
  }
}
