// What the seat of the view can know: a part of its own page, fetched for the position while it is open.
"use strict";

import { source } from "./source.js";

const SETTLED = 250; // milliseconds without a step after which it is asked for

export class Known {
  constructor(root, position) {
    Object.assign(this, { root, position, kept: new Map(), waiting: null });
    this.link = document.getElementById("known");
    root?.addEventListener("toggle", () => this.mark());
  }

  // Never shows what was known at another position: until the answer is there, and without one, the link is.
  mark() {
    clearTimeout(this.waiting);
    if (!this.root?.open) return;
    const seq = this.position();
    this.put(this.kept.get(seq) ?? this.link);
    this.link.querySelector("a").href = this.addressOf(seq);
    if (!this.kept.has(seq)) this.waiting = setTimeout(() => this.ask(seq), SETTLED);
  }

  async ask(seq) {
    const answer = await source.ask(this.addressOf(seq));
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.kept.set(seq, page.getElementById("known"));
    if (seq === this.position()) this.put(this.kept.get(seq));
  }

  addressOf(seq) {
    return this.root.dataset.known.replace("/0/knowledge", `/${seq}/knowledge`);
  }

  put(part) {
    document.getElementById("known").replaceWith(part);
  }
}
