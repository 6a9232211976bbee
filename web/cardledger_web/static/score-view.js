// The parts of the scorer's page beside the tray: the state of the connection, the table, the turn, questions.
"use strict";

import { joined, missingKey, sidesOf, inWords } from "./score-words.js";
import { button, wordOf } from "./score-tray.js";
import { ScoreTable } from "./score-table.js";
import { _, ngettext } from "./texts.js";
import { shownCall } from "./wording.js";

/** Show the state of the connection, the number of waiting entries, and whether a correction is begun that is not recorded. */
export function showStatus(root, { state, opening, queue }, waiting, correcting) {
  const refused = opening?.refused;
  const line = root.querySelector("#status");
  const many = ngettext("%(num)s entry waits to be sent", "%(num)s entries wait to be sent", waiting.length);
  const all = correcting ? _("The correction is not recorded yet") : _("All recorded");
  const text = {
    ready: waiting[0]?.problem ? _("Waiting for your answer") : waiting.length ? many : all,
    sending: waiting.length > 1 ? many : all,
    offline: waiting.length ? _("No connection: %(many)s", { many }) : _("No connection"),
    "signed-out": waiting.length ? _("You are signed out: %(many)s.", { many }) : _("You are signed out."),
  }[state];
  const against = refused && _("The server does not take this match: %(detail)s (%(code)s). What was entered stays here.", refused);
  root.querySelector("#signed-out").hidden = state !== "signed-out";
  line.dataset.state = state === "sending" && waiting.length <= 1 ? "ready" : state;
  const full = queue.unsaved && _("This browser has no room for what you enter: leave this page open until all is recorded. (%(text)s)", { text });
  const said = against || full || text;
  if (line.textContent !== said) line.textContent = said;
}

/** The standing of the evening that the match belongs to, read again when the points of the match have changed. */
export class Standing {
  constructor(root) {
    this.root = root;
    this.seen = null;
  }

  async follow({ totals, phase }) {
    const now = JSON.stringify([totals, phase === "deal" || phase === "over"]);
    if (!this.root || this.seen === now) return;
    const first = this.seen === null; // as the server has just written it
    this.seen = now;
    if (first) return;
    try {
      const answer = await fetch(this.root.dataset.address, { cache: "no-store" });
      if (answer.ok) this.root.innerHTML = await answer.text(); // the server's own template, escaped there
    } catch {
      this.seen = ""; // again with the next event; the sender reports that the server is away
    }
  }
}

export class Panel {
  constructor(root, { cards, words }) {
    this.root = root;
    this.words = words;
    this.tray = root.querySelector("#tray");
    this.question = root.querySelector("#question");
    this.cardTable = new ScoreTable(root.querySelector("#card-table"), cards, words);
    this.looks = {};
    this.asking = false; // an amendment waits for a yes
  }

  at(id) {
    return this.root.querySelector(`#${id}`);
  }

  /** Show an error, or "" for none; read out at once. */
  say(text) {
    const line = this.at("error");
    if (line.textContent !== text) line.textContent = text;
  }

  /** Report another scorer's entry. */
  heard(text) {
    this.at("heard").textContent = text;
  }

  /** Whether a part differs from the last drawing. */
  fresh(name, ...what) {
    const looks = JSON.stringify(what);
    if (this.looks[name] === looks) return false;
    this.looks[name] = looks;
    return true;
  }

  /** Show a table, with the `waiting` entries that nobody has judged yet, and a deal that is being entered. */
  table(table, state, waiting, deal) {
    const next = waiting.length > 0 || Boolean(deal?.placed.length); // the next hand has begun
    if (this.fresh("worth", table.worth, next)) this.at("worth").innerHTML = next ? "" : (table.worth ?? ""); // the server's own template, escaped there
    if (this.fresh("table", table.drawn, state, waiting, deal?.cards, deal?.dealer)) this.cardTable.show(table, waiting, deal);
  }

  /** Nothing can be tapped until the server has answered. */
  wait() {
    this.tray.inert = true;
  }

