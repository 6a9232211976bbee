// The big screen: one slide at a time, turned every 15 seconds, read again whenever something is recorded.
"use strict";

import { Live } from "./follow.js";
import { _ } from "./texts.js";

const EACH = 15_000;
const AT_ONCE = 500; // news within this time are shown together
const ANYWAY = 15_000; // boards that are secret are counted here, but are no news yet
const AGAIN = 5_000;
const PATIENCE = 4_000; // a stream that ends is opened again at once

const root = document.getElementById("screen");
const slides = root.querySelector(".slides");
const turning = document.getElementById("turning");
let at = 0;
let timer = null;
let waiting = null;
let reading = false;
let missed = false;
let lost = null;
let position = Number(root.dataset.position);

function show(to, comes = true) {
  const all = [...slides.children];
  at = to % all.length;
  all.forEach((slide, i) => {
    slide.hidden = i !== at;
    slide.classList.toggle("comes", comes && i === at);
  });
  document.getElementById("place").textContent = `${at + 1} of ${all.length}`;
}

function turn(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => show(at + 1), EACH) : null;
  turning.textContent = on ? _("Stop turning") : _("Turn by itself");
}

/** Read the page again; the slide that is shown stays where it was. */
async function read() {
  waiting = null;
  reading = true;
  let found = null;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("screen");
  } catch {
    // No connection.
  }
  reading = false;
  stale(!found);
  if (!found || missed) soon(found ? AT_ONCE : AGAIN);
  missed = false;
  if (!found) return;
  position = Math.max(position, Number(found.dataset.position));
  slides.replaceChildren(...document.adoptNode(found.querySelector(".slides")).children);
  show(Math.min(at, slides.children.length - 1), false);
}

/** Read after a while; never twice at once, so that an older answer cannot come last. */
function soon(wait) {
  if (reading) missed = true;
  else waiting ??= setTimeout(read, wait);
}

/** Say since when the screen may be out of date, or that it is not. */
function stale(is) {
  clearTimeout(lost);
  const notice = root.querySelector(".lost");
  if (is && notice.hidden) notice.textContent = _("No connection since %(time)s", { time: new Date().toTimeString().slice(0, 5) });
  notice.hidden = !is;
}

turning.addEventListener("click", () => turn(timer === null));
document.getElementById("next").addEventListener("click", () => {
  show(at + 1);
  if (timer !== null) turn(true); // the new slide has its full time
});
root.querySelector("footer").hidden = false;
show(0, false);
// People who want less motion turn it themselves.
turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);

// Each event may change the screen: which streams it shows is known where the page is made, not here.
new Live(root.dataset.live, () => position, {
  news: (number) => {
    position = number;
    soon(AT_ONCE);
  },
  opened: () => stale(false),
  lost: (refused) => {
    if (refused) soon(AGAIN); // the server has no stream for us: read again after a while
    else lost = setTimeout(() => stale(true), PATIENCE);
  },
});

setInterval(() => document.visibilityState === "visible" && soon(0), ANYWAY);

// The screen stays on as long as the page is visible; browsers allow that over https only.
const awake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", awake);
awake();
