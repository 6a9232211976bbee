// What the scorer's page shows beside the tray: the state of the connection, the table, whose turn it is, questions.
"use strict";

import { lacking, told } from "./score-words.js";
import { button, wordOf } from "./score-tray.js";
import { drawTable } from "./table.js";

const NARROW = matchMedia("(max-width: 47.99rem)");

/** Say how it stands with the server, and how much waits. */
export function showStatus(root, state, waiting) {
  const line = root.querySelector("#status");
  const many = `${waiting.length} ${waiting.length === 1 ? "entry waits" : "entries wait"} to be sent`;
  const text = {
    ready: waiting[0]?.problem ? "Waiting for your answer" : waiting.length ? many : "All recorded",
    sending: waiting.length > 1 ? many : "All recorded",
    offline: waiting.length ? `No connection: ${many}` : "No connection",
    "signed-out": `The server does not know you any more${waiting.length ? `: ${many}` : ""}.`,
  }[state];
  root.querySelector("#signed-out").hidden = state !== "signed-out";
  line.dataset.state = state === "sending" && waiting.length <= 1 ? "ready" : state;
  if (line.textContent !== text) line.textContent = text;
}

export class Panel {
  constructor(root, { deck, words }) {
    this.root = root;
    this.deck = deck;
    this.words = words;
    this.tray = root.querySelector("#tray");
    this.question = root.querySelector("#question");
    this.felt = root.querySelector("#felt");
    this.looks = {};
    this.asking = false; // an amendment waits for a yes
  }

  at(id) {
    return this.root.querySelector(`#${id}`);
  }

  /** Say what is wrong, or "" for nothing; read out at once. */
  say(text) {
    const line = this.at("error");
    if (line.textContent !== text) line.textContent = text;
  }

  /** Tell what somebody else did. */
  heard(text) {
    this.at("heard").textContent = text;
  }

  /** Whether something looks otherwise than when it was last drawn. */
  fresh(name, ...what) {
    const looks = JSON.stringify(what);
    if (this.looks[name] === looks) return false;
    this.looks[name] = looks;
    return true;
  }

  /** Draw the table, with a deal in the making as far as it is; on a phone without the hands, which the tray shows. */
  table(state, { lastTrick, choices, deal }) {
    const small = NARROW.matches;
    const { players, card } = this.words;
    const hands = small ? null : deal ? players.map((_, seat) => deal.cards[seat]) : state.hands;
    const drawn = { ...state, hands, hand_sizes: small || deal ? null : state.hand_sizes, dealer: deal ? deal.dealer : state.dealer };
    const legal = choices.flatMap((choice) => (choice.type === "draw" ? [] : (choice.cards ?? [])));
    const notes = Object.fromEntries(state.totals.map((total, seat) => [seat, [points(total)]]));
    if (!this.fresh("table", drawn, lastTrick, legal)) return;
    const starter = card.deal.keys.includes("starter");
    drawTable(this.felt, drawn, { deck: this.deck, players, legal, lastTrick, starter, notes });
  }

  /** Nothing can be tapped until the server has answered. */
  wait() {
    this.tray.inert = true;
  }

  prompt(state, moment, { draft, deal, amending, held, waiting, decide, leave }) {
    this.tray.inert = false;
    this.tray.hidden = Boolean(held) || this.asking || (state.phase === "over" && !amending);
    if (held) this.ask(held, waiting, decide);
    else if (amending) this.about(amending, leave);
    else if (!this.asking) this.question.replaceChildren();
    if (!held) this.looks.question = null;
    const text = held ? "" : this.promptText(state, moment, draft, deal);
    const line = this.at("prompt");
    if (line.textContent !== text) line.textContent = text;
    this.at("result").hidden = state.phase !== "over" || Boolean(amending);
    if (state.phase === "over") this.result(state);
  }

  promptText(state, moment, draft, deal) {
    const { players } = this.words;
    if (state.phase === "over") return "The match is over.";
    if (deal) {
      if (deal.dealer === null) return `Who ${deal.card.deal.keys.includes("starter") ? "starts" : "deals"}?`;
      const place = deal.current;
      const who = `${players[deal.dealer]} ${deal.card.deal.keys.includes("starter") ? "starts" : "deals"}.`;
      if (!place) return `${who} Every card has its place.`;
      return `${who} Next card: ${place.name} (${deal.cards[place.id].length + 1} of ${place.size})`;
    }
    const types = [...new Set(moment.choices.map(({ type }) => type))].map(wordOf);
    const key = draft && lacking(moment, draft);
    if (draft && key) {
      const count = draft.choice.count > 1 ? ` ${(draft.cards?.length ?? 0) + 1} of ${draft.choice.count}` : "";
      return `${draft.seat === undefined ? "" : `${players[draft.seat]}: `}${wordOf(draft.type)}${count}${key === "seat" ? ": who?" : ""}`;
    }
    if (state.turn !== null && state.turn !== undefined) return `${players[state.turn]} to ${types.join(" or ") || "…"}`;
    if (state.phase === "score") return "The hand is over; its points come from the score sheet.";
    return types.length ? `Who is next to ${types[0]}?` : "…";
  }

