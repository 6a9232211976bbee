// The figure of the hand, linked both ways: a line marks the current event, and a click on the figure goes to one.
"use strict";

export class Course {
  constructor(box, onPick) {
    this.figure = box?.querySelector(".figure") ?? null;
    this.cursor = box?.querySelector(".cursor") ?? null;
    this.seq = null;
    if (!this.figure) return;
    box.addEventListener("drawn", () => this.place());
    new ResizeObserver(() => requestAnimationFrame(() => this.place())).observe(box);
    // Anywhere in the plot will do, not only on a line.
    box.addEventListener("click", (event) => {
      const at = this.seqAt(event.clientX);
      if (at !== null) onPick(at);
    });
  }

  mark(seq) {
    this.seq = seq;
    this.place();
  }

  // Moves a line of our own: asking Plotly to draw its shapes again would take longer than a frame.
  place() {
    const axis = this.figure?._fullLayout?.xaxis;
    if (!axis || this.seq === null) return;
    const { _size: size } = this.figure._fullLayout;
    const at = Math.min(Math.max(axis.d2p(this.seq), 0), axis._length);
    this.cursor.hidden = false;
    this.cursor.style.setProperty("height", `${size.h}px`);
    this.cursor.style.setProperty("translate", `${size.l + at}px ${size.t}px`);
  }

  seqAt(x) {
    const axis = this.figure._fullLayout?.xaxis;
    if (!axis) return null;
    const { left } = this.figure.getBoundingClientRect();
    const at = x - left - this.figure._fullLayout._size.l;
    if (at < -8 || at > axis._length + 8) return null;
    const seqs = this.figure.data[0].x;
    const wanted = axis.p2d(at);
    return seqs.reduce((best, seq) => (Math.abs(seq - wanted) < Math.abs(best - wanted) ? seq : best));
  }
}
