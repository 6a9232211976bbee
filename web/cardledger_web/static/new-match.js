// The form of a new match: seats and options follow the chosen game, names are completed from all players, the day is
// today.
"use strict";

import { Engine } from "./engine.js";
import { keepPage } from "./offline.js";
import { forgetOpened, keepOpened, Opening, openings } from "./opening.js";
import { at, own } from "./root.js";
import { asRecorded, Queue, uuid } from "./score-queue.js";
import { joined } from "./score-words.js";
import { _ } from "./texts.js";
import { today } from "./times.js";

const form = document.querySelector(".opening");
const seats = [...form.querySelectorAll(".players .seat")];
const known = document.querySelector("#known-player");
const offered = new Set([...known.options].map((option) => option.value));

// A match whose opening the server refused comes here again, to be changed.
const again = openings().find(({ event }) => location.hash === `#again=${event.id}`);
if (again) fillIn(again);

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

/** Fill the form in as it was when the match was opened, and say why the server does not take it. */
function fillIn({ event, texts, refused }) {
  for (const field of form.elements) {
    const of = field.closest(".game-options")?.dataset.game ?? texts.game;
    if (!field.name || ["id", "player"].includes(field.name) || of !== texts.game) continue;
    if (["radio", "checkbox"].includes(field.type)) field.checked = texts[field.name] === field.value;
    else field.value = texts[field.name] ?? field.value;
  }
  seats.forEach((seat, place) => (seat.querySelector("input").value = event.players[place] ?? ""));
  form.querySelector("#which-game").open = !form.querySelector("[name=game]:checked");
  form.querySelector("#which-options").open = true;
  form.querySelector("[name=sheet]").remove();
  form.querySelector(".buttons button").textContent = _("Change it and send it again");
  if (refused) say(_("The server does not take this match: %(detail)s (%(code)s). What was entered stays here.", refused));
}

