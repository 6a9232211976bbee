// The scorer's page: taps and typed words become events, which wait in the queue until the sender has recorded them.
"use strict";

import { Cards } from "./cards.js";
import { keepPage } from "./offline.js";
import { Opening } from "./opening.js";
import { own } from "./root.js";
import { changes } from "./score-amend.js";
import { Dealing } from "./score-dealing.js";
import { Log } from "./score-log.js";
import { asRecorded, Queue } from "./score-queue.js";
import { RefusedOpening } from "./score-refused.js";
import { Sender } from "./score-send.js";
import { askNumbers, askWords, askYes } from "./score-sheets.js";
import { drawDeal, drawTray } from "./score-tray.js";
import { Panel, Standing, showStatus } from "./score-view.js";
import { begin, eventOf, fill, joined, missingKey, numbers, read, sidesOf, inWords, withCard } from "./score-words.js";
import { _, ngettext } from "./texts.js";
import { Witness } from "./witness.js";

const root = document.querySelector("#score");
const card = JSON.parse(root.dataset.card);
const cards = new Cards(document.querySelector("#pack"));
const words = { players: card.players, card, label: (face) => card.cards[face] ?? face };
const desk = matchMedia("(pointer: fine)").matches;
const PATIENCE = 3_000; // milliseconds that the engine waits for the worker
const GLANCE = 800; // milliseconds in which a scorer cannot have noticed that the turn has passed

let draft = null; // the unfinished event
let draftTurn = null; // the turn it is made for
let passedOn = -GLANCE; // when another scorer's entry last passed the turn on
let typedLate = false; // whether another scorer's entry passed the turn on since the text in the line was begun
let amending = null; // {seq, event, table}: the event that is being amended, and the table before it
const takenBack = []; // entries taken back before they were sent, the last at the end
const unheard = []; // events of others that are not said yet
const fresh = new Set(); // ids of entries made just now: a refused one is simply dropped

const queue = new Queue(own(root.dataset.match), () => {
  sender.look();
  if (sender.table && behind()) sender.catchUp().then(() => input.value.trim() && consume(false));
  changed();
});
const sender = new Sender(root.dataset, queue, { changed, looked, recorded, met, dropped }, new Opening(root.dataset.match));
const refused = new RefusedOpening(root, sender.opening, queue);
const log = new Log(root.querySelector("#log"), root.dataset.log, { amend, undoTo, again: readLog, other: (whole, entries) => sender.judge.log(whole, events(entries)) });
const panel = new Panel(root, { cards, words });
const standing = new Standing(root.querySelector("#evening"));
const dealing = new Dealing(own(root.dataset.match), card, { changed, enter, say: (text) => panel.say(text) });
const input = root.querySelector("#said");

// --- the moment

/** The waiting entries, up to one that came too late; none counts for an amendment. */
function waitingNow() {
  const list = amending ? [] : queue.list();
  const late = list.findIndex(({ problem }) => problem?.kind === "stale" || problem?.kind === "two");
  return late < 0 ? list : list.slice(0, late);
}

/** The table after the waiting entries; for an amendment, the table before it. */
function shown() {
  if (amending) return { ...amending.table, sure: true };
  if (!sender.table) return null;
  const waiting = waitingNow();
  if (!waiting.length) return { ...sender.table, sure: true };
  const after = sender.judge.after(waiting);
  // Until somebody who knows the rules has said what comes next, nothing is known of it.
  return after ? { ...after, sure: true } : { ...sender.table, counted: waiting.at(-1).next, choices: [], turn: null, sure: false };
}

/** The entries that wait for a connection, if it is known what comes after them, so that they can be corrected; else null. */
function ahead() {
  const list = queue.list();
  if (!list.length) return list;
  return sender.away && sender.table && sender.judge.seq === sender.table.seq && sender.judge.after(list) ? list : null;
}

const events = (entries) => asRecorded(entries, sender.table.seq);

