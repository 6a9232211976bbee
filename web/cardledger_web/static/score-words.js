// The words of a scorer at a moment, and the meaning of a typed text. This file knows no page, no network and no
// single game.
//
// A moment is {choices, turn, phase, players, card}: the choices of the table's JSON, and the page's scorecard (kinds
// of events with their keys, faces, suits). A draft is an unfinished event: {type, choice, …keys filled so far}.
"use strict";

import { _ } from "./texts.js";
import { shownCall } from "./wording.js";

const SEATS = new Set(["seat", "from", "to"]);
const COMMANDS = ["undo", "redo", "claim", "score", "note", "end"];

/** The seats of each side; without partners, each seat is a side. */
export function sidesOf(card) {
  return card.sides.length ? card.sides : card.players.map((_, seat) => [seat]);
}

/** A seat's number for people, who count from 1; the record counts from 0. */
export const seatNumber = (seat) => String(seat + 1);

/** Begin an event of a choice: keys with only one possible value are filled in. */
export function begin(moment, choice) {
  const draft = { type: choice.type, choice };
  const keys = moment.card.kinds[choice.type];
  if (keys.includes("seat") && choice.seat !== null && choice.seat !== undefined) draft.seat = choice.seat;
  // If it is the only key, the scorer enters it.
  if (keys.includes("from") && keys.at(-1) !== "from" && choice.from?.length === 1) draft.from = choice.from[0];
  if (keys.includes("to") && choice.to !== undefined) draft.to = choice.to;
  return draft;
}

/** The next missing key of a draft, or null when the event is complete. */
export function missingKey(moment, draft) {
  return moment.card.kinds[draft.type].find((key) => !filled(draft, key)) ?? null;
}

function filled(draft, key) {
  if (key !== "cards" || draft.cards === null) return draft[key] !== undefined;
  return (draft.cards?.length ?? 0) >= (draft.choice.count ?? 1);
}

/** A draft with its next key filled. */
export function fill(moment, draft, value) {
  const key = missingKey(moment, draft);
  return { ...draft, [key]: key === "cards" && value !== null ? [...(draft.cards ?? []), value] : value };
}

/** Whether the cards of a draft may be left out: they lie face down, as those of the stock do, and the hands are hidden. */
export function mayBeUnseen(moment, draft) {
  return moment.hidden && moment.card.unseen.includes(draft.type) && draft.from !== "discards" && ["card", "cards"].includes(missingKey(moment, draft));
}

/** The event of a complete draft. */
export function eventOf(moment, draft) {
  const keys = moment.card.kinds[draft.type];
  return Object.fromEntries([["type", draft.type], ...keys.map((key) => [key, draft[key]])]);
}

/** The values for the next key of a draft, in the order shown; without cards, which the tray offers. */
export function offers(moment, draft) {
  const key = missingKey(moment, draft);
  const { choice } = draft;
  if (key === "from" && choice.from) return choice.from;
  if (key === "from" && draft.type === "draw") return ["stock", "discards"];
  if (SEATS.has(key)) return moment.players.map((_, seat) => seat).filter((seat) => key === "seat" || seat !== draft.seat);
  if (key === "suit") return moment.card.suits;
  if (key === "call") return choice.calls ?? moment.card.words;
  if (key === "amount") {
    const [least, most] = choice.amounts ?? [0, moment.card.deal.each];
    return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  }
  return [];
}

/**
 * Read one word off the front of a text.
 *
 * Returns {wait: true} as long as more letters may follow, {error} for a word without meaning here, {command, rest}
 * for a command (which takes the whole line), or {draft, rest} with the new draft. `final` means that the text is
 * complete (Enter).
 */