// Players beyond the recent ones: the list starts after an id, so the typed text is the start.
async function complete(typed) {
  if (!typed || [...offered].some((name) => name.startsWith(typed))) return;
  const answer = await fetch(`${form.dataset.players}?limit=20&after=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok) return; // no connection: the names of this page are what is known
  for (const { id } of (await answer.json()).players) {
    if (!id.startsWith(typed) || offered.has(id)) continue;
    offered.add(id);
    known.append(new Option("", id));
  }
}

// --- without a connection

const engine = new Engine();
const PATIENCE = 5_000; // milliseconds after which the server is away

// The worker keeps this page, the page that a new match fills, and the engine's files.
keepPage().then((keeps) => {
  if (!keeps) return;
  fetch(at("matches/new/score")).catch(() => {});
  engine.soon();
});

let sent = false; // whether the server was there, so that the form goes to it
form.addEventListener("submit", async (event) => {
  if (sent || !(again || navigator.serviceWorker?.controller)) return;
  event.preventDefault();
  const { submitter } = event;
  if (!again && !(await away())) {
    sent = true;
    form.requestSubmit(submitter);
    sent = false;
    return;
  }
  const given = [...new FormData(form)];
  const texts = Object.fromEntries(given.filter(([name]) => name !== "player"));
  const players = given.filter(([name]) => name === "player").map(([, name]) => name);
  if (again) {
    await openAgain({ texts, players });
    return;
  }
  // A page that was kept has the id of a form that may have been sent before.
  const used = document.querySelector("#offline") || new Opening(texts.id).waits;
  go(await openHere({ id: used ? uuid() : texts.id, texts, players }));
});

const go = (address) => address && location.assign(address);

async function away() {
  try {
    return (await fetch(form.action, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).status >= 500;
  } catch {
    return true;
  }
}

/** Change an opening that the server refused: what waits behind it stays, and has to fit it. */
async function openAgain({ texts, players }) {
  // What is recorded under this id is another match.
  const id = again.refused?.code === "store.duplicate" ? uuid() : again.event.id;
  const queue = new Queue(own(again.event.id));
  const address = await openHere({ id, texts, players, fits: ({ desk }) => fits(desk, queue.list()) });
  if (address && id !== again.event.id) {
    queue.move(own(id));
    new Opening(again.event.id).drop();
    await forgetOpened(again.event.id);
  }
  go(address);
}

/** What the first entry that does not fit an opening is refused with; null if all fit that can be judged yet. */
async function fits(desk, entries) {
  const asked = entries.findIndex(({ problem }) => problem);
  const waiting = asRecorded(asked < 0 ? entries : entries.slice(0, asked), desk.events.length);
  await engine.ask({ ask: "open", ...desk });
  return (await engine.ask({ ask: "look", waiting }))?.problem ?? null;
}

/** Open a match in this browser, and return the address of its page; or say what is wrong with the form, or what does not fit it. */
async function openHere({ id, texts, players, fits = () => null }) {
  const { ways, keptUntil: until, erasures } = form.dataset;
  const kept = { until, erasures };
  const found = await engine.asked({ ask: "opened", id, texts, players, known: knownHere(), addresses: JSON.parse(ways), kept, language: document.documentElement.lang });
  if (!found?.told) return void say(found?.problem?.detail ?? _("There is no connection, and this browser does not have the rules yet. Try again with one."));
  if (found.told.wrong) return void sayWrong(found.told);
  const problem = await fits(found.told);
  if (problem) return void say(_("What was entered does not fit this opening: %(detail)s (%(code)s).", problem));
  try {
    new Opening(id).keep({ event: found.told.event, texts, players });
  } catch {
    return void say(_("This browser has no room to keep a match. Try again with a connection."));
  }
  form.elements.id.value = uuid(); // a form that is come back to opens another match
  const address = await keepOpened(found.told, kept).catch(() => null); // no room, say
  if (!address) say(_("There is no connection. The match is kept here, and can be scored when there is one."));
  return address;
}

/** The players that this page knows, with their names. */
const knownHere = () => Object.fromEntries([...known.options].map(({ value, label }) => [value, label || value]));

function say(text) {
  let line = form.querySelector(":scope > .warn");
  if (!line) form.prepend((line = Object.assign(document.createElement("p"), { className: "warn" })));
  line.setAttribute("role", "alert");
  line.textContent = text;
  line.scrollIntoView({ block: "center" });
}

function sayWrong({ wrong, meant }) {
  say([...new Set(Object.values(wrong))].join(" "));
  for (const field of form.querySelectorAll(".meant")) field.remove();
  for (const seat of seats) {
    const name = seat.querySelector("input").value.trim();
    if (meant[name]) seat.after(question(name, meant[name]));
  }
}

/** The question who is meant, as the server draws it (templates/opening_parts.html). */
function question(name, likely) {
  const field = Object.assign(document.createElement("fieldset"), { className: "meant" });
  field.append(Object.assign(document.createElement("legend"), { textContent: _("%(name)s: did you mean …?", { name: `\u2068${name}\u2069` }) }));
  for (const player of [...likely, name]) {
    const label = Object.assign(document.createElement("label"), { className: "pick" });
    const choice = Object.assign(document.createElement("input"), { type: "radio", name: `meant:${name}`, value: player });
    const text = player === name ? _("No, %(name)s is a new player", { name: `\u2068${name}\u2069` }) : player;
    label.append(choice, " ", Object.assign(document.createElement("span"), { textContent: text }));
    field.append(label);
  }
  return field;
}

// Matches that were opened here and wait: their pages may be gone, as they hold names, and are made again.
for (const { event, texts, players } of openings()) {
  if (event.id === again?.event.id) continue;
  const link = Object.assign(document.createElement("a"), { href: at(`matches/${event.id}/score`), textContent: joined(event.players) });
  link.addEventListener("click", async (clicked) => {
    clicked.preventDefault();
    go(await openHere({ id: event.id, texts, players }));
  });
  const line = document.createElement("p");
  line.className = "waits";
  line.append(_("This match waits to be recorded:"), " ", link);
  form.before(line);
}
