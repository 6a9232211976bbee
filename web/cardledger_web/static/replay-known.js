// What the seat of the view can know: a part of its own page, fetched for the position while it is open.
"use strict";

const SETTLED = 250; // milliseconds without a step after which it is asked for

export class Known {
  constructor(root, position) {
    Object.assign(this, { root, position, kept: new Map(), waiting: null });
    root?.addEventListener("toggle", () => this.show());
  }

  mark() {
    clearTimeout(this.waiting);
    if (this.root?.open) this.waiting = setTimeout(() => this.show(), this.kept.has(this.position()) ? 0 : SETTLED);
  }

  async show() {
    const seq = this.position();
    if (!this.kept.has(seq)) {
      const answer = await fetch(this.root.dataset.known.replace("/0/knowledge", `/${seq}/knowledge`));
      if (!answer.ok) return; // the link to its page stays
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.kept.set(seq, page.getElementById("known"));
    }
    if (seq !== this.position()) return;
    const part = this.kept.get(seq);
    document.getElementById("known").replaceWith(part);
    part.id = "known";
  }
}
