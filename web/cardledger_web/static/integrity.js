// Keeps the state of a check up to date while one is under way.
"use strict";

import { localTimes } from "./times.js";

const PAUSE = 1000;

async function look() {
  const box = document.getElementById("check");
  if (!("running" in box.dataset)) return;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("check");
    if (answer.ok && now) {
      localTimes(now);
      box.replaceWith(now);
    }
  } catch {
    // The server may be back at the next look.
  }
  setTimeout(look, PAUSE);
}

setTimeout(look, PAUSE);
