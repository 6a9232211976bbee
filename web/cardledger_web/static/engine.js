// The rules in this browser: the server's own engine in a worker (web/cardledger_web/engine). It is loaded once the page
// is usable; a browser that cannot run it goes on without.
"use strict";

import { at } from "./root.js";

const ADDRESS = at("engine/worker.js");
const CALM = 1_500; // milliseconds after which a page has what it needs

/** Whether this browser can run it at all, and does not save data. */
const able = () => Boolean(globalThis.Worker && globalThis.WebAssembly && globalThis.DecompressionStream && !navigator.connection?.saveData);

export class Engine {
  /** `open` opens the worker, if not that of the server. */
  constructor(open = () => new Worker(ADDRESS, { type: "module" })) {
    this.opened = open;
    this.running = false;
    this.open = new Map(); // questions without an answer, by number
    this.last = 0;
  }

  /** Load it, if this browser can run it; `ready` is called once, when the first question can be answered, `failed` if it stops. */
  load(ready, failed = () => {}) {
    if (able()) setTimeout(() => this.start(ready, failed), CALM);
  }

  start(ready, failed) {
    this.failed = failed;
    this.worker = this.opened();
    this.worker.addEventListener("error", () => this.stop());
    this.worker.addEventListener("message", ({ data }) => {
      if (data.ready) {
        this.running = true;
        ready();
      } else if (data.failed) {
        console.warn(data.failed);
        this.stop();
      } else {
        this.open.get(data.id)?.(JSON.parse(data.answer));
        this.open.delete(data.id);
      }
    });
  }

  /** Ask a question for which it is loaded, if it is not; null if this browser cannot run it. */
  async asked(question) {
    if (!able()) return null;
    await this.soon();
    return this.ask(question);
  }

  /** Load it for questions to come, once. */
  soon() {
    this.loaded ??= new Promise((ready) => this.load(ready, ready));
    return this.loaded;
  }

  /** Give up: every question is answered with null. */
  stop() {
    this.running = false;
    this.worker.terminate();
    for (const answer of this.open.values()) answer(null);
    this.open.clear();
    this.failed();
  }

  /** Ask a question; the answer is {told} or {problem}, null without an engine. */
  ask(question) {
    if (!this.running) return Promise.resolve(null);
    return new Promise((answered) => {
      this.open.set(++this.last, answered);
      this.worker.postMessage({ id: this.last, asked: JSON.stringify(question) });
    });
  }
}
