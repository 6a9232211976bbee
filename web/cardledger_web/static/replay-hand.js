// The positions of a hand, as the server has drawn them: pieces of HTML, and for each event the places of its pieces.
"use strict";

export class ReplayedHand {
  constructor({ seq, first, line, pieces, positions }) {
    Object.assign(this, { latest: seq, first, line, pieces, positions });
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
