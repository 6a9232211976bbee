// The replayer: takes over the page of a position and steps through its hand without asking the server again.
"use strict";

import { deck } from "./cards.js";
import { EventPanel } from "./replay-event.js";
import { Replay } from "./replay-model.js";
import { Course } from "./replay-course.js";
import { hashToLine, lineToHash } from "./replay-line.js";
import { WhatIf } from "./replay-whatif.js";
import { follow, offerSharing } from "./replay-around.js";
import { Known } from "./replay-known.js";
import { Review } from "./replay-review.js";
import { drawTable } from "./table.js";
import { wordingOf } from "./wording.js";

const root = document.getElementById("replayer");
const byId = (id) => document.getElementById(id);
const about = root.dataset;
const stops = JSON.parse(about.stops);
const SETTLED = 250; // milliseconds without a step after which the address follows: browsers limit such changes
let replay, panel, whatIf, course, review, known;
let seq = Number(about.seq);
let settling = null;
let playing = null;

/** The address of a position; of this one with the line that is tried from it. */
export function addressOf(position) {
  const address = new URL(location.href);
  address.pathname = about.page.replace(/0$/, position);
  address.hash = position === seq ? lineToHash(whatIf.line) : "";
  return address.href;
}

// --- moving

const before = (places) => places.findLast((place) => place < seq) ?? null;
const after = (places) => places.find((place) => place > seq) ?? null;
const WAYS = {
  first: () => before(replay.line.slice(0, 1)),
  trick_before: () => before(stops),
  before: () => before(replay.line),
  after: () => after(replay.line),
  trick_after: () => after(stops),
  last: () => after(replay.line.slice(-1)),
};
const KEYS = {
  ArrowLeft: "before", ArrowRight: "after", ArrowUp: "trick_before", ArrowDown: "trick_after", Home: "first", End: "last",
};

function take(way) {
  const target = WAYS[way]();
  if (target === null) return false;
  go(target);
  return true;
}

// Goes to a position; a jump (to a place clicked) can be taken back with the browser's own button.
function go(position, { jump = false } = {}) {
  if (!replay.has(position)) return;
  if (whatIf.active) whatIf.end();
  if (jump) {
    settle();
    if (position !== seq) history.pushState({ seq: position }, "", addressOf(position));
  } else {
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLED);
  }
  seq = position;
  show();
}

function settle() {
  clearTimeout(settling);
  history.replaceState({ seq }, "", addressOf(seq));
  byId("link")?.dispatchEvent(new CustomEvent("position"));
}

// --- drawing

function show() {
  const step = replay.step(seq);
  drawTable(byId("table"), replay.state(seq), {
    ...replay.look(seq),
    acting: whatIf.possible ? undefined : [],
    onCard: whatIf.possible ? (face, seat) => whatIf.play(seq, replay.state(seq), face, seat) : null,
    onPlayed: (face, seat) => {
      const at = replay.playedAt(face, seat, seq);
      if (at !== null) go(at, { jump: true });
    },
  });
  whatIf.offer(seq, replay.state(seq));
  panel.show(step);
  const place = replay.place(seq);
  byId("slider").value = Math.max(place - 1, 0);
  byId("where").textContent = `${place} of ${replay.line.length}`;
  for (const control of root.querySelectorAll("[data-go]")) {
    const target = WAYS[control.dataset.go]();
    if (target === null) {
      control.removeAttribute("href");
      control.setAttribute("aria-disabled", "true");
    } else {
      control.href = addressOf(target);
      control.removeAttribute("aria-disabled");
    }
  }
  const stop = byId("stop");
  if (stop) {
    const address = new URL(stop.href);
    address.pathname = about.page.replace(/0$/, seq);
    address.searchParams.set("until", seq);
    stop.href = address.href;
  }
  mark();
  course.mark(seq);
  review.mark(seq);
  known.mark();
}

// Marks the line of the log, and keeps it in sight within the log without moving the page.
function mark() {
  byId("log").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const line = byId("log").querySelector(`[data-seq="${seq}"]`);
  if (!line) return;
  line.setAttribute("aria-current", "step");
  const log = byId("log");
  const top = line.offsetTop - log.offsetTop;
  if (top < log.scrollTop || top + line.offsetHeight > log.scrollTop + log.clientHeight) {
    log.scrollTop = top - log.clientHeight / 2;
  }
}

