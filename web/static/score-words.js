// What a scorer may say at a moment, and what a typed text means: no page, no network, no game by name.
//
// A moment is {choices, turn, phase, players, card}: the choices of the table's JSON, and the page's scorecard (kinds
// of events with their keys, faces, suits). A draft is an event in the making: {type, choice, …keys filled so far}.
"use strict";

const SEATS = new Set(["seat", "from", "to"]);
const COMMANDS = ["undo", "claim", "score", "note", "end"];

/** Begin an event of a choice: what the choice leaves no choice about is filled in. */
export function begin(moment, choice) {
  const draft = { type: choice.type, choice };
  const keys = moment.card.kinds[choice.type];
  if (keys.includes("seat") && choice.seat !== null && choice.seat !== undefined) draft.seat = choice.seat;
  // Where it is all there is to say, it is said by whoever enters it.
  if (keys.includes("from") && keys.at(-1) !== "from" && choice.from?.length === 1) draft.from = choice.from[0];
  if (keys.includes("to") && choice.to !== undefined) draft.to = choice.to;
  return draft;
}

/** The key a draft lacks next, or null when it is a whole event. */
export function lacking(moment, draft) {
  return moment.card.kinds[draft.type].find((key) => !filled(draft, key)) ?? null;
}

function filled(draft, key) {
  return key === "cards" ? (draft.cards?.length ?? 0) >= (draft.choice.count ?? 1) : draft[key] !== undefined;
}

/** A draft with its next key filled. */
export function fill(moment, draft, value) {
  const key = lacking(moment, draft);
  return { ...draft, [key]: key === "cards" ? [...(draft.cards ?? []), value] : value };
}

/** The event that a whole draft is. */
export function eventOf(moment, draft) {
  const keys = moment.card.kinds[draft.type];
  return Object.fromEntries([["type", draft.type], ...keys.map((key) => [key, draft[key]])]);
}

/** What the next key of a draft may be, in the order shown; cards apart, which are offered as a tray. */
export function offers(moment, draft) {
  const key = lacking(moment, draft);
  const { choice } = draft;
  if (key === "from" && choice.from) return choice.from;
  if (key === "from" && draft.type === "draw") return ["stock", "discards"];
  if (SEATS.has(key)) return moment.players.map((_, seat) => seat).filter((seat) => key === "seat" || seat !== draft.seat);
  if (key === "suit") return moment.card.suits;
  if (key === "amount") {
    const [least, most] = choice.amounts ?? [0, moment.card.deal.each];
    return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  }
  return [];
}

/**
 * Read one word off the front of a text.
 *
 * Returns {wait: true} as long as more letters may follow, {error} for what means nothing here, {command, rest} for a
 * command (which takes the whole line), or {draft, rest} with the draft as it then is. `final` says that the text is
 * all there is (Enter).
 */
export function read(text, moment, draft, final) {
  const said = text.trimStart().toLowerCase();
  if (!said) return { wait: true };
  const words = vocabulary(moment, draft);
  const begun = words.filter(([word]) => word.startsWith(said));
  const whole = words
    .filter(([word, action]) => said.startsWith(word) && ends(word, said) && (final || !action.line))
    .sort((a, b) => b[0].length - a[0].length);
  if (whole.length && (final || !begun.some(([word]) => word.length > whole[0][0].length))) {
    const [word, action] = whole[0];
    return { ...action(), rest: text.trimStart().slice(word.length) };
  }
  if (begun.length && !final) return { wait: true };
  const meant = new Set(begun.map(([, action]) => action));
  if (meant.size === 1) return { ...[...meant][0](), rest: "" };
  const shown = text.trim().split(/\s+/)[0];
  return { error: meant.size ? `“${shown}” may mean several things here.` : `“${shown}” means nothing here.` };
}

// Cards may be typed without blanks between them; other words end where a word ends.
function ends(word, said) {
  return /^[a-z]{3,}$/.test(word) ? !/^[a-z]/.test(said.slice(word.length)) : true;
}

/** Every word of the moment with what it does, as pairs. */
function vocabulary(moment, draft) {
  const words = [];
  const drafts = draft ? [draft] : moment.choices.map((choice) => begin(moment, choice));
  const keys = new Set(drafts.map((one) => lacking(moment, one)));
  for (const one of drafts) {
    const key = lacking(moment, one);
    if (key === "card" || key === "cards") continue;
    for (const value of offers(moment, one)) {
      const next = () => ({ draft: fill(moment, one, value) });
      const names = SEATS.has(key) && Number.isInteger(value) ? [String(value), moment.players[value]] : [String(value)];
      for (const name of names) words.push([name.toLowerCase(), next]);
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
  // Of the same word the first counts: cards and seats before kinds and commands.
  return words;
}

/** The ways a face may be typed: 9S, 9s, S9, 10s. */
function spellings(face) {
  const low = face.toLowerCase();
  const found = [low];
  if (/^t[a-z]$/.test(low)) found.push(`10${low[1]}`, `${low[1]}10`);
  if (/^[0-9a-z][0-9a-z]$/.test(low) && !/^\d+$/.test(low)) found.push(low[1] + low[0]);
  return found;
}

/** Give a card to the draft it is meant for: one that it is legal for, else the first that lacks one. */
export function withCard(moment, drafts, face) {
  const lack = drafts.filter((one) => ["card", "cards"].includes(lacking(moment, one)));
  const fit = lack.find((one) => one.choice.cards?.includes(face)) ?? lack[0] ?? ofKind(moment, moment.phase);
  return fill(moment, fit, face);
}

/** Begin an event of a kind, whether or not the rules offer it now: what is wrong with it is for the table to say. */
export function ofKind(moment, type) {
  const kind = type in moment.card.kinds ? type : "play";
  return begin(moment, moment.choices.find((choice) => choice.type === kind) ?? { type: kind, seat: moment.turn });
}

/** The numbers in a text, such as those of a score sheet: "3 2, 4 -4". */
export function numbers(text) {
  const found = text.replaceAll("\u2212", "-").match(/-?\d+/g) ?? [];
  return found.map(Number);
}

const VERBS = { pass: "passes", layoff: "lays off", ask: "asks for", collect: "takes a card" };

/** An event in a few words, for what waits or is in question; the log has the server's. */
export function told(event, { players, card, label }) {
  if (event.type === "deal") return event.hands ? "the deal" : "the deal, hands hidden";
  if (event.type === "claim" || event.type === "score") {
    return `${event.type}: ${(event.tricks ?? event.scores).map((number, seat) => `${players[seat]} ${number}`).join(", ")}`;
  }
  if (event.type === "retract") return `taking back what came after event ${event.to}`;
  if (event.type === "amend") return `event ${event.about} as ${told(event.event, { players, card, label })}`;
  if (event.type === "note" || event.type === "end") return [event.type, event.text ?? event.reason].filter(Boolean).join(": ");
  const parts = [players[event.seat], VERBS[event.type] ?? `${event.type}s`];
  for (const face of event.cards ?? (event.card ? [event.card] : [])) parts.push(label(face));
  if (event.amount !== undefined) parts.push(event.amount);
  if (event.suit) parts.push(event.suit);
  if (event.from !== undefined) parts.push("from", players[event.from] ?? `the ${event.from}`);
  if (event.to !== undefined) parts.push("to", players[event.to]);
  return parts.join(" ");
}
