// A scorer's phone without a page: the outbox and the way to the server, as score.js uses them. A line of JSON on the standard
// input is a step, or an answer to what was asked on the standard output: {fetch} of the server, {engine} of the engine.
import { createInterface } from "node:readline";

const [folder, api, page] = process.argv.slice(2);
const { Keeping } = await import(`${folder}/keeping.js`);
const { Queue, asRecorded } = await import(`${folder}/score-queue.js`);
const { Opening } = await import(`${folder}/opening.js`);
const { Sender } = await import(`${folder}/score-send.js`);

const kept = new Map();
let full = false;
const storage = {
  get length() { return kept.size; },
  key: (place) => [...kept.keys()][place],
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, text) => {
    if (full) throw new DOMException("no room", "QuotaExceededError");
    kept.set(key, text);
  },
  removeItem: (key) => kept.delete(key),
};
const answers = [];
const tell = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
const ask = (asked) => new Promise((answered) => { answers.push(answered); tell(asked); });
let away = false;
let trouble = null; // what happens to requests that reach somebody
let keeping; // of the page that is open
globalThis.fetch = async (address, { method = "GET", body, headers = {} }) => {
  if (away) throw new TypeError("no connection");
  if (trouble === "hotel") return new Response("<h1>Welcome</h1>", { headers: { "Content-Type": "text/html" } });
  if (trouble === "signed out") return new Response("{}", { status: 401 });
  const { status, text, type } = await ask({ fetch: address, method, body, headers });
  if (trouble === "answers are lost") throw new TypeError("lost");
  return new Response(text, { status, headers: { "Content-Type": type } });
};

let sender, queue;
function open() {
  const table = sender?.table ?? null; // what a phone keeps of a match
  keeping = new Keeping(() => storage);
  queue = new Queue("m", () => {}, keeping);
  sender = new Sender({ api, page }, queue, { changed() {}, looked() {}, recorded() {}, met() {}, dropped() {} }, new Opening("m", storage));
  sender.judge.engine = { running: true, ask: (engine) => ask({ engine }) };
  sender.table = table;
}

const steps = {
  async open() { open(); await sender.send(); clearTimeout(sender.timer); await sender.judge.follow(); },
  /** A match that is opened without a connection: its page has the table, the engine knows its opening. */
  async opened({ event, table, desk }) {
    away = true;
    new Opening("m", storage).keep({ event });
    open();
    sender.table = table;
    await sender.send();
    clearTimeout(sender.timer);
    await ask({ engine: { ask: "open", ...desk } });
    sender.judge.desk = desk;
  },
  async refused() { await ask({ two: sender.opening.refused }); },
  /** Somebody changes the opening that was refused. */
  async changed({ event }) { sender.opening.keep({ event }); },
  /** The entries wait for another match. */
  async moved() { queue.move("n"); await ask({ two: new Queue("n", () => {}, keeping).list().map(({ event }) => event.type) }); },
  async away() { away = true; },
  async trouble({ what }) { trouble = what; },
  async room({ full: now }) { full = now; await ask({ two: queue.unsaved }); },
  /** The same page in another window, opened when the clock was an hour ahead, has an entry. */
  async ahead({ event }) {
    const { Queue: Other } = await import(`${folder}/score-queue.js?other`);
    const { now } = Date;
    const { counted: turn, seq } = sender.table;
    Date.now = () => now() + 3_600_000;
    new Other("m", () => {}, keeping).add(event, { turn, seq, at: seq, unsure: false, apart: true, next: turn + 1 });
    Date.now = now;
    await sender.look();
  },
  /** The page is closed, and opened again with a connection. */
  async anew() {
    open();
    sender.table = null;
    await sender.send();
    clearTimeout(sender.timer);
    await sender.judge.work;
  },
  async back() { away = false; await sender.catchUp(); clearTimeout(sender.timer); await sender.judge.work; },
  /** The page comes again without a connection: the engine starts again with the events that were kept. */
  async reload() {
    const { desk } = sender.judge;
    open();
    await ask({ engine: { ask: "open", ...desk } });
    sender.judge.desk = desk;
    await sender.look();
  },
  async enter({ event, left, closed = false }) {
    const list = queue.list();
    const { table } = sender;
    const after = list.length ? sender.judge.after(list) : table;
    if (!after) throw new Error("nobody knows what comes after the waiting entries");
    const about = { amend: event.about, retract: event.to }[event.type] ?? 0; // a card is given to a seat, too
    const place = about - table.seq - 1;
    const next = left ?? after.counted + (["note", "amend"].includes(event.type) ? 0 : 1);
    queue.add(event, { turn: after.counted, seq: table.seq, at: after.seq, unsure: false, apart: away || sender.away, next, meant: list[place]?.event.id });
    if (!away && !closed) await sender.send();
    if (queue.list().length) await sender.look();
    clearTimeout(sender.timer);
    await sender.judge.work;
  },
  /** What is shown of two records that differ, before one of them is chosen. */
  async two() { await ask({ two: sender.two }); },
  async decide({ replace }) { sender.settle(replace); await sender.send(); clearTimeout(sender.timer); await sender.judge.work; },
  async drop() { queue.giveUp([queue.list().at(-1)], sender.table.seq); await sender.look(); },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { step, answer, ...more } = JSON.parse(line);
  if (!step) answers.shift()(answer);
  else steps[step](more).then(() => tell({ done: queue.list().map(({ problem }) => problem) }), (error) => tell({ failed: String(error.stack) }));
}