// --- automatic play

function play(on) {
  clearTimeout(playing);
  playing = null;
  byId("autoplay").setAttribute("aria-pressed", String(on));
  if (!on) return;
  const next = () => {
    if (take("after")) playing = setTimeout(next, Number(byId("speed").value));
    else play(false);
  };
  playing = setTimeout(next, Number(byId("speed").value));
}

function toggle() {
  const on = playing === null;
  if (on && WAYS.after() === null) take("first");
  play(on);
}

// --- input

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const within = event.target.closest("input:not([type=range]), select, textarea, [contenteditable]");
  if (event.key === "Escape" && whatIf.active) whatIf.end();
  else if (within) return;
  else if (event.key === " " && !event.target.closest("button, a")) toggle();
  else if (event.key === "Backspace" && whatIf.active) whatIf.undo();
  else if (event.key in KEYS) {
    play(false);
    take(KEYS[event.key]);
  } else return;
  event.preventDefault();
}

function onClick(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = event.target.closest("[data-go], a[data-seq]");
  if (!link || !root.contains(link)) return;
  event.preventDefault();
  play(false);
  if (link.dataset.go) take(link.dataset.go);
  else go(Number(link.dataset.seq), { jump: true });
}

// A swipe across the table is a step; one along it scrolls the page as usual.
function watchSwipes(element) {
  let from = null;
  element.addEventListener("touchstart", (event) => {
    from = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!from) return;
    const [to] = event.changedTouches;
    const [across, along] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(along)) take(across < 0 ? "after" : "before");
  }, { passive: true });
}

async function begin() {
  const embedded = Boolean(about.embed);
  const address = `${about.replay}${about.replay.includes("?") ? "&" : "?"}view=${encodeURIComponent(about.view)}`;
  const answer = await fetch(address, { credentials: embedded ? "omit" : "same-origin" });
  if (!answer.ok) return; // the page works without, by its links
  replay = new Replay(await answer.json(), deck(about.deck), { starter: Boolean(about.starter), view: about.view, wording: wordingOf(about.wording) });
  panel = new EventPanel(byId("event"), replay, { rules: JSON.parse(about.rules), rulebook: about.rulebook, addressOf });
  whatIf = new WhatIf(replay, { address: about.whatif, embedded, redraw: show, changed: settle });
  course = new Course(document.querySelector(".course"), (at) => go(at, { jump: true }));
  review = new Review(byId("review"), replay.line);
  known = new Known(byId("knowledge"), () => seq);
  history.replaceState({ seq }, "");
  for (const id of ["slider", "autoplay", "speed-label"]) byId(id).hidden = false;
  byId("slider").addEventListener("input", (event) => go(replay.line[Number(event.target.value)]));
  byId("autoplay").addEventListener("click", toggle);
  byId("view").addEventListener("change", (event) => {
    const there = new URL(addressOf(seq));
    there.searchParams.set("view", event.target.value);
    location.assign(there);
  });
  addEventListener("keydown", onKey);
  addEventListener("popstate", (event) => {
    if (event.state?.seq !== undefined && replay.has(event.state.seq)) {
      seq = event.state.seq;
      if (whatIf.active) whatIf.end();
      show();
    }
  });
  addEventListener("pagehide", settle);
  addEventListener("hashchange", () => {
    if (location.hash === lineToHash(whatIf.line)) return;
    const line = hashToLine(location.hash);
    if (whatIf.active) whatIf.end();
    if (whatIf.possible) whatIf.follow(seq, line);
  });
  root.addEventListener("click", onClick);
  watchSwipes(byId("table"));
  offerSharing(root, () => addressOf(seq));
  follow(about.live, replay.answer.seq, () => (seq === replay.line.at(-1) ? "last" : seq));
  const shared = whatIf.possible ? hashToLine(location.hash) : [];
  show();
  await whatIf.follow(seq, shared);
  root.dataset.ready = "yes";
}

begin();