export function read(text, moment, draft, final) {
  // Telephones put an invisible sign after the sign of a suit.
  const typed = text.trimStart().replaceAll("\ufe0f", "");
  const said = typed.toLowerCase();
  if (!said) return { wait: true };
  const words = vocabulary(moment, draft);
  const begun = words.filter(([word]) => word.startsWith(said));
  const whole = words
    .filter(([word, action]) => said.startsWith(word) && ends(word, said) && (final || !action.line))
    .sort((a, b) => b[0].length - a[0].length);
  if (whole.length && (final || !begun.some(([word]) => word.length > whole[0][0].length))) {
    const [word, action] = whole[0];
    return { ...action(), rest: typed.slice(word.length) };
  }
  if (begun.length && !final) return { wait: true };
  const meant = new Set(begun.map(([, action]) => action));
  const [shortest] = begun.toSorted(([one], [other]) => one.length - other.length);
  if (meant.size > 1 && begun.every(([word]) => word.startsWith(shortest[0]))) return { ...shortest[1](), rest: "" };
  if (meant.size === 1) return { ...[...meant][0](), rest: "" };
  const shown = text.trim().split(/\s+/)[0];
  return { error: meant.size ? _("“%(text)s” may mean several things here. Type more of it.", { text: shown }) : _("“%(text)s” means nothing here.", { text: shown }) };
}

// Cards may be typed without blanks between them; other words end where a word ends.
function ends(word, said) {
  return /^[a-z]{3,}$/.test(word) ? !/^[a-z]/.test(said.slice(word.length)) : true;
}

/** Every word of the moment with what it does, as pairs. */
function vocabulary(moment, draft) {
  const words = [];
  const drafts = draft ? [draft] : moment.choices.map((choice) => begin(moment, choice));
  const keys = new Set(drafts.map((one) => missingKey(moment, one)));
  for (const one of drafts) {
    const key = missingKey(moment, one);
    if (mayBeUnseen(moment, one)) words.push(["?", () => ({ draft: fill(moment, one, null) })]);
    if (!draft && Number.isInteger(one.seat) && !Number.isInteger(moment.turn)) {
      // No seat has the turn: name the seat.
      for (const name of [seatNumber(one.seat), moment.players[one.seat]]) words.push([name.toLowerCase(), () => ({ draft: one })]);
    }
    if (key === "card" || key === "cards") continue;
    for (const value of offers(moment, one)) {
      const next = () => ({ draft: fill(moment, one, value) });
      const names = SEATS.has(key) && Number.isInteger(value) ? [seatNumber(value), moment.players[value]] : [String(value)];
      for (const name of names) words.push([name.toLowerCase(), next]);
      if (key === "call") words.push([moment.card.short[value] ?? initials(value), next], [shortened(value), next]);
    }
  }
  if (keys.has("card") || keys.has("cards") || !drafts.length) {
    for (const face of moment.card.faces) {
      const next = () => ({ draft: withCard(moment, drafts, face) });
      for (const word of spellings(face)) words.push([word, next]);
    }
  }
  for (const type of Object.keys(moment.card.kinds)) {
    const next = () => ({ draft: ofKind(moment, type) });
    words.push([type, next]);
    if (type === "pass") words.push(["p", next]);
  }
  for (const command of COMMANDS) words.push([command, Object.assign(() => ({ command }), { line: true })]);
  // If a word occurs twice, the first counts: cards and seats before kinds and commands.
  return words;
}

/** A call in short: "p" for pass, "oua" for order up alone. */
function initials(call) {
  return call.toLowerCase().split(" ").map((word) => word[0]).join("");
}

/** A call with its first word in short: "s alone" for spades alone. */
function shortened(call) {
  return call.toLowerCase().replace(/^(\w)\w* /, "$1 ");
}

const SIGNS = { c: "♣♧", d: "♦♢", h: "♥♡", s: "♠♤" };

