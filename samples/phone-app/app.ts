/**
 * Scores a match of hearts on a phone, and shows it on any other screen as it goes on.
 *
 * What is entered is kept on the phone first and sent when the server can be reached: each event has an id of its own,
 * so sending it twice stores it once, and `If-Match` keeps two phones from writing over each other.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];
type Entered = (Schemas["Deal"] | Schemas["Score"]) & { id: string };

interface Scoring {
  server: string;
  token: string;
  match: string;
  players: string[];
  target: number;
  /** Number of events the server has confirmed. */
  seq: number;
  /** Points of the hands that the server has confirmed. */
  hands: number[][];
  /** What was entered since. */
  waiting: Entered[];
}

const KEY = "hearts-on-a-phone";
const RETRY_MS = 3_000;
const ALL_POINTS = 26;
const app = document.getElementById("app") as HTMLElement;
const status = document.getElementById("status") as HTMLElement;

/** A refusal by the server: its stable code, and its message for people. */
class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

async function ask(server: string, path: string, request: RequestInit = {}): Promise<Response> {
  const answer = await fetch(`${server}/api/v1${path}`, { ...request, signal: AbortSignal.timeout(10_000) });
  if (answer.ok) return answer;
  const problem = (await answer.json()) as Schemas["Problem"];
  throw new Refusal(problem.code, problem.detail ?? problem.title);
}