/** The turn that the scorer has in mind now. */
function turnNow() {
  const unsure = justPassed() || (typedLate && input.value.trim() !== "");
  return { turn: shown().counted, seq: sender.table.seq, at: shown().seq, unsure };
}

const justPassed = () => performance.now() - passedOn < GLANCE;

function momentOf(state) {
  const lost = !state.sure && sender.away; // then every kind of event of the game may come next
  const possible = lost ? Object.keys(card.kinds).map((type) => ({ type, seat: null })) : state.choices.filter(({ type }) => type in card.kinds);
  const corrected = amending ? possible.filter(({ type }) => type === amending.event.type) : [];
  const choices = corrected.length ? corrected : possible;
  return { choices, turn: state.turn, phase: state.phase, players: card.players, card, hidden: !state.hands };
}

const held = () => queue.list().find((entry) => entry.problem) ?? null;
/** Whether the next entry can be understood now: no question is open, and the turn is known. */
const ready = (state) => amending || (state && !held() && !behind() && (state.sure || (sender.away && !sender.judge.knows)));
/** Whether another window has sent entries from here, so that the table is about to change. */
const behind = () => !sender.away && queue.gone().length > 0;

// --- entering

/** Enter an event for a turn; `next` is how many events count after it, `meant` the id of a waiting entry that it corrects. */
function enter(event, about = turnNow(), next = about.turn + (event.type === "note" || event.type === "amend" ? 0 : 1), meant = undefined) {
  draft = null;
  takenBack.length = 0;
  if (amending) {
    confirmAmend(event);
    return;
  }
  const id = queue.add(event, { ...about, next, meant, apart: sender.away });
  if (!sender.away) fresh.add(id);
  panel.say("");
  sender.send();
}

function go(next) {
  const state = shown();
  draft = next;
  draftTurn = state.counted;
  if (draft && missingKey(momentOf(state), draft) === null) enter(eventOf(momentOf(state), draft));
  else changed();
}

/** Read the typed words as far as they can be understood now; the rest stays in the line. */
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
    if (found.command) {
      run(found.command, found.rest);
      input.value = "";
      return;
    }
    if (found.line) {
      input.value = "";
      handOnLine(found.line);
      return;
    }
    if (found.draft) go(found.draft);
    else changed();
    input.value = found.rest.replace(/^[\s,;]+/, ""); // last, because entering checks when the text was begun
  }
}

// --- commands

function run(command, rest) {
  const state = shown();
  if (command === "undo") undo();
  else if (command === "redo") redo();
  else if (command === "claim" || command === "score") sheet(command, state, rest);
  else if (command === "note") note(rest.trim());
  else end(rest.trim());
}

/** Take back what was tapped last, whether it was sent or not. */
async function undo() {
  if (draft) {
    go(draft.cards?.length > 1 ? { ...draft, cards: draft.cards.slice(0, -1) } : null);
    return;
  }
  if (dealing.deal?.placed.length) {
    dealing.back();
    return;
  }
  const about = turnNow();
  const last = queue.list().at(-1);
  // What waits without a connection is taken back as with one: by an event. What was asked about was never entered.
  if (last && (last.problem || (last.tried === null && !ahead()))) {
    if (cardsOf(last.event) > MANY && !(await sure(inWords(last.event, words), cardsOf(last.event)))) return;
    queue.giveUp([last], sender.table.seq);
    takenBack.push(last);
    panel.say(_("Not entered: %(words)s.", { words: inWords(last.event, words) }));
    changed();
    return;
  }
  if (!ahead()) {
    panel.say(_("The last entry is on its way; it can be taken back once the server has answered."));
    return;
  }
  if (log.seq !== shown().seq) await readLog();
  if (!log.undo || log.seq !== shown().seq) panel.say(_("There is nothing to take back."));
  else if (log.undo.taps <= MANY || (await sure(log.undo.words, log.undo.taps))) enter({ type: "retract", to: log.undo.to }, about, log.undo.left, log.idOf(log.undo.to));
}

