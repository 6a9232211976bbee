// Matches that were opened without a connection: each opening waits here until the server has recorded it, before every
// entry of its match. The page of the match waits beside it, for the service worker (static/worker.js).
"use strict";

import { at, own } from "./root.js";

const OPENED = own("cardledger-opened"); // as in static/worker.js, like the next
const KEPT = own("cardledger-scoring");
const WAITS = `${own("cardledger.opening")}.`;

/** The opening of one match, if it waits: {event, texts, players}, the event and the form that it was made from; `refused` is why the server does not take it. */
export class Opening {
  constructor(match, storage = localStorage) {
    this.key = WAITS + match;
    this.storage = storage;
  }

  get waits() {
    return JSON.parse(this.storage.getItem(this.key));
  }

  get refused() {
    return this.waits?.refused ?? null;
  }

  keep(opening) {
    this.storage.setItem(this.key, JSON.stringify(opening));
  }

  /** The server does not take this event; the opening may have been changed in another window meanwhile. */
  refuse(event, refused) {
    const waits = this.waits;
    if (waits && JSON.stringify(waits.event) === JSON.stringify(event)) this.keep({ ...waits, refused });
  }

  drop() {
    this.storage.removeItem(this.key);
  }
}

/** All openings that wait, those of other windows too. */
export function openings(storage = localStorage) {
  const keys = Array.from({ length: storage.length }, (_, place) => storage.key(place));
  return keys.filter((key) => key.startsWith(WAITS)).map((key) => JSON.parse(storage.getItem(key)));
}

/** Forget the pages of a match that was opened here, and what they have kept of it themselves. */
export async function forgetOpened(match) {
  const address = at(`matches/${match}/score`);
  for (const name of [OPENED, KEPT]) {
    const cache = await caches.open(name);
    for (const page of [address, `${address}/table`, `${address}/desk`]) await cache.delete(page);
  }
}

/**
 * Keep the scorer's page of a match, as the engine has drawn it (engine/opening.py), and what the page asks for first.
 * `kept` says until when, and how many people had been erased. Returns the address, null without a page to fill.
 */
export async function keepOpened({ title, page, table, desk }, kept) {
  const empty = await fetch(at("matches/new/score")).catch(() => null);
  if (!empty?.ok || empty.redirected) return null;
  const text = (await empty.text()).replace(/<title>[^<]*/, () => `<title>${title} · cardledger`);
  const begins = text.indexOf(">", text.indexOf("<main")) + 1;
  const whole = text.slice(0, begins) + page + text.slice(text.lastIndexOf("</main>"));
  const headers = { "Kept-At": new Date().toISOString(), "Kept-Until": kept.until, Erasures: kept.erasures };
  const ofPage = { ...headers, "Content-Type": "text/html; charset=utf-8" };
  for (const name of ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"]) {
    if (empty.headers.has(name)) ofPage[name] = empty.headers.get(name);
  }
  const address = at(`matches/${desk.match}/score`);
  await forgetOpened(desk.match); // its opening may have been another one
  const cache = await caches.open(OPENED);
  const told = (known) => new Response(JSON.stringify(known), { headers: { ...headers, "Content-Type": "application/json" } });
  await cache.put(`${address}/table`, told(table));
  await cache.put(`${address}/desk`, told(desk));
  await cache.put(address, new Response(whole, { headers: ofPage }));
  return address;
}