  prompt(state, moment, { draft, deal, amending, held, two, waiting, decide, leave }) {
    this.tray.inert = false;
    this.root.classList.toggle("dealing", Boolean(deal?.started));
    const form = FORMS.has(amending?.event.type); // it is corrected in a dialogue of its own
    this.tray.hidden = Boolean(held) || this.asking || form || (state.phase === "over" && !amending);
    if (held?.problem.kind === "two") this.askTwo(held, two, decide);
    else if (held) this.ask(held, waiting, decide);
    else if (amending) this.about(amending, leave);
    else if (!this.asking) this.question.replaceChildren();
    if (!held) this.looks.question = null;
    const text = held || this.asking || form ? "" : this.promptText(state, moment, draft, deal);
    const line = this.at("prompt");
    if (line.textContent !== text) line.textContent = text;
    this.at("result").hidden = state.phase !== "over" || Boolean(amending);
    if (state.phase === "over") this.result(state);
  }

  promptText(state, moment, draft, deal) {
    const { players } = this.words;
    if (state.phase === "over") return _("The match is over.");
    if (deal) {
      const starter = deal.card.deal.keys.includes("starter");
      if (!deal.started) return starter ? _("Who starts?") : _("Who deals?");
      const place = deal.current;
      const name = players[deal.dealer];
      const who = deal.dealer === null || deal.board !== undefined ? _("Board %(board)s.", deal) : starter ? _("%(name)s starts.", { name }) : _("%(name)s deals.", { name });
      if (!place) return `${who} ${_("Every card has its place.")}`;
      const values = { place: place.name, number: deal.cards[place.id].length + 1, size: place.size };
      return `${who} ${_("Next card: %(place)s (%(number)s of %(size)s)", values)}`;
    }
    const or = _(" or ");
    const types = [...new Set(moment.choices.map(({ type }) => type))].map(wordOf);
    const key = draft && missingKey(moment, draft);
    if (draft && key) {
      const count = draft.choice.count > 1 ? ` ${_("%(part)s of %(whole)s", { part: (draft.cards?.length ?? 0) + 1, whole: draft.choice.count })}` : "";
      return `${draft.seat === undefined ? "" : `${players[draft.seat]}: `}${wordOf(draft.type)}${count}${key === "seat" ? _(": who?") : ""}`;
    }
    if (!types.length && state.choices.some(({ type }) => type === "claim")) return _("Who took the tricks?");
    if (state.turn !== null && state.turn !== undefined) return _("%(name)s to %(kinds)s", { name: players[state.turn], kinds: types.join(or) || "…" });
    if (state.phase === "score") return _("The hand is over; its points come from the score sheet.");
    return types.length ? _("Who is next to %(kind)s?", { kind: types[0] }) : "…";
  }

  /** Ask what to do with an entry that breaks a rule, is refused, or came too late. */
  ask(entry, waiting, decide) {
    if (!this.fresh("question", entry, waiting.length)) return;
    const { kind, code, detail, legal } = entry.problem;
    const { card } = this.words;
    const what = paragraph(`${inWords(entry.event, this.words)}`, "what");
    const why = {
      irregular: () => `${card.rules[code]} (${code})`,
      stale: () => this.meanwhile(entry),
      refused: () => (detail ? `${detail} (${code})` : code),
      doubtful: () => `${detail}. ${_("Does the sheet say so?")} (${code})`,
    }[kind]();
    const parts = [what, paragraph(why, "why")];
    if (legal?.length) parts.push(paragraph(_("Legal: %(cards)s", { cards: legal.map((choice) => shownCall(card.wording, this.words.label(choice))).join(" ") }), "hint"));
    const buttons = paragraph("", "buttons");
    const yes = { irregular: _("Record it anyway"), stale: _("Record it now"), refused: _("Try again"), doubtful: _("Record it as written") }[kind];
    const no = kind === "doubtful" ? _("Correct it") : _("Take it back");
    const answers = [button(`${yes} (y)`, () => decide(true)), button(`${no} (n)`, () => decide(false))];
    buttons.append(...(kind === "stale" || kind === "doubtful" ? answers.reverse() : answers)); // the first is the likely one
    if (waiting.length > 1) {
      parts.push(paragraph(_("%(number)s more wait behind it.", { number: waiting.length - 1 }), "hint"));
      buttons.append(button(_("Take back all %(number)s", { number: waiting.length }), () => decide(false, true)));
    }
    this.put([...parts, buttons]);
  }

