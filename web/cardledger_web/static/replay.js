// The replayer: takes over the page of a position and steps through its hand, whose positions the server draws at once.
"use strict";

import { showDrawn } from "./drawn.js";
import { Course } from "./replay-course.js";
import { ReplayedHand } from "./replay-hand.js";
import { WhatIf } from "./replay-whatif.js";
import { follow, offerSharing } from "./replay-around.js";
import { Known } from "./replay-known.js";
import { Review } from "./replay-review.js";
import { source } from "./source.js";
import { _ } from "./texts.js";

const root = document.getElementById("replayer");
const byId = (id) => document.getElementById(id);
const about = root.dataset;
let stops = JSON.parse(about.stops);
const SETTLED = 250; // milliseconds without a step after which the address follows: browsers limit such changes
const PATIENCE = 150; // milliseconds after which the page says that the hand is on its way
let hand, whatIf, course, review, known;
let wanted = null; // the key that was pressed before the hand was there
let seq = Number(about.seq);
let settling = null;
let playing = null;
const kept = byId("positions"); // a page that is a file has the positions of its hand in it
let asking = null; // what comes next of a hand that is shown step by step

/** The address of a position; of this one with the line that is tried from it. */
export function addressOf(position) {
  const address = new URL(source.address);
  if (kept) {
    address.hash = position;
    return address.href;
  }
  address.pathname = about.page.replace(/0$/, position);
  address.hash = position === seq ? whatIf.hash : "";
  return address.href;
}

// --- moving

const before = (places) => places.findLast((place) => place < seq) ?? null;
const after = (places) => places.find((place) => place > seq) ?? null;
const WAYS = {
  first: () => before(hand.line.slice(0, 1)),
  trick_before: () => before(stops),
  before: () => before(hand.line),
  after: () => after(hand.line),
  trick_after: () => after(stops),
  last: () => after(hand.line.slice(-1)),
};
const KEYS = {
  ArrowLeft: "before", ArrowRight: "after", ArrowUp: "trick_before", ArrowDown: "trick_after", Home: "first", End: "last",
};

function take(way) {
  const target = WAYS[way]();
  if (target === null) return goesOn(way) && goOn(way);
  go(target);
  return true;
}

// A hand that is shown step by step is known as far as it was seen: the server has the rest.
const goesOn = (way) => Boolean(about.on) && ["after", "trick_after", "last"].includes(way) && seq === hand.line.at(-1);

function goOn(way) {
  asking ??= takeOver({ on: way }).then((taken) => {
    asking = null;
    if (!taken) source.open(about.page.replace("/replay/0", `/replay/${seq}/on/${way}`) + new URL(source.address).search);
  });
  return true;
}

// Goes to a position; a jump (to a place clicked) can be taken back with the browser's own button.
function go(position, { jump = false } = {}) {
  if (!hand.has(position)) return;
  if (whatIf.active) whatIf.end();
  if (jump) {
    settle();
    if (position !== seq) source.put("pushState", { seq: position }, addressOf(position));
  } else {
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLED);
  }
  seq = position;
  show();
}

function settle() {
  clearTimeout(settling);
  source.put("replaceState", { seq }, addressOf(seq));
  byId("link")?.dispatchEvent(new CustomEvent("position"));
}

// --- drawing

function show() {
  const { table, event, choices } = hand.position(seq);
  showDrawn(byId("table"), table);
  whatIf.offer(choices);
  byId("event").innerHTML = event;
  byId("now").textContent = byId("event").querySelector(".words bdi").textContent;
  const place = hand.place(seq);
  byId("slider").value = Math.max(place - 1, 0);
  byId("where").textContent = about.on ? place : _("%(place)s of %(line)s", { place, line: hand.line.length });
  for (const control of root.querySelectorAll("[data-go]")) {
    const target = WAYS[control.dataset.go]();
    if (target === null && !goesOn(control.dataset.go)) control.setAttribute("aria-disabled", "true");
    else control.removeAttribute("aria-disabled");
  }
  const stop = byId("stop");
  if (stop) {
    const address = new URL(stop.href);
    address.pathname = about.page.replace(/0$/, seq);
    address.searchParams.set("until", seq);
    stop.href = address.href;
  }
  if (seq >= (stops.at(-2) ?? 0)) fetchNext();
  mark();
  course.mark(seq);
  review.mark(seq);
  known.mark();
}

