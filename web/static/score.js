// The scorer's page: what is tapped and typed becomes events, which wait in the queue until the sender has recorded them.
"use strict";

import { deck as deckOf } from "./cards.js";
import { changes } from "./score-amend.js";
import { Dealing } from "./score-dealing.js";
import { anything, guess } from "./score-guess.js";
import { Log } from "./score-log.js";
import { Queue } from "./score-queue.js";
import { Sender } from "./score-send.js";
import { askNumbers, askWords } from "./score-sheets.js";
import { drawDeal, drawTray } from "./score-tray.js";
import { Panel, showStatus } from "./score-view.js";
import { begin, eventOf, fill, lacking, numbers, read, told, withCard } from "./score-words.js";

const root = document.querySelector("#score");
const card = JSON.parse(root.dataset.card);
const deck = deckOf(card.cards);
const words = { players: card.players, card, label: (face) => deck.get(face)?.text ?? face };
const desk = matchMedia("(pointer: fine)").matches;

let draft = null; // the event in the making
let amending = null; // {seq, event, table}: the event that is being amended, and the table before it
let lastTrick = null;
const fresh = new Set(); // ids of what was entered here and now: refused, it is simply not entered

const queue = new Queue(root.dataset.match, changed);
const sender = new Sender(root.dataset.api, queue, { changed, recorded, met, dropped });
const log = new Log(root.querySelector("#log"), root.dataset.log, amend);
const panel = new Panel(root, { deck, words });
const dealing = new Dealing(root.dataset.match, card, { changed, enter, say: (text) => panel.say(text) });
const input = root.querySelector("#said");

// --- the moment

/** The table as it will be once what waits is recorded; of an amendment, as it was before the event. */
function shown() {
  if (amending) return { ...amending.table, sure: true };
  if (!sender.table) return null;
  return queue.list().reduce((state, { event }) => guess(state, event), { ...sender.table, sure: true });
}

function momentOf(state) {
  const lost = !state.sure && sender.state === "offline";
  const choices = lost && state.phase !== "deal" ? anything(card.kinds) : state.choices.filter(({ type }) => type in card.kinds);
  return { choices, turn: state.turn, phase: state.phase, players: card.players, card };
}

const held = () => queue.list().find((entry) => entry.problem) ?? null;
/** Whether the next entry can be understood now: nothing is in question, and whose turn it is is known. */
const ready = (state) => amending || (state && !held() && (state.sure || sender.state === "offline"));

// --- entering

function enter(event) {
  draft = null;
  if (amending) {
    confirmAmend(event);
    return;
  }
  const state = shown();
  const id = queue.add(event, { hand: state.hand ?? null, seq: sender.table.seq });
  if (sender.state !== "offline") fresh.add(id);
  panel.say("");
  sender.send();
}

function go(next) {
  draft = next;
  const state = shown();
  if (draft && lacking(momentOf(state), draft) === null) enter(eventOf(momentOf(state), draft));
  else changed();
}

/** Take in what is typed, word by word, as far as it can be understood now; the rest stays where it is. */
function consume(final) {
  for (let state = shown(); state; state = shown()) {
    const text = input.value;
    if (held()) {
      const answer = text.trim().toLowerCase();
      if (answer && "yes".startsWith(answer)) decide(true);
      else if (answer && "no".startsWith(answer)) decide(false);
      return;
    }
    if (!ready(state)) {
      if (final) input.value = `${text} `; // the word ends here, whenever it is read
      return;
    }
    if (!text.trim()) {
      if (final && dealing.deal?.whole) dealing.done();
      return;
    }
    const found = dealing.deal ? dealing.read(text, final) : read(text, momentOf(state), draft, final);
    if (found.wait) return;
    if (found.error) {
      panel.say(found.error);
      if (final) input.select();
      return;
    }
    panel.say("");
    input.value = found.rest.replace(/^[\s,;]+/, "");
    if (found.command) {
      input.value = "";
      run(found.command, found.rest);
      return;
    }
    if (found.draft) go(found.draft);
    else changed();
  }
}

// --- commands

function run(command, rest) {
  const state = shown();
  if (command === "undo") undo();
  else if (command === "claim" || command === "score") sheet(command, state, rest);
  else if (command === "note") note(rest.trim());
  else end(rest.trim());
}

async function undo() {
  const last = queue.list().at(-1);
  if (last && (last.tried === null || last.problem)) {
    queue.drop(last);
    panel.say(`Not entered: ${told(last.event, words)}.`);
    return;
  }
  if (last) {
    panel.say("The last entry is on its way; it can be taken back once the server has answered.");
    return;
  }
  if (log.seq !== sender.table.seq) await log.read();
  if (log.undo && log.seq === sender.table.seq) enter({ type: "retract", to: log.undo.to });
  else panel.say("There is nothing to take back, as far as can be seen now.");
}

async function sheet(kind, state, rest = "", given = numbers(rest)) {
  const choice = state.choices.find(({ type }) => type === kind) ?? amending?.table.choices.find(({ type }) => type === kind);
  if (!choice && !amending) {
    panel.say(kind === "claim" ? "Nothing can be claimed now." : "A score ends a hand, and none is under way.");
    return;
  }
  const sum = choice?.total ?? null;
  const fits = given.length === card.players.length && (sum === null || given.reduce((a, b) => a + b, 0) === sum);
  const title = kind === "claim" ? "Claim: how the tricks that are left fall" : "The hand from the score sheet";
  const hint = kind === "claim" ? "The trick under way counts as one of them." : "Points of this hand, as written there; nothing is computed.";
  const found = fits && rest ? given : await askNumbers({ title, hint, players: card.players, sum, given });
  if (found) enter({ type: kind, [kind === "claim" ? "tricks" : "scores"]: found });
  else amending = null;
  changed();
}

