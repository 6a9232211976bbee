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

/** The page of an address, and the event that it shows; any event of a hand leads to the hand's page. */
function pageOf(url) {
  const [, seq] = url.pathname.match(/\/replay\/(\d{1,9})$/) ?? [];
  const hand = seq && carried.hands.find(({ first, last }) => first <= seq && seq <= last);
  const key = hand?.page ?? keyOf(url);
  return carried.pages[key] ? { key, seq: hand ? seq : null } : { key: carried.first, seq: null };
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
  open(address) {
    location.hash = hashOf(address);
    location.reload();
  },
  put: (way, state, address) => history[way](state, "", address === undefined ? location.href : hashOf(address)),
};

const shown = pageOf(here());

function show({ title, main, styles, scripts }) {
  document.title = title;
  document.getElementById("main").innerHTML = main; // the server's own templates, escaped there
  for (const style of document.querySelectorAll("style[data-name]")) style.media = styles.includes(style.dataset.name) ? "" : "not all";
  const replayer = document.getElementById("replayer");
  if (replayer && shown.seq) replayer.dataset.seq = shown.seq;
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

show(carried.pages[shown.key]);
reveal(here().hash.slice(1));

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
  if (there.key !== shown.key || (there.seq && history.state?.seq === undefined)) location.reload();
  else if (!there.seq) reveal(here().hash.slice(1));
});