// In the last trick the next hand is fetched ahead, where browsers may keep it: scorers see cards in play.
function fetchNext() {
  const href = root.querySelector("[rel=next]")?.dataset.ahead;
  if (href && !document.querySelector("link[rel=prefetch]")) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
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
  if (!hand) {
    if (within || !(event.key in KEYS)) return;
    wanted = KEYS[event.key];
  } else if (event.key === "Escape" && whatIf.active) whatIf.end();
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
  const target = event.target.closest("[data-go], a[data-seq], [data-move], #table button");
  if (!target || !root.contains(target)) return;
  event.preventDefault();
  play(false);
  if (target.dataset.go) take(target.dataset.go);
  else if (target.dataset.seq) go(Number(target.dataset.seq), { jump: true });
  else whatIf.play(target.dataset.move);
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

// Fetches the positions; null if they do not come: then the page works by its links.
async function fetched() {
  if (kept) return JSON.parse(kept.textContent);
  const place = byId("where").textContent;
  const saying = setTimeout(() => (byId("where").textContent = _("The hand is on its way …")), PATIENCE);
  root.setAttribute("aria-busy", "true");
  const answer = await source.ask(about.positions);
  const found = answer?.ok ? await answer.json() : null;
  clearTimeout(saying);
  byId("where").textContent = place;
  root.removeAttribute("aria-busy");
  return found;
}

// Takes over the events that were recorded since; false if the page has to be loaded again.
async function takeOver(asked = {}) {
  const address = new URL(about.positions, source.address);
  for (const [key, value] of Object.entries({ ...asked, after: hand.end })) address.searchParams.set(key, value);
  const answer = await source.ask(address);
  const news = answer?.ok ? await answer.json() : { again: true };
  if (news.seq === hand.latest) return true;
  const last = seq === hand.line.at(-1);
  if (news.again || !hand.extend(news)) return false;
  stops = news.stops;
  byId("slider").max = hand.line.length - 1;
  byId("log").querySelector("ol").insertAdjacentHTML("beforeend", news.log.join("")); // the server's own template, escaped there
  if (last && !whatIf.active) go(hand.line.at(-1));
  else show();
  return true;
}

async function begin() {
  addEventListener("keydown", onKey);
  const found = await fetched();
  if (!found) {
    removeEventListener("keydown", onKey);
    return;
  }
  hand = new ReplayedHand(found);
  whatIf = new WhatIf({ address: about.tried, position: () => seq, redraw: show, changed: settle });
  course = new Course(document.querySelector(".course"), (at) => go(at, { jump: true }));
  review = new Review(byId("review"), hand.line);
  known = new Known(byId("knowledge"), () => seq);
  source.put("replaceState", { seq });
  for (const part of root.querySelectorAll(".soon")) part.hidden = false;
  byId("slider").addEventListener("input", (event) => go(hand.line[Number(event.target.value)]));
  byId("autoplay").addEventListener("click", toggle);
  byId("view")?.addEventListener("change", (event) => {
    const there = new URL(addressOf(seq));
    there.searchParams.set("view", event.target.value);
    source.open(there);
  });
  addEventListener("popstate", (event) => {
    if (event.state?.seq !== undefined && hand.has(event.state.seq)) {
      seq = event.state.seq;
      if (whatIf.active) whatIf.end();
      show();
    }
  });
  addEventListener("pagehide", settle);
  addEventListener("hashchange", () => {
    const { hash } = new URL(source.address);
    if (kept) return go(Number(hash.slice(1)) || hand.first);
    if (hash === whatIf.hash) return;
    if (whatIf.active) whatIf.end();
    whatIf.follow(hash);
  });
  root.addEventListener("click", onClick);
  watchSwipes(byId("table"));
  offerSharing(root, () => addressOf(seq));
  follow(about.live, hand.latest, () => (seq === hand.line.at(-1) ? "last" : seq), () => takeOver());
  const { hash } = new URL(source.address);
  if (kept && hand.has(Number(hash.slice(1)))) seq = Number(hash.slice(1));
  show();
  await whatIf.follow(hash);
  if (wanted) take(wanted);
  root.dataset.ready = "yes";
}

begin();