async function note(text) {
  const found = text || (await askWords({ title: "Note", label: "What is to be remembered", wanted: true }));
  if (found) enter({ type: "note", text: found });
}

async function end(reason) {
  const hint = "The match is over before its rule says so: no more hands can be entered.";
  const found = await askWords({ title: "End the match", hint, label: "Why, if you like", given: reason, yes: "End the match" });
  if (found !== null) enter(found ? { type: "end", reason: found } : { type: "end" });
}

// --- corrections

async function amend(seq, event) {
  if (queue.list().length) {
    panel.say("First let what waits be recorded.");
    return;
  }
  const table = await online(sender.tableAt(seq - 1));
  if (!table) return;
  amending = { seq, event, table };
  draft = null;
  if (event.type === "deal") dealing.amend(event);
  changed();
  panel.show();
  if (event.type === "claim" || event.type === "score") sheet(event.type, amending.table, "", event.tricks ?? event.scores);
}

/** What a question to the server brings, or null, and a word, when it cannot be reached. */
async function online(question) {
  try {
    return await question;
  } catch {
    panel.say("An amendment needs a connection: what it would change is asked of the server first.");
    return null;
  }
}

async function confirmAmend(event) {
  const { seq } = amending;
  const found = await online(changes(sender, words, seq, event));
  if (!found) return;
  if (found.problem) {
    panel.say(`${found.problem.code}: ${found.problem.detail}`);
  } else if (await panel.askAmend(seq, told(event, words), found.lines)) {
    leave();
    enter({ type: "amend", about: seq, event });
  } else {
    leave();
  }
}

function leave() {
  dealing.leave();
  amending = null;
  draft = null;
  panel.say("");
  changed();
}

/** Answer for the entry in question: record it all the same, or give it up (or with `all` everything that waits). */
function decide(yes, all = false) {
  const entry = held();
  if (!entry) return;
  const rest = input.value.trim();
  input.value = "";
  if (yes && entry.problem.kind !== "refused") {
    queue.change({ ...entry, agreed: true, problem: null });
    if (!/^y(es)?$/i.test(rest)) input.value = rest;
  } else if (yes) {
    queue.change({ ...entry, problem: null });
  } else {
    queue.drop(...(all ? queue.list() : [entry]));
    panel.say(`Not entered: ${told(entry.event, words)}${all ? ", and what came after it" : ""}.`);
  }
  sender.send();
}

// --- what happens

function changed() {
  const state = shown();
  const list = queue.list();
  showStatus(root, sender.state, list);
  const [first] = list;
  if (first?.problem?.kind === "refused" && list.length === 1 && !first.overtaken && fresh.delete(first.event.id)) {
    queue.drop(first);
    const rest = input.value.trim();
    input.value = "";
    panel.say(`${first.problem.code}: ${first.problem.detail}${rest ? ` Not entered either: ${rest}` : ""}`);
    return;
  }
  if (!state) return;
  dealing.follow(state);
  const { deal } = dealing;
  const moment = momentOf(state);
  if (draft && !amending && draft.seat !== undefined && state.turn !== null && draft.seat !== state.turn) draft = null;
  panel.table(state, { lastTrick, choices: moment.choices, deal });
  panel.prompt(state, moment, { draft, deal, amending, held: held(), waiting: list, decide, leave });
  panel.acts(state, log, run, Boolean(amending));
  if (!ready(state)) panel.wait();
  else if (deal) drawDeal(panel.tray, deal, deck, dealing.taps);
  else {
    drawTray(panel.tray, { moment, draft, state, deck }, {
      kind: (choice) => go(begin(moment, choice)),
      value: (value) => go(fill(moment, draft ?? begin(moment, moment.choices[0]), value)),
      card: (face) => go(withCard(moment, draft ? [draft] : moment.choices.map((choice) => begin(moment, choice)), face)),
    });
  }
}

function recorded({ event }, before) {
  fresh.delete(event.id);
  lastTrick = trickEnded(before, sender.table, event) ?? (event.type === "play" || event.type === "note" ? lastTrick : null);
  readLog();
  changed();
  if (input.value.trim()) consume(false);
}

/** The trick that an event ended, as table.js shows it, or null. */
function trickEnded(before, after, { card: face }) {
  if (!before.trick || after.trick || !face || !after.tricks_taken || before.trick.cards.length < card.players.length - 1) return null;
  const taker = after.tricks_taken.findIndex((taken, seat) => taken > before.tricks_taken[seat]);
  return { leader: before.trick.leader, cards: [...before.trick.cards, face], taker: taker < 0 ? null : taker };
}

function met(events) {
  lastTrick = null;
  readLog().then(() => {
    const told = events.map(({ seq, by }) => `${by}: ${log.words(seq) ?? `event ${seq}`}`);
    if (told.length) panel.heard(told.slice(-3).join("; "));
  });
}

function dropped({ event }) {
  panel.say(`Somebody else has recorded the same: ${told(event, words)}`);
}

async function readLog() {
  await log.read();
  changed();
}

// --- keys

root.querySelector("#line").addEventListener("submit", (event) => {
  event.preventDefault();
  consume(true);
});
input.addEventListener("input", () => consume(false));
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    input.value = "";
    leave();
  } else if (event.key === "Backspace" && event.target === input && !input.value && dealing.deal) {
    dealing.back();
  } else if (desk && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input, textarea, select, button, a")) {
    input.focus();
  }
});

sender.send().then(() => sender.follow());
if (desk) input.focus();
