// The panel of one event: what happened, what a correction made of it, and what the rules say, as replay.html has it.
"use strict";

const VERDICTS = { allowed: "allows", broken: "broken", resolved: "decides" };
const CORRECTIONS = ["retract", "amend"];

export class EventPanel {
  constructor(root, replay, { rules, rulebook, addressOf }) {
    Object.assign(this, { root, replay, rules, rulebook, addressOf });
    const names = replay.answer.names.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).sort((a, b) => b.length - a.length);
    this.names = new RegExp(`(?<![\\p{L}\\p{N}_])(${names.join("|")})(?![\\p{L}\\p{N}_])`, "u");
    this.suited = [...replay.deck.values()].some((card) => card.suit);
  }

  show(step) {
    const words = make("p", "words");
    words.append(make("span", "seq", step.seq), " ", make("bdi", "", this.inGlyphs(step.words, step.event.type)));
    this.root.replaceChildren(words, ...this.remarks(step), this.rulings(step.rulings));
  }

  // Cards as they are drawn: K♥ for KH; notes stay as they are. Names are set apart, so that none turns the text around it.
  inGlyphs(words, type = "") {
    if (type === "note") return words;
    const text = (face) => (this.suited ? (this.replay.deck.get(face)?.text ?? face) : face);
    const parts = words.split(this.names);
    return parts.map((part, i) => (i % 2 ? `\u2068${part}\u2069` : part.replace(/\b[2-9TJQKA][CDHS]\b/g, text))).join("");
  }

  remarks(step) {
    const remarks = [];
    const sentence = this.sentence(step);
    if (sentence) {
      const remark = make("p", "remark");
      remark.append(make("bdi", "", sentence));
      if (step.by) {
        const link = make("a", "", `See event ${step.by}`);
        link.href = this.addressOf(step.by);
        if (this.replay.has(step.by)) link.dataset.seq = step.by;
        remark.append(" ", link);
      }
      remarks.push(remark);
    }
    if (step.withheld) remarks.push(make("p", "remark", "What the rules say of it is shown when the hand is over."));
    return remarks;
  }

  sentence(step) {
    if (step.recorded !== undefined) {
      return `Recorded as: ${this.inGlyphs(step.recorded)}. Amended since; the replay follows what counts.`;
    }
    if (CORRECTIONS.includes(step.event.type)) return "A correction: positions show what counts now.";
    if (step.counts === null && step.event.type !== "note") return "Taken back: the replay goes on without it.";
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
