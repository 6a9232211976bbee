// A file judged in this browser, by the engine in a worker (engine/trying.py): what is in it, its rulings, and a replay.
// The page lies on any web space; the worker is made here, so that the policy of this page is its policy too.
"use strict";

import { showDrawn } from "./drawn.js";
import { Engine } from "./engine.js";

const byId = (id) => document.getElementById(id);
const said = byId("try").dataset;
const MOST = 20_000_000; // bytes of a file
const suffix = document.documentElement.lang === "en" ? "" : `.lang-${document.documentElement.lang}`;
let seq = 1;
let last = 1;
let chosen = 0; // the file that was chosen last: an answer about an earlier one is not shown

const engine = new Engine(() => {
  const there = new URL(said.engine, location.href).href;
  const text = `globalThis.cardledgerEngine = ${JSON.stringify(there)};\nimport(globalThis.cardledgerEngine);`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
});

const say = (words) => {
  byId("state").textContent = words;
};

/** The bytes of a file in base64. */
async function packed(file) {
  const address = await new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}

/** Judges a file; `more` is what was said beside a score sheet. */
async function read(file, more = {}) {
  const number = ++chosen;
  byId("found").replaceChildren();
  byId("replayed").hidden = true;
  if (file.size > MOST) {
    say(said.large);
    return;
  }
  say(engine.running ? said.reading : said.loading);
  const found = await engine.asked({ ask: "read", name: file.name, body: await packed(file), language: document.documentElement.lang, said: more });
  if (number !== chosen) return;
  say(found?.told === undefined ? (found?.problem?.detail ?? said.unable) : "");
  if (found?.told === undefined) return;
  byId("found").innerHTML = found.told; // our own template, which escapes what the file says
  const form = byId("found").querySelector("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    read(file, Object.fromEntries(new FormData(form)));
  });
  if (Object.keys(more).length) form?.querySelector("button").focus();
  const buttons = byId("found").querySelectorAll("[data-match]");
  for (const button of buttons) button.addEventListener("click", () => open(Number(button.dataset.match)));
  if (buttons.length) open(0);
}

async function open(match) {
  const answer = await engine.ask({ ask: "show", number: match });
  if (!answer?.told) {
    say(answer?.problem?.detail ?? said.unable);
    return;
  }
  last = answer.told.seq;
  byId("events").innerHTML = answer.told.events; // as above
  for (const button of byId("events").querySelectorAll("[data-seq]")) button.addEventListener("click", () => go(Number(button.dataset.seq)));
  for (const rule of byId("events").querySelectorAll("[data-rule]")) rule.href = `games/${rule.dataset.game}${suffix}.html#${rule.dataset.rule}`;
  byId("slider").max = last;
  byId("replayed").hidden = false;
  go(1);
}

async function go(place) {
  seq = Math.min(Math.max(place, 1), last);
  const here = seq;
  byId("slider").value = seq;
  const answer = await engine.ask({ ask: "table", at: seq });
  if (here !== seq || !answer?.told) return;
  showDrawn(byId("table"), answer.told.drawn);
  byId("events").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = byId("events").querySelector(`[data-seq="${seq}"]`);
  button.setAttribute("aria-current", "true");
  const list = button.closest("ol");
  list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
}

const WAYS = { first: () => 1, before: () => seq - 1, after: () => seq + 1, last: () => last };
for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => go(WAYS[button.dataset.go]()));
byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("file").addEventListener("change", (event) => event.target.files[0] && read(event.target.files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  byId("drop").addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
}
if (location.protocol === "file:") say(said.disk);