  /** Ask what is to become of an entry that breaks a rule, is refused, or came too late. */
  ask(entry, waiting, decide) {
    if (!this.fresh("question", entry, waiting.length)) return;
    const { kind, code, detail, legal } = entry.problem;
    const { card } = this.words;
    const what = paragraph(`${told(entry.event, this.words)}`, "what");
    const why = paragraph(kind === "irregular" ? `${code}: ${card.rules[code]}` : [code, detail].filter(Boolean).join(": "), "why");
    const parts = [what, why];
    if (legal?.length) parts.push(paragraph(`Legal: ${legal.map(this.words.label).join(" ")}`, "hint"));
    const buttons = paragraph("", "buttons");
    const again = { irregular: "Record it anyway", stale: "Record it all the same", refused: "Try again" }[kind];
    buttons.append(button(`${again} (y)`, () => decide(true)), button("Take it back (n)", () => decide(false)));
    if (waiting.length > 1) {
      parts.push(paragraph(`${waiting.length - 1} more wait behind it.`, "hint"));
      buttons.append(button(`Take back all ${waiting.length}`, () => decide(false, true)));
    }
    this.put([...parts, buttons]);
  }

  about({ seq, event }, leave) {
    if (this.asking || !this.fresh("about", seq)) return;
    const buttons = paragraph("", "buttons");
    buttons.append(button("Leave it as it is", leave));
    this.put([paragraph(`Event ${seq} was: ${told(event, this.words)}`, "what"), paragraph("Enter what it should have been.", ""), buttons]);
  }

  /** Show what an amendment would change and ask for a yes. */
  askAmend(seq, words, lines) {
    return new Promise((resolve) => {
      const list = document.createElement("ul");
      for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
      const buttons = paragraph("", "buttons");
      const answer = (yes) => {
        this.asking = false;
        this.looks.about = null;
        this.question.replaceChildren();
        resolve(yes);
      };
      buttons.append(button("Amend", () => answer(true)), button("Leave it as it is", () => answer(false)));
      this.asking = true;
      this.put([paragraph(`Event ${seq} counts as: ${words}`, "what"), list, buttons]);
      buttons.querySelector("button").focus();
    });
  }

  put(parts) {
    this.question.replaceChildren(...parts);
  }

  /** What can be done beside playing on. */
  acts(state, log, run, amending) {
    const types = state.choices.map(({ type }) => type);
    const undo = log.undo?.words ?? null;
    if (!this.fresh("acts", types, undo, state.phase, amending)) return;
    const buttons = [
      ["undo", "Undo", Boolean(undo)],
      ["claim", "Claim", types.includes("claim")],
      ["score", "Score", types.includes("score")],
      ["note", "Note", true],
      ["end", "End", state.phase !== "over"],
    ].map(([command, text, can]) => {
      const made = button(text, () => run(command, ""));
      made.className = "plain";
      made.disabled = !can || amending;
      if (command === "undo" && undo) made.title = `Takes back: ${undo}`;
      return made;
    });
    this.at("acts").replaceChildren(...buttons);
  }

  result(state) {
    const { players, card } = this.words;
    const best = (card.fewest ? Math.min : Math.max)(...state.totals);
    const won = players.filter((_, seat) => state.totals[seat] === best).map((name) => `\u2068${name}\u2069`);
    const how = state.status === "ended" ? "Ended before its rule said so" : `${won.join(" and ")} ${won.length > 1 ? "share the win" : "wins"}`;
    const totals = players.map((name, seat) => `\u2068${name}\u2069 ${state.totals[seat]}`).join(", ");
    this.at("points").textContent = `${how}: ${totals}`.replaceAll("-", "\u2212");
  }

  /** Bring the entry into sight. */
  show() {
    this.question.scrollIntoView({ block: "nearest" });
  }
}

function points(number) {
  return `${String(number).replace("-", "\u2212")} ${Math.abs(number) === 1 ? "point" : "points"}`;
}

function paragraph(text, name) {
  return Object.assign(document.createElement("p"), { textContent: text, className: name });
}