/** Enter again what was taken back last. */
async function redo() {
  const about = turnNow();
  if (takenBack.length) {
    const { event, turn, next, meant } = takenBack.pop();
    const others = takenBack.splice(0);
    enter(event, about, about.turn + next - turn, meant);
    takenBack.push(...others);
    return;
  }
  if (waiting()) return;
  if (log.seq !== shown().seq) await readLog();
  if (log.redo && log.seq === shown().seq) enter({ type: "retract", to: log.redo.to }, about, log.redo.left, log.idOf(log.redo.to));
  else panel.say(_("Nothing was taken back just now."));
}

const MANY = 8; // cards of a deal that is not taken back without a question
const cardsOf = (event) => (event.hands ?? []).flat().length;
const sure = (about, number) => askYes({ title: _("Take back the deal?"), hint: _("%(words)s, with %(number)s cards that were entered.", { words: about, number }), yes: _("Take it back") });

const SHEETS = {
  claim: { title: _("Claim: who takes the remaining tricks"), hint: _("The trick under way counts as one of them.") },
  tricks: { title: _("Tricks of this hand"), hint: sidesOf(card).length < card.players.length ? _("Partners have one number, which the record shares out between them.") : _("How many each player took.") },
  score: { title: _("Points of this hand"), hint: _("As on your score sheet.") },
};

const canClaim = (state) => state.choices.some(({ type }) => type === "claim");
const unplayed = (state) => !state.trick && (state.tricks_taken ?? []).every((taken) => taken === 0);

async function sheet(kind, state, rest = "", given = numbers(rest)) {
  const choice = state.choices.find(({ type }) => type === kind) ?? amending?.table.choices.find(({ type }) => type === kind);
  const first = !choice && kind === "score" && Boolean(dealing.deal); // results only: the deal comes with them
  if (first && !dealing.deal.started) {
    panel.say(_("First say who deals."));
    return;
  }
  if (!choice && !amending && !first) {
    panel.say(kind === "claim" ? _("Nothing can be claimed now.") : _("A score ends a hand, and none is under way."));
    return;
  }
  const about = turnNow();
  const sum = choice?.total ?? null;
  const found = kind === "score" ? await askPoints(given, rest) : await askTricks(amending?.table ?? state, sum, given, rest);
  if (found && first) {
    const deal = dealing.resultsOnly();
    if (!deal) return;
    enter(deal, about);
    enter({ type: "score", scores: found });
    return;
  }
  const seat = kind === "claim" ? amending?.event.seat : undefined;
  if (found) enter({ type: kind, ...(seat === undefined ? {} : { seat }), [kind === "claim" ? "tricks" : "scores"]: found }, about);
  else amending = null;
  changed();
}

/** What the button of a form says: a correction is shown before it is recorded. */
const step = () => (amending ? { yes: _("See what changes") } : {});

/** Ask for the tricks of a whole hand, or those that are left, once for each side; returns them by seat. */
async function askTricks(state, sum, given, rest) {
  const asked = unplayed(state) ? SHEETS.tricks : SHEETS.claim;
  // A nil depends on the tricks of one partner.
  const apart = (seats) => seats.some((seat) => state.bids?.[seat] === 0);
  const groups = sidesOf(card).flatMap((seats) => (apart(seats) ? seats.map((seat) => [seat]) : [seats]));
  if (rest && given.length === card.players.length && (sum === null || added(given) === sum)) return given;
  const numbers = given.length === card.players.length ? groups.map((seats) => added(seats.map((seat) => given[seat]))) : given;
  const whole = rest && numbers.length === groups.length && (sum === null || added(numbers) === sum);
  const found = whole ? numbers : await askNumbers({ ...asked, players: groups.map(named), sum, given: numbers, ...step() });
  return found && card.players.map((_, seat) => shared(groups, found, seat));
}

/** The part of a seat in the number of its group: partners share it out evenly, the odd one goes to the first. */
function shared(groups, numbers, seat) {
  const group = groups.findIndex((seats) => seats.includes(seat));
  const seats = groups[group];
  return Math.floor((numbers[group] + seats.length - 1 - seats.indexOf(seat)) / seats.length);
}

