// Without a connection: a worker keeps the scoring pages that this browser has seen, so that they open again.
"use strict";

import { at, own } from "./root.js";

const KEPT = own("cardledger-scoring"); // as in static/worker.js

/** Let the worker keep this page, and tell whether it does; browsers have workers over https and on this computer only. */
export async function keepPage() {
  const workers = navigator.serviceWorker;
  if (!workers) return false;
  try {
    await workers.register(at("worker.js"));
    if (!workers.controller) {
      await new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
      await fetch(location.pathname); // the worker was not there yet when the page came
    }
    return true;
  } catch {
    return false; // scoring goes on without it
  }
}

/** Keep what was last known of a match, for the page that opens without a connection, and as long as the page. */
export async function keep(address, known) {
  const { keptUntil, erasures } = document.getElementById("score").dataset;
  if (!keptUntil || !globalThis.caches || !navigator.serviceWorker?.controller) return;
  const headers = { "Content-Type": "application/json", "Kept-At": new Date().toISOString(), "Kept-Until": keptUntil, Erasures: erasures };
  const cache = await caches.open(KEPT);
  await cache.put(address, new Response(JSON.stringify(known), { headers }));
}
