// The positions of a hand, as the server has drawn them: pieces of HTML, and for each event the places of its pieces.
"use strict";

export class ReplayedHand {
  constructor({ seq, first, line, pieces, positions }) {
    Object.assign(this, { latest: seq, first, line, pieces, positions });
  }

  /** The last event that has a position. */
  get end() {
    return this.first + this.positions.length - 1;
  }

  /** Add positions that have come since the last one; false if they do not follow from it. */
  extend({ seq, line, pieces, positions, known: [count, length] }) {
    const had = [...new Set(this.positions.at(-1).flat())];
    if (had.length !== count || had.reduce((sum, place) => sum + [...this.pieces[place]].length, 0) !== length) return false;
    const place = (at) => (at < count ? had[at] : this.pieces.length - pieces.length + at - count);
    this.pieces = [...this.pieces, ...pieces];
    this.positions = [...this.positions, ...positions.map((parts) => parts.map((places) => places.map(place)))];
    Object.assign(this, { latest: seq, line });
    return true;
  }

  has(seq) {
    return seq >= this.first && seq < this.first + this.positions.length;
  }

  /** The table of a position, its event, and what can be tried there beside the cards. */
  position(seq) {
    const [table, event, choices] = this.positions[seq - this.first].map((places) => places.map((place) => this.pieces[place]).join(""));
    return { table, event, choices };
  }

  /** The number of counting events so far. */
  place(seq) {
    return this.line.filter((each) => each <= seq).length;
  }
}