function post(scoring: Pick<Scoring, "server" | "token">, path: string, events: object[], seq?: number): Promise<Response> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${scoring.token}`,
    "Content-Type": "application/json",
  };
  if (seq !== undefined) headers["If-Match"] = `"${seq}"`;
  return ask(scoring.server, path, { method: "POST", headers, body: JSON.stringify({ events }) });
}

// --- What the phone remembers

function remembered(): Scoring | null {
  const text = localStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as Scoring);
}

function remember(scoring: Scoring): void {
  localStorage.setItem(KEY, JSON.stringify(scoring));
}

const isScore = (event: Entered): event is Schemas["Score"] & { id: string } => event.type === "score";

/** The points of all hands, and the number of those that the server has. */
function hands(scoring: Scoring): [number[][], number] {
  const waiting = scoring.waiting.filter(isScore).map((event) => event.scores.map(Number));
  return [[...scoring.hands, ...waiting], scoring.hands.length];
}

function totals(played: number[][], n: number): number[] {
  return Array.from({ length: n }, (_, seat) => played.reduce((sum, points) => sum + (points[seat] ?? 0), 0));
}

// --- Sending

let sending = false;

/** Send what waits; whatever cannot be sent now stays, and is sent later. */
async function flush(): Promise<void> {
  const scoring = remembered();
  if (sending || scoring === null || scoring.waiting.length === 0) return;
  sending = true;
  const batch = scoring.waiting;
  try {
    const answer = await post(scoring, `/matches/${scoring.match}/events`, batch, scoring.seq);
    const { seq } = (await answer.json()) as Schemas["Recorded"];
    confirm(batch, seq);
    say("Saved.");
  } catch (error) {
    if (error instanceof Refusal && error.code === "store.conflict") await takeOver(batch);
    else if (error instanceof Refusal) say(`The server refused this: ${error.message}`);
    else say("No connection: what you enter is kept on this phone and sent later.");
  } finally {
    sending = false;
  }
  const now = remembered();
  if (now) showScoring(now);
}

/** Note that the server has a batch. */
function confirm(batch: Entered[], seq: number): void {
  const scoring = remembered() as Scoring;
  const sent = new Set(batch.map((event) => event.id));
  scoring.hands.push(...batch.filter(isScore).map((event) => event.scores.map(Number)));
  scoring.waiting = scoring.waiting.filter((event) => !sent.has(event.id));
  scoring.seq = seq;
  remember(scoring);
}

/** Somebody else has recorded something: show the match as it stands there, and let go of what was entered here. */
async function takeOver(lost: Entered[]): Promise<void> {
  const scoring = remembered() as Scoring;
  const match = await read(scoring.server, scoring.match);
  const said = lost.filter(isScore).map((event) => event.scores.join(", ")).join("; ");
  remember({ ...scoring, seq: match.seq, hands: match.hands, waiting: [] });
  say(`Somebody else recorded this match meanwhile. Not saved: ${said}. Enter it again if it is still missing.`);
}

async function read(server: string, match: string): Promise<Pick<Scoring, "seq" | "hands" | "players">> {
  const answer = await ask(server, `/matches/${match}`);
  const row = (await answer.json()) as Schemas["MatchDetail"];
  const scores = (row.result?.hands ?? []).map((hand) => hand["scores"] as number[] | null);
  return { seq: row.seq, players: row.players, hands: scores.filter((points): points is number[] => points !== null) };
}

// --- The screens

function say(text: string): void {
  status.textContent = text;
}

function field(label: string, name: string, value = "", type = "text"): HTMLLabelElement {
  const element = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { name, type, value, required: true });
  element.append(label, input);
  return element;
}

function form(title: string, fields: HTMLElement[], button: string, submit: (given: FormData) => void | Promise<void>): HTMLFormElement {
  const element = document.createElement("form");
  const heading = Object.assign(document.createElement("h2"), { textContent: title });
  element.append(heading, ...fields, Object.assign(document.createElement("button"), { textContent: button }));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    Promise.resolve(submit(new FormData(element))).catch((error: Error) => say(error.message));
  });
  return element;
}

const text = (given: FormData, name: string): string => String(given.get(name) ?? "").trim();

function showStart(): void {
  const server = location.origin;
  const names = ["North", "East", "South", "West"].map((place, seat) => field(`Player ${seat + 1}`, `player${seat}`, place));
  app.replaceChildren(
    form("Score a match", [field("Server", "server", server), field("Token of a scorer", "token"), ...names], "Begin", begin),
    form("Follow a match", [field("Server", "server", server), field("Match", "match")], "Follow", (given) => {
      location.hash = new URLSearchParams({ server: text(given, "server"), match: text(given, "match") }).toString();
    }),
  );
}

async function begin(given: FormData): Promise<void> {
  const server = text(given, "server").replace(/\/$/, "");
  const token = text(given, "token");
  const players = [0, 1, 2, 3].map((seat) => text(given, `player${seat}`));
  const target = 100;
  const opening: Schemas["Open"] = { type: "open", game: "hearts", players, options: { target }, policy: "record" };
  const answer = await post({ server, token }, "/matches", [opening]);
  const { match, seq } = (await answer.json()) as Schemas["Recorded"];
  const scoring = { server, token, match, players, target, seq, hands: [], waiting: [] };
  remember(scoring);
  say("");
  showScoring(scoring);
}

function sheet(players: string[], played: number[][], saved: number): HTMLTableElement {
  const table = document.createElement("table");
  const row = (cells: (string | number)[], kind: "th" | "td"): HTMLTableRowElement => {
    const line = document.createElement("tr");
    line.append(...cells.map((cell) => Object.assign(document.createElement(kind), { textContent: String(cell) })));
    return line;
  };
  table.createTHead().append(row(players, "th"));
  table.createTBody().append(...played.map((points) => row(points, "td")));
  [...(table.tBodies[0]?.rows ?? [])].forEach((line, hand) => line.classList.toggle("waiting", hand >= saved));
  table.createTFoot().append(row(totals(played, players.length), "td"));
  return table;
}

function showScoring(scoring: Scoring): void {
  const [played, saved] = hands(scoring);
  const link = Object.assign(document.createElement("p"), { textContent: `Others follow match ${scoring.match}.` });
  const over = totals(played, scoring.players.length).some((points) => points >= scoring.target);
  const inputs = scoring.players.map((player, seat) => {
    const label = field(player, `points${seat}`, "", "number");
    (label.lastElementChild as HTMLInputElement).inputMode = "numeric";
    return label;
  });
  const entry = form(`Points of hand ${played.length + 1}`, inputs, "Save", enter);
  const another = Object.assign(document.createElement("button"), { textContent: "Another match", disabled: scoring.waiting.length > 0 });
  another.addEventListener("click", () => {
    localStorage.removeItem(KEY);
    showStart();
  });
  app.replaceChildren(sheet(scoring.players, played, saved), ...(over ? [another] : [entry]), link);
}

/** Keep the points of a hand on the phone, then try to send them. */
async function enter(given: FormData): Promise<void> {
  const scoring = remembered() as Scoring;
  const points = scoring.players.map((_, seat) => Number(given.get(`points${seat}`)));
  const sum = points.reduce((total, one) => total + one, 0);
  const moon = points.filter((one) => one === ALL_POINTS).length === 3 && sum === 3 * ALL_POINTS;
  if (!points.every((one) => Number.isInteger(one) && one >= 0) || !(sum === ALL_POINTS || moon)) {
    say(`The points of a hand are 26 together, or 26 for three players if one shot the moon; these are ${sum}.`);
    return;
  }
  const dealer = hands(scoring)[0].length % scoring.players.length;
  scoring.waiting.push(
    { type: "deal", dealer, hands: null, id: crypto.randomUUID() },
    { type: "score", scores: points, id: crypto.randomUUID() },
  );
  remember(scoring);
  showScoring(scoring);
  say("");
  await flush();
}

// --- Another screen

async function follow(server: string, match: string): Promise<void> {
  const show = async (): Promise<void> => {
    const { players, hands: played } = await read(server, match);
    app.replaceChildren(sheet(players, played, played.length));
    say("Live.");
  };
  await show();
  const stream = new EventSource(`${server}/api/v1/matches/${match}/live?after=0`);
  stream.onmessage = () => void show().catch((error: Error) => say(error.message));
  stream.onerror = () => say("The connection is lost: trying again.");
}

async function start(): Promise<void> {
  const hash = new URLSearchParams(location.hash.slice(1));
  const [server, match] = [hash.get("server"), hash.get("match")];
  if (server && match) return follow(server, match);
  const scoring = remembered();
  if (scoring === null) return showStart();
  showScoring(scoring);
  await flush();
}

addEventListener("hashchange", () => location.reload());
addEventListener("online", () => void flush());
setInterval(() => void flush(), RETRY_MS);
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("worker.js");
start().catch((error: Error) => say(error.message));