  /** Show two records of one hand side by side, and ask which one is right. */
  askTwo(held, two, decide) {
    if (!this.fresh("question", held, two?.seq)) return;
    if (!two) {
      this.put([paragraph(_("Others recorded this hand too. The two records are compared as soon as there is a connection."), "what")]);
      return;
    }
    const drawn = document.createElement("div");
    drawn.innerHTML = two.drawn; // the server's own template, escaped there
    const { more } = two.keep;
    const keep = more ? ngettext("Keep what is recorded, then my last entry", "Keep what is recorded, then my last %(num)s entries", more) : _("Keep what is recorded");
    const buttons = paragraph("", "buttons");
    buttons.append(button(`${keep} (n)`, () => decide(false)), button(`${_("Replace it with mine")} (y)`, () => decide(true)));
    this.put([paragraph(_("Two records of one hand: which one is right?"), "what"), drawn, buttons]);
  }

  /** The events before a late entry, and the turn it would count for now. */
  meanwhile({ problem }) {
    const others = problem.meanwhile.map((event) => _("%(name)s recorded: %(words)s.", { name: event.by, words: inWords(event, this.words) }));
    const first = others.length ? _("Meanwhile %(what)s", { what: others.join(" ") }) : _("The turn it was entered for is over.");
    const now = problem.who === null ? _("Now the moment is another.") : _("Now it is the turn of %(name)s.", { name: this.words.players[problem.who] });
    return `${first} ${now} ${_("Is this meant for it?")}`;
  }

  about({ seq, event }, leave) {
    if (this.asking || !this.fresh("about", seq)) return;
    const buttons = paragraph("", "buttons");
    buttons.append(button(_("Leave it as it is"), leave));
    this.put([paragraph(_("Event %(seq)s was: %(words)s", { seq, words: inWords(event, this.words) }), "what"), paragraph(_("Enter what it should have been."), ""), buttons]);
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
      buttons.append(button(_("Record the correction"), () => answer(true)), button(_("Leave it as it is"), () => answer(false)));
      this.asking = true;
      this.tray.hidden = true;
      this.at("prompt").textContent = "";
      this.put([paragraph(_("Event %(seq)s counts as: %(words)s", { seq, words }), "what"), list, buttons]);
      buttons.querySelector("button").focus();
    });
  }

  put(parts) {
    this.question.replaceChildren(...parts);
  }

  /** The commands beside the play itself. */
  acts(state, log, run, amending, unsent) {
    const types = state.choices.map(({ type }) => type);
    const { undo, redo } = log;
    if (!this.fresh("acts", types, undo, redo, state.phase, amending, unsent)) return;
    const buttons = [
      ["undo", _("Undo"), Boolean(undo) || unsent.tapped],
      ["redo", _("Redo"), Boolean(redo) || unsent.dropped],
      ["claim", _("Claim"), types.includes("claim")],
      ["score", _("Score"), types.includes("score") || types.includes("deal")],
      ["note", _("Note"), true],
      ["end", _("End"), state.phase !== "over"],
    ].map(([command, text, can]) => {
      const made = button(text, () => run(command, ""));
      made.className = "plain";
      made.disabled = !can || amending;
      if (command === "undo" && undo && !unsent.tapped) made.title = _("Takes back: %(words)s", { words: undo.words });
      if (command === "redo" && redo && !unsent.dropped) made.title = _("Enters again: %(words)s", { words: redo.words });
      return made;
    });
    this.at("acts").replaceChildren(...buttons);
  }

  result(state) {
    const { players, card } = this.words;
    const named = (seats) => joined(seats.map((seat) => `\u2068${players[seat]}\u2069`));
    const sides = sidesOf(card);
    const won = sides.filter(([seat]) => state.winners.includes(seat));
    const names = named(won.flat());
    const wins = won.length > 1 ? _("%(names)s share the win", { names }) : won[0]?.length > 1 ? _("%(names)s win", { names }) : _("%(name)s wins", { name: names });
    const how = ENDINGS[state.status] ?? wins;
    const totals = sides.map((seats) => `${named(seats)} ${state.totals[seats[0]]}`).join(", ");
    this.at("points").textContent = `${how}: ${totals}`.replaceAll("-", "\u2212");
  }

  /** Bring the entry into sight. */
  show() {
    this.question.scrollIntoView({ block: "nearest" });
  }
}

const FORMS = new Set(["score", "claim"]);
const ENDINGS = { ended: _("Ended early"), void: _("Void, and counts nowhere") };

function paragraph(text, name) {
  return Object.assign(document.createElement("p"), { textContent: text, className: name });
}
