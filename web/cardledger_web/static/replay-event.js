// The panel of one event: its words, its corrections and its rulings, as in replay.html.
"use strict";

import { _ } from "./texts.js";
import { inText } from "./wording.js";

const VERDICTS = { allowed: _("allows"), broken: _("broken"), resolved: _("decides") };

export class EventPanel {
  constructor(root, replay, { rules, rulebook, addressOf }) {
    Object.assign(this, { root, replay, rules, rulebook, addressOf });
    const names = replay.answer.names.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).sort((a, b) => b.length - a.length);
    this.names = new RegExp(`(?<![\\p{L}\\p{N}_])(${names.join("|")})(?![\\p{L}\\p{N}_])`, "u");
    this.suited = [...replay.deck.values()].some((card) => card.suit);
  }

  show(step) {
    const words = make("p", "words");
    words.append(make("span", "seq", step.seq), " ", make("bdi", "", this.inGlyphs(step.words, step.role)));
    document.getElementById("now").textContent = words.lastChild.textContent;
    this.root.replaceChildren(words, ...this.remarks(step), this.rulings(step.rulings));
  }

  // Cards and calls as they are drawn: K♥ for KH; remarks stay as they are. Names are isolated, so that none changes the
  // direction of the text around it.
  inGlyphs(words, role = "play") {
    if (role === "remark") return words;
    const text = (face) => (this.suited ? (this.replay.deck.get(face)?.text ?? face) : face);
    const parts = words.split(this.names);
    return parts.map((part, i) => (i % 2 ? `\u2068${part}\u2069` : inText(this.replay.wording, part).replace(/\b[2-9TJQKA][CDHS]\b/g, text))).join("");
  }

  remarks(step) {
    const remarks = [];
    const sentence = this.sentence(step);
    if (sentence) {
      const remark = make("p", "remark");
      remark.append(make("bdi", "", sentence));
      if (step.by) {
        const link = make("a", "", _("See event %(by)s", { by: step.by }));
        link.href = this.addressOf(step.by);
        if (this.replay.has(step.by)) link.dataset.seq = step.by;
        remark.append(" ", link);
      }
      remarks.push(remark);
    }
    if (step.withheld) remarks.push(make("p", "remark", _("The rulings on this event are shown when the hand is over.")));
    return remarks;
  }

  sentence(step) {
    if (step.recorded !== undefined) {
      return _("Recorded as: %(words)s. Amended since; the replay follows what counts.", { words: this.inGlyphs(step.recorded) });
    }
    if (step.role === "correction") return _("A correction: positions show what counts now.");
    if (step.counts === null && step.role === "play") return _("Taken back: the replay goes on without it.");
    return "";
  }

  rulings(rulings) {
    const list = make("ul", "rulings");
    for (const { rule, verdict, text } of rulings) {
      const item = make("li", verdict);
      const link = make("a", "rule");
      const name = make("abbr", "", rule);
      link.href = `${this.rulebook}#${rule}`;
      name.title = this.rules[rule] ?? "";
      link.append(name);
      item.append(make("span", "verdict", VERDICTS[verdict]), " ", link, " ", make("bdi", "", this.inGlyphs(text)));
      list.append(item);
    }
    return list;
  }
}

export function make(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== "") element.textContent = text;
  return element;
}
