// The figure of the hand, linked both ways: a line marks the current event, and a click on the figure goes to one.
"use strict";

export class Course {
  constructor(box, onPick) {
    this.figure = box?.querySelector(".figure") ?? null;
    this.cursor = box?.querySelector(".cursor") ?? null;
    this.seq = null;
    if (!this.figure) return;
    this.seqs = JSON.parse(this.figure.dataset.figure).data[0].x;
    box.addEventListener("drawn", () => this.place());
    new ResizeObserver(() => requestAnimationFrame(() => this.place())).observe(box);
    // Anywhere in the plot will do, not only on a line.
    box.addEventListener("click", (event) => {
      const at = event.target.closest(".explore") ? null : this.seqAt(event.clientX);
      if (at !== null) onPick(at);
    });
  }

  mark(seq) {
    this.seq = seq;
    this.place();
  }

  // Where the events lie in the figure, in pixels: as Plotly has drawn them, or as the picture says.
  scale() {
    const plot = this.figure?.querySelector(".plot")?._fullLayout;
    if (plot) {
      const { _size: size, xaxis } = plot;
      return { left: size.l, width: size.w, top: size.t, height: size.h, from: xaxis.range[0], to: xaxis.range[1] };
    }
    const picture = [...(this.figure?.querySelectorAll(".chart") ?? [])].find((one) => one.checkVisibility());
    if (!picture) return null;
    const numbers = (text) => text.split(" ").map(Number);
    const [from, to, start, end] = numbers(picture.dataset.x);
    const [top, bottom] = numbers(picture.dataset.y);
    const times = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    return { left: start * times, width: (end - start) * times, top: top * times, height: (bottom - top) * times, from, to };
  }

  // Moves our own line: letting Plotly draw its shapes again would take longer than a frame.
  place() {
    const scale = this.scale();
    if (!scale || this.seq === null) return;
    const part = Math.min(Math.max((this.seq - scale.from) / (scale.to - scale.from), 0), 1);
    this.cursor.hidden = false;
    this.cursor.style.setProperty("height", `${scale.height}px`);
    this.cursor.style.setProperty("translate", `${scale.left + part * scale.width}px ${scale.top}px`);
  }

  seqAt(x) {
    const scale = this.scale();
    if (!scale) return null;
    const at = x - this.figure.getBoundingClientRect().left - scale.left;
    if (at < -8 || at > scale.width + 8) return null;
    const wanted = scale.from + (at / scale.width) * (scale.to - scale.from);
    return this.seqs.reduce((best, seq) => (Math.abs(seq - wanted) < Math.abs(best - wanted) ? seq : best));
  }
}