/** The ways a face may be typed: 9S, 9s, S9, 10s, 9♠, ♠9. */
function spellings(face) {
  const low = face.toLowerCase();
  if (!/^[0-9a-z][0-9a-z]$/.test(low) || /^\d+$/.test(low)) return [low];
  const [rank, suit] = low;
  const suits = [suit, ...(SIGNS[suit] ?? "")];
  return (rank === "t" ? [rank, "10"] : [rank]).flatMap((one) => suits.flatMap((other) => [one + other, other + one]));
}

/** Give a card to the draft it is meant for: one for which it is legal, else the first without a card. */
export function withCard(moment, drafts, face) {
  const lack = drafts.filter((one) => ["card", "cards"].includes(missingKey(moment, one)));
  const fit = lack.find((one) => one.choice.cards?.includes(face)) ?? lack[0] ?? ofKind(moment, moment.phase);
  const twins = moment.card.deal.deck.filter((other) => other === face).length > 1;
  if (fit.cards?.includes(face) && !twins) return { ...fit, cards: fit.cards.filter((other) => other !== face) };
  return fill(moment, fit, face);
}

/** Begin an event of a kind, even if the rules do not offer it now: the table will report the error. */
export function ofKind(moment, type) {
  const kind = type in moment.card.kinds ? type : "play";
  return begin(moment, moment.choices.find((choice) => choice.type === kind) ?? { type: kind, seat: moment.turn });
}

/** The numbers in a text, such as those of a score sheet: "3 2, 4 -4". */
export function numbers(text) {
  const found = text.replaceAll("\u2212", "-").match(/-?\d+/g) ?? [];
  return found.map(Number);
}

const VERBS = {
  play: _("%(name)s plays"), bid: _("%(name)s bids"), pass: _("%(name)s passes"), draw: _("%(name)s draws"),
  discard: _("%(name)s discards"), give: _("%(name)s gives"), close: _("%(name)s closes"), layoff: _("%(name)s lays off"),
  ask: _("%(name)s asks for"), collect: _("%(name)s takes a card"),
};
export const PILES = { stock: _("from the stock"), discards: _("from the discards") };

/** Names as in a sentence: "ana and ben". */
export const joined = (names) => names.join(_(" and "));

/** A text that somebody wrote, or a remark that it was erased. */
const left = (text) => (/^~[A-Z2-7]{26}$/.test(text) ? _("erased") : text);

/** An event in a few words, for waiting entries and questions; the log has the server's words. */
export function inWords(event, { players, card, label }) {
  if (event.type === "deal") return event.hands ? _("the deal") : _("the deal, hands hidden");
  if (event.type === "claim" || event.type === "score") {
    const kind = event.type === "score" ? _("score") : event.seat === undefined ? _("claim") : _("claim by %(name)s", { name: players[event.seat] });
    return `${kind}: ${(event.tricks ?? event.scores).map((number, seat) => `${players[seat]} ${number}`).join(", ")}`;
  }
  if (event.type === "retract") return _("taking back what came after event %(to)s", event);
  if (event.type === "amend") return _("event %(about)s as %(words)s", { about: event.about, words: inWords(event.event, { players, card, label }) });
  if (event.type === "note" || event.type === "end") return [event.type === "note" ? _("note") : _("end"), left(event.text ?? event.reason)].filter(Boolean).join(": ");
  if (event.type === "call") return _("%(name)s calls %(call)s", { name: players[event.seat], call: shownCall(card.wording, event.call) });
  const does = VERBS[event.type] ?? `%(name)s ${event.type}s`;
  const parts = [_(does, { name: players[event.seat] })];
  if (event.card === null || event.cards === null) parts.push(_("what nobody saw"));
  for (const face of event.cards ?? (event.card ? [event.card] : [])) parts.push(label(face));
  if (event.amount !== undefined) parts.push(event.amount);
  if (event.suit) parts.push(event.suit);
  if (event.from !== undefined) parts.push(PILES[event.from] ?? _("from %(name)s", { name: players[event.from] }));
  if (event.to !== undefined) parts.push(_("to %(name)s", { name: players[event.to] }));
  return parts.join(" ");
}
