// The opening of a match that was opened without a connection, once the server has refused it: why, the way to change it,
// and all of it as a match file, which can be imported later.
"use strict";

import { at } from "./root.js";
import { asRecorded } from "./score-queue.js";
import { _ } from "./texts.js";

export class RefusedOpening {
  constructor(root, opening, queue) {
    Object.assign(this, { opening, queue, header: root.querySelector("header") });
    const change = Object.assign(document.createElement("a"), { textContent: _("Change the opening") });
    change.href = at(`matches/new#again=${root.dataset.match}`);
    const file = Object.assign(document.createElement("a"), { textContent: _("Keep it as a file"), download: `${root.dataset.match}.jsonl`, href: "#" });
    file.addEventListener("click", () => (file.href = URL.createObjectURL(this.file())));
    this.links = Object.assign(document.createElement("p"), { className: "links" });
    this.links.append(change, " ", file);
  }

  /** Offer both as long as the opening is refused. */
  follow() {
    if (!this.opening.refused) this.links.remove();
    else if (!this.links.isConnected) this.header.append(this.links);
  }

  /** The opening and what waits behind it, as a match file. */
  file() {
    const events = [this.opening.waits.event, ...asRecorded(this.queue.list(), 1)];
    return new Blob(events.map((event) => `${JSON.stringify(event)}\n`), { type: "application/jsonl" });
  }
}
