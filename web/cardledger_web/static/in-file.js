// A file that holds pages: shows the one that the part of its address after `#` names, and answers what scripts ask for (source.js).
"use strict";

const carried = JSON.parse(document.getElementById("carried").textContent);
const BASE = "file:///";
const here = () => new URL(location.hash.startsWith("#/") ? location.hash.slice(1) : carried.first, BASE);
const keyOf = ({ pathname, search }) => pathname + search;
const hashOf = (address) => {
  const url = new URL(address, here());
  return `#${keyOf(url)}${url.hash}`;
};

/** The page of an address, the event that it shows, and in whose view; any event of a hand leads to the hand's page. */
function pageOf(url) {
  const [, seq] = url.pathname.match(/\/replay\/(\d{1,9})$/) ?? [];
  const hand = seq && carried.hands.find(({ first, last }) => first <= seq && seq <= last);
  const key = hand?.page ?? (url.pathname.endsWith("/quiz") ? url.pathname : keyOf(url)); // the quiz keeps its answers in its address
  return carried.pages[key] ? { key, seq: hand ? seq : null, view: hand ? url.searchParams.get("view") : null } : { key: carried.first, seq: null, view: null };
}

globalThis.cardledgerFile = {
  async ask(address) {
    const url = new URL(address, here());
    const text = carried.answers[keyOf(url)];
    return text === undefined ? (globalThis.cardledgerEngine?.(url) ?? null) : new Response(text);
  },
  get address() {
    return here().href;
  },
  async open(address) {
    const url = new URL(address, here());
    if (/\/on\/[a-z_]+$/.test(url.pathname)) {
      const { seq } = await (await globalThis.cardledgerEngine(url)).json();
      url.pathname = url.pathname.replace(/\/replay\/.*/, `/replay/${seq}`);
    }
    location.hash = hashOf(url);
    location.reload();
  },
  /** Keep an answer for a script that will ask for it. */
  keep: (address, text) => (carried.answers[keyOf(new URL(address, here()))] = text),
  put: (way, state, address) => history[way](state, "", address === undefined ? location.href : hashOf(address)),
};

const shown = pageOf(here());

async function show({ title, main, styles, scripts }) {
  document.title = title;
  document.getElementById("main").innerHTML = main; // the server's own templates, escaped there
  for (const style of document.querySelectorAll("style[data-name]")) style.media = styles.includes(style.dataset.name) ? "" : "not all";
  const replayer = document.getElementById("replayer");
  if (replayer && shown.seq) replayer.dataset.seq = shown.seq;
  if (replayer && shown.view) await globalThis.cardledgerView?.(replayer, shown);
  for (const link of document.querySelectorAll("header.site a")) {
    if (pageOf(new URL(link.hash.slice(1), BASE)).key === shown.key) link.setAttribute("aria-current", "page");
  }
  for (const name of scripts) {
    const text = document.querySelector(`script[data-name="${name}"]`).textContent;
    document.head.append(Object.assign(document.createElement("script"), { type: "module", textContent: text }));
  }
}

function reveal(id) {
  const part = document.getElementById(decodeURIComponent(id));
  if (!part) return;
  if (part instanceof HTMLDetailsElement) part.open = true;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

show(carried.pages[shown.key]).then(() => reveal(here().hash.slice(1)));

// A place on this page is no page of the file.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']:not([href^='#/'])");
  if (!link) return;
  event.preventDefault();
  reveal(link.hash.slice(1));
});

// The replayer follows the events of its hand by itself; any other address is another page, or another place on this one.
addEventListener("hashchange", () => {
  const there = pageOf(here());
  if (there.key !== shown.key || there.view !== shown.view || (there.seq && history.state?.seq === undefined)) location.reload();
  else if (!there.seq) reveal(here().hash.slice(1));
});
