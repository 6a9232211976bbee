// A lesson: the page follows its teacher; a free look stays where it is and says when the teacher has gone on.
"use strict";

import { Live } from "./follow.js";
import { _ } from "./texts.js";

const root = document.getElementById("lesson");
const counts = root.dataset.votes === "1"; // a vote changes what a teacher and a projector show, not what a phone does
let seq = Number(root.dataset.seq);
let reading = false;
let missed = false;
const AGAIN = 2000; // milliseconds after which a page that could not be read is asked for again

/** Read what the class sees now, and put it in the place of what was there. */
async function read() {
  if (reading) {
    missed = true;
    return;
  }
  reading = true;
  let failed = false;
  try {
    const address = new URL(location.href);
    address.searchParams.delete("yours");
    const answer = await fetch(address, { cache: "no-store" });
    failed = answer.status >= 500 || answer.status === 429;
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("now");
      const typed = root.querySelector("[name=voter]")?.value;
      if (now) {
        seq = Math.max(seq, Number(now.dataset.seq));
        root.querySelector("#now").replaceWith(document.adoptNode(now));
        const field = root.querySelector("[name=voter]");
        if (field && typed) field.value = typed;
      }
      const teach = page.getElementById("teach")?.parentElement;
      const old = document.getElementById("teach")?.parentElement;
      if (teach && old && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(teach));
    }
  } catch {
    failed = true; // no connection
  }
  reading = false;
  if (failed) setTimeout(read, AGAIN); // a step is told once: nobody stays behind
  if (missed) {
    missed = false;
    read();
  }
}

root.querySelector(".follows").hidden = true;
new Live(root.dataset.live, () => seq, {
  news: (number, data) => {
    seq = Math.max(seq, number);
    const { type } = JSON.parse(data);
    if (root.dataset.free) {
      const notice = root.querySelector("[role=status]");
      if (notice && type === "stop" && !notice.dataset.told) {
        notice.dataset.told = "1";
        notice.prepend(`${_("The teacher has gone on.")} `);
      }
    } else if (type !== "vote" || counts) {
      read();
    }
  },
});