const added = (numbers) => numbers.reduce((one, other) => one + other, 0);
const named = (seats) => joined(seats.map((seat) => card.players[seat]));

/** Ask for the points of a hand, once for each side; returns them by seat. */
async function askPoints(given, rest) {
  const sides = sidesOf(card);
  const whole = given.length === card.players.length;
  const bySide = whole ? sides.map(([seat]) => given[seat]) : given;
  const same = !whole || sides.every((seats) => seats.every((seat) => given[seat] === given[seats[0]]));
  const all = sides.map(([seat]) => card.all_to_one[seat] && sides.map(([other]) => card.all_to_one[seat][other]));
  const found = rest && same && bySide.length === sides.length ? bySide : await askNumbers({ ...SHEETS.score, players: sides.map(named), given: bySide, all, follows: amending ? null : (points) => sender.judge.follows(points, events(ahead() ?? [])), ...step() });
  return found && card.players.map((_, seat) => found[sides.findIndex((seats) => seats.includes(seat))]);
}

/** Enter a hand that is written on one line, which the server reads; without a line, ask for it. */
async function handOnLine(line = "") {
  const about = turnNow();
  const { board } = shown().choices.find(({ type }) => type === "deal")?.also ?? {};
  for (let given = line, wrong = ""; ; ) {
    if (given) {
      const found = await sender.judge.line(given, board);
      if (found?.director) location.assign(found.director);
      if (found?.deal) enterHand(found, about);
      if (found && !found.wrong) return;
      wrong = found?.wrong ?? _("This cannot be read without a connection. Without one, tap “Leave the hands hidden”, the auction and the claim.");
    }
    const ways = root.dataset.director && _("A director writes A+, A-, 60/40 or not played.");
    const seats = card.wording.seats.length ? "" : _("Seats count from 1.");
    const hint = [wrong, wrong === card.line ? "" : card.line, seats, ways].filter(Boolean).join(" ");
    given = await askWords({ title: _("Contract and result"), hint, label: _("Contract, who plays it, tricks"), wanted: true, given });
    if (given === null) return;
  }
}

/** Enter a hand without its cards: what its deal says, the calls from the dealer on, and the tricks by seat. */
function enterHand({ deal: said, calls, tricks }, about) {
  const deal = dealing.resultsOnly();
  if (!deal) return;
  enter({ ...deal, ...said }, about);
  const n = card.players.length;
  const dealer = calls.length ? (deal.dealer ?? deal.starter ?? (deal.board - 1) % n) : 0; // a board says it by its number
  calls.forEach((call, turn) => enter({ type: "call", seat: (dealer + turn) % n, call }));
  if (tricks.length) enter({ type: "claim", tricks });
}

async function note(text) {
  const found = text || (await askWords({ title: _("Note"), label: _("Text of the note"), wanted: true }));
  if (found) enter({ type: "note", text: found });
}

async function end(reason) {
  const about = turnNow();
  const hint = _("The match ends early: no more hands can be entered.");
  const found = await askWords({ title: _("End the match"), hint, label: _("Reason (optional)"), given: reason, yes: _("End the match") });
  if (found !== null) enter(found ? { type: "end", reason: found } : { type: "end" }, about);
}

// --- corrections

/** Whether entries wait of which it is not known what comes after them, so that they cannot be corrected; says so. */
function waiting() {
  const some = !ahead();
  if (some) panel.say(_("Entries are still waiting. Try again when they are recorded."));
  return some;
}

/** Take back the `later` events that count after event `seq`, after one question; then `left` events count. */
async function undoTo(seq, left, later) {
  if (waiting()) return;
  const [about, meant] = [turnNow(), log.idOf(seq)];
  const many = ngettext("%(num)s event", "%(num)s events", later);
  const hint = _("What came after event %(seq)s, %(words)s, no longer counts: %(many)s. Nothing is deleted; the log keeps all of it.", { seq, words: log.words(seq), many });
  const reason = await askWords({ title: _("Undo to event %(seq)s", { seq }), hint, label: _("Reason (optional)"), yes: _("Take back %(many)s", { many }) });
  if (reason !== null) enter({ type: "retract", to: seq, ...(reason ? { reason } : {}) }, about, left, meant);
}

