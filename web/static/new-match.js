// The form of a new match: seats and options follow the chosen game, and names are completed from all players.
"use strict";

const form = document.querySelector(".opening");
const seats = [...form.querySelectorAll(".players .seat")];
const known = document.querySelector("#known-player");
const offered = new Set([...known.options].map((option) => option.value));

const add = document.createElement("button");
add.type = "button";
add.className = "plain";
add.textContent = "One more player";
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
  const [least, most] = [Number(game.dataset.least), Number(game.dataset.most)];
  seats.forEach((seat, place) => {
    const input = seat.querySelector("input");
    if (place < least) seat.hidden = false;
    if (place >= most || (place >= least && !input.value && document.activeElement !== input && !opened(place))) seat.hidden = true;
    // What is not shown is not sent, but kept for a game that has the seat.
    input.disabled = place >= most;
    input.required = place < least;
  });
  add.hidden = !seats.some((seat, place) => seat.hidden && place < most);
  for (const options of form.querySelectorAll(".game-options")) {
    options.hidden = options.disabled = options.dataset.game !== game.value;
  }
}

// A seat stays open while one after it has a name.
function opened(place) {
  return !seats[place].hidden && seats.slice(place).some((seat) => seat.querySelector("input").value || seat.contains(document.activeElement));
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") follow();
});
form.addEventListener("input", (event) => {
  if (event.target.name === "player") complete(event.target.value);
});
seats.forEach((seat, place) => {
  seat.hidden = place > 0 && !seats.slice(place).some((later) => later.querySelector("input").value);
});
follow();

// Players beyond the recent ones: the list begins after an id, so what was typed is where to begin.
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
