// The strip under the slider: a mark for each choice of the hand, at the place of its event; its words come with the
// position.
"use strict";

import { _ } from "./texts.js";

export class Review {
  constructor(box, line) {
    this.marks = new Map([...(box?.querySelectorAll(".strip a") ?? [])].map((mark) => [Number(mark.dataset.seq), mark]));
    this.summaryLine = box?.querySelector("#review-text") ?? null;
    this.summary = this.summaryLine?.textContent ?? "";
    for (const [seq, mark] of this.marks) {
      if (mark.hasAttribute("aria-current")) this.summary = "";
      mark.parentElement.style.setProperty("left", `${(100 * Math.max(line.indexOf(seq), 0)) / Math.max(line.length - 1, 1)}%`);
    }
    box?.querySelector(".strip")?.classList.add("placed");
    const ask = box?.querySelector("#review-now");
    if (!ask) return;
    ask.hidden = false;
    ask.addEventListener("click", async () => {
      ask.disabled = true;
      ask.textContent = _("Reviewing …");
      if (await reviewed(box.dataset.asked, Number(box.dataset.hand))) location.reload();
      else ask.textContent = _("That did not work. Try again.");
    });
  }

  mark(seq) {
    if (!this.summaryLine) return;
    for (const [at, mark] of this.marks) {
      if (at === seq) mark.setAttribute("aria-current", "step");
      else mark.removeAttribute("aria-current");
    }
    this.summaryLine.textContent = this.marks.get(seq)?.dataset.words ?? this.summary;
  }
}

/** Request the review of a hand, which may take a while; tell whether it succeeded. */
async function reviewed(url, hand) {
  for (;;) {
    const answer = await fetch(url);
    if (!answer.ok) return false;
    const { hands } = await answer.json();
    if (!hands.find((one) => one.hand === hand)?.pending) return true;
  }
}