async function amend(seq, event) {
  if (waiting()) return;
  const meant = log.idOf(seq);
  const table = await online(sender.judge.tableAt(seq - 1, events(ahead())));
  if (!table) return;
  amending = { seq, event, table, meant };
  draft = null;
  if (event.type === "deal") dealing.amend(event);
  changed();
  panel.show();
  if (event.type === "claim" || event.type === "score") sheet(event.type, amending.table, "", event.tricks ?? event.scores);
}

/** The answer of the server, or null with a message when it cannot be reached. */
async function online(question) {
  try {
    return await question;
  } catch {
    panel.say(_("An amendment needs a connection, because the server first shows what it would change. Try again later."));
    return null;
  }
}

// A scorer is asked who leaves the page in the middle of a correction, of which nothing is kept, or with entries for which there is no room.
addEventListener("beforeunload", (event) => {
  if (amending || queue.unsaved) event.preventDefault();
});

async function confirmAmend(event) {
  if (!ahead()) await sender.send(); // there is a connection again
  if (waiting()) return;
  const { meant } = amending;
  const place = ahead().findIndex((entry) => entry.event.id === meant);
  const seq = place < 0 ? (queue.numbers.get(meant) ?? amending.seq) : sender.table.seq + place + 1;
  const found = await online(changes(sender.judge, words, seq, event, sender.judge.after(ahead()) ?? sender.table, events(ahead())));
  if (!found) return;
  if (found.problem) {
    panel.say(`${found.problem.code}: ${found.problem.detail}`);
  } else if (await panel.askAmend(seq, inWords(event, words), found.lines)) {
    leave();
    const about = turnNow();
    enter({ type: "amend", about: seq, event }, about, about.turn, meant);
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

/** Decide on the entry in question: record it all the same, or give it up (with `all`, every waiting entry). */
function decide(yes, all = false) {
  const entry = held();
  if (!entry) return;
  const { kind, turn, seq } = entry.problem;
  const rest = input.value.trim();
  input.value = "";
  if (kind === "two") {
    if (sender.settle(yes)) panel.say(yes ? _("What others recorded is taken back; what this phone has is recorded.") : _("What others recorded is kept."));
  } else if (yes && kind === "stale") {
    const next = entry.event.type === "retract" ? entry.next : entry.next - entry.turn + turn;
    queue.change({ ...entry, turn, seq, at: seq, next, unsure: false, problem: null });
  } else if (yes) {
    queue.change({ ...entry, agreed: [...entry.agreed, kind], problem: null });
    if (!/^y(es)?$/i.test(rest)) input.value = rest;
  } else if (kind === "doubtful" && !all) {
    correct(entry);
    return;
  } else {
    queue.giveUp(all ? queue.list().reverse() : [entry], sender.table.seq);
    const dropped = { words: inWords(entry.event, words) };
    panel.say(all ? _("Not entered: %(words)s, and the entries after it.", dropped) : _("Not entered: %(words)s.", dropped));
  }
  sender.send();
}

/** Ask for the points of a score sheet again; later entries keep their place. */
async function correct(entry) {
  const given = entry.event.scores;
  const found = await askPoints(given, "");
  if (!found) return;
  queue.change({ ...entry, event: { ...entry.event, scores: found }, problem: null });
  sender.send();
}

// --- what happens

function changed() {
  const state = shown();
  const list = queue.list();
  showStatus(root, sender, list, Boolean(amending));
  refused.follow();
  root.toggleAttribute("data-judges", sender.judge.knows); // the engine in this browser answers
  const offline = document.getElementById("offline"); // the notice of a page that was kept
  if (offline && sender.state === "ready") {
    offline.remove();
    readLog();
  }
  const [first] = list;
  if (first?.problem?.kind === "refused" && list.length === 1 && !first.overtaken && fresh.delete(first.event.id)) {
    queue.drop(first);
    const rest = input.value.trim();
    input.value = "";
    panel.say(`${first.problem.code}: ${first.problem.detail}${rest ? ` ${_("Not entered either: %(text)s", { text: rest })}` : ""}`);
    return;
  }
  if (!state) return;
  if (queue.list().length + log.ids.length && ahead() && log.lacks(ahead(), sender.table.seq)) readLog();
  dealing.follow(state);
  const { deal } = dealing;
  const moment = momentOf(state);
  if (draft && !amending && draftTurn !== state.counted) draft = null;
  panel.table(amending?.table ?? state, state, state.sure ? [] : waitingNow().map(({ event }) => event), deal);
  panel.prompt(state, moment, { draft, deal, amending, held: held(), two: sender.two, waiting: list, decide, leave });
  panel.acts(state, log, run, Boolean(amending), { tapped: Boolean(draft ?? dealing.deal?.placed.length), dropped: takenBack.length > 0 });
  if (!ready(state)) panel.wait();
  else if (deal) drawDeal(panel.tray, deal, cards, { ...dealing.taps, results: amending ? null : () => run("score", ""), contract: amending || !card.line ? null : () => handOnLine(), passed: () => enterHand({ deal: {}, calls: card.players.map(() => "pass"), tricks: [] }, turnNow()) });
  else {
    drawTray(panel.tray, { moment, draft, state, pack: cards }, {
      kind: (choice) => go(begin(moment, choice)),
      value: (value) => go(fill(moment, draft ?? begin(moment, moment.choices[0]), value)),
      call: (made, call) => go(fill(moment, made, call)),
      tricks: moment.hidden && unplayed(state) && !amending && canClaim(state) ? () => run("claim", "") : null,
      card: (face) => go(withCard(moment, draft ? [draft] : moment.choices.map((choice) => begin(moment, choice)), face)),
    });
  }
}

function looked() {
  changed();
  if (input.value.trim() && queue.list().length) consume(false);
}

function recorded({ event }) {
  fresh.delete(event.id);
  readLog();
  changed();
  if (input.value.trim()) consume(false);
}

function met(events) {
  if (events.some(({ type }) => type !== "note")) {
    passedOn = performance.now();
    root.toggleAttribute("data-passed", true);
    setTimeout(() => root.toggleAttribute("data-passed", justPassed()), GLANCE);
    typedLate = true;
  }
  unheard.push(...events);
  readLog();
}

/** Say what others recorded, once the log shows it as recorded: before, an entry that waits may stand in its place. */
function hear() {
  const shown = unheard.filter(({ seq }) => seq <= log.base);
  if (!shown.length) return;
  unheard.splice(0, unheard.length, ...unheard.filter(({ seq }) => seq > log.base));
  const lines = shown.map(({ seq, by }) => `${by}: ${log.words(seq) ?? _("event %(seq)s", { seq })}`);
  panel.heard(lines.slice(-3).join("; "));
}

function dropped({ event }) {
  panel.say(_("Another scorer has recorded the same: %(words)s", { words: inWords(event, words) }));
}

async function readLog() {
  standing.follow(sender.table);
  if (await log.read(ahead() ?? [], sender.table.seq)) hear();
  dealing.resize(log.each);
  changed();
}

// --- keys

root.querySelector("#line").addEventListener("submit", (event) => {
  event.preventDefault();
  consume(true);
});
input.addEventListener("beforeinput", () => {
  if (!input.value.trim()) typedLate = justPassed();
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

sender.send().then(() => {
  if (sender.table) standing.follow(sender.table);
  sender.follow();
});
if (desk) input.focus();
const kept = keepPage().then((keeps) => keeps && sender.table && sender.know(sender.table));
// The worker comes first, so that it keeps the engine's files; a page that was reloaded past it gets none.
Promise.race([kept, new Promise((passed) => setTimeout(passed, PATIENCE))]).then(() => sender.judge.load(() => new Witness((question) => sender.judge.engine.ask(question)).watch()));
