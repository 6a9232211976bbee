// Follows recorded events by a stream that reconnects: after a lost connection, and when the server was full.
"use strict";

const AGAIN = [2, 5, 10, 20, 30]; // seconds

/**
 * A live stream, open while the page is visible.
 *
 * `after` returns the number to begin after. `on` is called: news(number, data) for each event, `data` as JSON,
 * opened(), and lost(refused); `refused` means that the server had no free stream, or that the user may not have one.
 */
export class Live {
  constructor(address, after, on) {
    Object.assign(this, { address, after, on });
    this.refusals = 0;
    document.addEventListener("visibilitychange", () => {
      this.close();
      if (document.visibilityState === "visible") this.open();
    });
    addEventListener("pagehide", () => this.close());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.stream = new EventSource(`${this.address}?after=${this.after()}`);
    this.stream.addEventListener("message", ({ lastEventId, data }) => this.on.news(Number(lastEventId), data));
    this.stream.addEventListener("open", () => {
      this.refusals = 0;
      this.on.opened?.();
    });
    this.stream.addEventListener("error", () => {
      // A browser connects again by itself, but never after an answer that is not a stream, such as 503.
      const refused = this.stream.readyState === EventSource.CLOSED;
      if (refused) {
        const seconds = AGAIN[Math.min(this.refusals++, AGAIN.length - 1)];
        // Not all at once: many may have been refused at the same time.
        this.timer = setTimeout(() => this.open(), seconds * 1000 * (0.75 + Math.random() / 2));
      }
      this.on.lost?.(refused);
    });
  }

  close() {
    clearTimeout(this.timer);
    this.stream?.close();
  }
}
