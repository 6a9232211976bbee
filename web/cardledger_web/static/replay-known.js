// What the seat of the view can know: a part of its own page, fetched for the position while it is open.
"use strict";

import { source } from "./source.js";

const SETTLED = 250; // milliseconds without a step after which it is asked for

export class Known {
  constructor(root, position) {
    Object.assign(this, { root, position, kept: new Map(), waiting: null });
    this.link = document.getElementById("known");
    this.of = document.getElementById("known-of"); // in a file, which player it is about
    root?.addEventListener("toggle", () => this.mark());
    this.of?.addEventListener("change", () => this.mark());
  }

  // Never shows what was known at another position: until the answer is there, and without one, the link is.
  mark() {
    clearTimeout(this.waiting);
    if (!this.root?.open) return;
    const address = this.address;
    this.put(this.kept.get(address) ?? this.link);
    for (const link of this.link.querySelectorAll("a")) link.href = address;
    if (!this.kept.has(address)) this.waiting = setTimeout(() => this.ask(address), SETTLED);
  }

  async ask(address) {
    const answer = await source.ask(address);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.kept.set(address, page.getElementById("known"));
    if (address === this.address) this.put(this.kept.get(address));
  }

  /** The address of the answer for the position and the player. */
  get address() {
    const address = this.root.dataset.known.replace("/0/knowledge", `/${this.position()}/knowledge`);
    return this.of ? address.replace(/seat=\d+$/, `seat=${this.of.value}`) : address;
  }

  put(part) {
    document.getElementById("known").replaceWith(part);
  }
}
